#include "analysis/pareto.h"

#include "analysis/planner.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace decodescope::analysis {
namespace {

/// The objective with larger always better: tokens per dollar and per joule in place of their inverses.
double objectiveValue(Objective objective, const Prediction& p) {
  const HeadlineMetric& metric = objectiveMetric(objective);
  const double value = metric.value(p);
  if (metric.higher_is_better) return value;
  return value > 0 ? 1 / value : 0;
}

std::string pointText(const ParetoFront& front, const ParetoPoint& p) {
  return fmt::format("{} at {:.0f} sequences", planText(front.plans[p.plan]), p.concurrency);
}

std::string_view objectiveNoun(Objective objective) {
  switch (objective) {
    case Objective::Cost:
      return "tokens per dollar";
    case Objective::Energy:
      return "tokens per joule";
    case Objective::Tpot:
    case Objective::Throughput:
      break;
  }
  return "tokens/s per chip";
}

/// "12 % more tokens per joule", "5.2 times the tokens per joule".
std::string moreText(double better, double worse, std::string_view noun) {
  constexpr double kTimes = 2;
  if (worse > 0 && better / worse < kTimes)
    return fmt::format("{:.3g} % more {}", (better / worse - 1) * 100, noun);
  return worse > 0 ? fmt::format("{:.3g} times the {}", better / worse, noun) : fmt::format("more {}", noun);
}

void explain(const ParetoFront& front, ParetoPoint& p) {
  if (p.dominated_by == kNotDominated) return;
  const ParetoPoint& by = front.points[p.dominated_by];
  std::string gain;
  if (by.y > p.y) gain = moreText(by.y, p.y, objectiveNoun(front.objective));
  if (by.x > p.x) gain += (gain.empty() ? "" : " and ") + moreText(by.x, p.x, "tokens/s per user");
  p.why = fmt::format("{} gives {}", pointText(front, by), gain);
}

/// Points of one plan.
void addPoints(const Predictor& predictor, std::size_t plan, std::span<const double> concurrencies,
               ParetoFront& front) {
  Scenario scenario = predictor.scenario();
  scenario.workload.concurrency = 1;
  const Prediction alone = predictor.predict(scenario, {false, false});
  if (!alone.feasible) return;
  ++front.plans_that_fit;
  const double most = std::floor(alone.max_concurrency);
  std::vector<double> wanted(concurrencies.begin(), concurrencies.end());
  if (wanted.empty()) wanted = doublingsUpTo(most);
  for (const double concurrency : wanted) {
    if (concurrency > most) continue;
    scenario.workload.concurrency = concurrency;
    ParetoPoint point;
    point.plan = plan;
    point.concurrency = concurrency;
    point.prediction = predictor.predict(scenario, {false, false});
    point.x = point.prediction.output_tokens_per_s_per_user;
    point.y = objectiveValue(front.objective, point.prediction);
    front.points.push_back(std::move(point));
  }
}

}  // namespace

std::vector<std::size_t> dominators(std::span<const double> x, std::span<const double> y) {
  std::vector<std::size_t> order(x.size()), out(x.size(), kNotDominated);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return x[a] != x[b] ? x[a] > x[b] : y[a] > y[b]; });
  // From the fastest down: whoever is not above all before it is dominated by the highest of them.
  std::size_t highest = kNotDominated;
  for (const std::size_t i : order) {
    if (highest == kNotDominated || y[i] > y[highest])
      highest = i;
    else if (y[highest] > y[i] || x[highest] > x[i])
      out[i] = highest;
  }
  return out;
}

std::vector<double> doublingsUpTo(double most) {
  // More sequences than this on one deployment only repeat the limit of full batches.
  constexpr double kMost = 1 << 20;
  std::vector<double> out;
  for (double c = 1; c < std::min(most, kMost); c *= 2) out.push_back(c);
  if (most >= 1) out.push_back(std::min(most, kMost));
  return out;
}

Expected<ParetoFront> paretoFront(const std::shared_ptr<const Catalog>& catalog, const Scenario& scenario,
                                  Objective objective, std::span<const double> concurrencies) {
  // Time per token is the other axis already.
  ParetoFront front;
  front.objective = objective == Objective::Tpot ? Objective::Throughput : objective;
  Scenario closed = scenario;
  if (closed.workload.mode == WorkloadMode::Open || closed.workload.mode == WorkloadMode::Trace)
    closed.workload.mode = WorkloadMode::Closed;
  auto legal = legalPredictors(catalog, closed);
  if (!legal) return Unexpected(legal.error());
  front.structural = std::move(legal->structural);
  front.plans = std::move(legal->plans);
  for (std::size_t i = 0; i < front.plans.size(); ++i)
    addPoints(*legal->predictors[i], i, concurrencies, front);
  std::vector<double> x, y;
  for (const ParetoPoint& p : front.points) {
    x.push_back(p.x);
    y.push_back(p.y);
  }
  const auto by = dominators(x, y);
  for (std::size_t i = 0; i < front.points.size(); ++i) {
    front.points[i].dominated_by = by[i];
    explain(front, front.points[i]);
  }
  return front;
}

}  // namespace decodescope::analysis
