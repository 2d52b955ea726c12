// Five criteria of an inference system, from a few further predictions.
#include "analysis/planner.h"
#include "analysis/predictor_impl.h"
#include "decode/step_impl.h"

#include <algorithm>
#include <cmath>

namespace decodescope::analysis {
namespace {

/// p99 over p50 of the time between tokens: iterations that carry prompt tokens, and the spread of the
/// slowest rank.
double stability(const SettledPoint& p, double noise_ratio) {
  const SteadyStep& step = p.loop.step;
  if (step.carrying_share <= 0 || step.plain_s <= 0) return 1 + noise_ratio;
  const double usual = step.carrying_share < 0.5 ? step.plain_s : step.carrying_s;
  const double late = step.carrying_share > 0.01 ? std::max(step.plain_s, step.carrying_s) : step.plain_s;
  return late / usual * (1 + noise_ratio);
}

double retention(const Predictor::Impl& m, const Scenario& s, double throughput) {
  constexpr double kLonger = 8;
  Scenario longer = s;
  longer.workload.context_tokens *= kLonger;
  TokenLength& prompt = longer.workload.prompt;
  for (double* tokens : {&prompt.mean_tokens, &prompt.min_tokens, &prompt.max_tokens}) *tokens *= kLonger;
  if (!(throughput > 0) || !fitsMemory(m, longer)) return 0;
  double overload = 0;
  return operatingLoop(*m.step, longer, m.lengthsOf(longer), m.arrivalsOf(longer), 1, &overload)
             .output_tokens_per_s /
         throughput;
}

/// Chips of the next smaller tier of the interconnect: a domain when replicas span several, else a tray, else
/// one chip.
int smallerTier(const Predictor::Impl& m) {
  const SystemSpec& system = m.context->specs.system;
  if (m.step->plan().chipsPerReplica() > system.chips) return system.chips;
  const int tray = system.layout.chips_per_tray;
  return tray > 0 && tray < m.step->plan().chipsPerReplica() ? tray : 1;
}

}  // namespace

void fillScoreboard(const Predictor::Impl& m, const Scenario& s, const SettledPoint& p,
                    const physical::Deployability& rules, Prediction& out) {
  Scoreboard& b = out.scoreboard;
  const double wait = out.breakdown_s[StepPart::Wait];
  const double noise = out.step_time_s > 0 ? 2 * wait / out.step_time_s : 0;
  b.tpot_stability_ratio = stability(p, noise);
  b.long_context_retention_ratio = retention(m, s, p.loop.output_tokens_per_s);
  const decode::Specs& specs = m.context->specs;
  const auto inside =
      rankPlans(m.context, s, specs.system, specs.model, p.lengths, m.arrivalsOf(s), smallerTier(m));
  // Nothing that fits inside the smaller tier: the tier is what makes the model run at all.
  const bool alone = !inside.empty() && inside.front().fits && p.loop.tpot_s > 0;
  b.interconnect_benefit_ratio =
      alone ? inside.front().tpot_s / p.loop.tpot_s : std::numeric_limits<double>::infinity();
  b.interconnect_cost_ratio = p.cost.interconnect_capex_share;
  b.tokens_per_joule = out.joules_per_token > 0 ? 1 / out.joules_per_token : 0;
  b.deployability_margin_ratio = rules.smallest_margin_ratio;
  b.scale_limited_by = rules.limited_by;
}

}  // namespace decodescope::analysis
