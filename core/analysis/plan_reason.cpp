#include "analysis/plan_reason.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numeric>

namespace decodescope::analysis {
namespace {

std::string milliseconds(double s) {
  return fmt::format("{:.3g} ms", s * 1e3);
}

std::string lowerFirst(std::string_view text) {
  std::string out(text);
  // "KV cache" and "HBM" keep their capitals.
  const bool acronym = out.size() > 1 && std::isupper(static_cast<unsigned char>(out[1])) != 0;
  if (!out.empty() && !acronym) out[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(out[0])));
  return out;
}

/// "12 % slower", "9 % fewer tokens/s per chip".
std::string gapText(Objective objective, double best, double value) {
  const double percent = best != 0 ? std::fabs(value - best) / std::fabs(best) * 100 : 0;
  switch (objective) {
    case Objective::Tpot:
      return fmt::format("{:.3g} % slower", percent);
    case Objective::Throughput:
      return fmt::format("{:.3g} % fewer tokens/s per chip", percent);
    case Objective::Cost:
      return fmt::format("{:.3g} % more expensive per token", percent);
    case Objective::Energy:
      return fmt::format("{:.3g} % more energy per token", percent);
  }
  return {};
}

/// Rules that this plan breaks, the first in full.
std::string ruleText(const PlanOutcome& plan) {
  for (const Violation& v : plan.prediction.violations) {
    if (v.rule != "tpot" && v.rule != "load") return v.message;
  }
  return {};
}

std::string causes(const Prediction& best, const Prediction& p) {
  std::string out = growthText(best.breakdown_s, p.breakdown_s);
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : "; ") + text; };
  if (p.concurrency < 0.99 * best.concurrency)
    add(fmt::format("decodes {:.0f} sequences at once instead of {:.0f}", p.concurrency, best.concurrency));
  if (p.power.it_w > 1.01 * best.power.it_w)
    add(fmt::format("draws {:.1f} % more power", (p.power.it_w / best.power.it_w - 1) * 100));
  return out;
}

std::string targetText(const PlanOutcome& plan, const PlanRanking& ranking) {
  const double over_s = plan.prediction.tpot_s - ranking.slo_tpot_ms * 1e-3;
  if (over_s <= 0) return "requests arrive faster than it finishes them";
  return fmt::format("misses the target of {:.4g} ms per token by {}", ranking.slo_tpot_ms,
                     milliseconds(over_s));
}

std::string bestText(const PlanOutcome& best, const PlanRanking& ranking) {
  const HeadlineMetric& metric = objectiveMetric(ranking.objective);
  std::string out = fmt::format("best of {} legal plans for {}: {:.4g} {}", ranking.plans.size(),
                                objectiveId(ranking.objective),
                                metric.value(best.prediction) * metric.to_unit, metric.unit);
  if (best.standing == PlanStanding::BreaksRule) out += "; all break a rule: " + ruleText(best);
  if (best.standing == PlanStanding::MissesTarget)
    out = "fastest of those that fit, but " + targetText(best, ranking);
  return out;
}

}  // namespace

std::string growthText(const StepBreakdown& from, const StepBreakdown& to) {
  std::array<std::size_t, kStepPartCount> order{};
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto growth = [&](std::size_t i) { return to.part_s[i] - from.part_s[i]; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return growth(a) > growth(b); });
  // Two causes at most, and only those that matter beside the step.
  const double least_s = 0.01 * std::max(from.total_s(), 0.0);
  std::string out;
  for (std::size_t i = 0; i < 2; ++i) {
    if (growth(order[i]) <= least_s) break;
    out += fmt::format("{}{} +{}", out.empty() ? "" : ", ",
                       lowerFirst(stepPartLabel(static_cast<StepPart>(order[i]))),
                       milliseconds(growth(order[i])));
  }
  return out;
}

std::string reasonFor(const PlanOutcome& plan, const PlanRanking& ranking) {
  if (plan.standing == PlanStanding::DoesNotFit) {
    return fmt::format("does not fit by {:.3g} GB per chip: {}", plan.missing_bytes_per_chip / 1e9,
                       plan.prediction.violations.empty() ? "" : plan.prediction.violations.front().message);
  }
  const PlanOutcome& best = ranking.plans.front();
  if (&plan == &best) return bestText(best, ranking);
  if (plan.standing == PlanStanding::MissesTarget && best.standing != plan.standing)
    return targetText(plan, ranking);
  if (plan.standing == PlanStanding::BreaksRule && best.standing != plan.standing)
    return "breaks a rule: " + ruleText(plan);
  const Objective by = plan.standing == PlanStanding::MissesTarget ? Objective::Tpot : ranking.objective;
  const HeadlineMetric& metric = objectiveMetric(by);
  const double ours = metric.value(plan.prediction), theirs = metric.value(best.prediction);
  std::string out = (ours > theirs) == metric.higher_is_better
                        ? std::string("as good within half a percent, but slower")
                        : gapText(by, theirs, ours);
  const std::string why = causes(best.prediction, plan.prediction);
  return why.empty() ? out : out + ": " + why;
}

}  // namespace decodescope::analysis
