#include "analysis/ranking.h"

#include "analysis/plan_reason.h"
#include "decode/specs.h"

#include <algorithm>
#include <cmath>

namespace decodescope::analysis {
namespace {

/// Results closer than this count as equal; the lower time per token then decides.
constexpr double kTie = 0.005;

PlanStanding standingOf(const Prediction& p) {
  if (!p.feasible) return PlanStanding::DoesNotFit;
  const auto breaks = [&](auto judge) {
    return std::any_of(p.violations.begin(), p.violations.end(), judge);
  };
  if (breaks([](const Violation& v) { return v.rule == "tpot" || v.rule == "load"; }))
    return PlanStanding::MissesTarget;
  return p.violations.empty() ? PlanStanding::Good : PlanStanding::BreaksRule;
}

/// Violations of plans that do not fit state bytes needed and bytes there.
double missingBytes(const Prediction& p) {
  for (const Violation& v : p.violations) {
    if (v.rule == "memory") return v.value - v.limit;
  }
  return 0;
}

bool better(const PlanOutcome& a, const PlanOutcome& b, const HeadlineMetric& metric) {
  if (a.standing != b.standing) return a.standing < b.standing;
  if (a.standing == PlanStanding::DoesNotFit) return a.missing_bytes_per_chip < b.missing_bytes_per_chip;
  if (a.standing == PlanStanding::MissesTarget && a.prediction.tpot_s != b.prediction.tpot_s)
    return a.prediction.tpot_s < b.prediction.tpot_s;
  const double x = metric.value(a.prediction), y = metric.value(b.prediction);
  return metric.higher_is_better ? x > y : x < y;
}

/// Among those as good as the best, the fastest comes first.
void breakTie(std::vector<PlanOutcome>& plans, const HeadlineMetric& metric) {
  if (plans.empty() || plans.front().standing > PlanStanding::BreaksRule) return;
  const PlanStanding standing = plans.front().standing;
  const double best = metric.value(plans.front().prediction);
  const auto last = std::find_if(plans.begin(), plans.end(), [&](const PlanOutcome& p) {
    return p.standing != standing || std::fabs(metric.value(p.prediction) - best) > kTie * std::fabs(best);
  });
  std::stable_sort(plans.begin(), last, [](const PlanOutcome& a, const PlanOutcome& b) {
    return a.prediction.tpot_s < b.prediction.tpot_s;
  });
}

}  // namespace

std::string_view planStandingId(PlanStanding standing) {
  switch (standing) {
    case PlanStanding::Good:
      return "good";
    case PlanStanding::BreaksRule:
      return "breaks-rule";
    case PlanStanding::MissesTarget:
      return "misses-target";
    case PlanStanding::DoesNotFit:
      return "does-not-fit";
  }
  return "";
}

Expected<LegalPredictors> legalPredictors(const std::shared_ptr<const Catalog>& catalog,
                                          const Scenario& scenario) {
  auto resolved = resolve(*catalog, scenario);
  if (!resolved) return Unexpected(resolved.error());
  const auto specs = decode::resolveSpecs(*catalog, *resolved);
  if (!specs) return Unexpected(specs.error());
  LegalPredictors out;
  out.structural =
      parallel::checkPlan(specs->model, specs->system, ParallelDegrees{}, resolved->chips, resolved->fabric);
  if (!out.structural.empty()) return out;
  for (parallel::Plan& plan :
       parallel::legalPlans(specs->model, specs->system, resolved->chips, resolved->fabric)) {
    Scenario planned = *resolved;
    planned.parallel = plan.degrees;
    auto predictor = Predictor::make(catalog, planned);
    if (!predictor) return Unexpected(predictor.error());
    out.predictors.push_back(*std::move(predictor));
    out.plans.push_back(std::move(plan));
  }
  return out;
}

Expected<PlanRanking> rankPlansFor(const std::shared_ptr<const Catalog>& catalog, const Scenario& scenario,
                                   Objective objective) {
  auto legal = legalPredictors(catalog, scenario);
  if (!legal) return Unexpected(legal.error());
  PlanRanking out;
  out.objective = objective;
  out.slo_tpot_ms = scenario.workload.slo_tpot_ms;
  out.structural = std::move(legal->structural);
  for (std::size_t i = 0; i < legal->plans.size(); ++i) {
    PlanOutcome outcome;
    outcome.plan = legal->plans[i];
    const Predictor& predictor = *legal->predictors[i];
    outcome.prediction = predictor.predict(predictor.scenario(), {false, false});
    outcome.standing = standingOf(outcome.prediction);
    outcome.missing_bytes_per_chip = missingBytes(outcome.prediction);
    out.plans.push_back(std::move(outcome));
  }
  const HeadlineMetric& metric = objectiveMetric(objective);
  std::stable_sort(out.plans.begin(), out.plans.end(),
                   [&](const PlanOutcome& a, const PlanOutcome& b) { return better(a, b, metric); });
  breakTie(out.plans, metric);
  for (PlanOutcome& plan : out.plans) plan.reason = reasonFor(plan, out);
  return out;
}

}  // namespace decodescope::analysis
