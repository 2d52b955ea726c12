#include "analysis/planner.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace decodescope::analysis {
namespace {

/// Throughputs closer than this count as equal; the lower time per token then decides.
constexpr double kTie = 0.005;

double requestTokens(const Scenario& s, const MeanLengths& lengths) {
  return s.workload.mode == WorkloadMode::Static ? s.workload.context_tokens
                                                 : lengths.prompt_tokens + lengths.output_tokens;
}

double missingBytes(const decode::MemoryPlan& m) {
  return m.weights_bytes_per_chip + m.activation_bytes_per_chip - m.usable_bytes_per_chip;
}

bool better(const RankedPlan& a, const RankedPlan& b) {
  if (a.fits != b.fits) return a.fits;
  if (!a.fits) return missingBytes(a.step->memory()) < missingBytes(b.step->memory());
  if (a.meets_target != b.meets_target) return a.meets_target;
  if (!a.meets_target) return a.tpot_s < b.tpot_s;
  return a.tokens_per_s_per_chip > b.tokens_per_s_per_chip;
}

}  // namespace

std::vector<RankedPlan> rankPlans(const std::shared_ptr<const decode::StepContext>& context,
                                  const Scenario& scenario, const SystemSpec& system, const ModelSpec& model,
                                  const MeanLengths& lengths, double arrivals_per_s,
                                  int most_chips_per_replica) {
  std::vector<RankedPlan> out;
  for (const parallel::Plan& plan : parallel::legalPlans(model, system, scenario.chips, scenario.fabric)) {
    if (most_chips_per_replica > 0 && plan.chipsPerReplica() > most_chips_per_replica) continue;
    RankedPlan ranked;
    ranked.step = decode::StepModel::make(context, scenario, plan);
    const decode::MemoryPlan& memory = ranked.step->memory();
    ranked.fits =
        missingBytes(memory) < 0 && memory.maxSequencesPerGroup(requestTokens(scenario, lengths)) >= 1;
    if (ranked.fits) {
      double overload = 0;
      const ClosedLoop loop = operatingLoop(*ranked.step, scenario, lengths, arrivals_per_s, 1, &overload);
      ranked.tpot_s = loop.tpot_s;
      ranked.ttft_s = loop.ttft_s;
      ranked.admitted = loop.admission.admitted;
      ranked.tokens_per_s_per_chip = loop.output_tokens_per_s / plan.chips;
      ranked.meets_target = loop.tpot_s * 1e3 <= scenario.workload.slo_tpot_ms && overload < 1;
    }
    out.push_back(std::move(ranked));
  }
  std::stable_sort(out.begin(), out.end(), better);
  if (out.empty() || !out.front().meets_target) return out;
  // Among equals in throughput, the fastest.
  const double least = out.front().tokens_per_s_per_chip * (1 - kTie);
  const auto last = std::find_if(out.begin(), out.end(), [&](const RankedPlan& p) {
    return !p.meets_target || p.tokens_per_s_per_chip < least;
  });
  std::stable_sort(out.begin(), last,
                   [](const RankedPlan& a, const RankedPlan& b) { return a.tpot_s < b.tpot_s; });
  return out;
}

std::string planText(const parallel::Plan& plan) {
  const auto& d = plan.degrees;
  std::string out = fmt::format("TP{}", d.tp);
  if (d.attention == AttentionSharding::Data) out += " with data-parallel attention";
  if (d.ep > 1) out += fmt::format(" x EP{}", d.ep);
  if (d.dp > 1) out += fmt::format(" x DP{}", d.dp);
  if (d.cp > 1) out += fmt::format(" x CP{}", d.cp);
  if (d.pp > 1) out += fmt::format(" x PP{}", d.pp);
  if (plan.replicas > 1) out += fmt::format(", {} replicas", plan.replicas);
  return out;
}

std::string planReason(const std::vector<RankedPlan>& ranked, const Scenario& scenario) {
  if (ranked.empty()) return "No legal plan exists for this number of chips";
  const RankedPlan& best = ranked.front();
  const auto feasible =
      std::count_if(ranked.begin(), ranked.end(), [](const RankedPlan& p) { return p.fits; });
  if (!best.fits)
    return fmt::format("None of {} legal plans fits in memory; {} misses least", ranked.size(),
                       planText(best.step->plan()));
  const std::string numbers = fmt::format("{:.1f} tokens/s per chip at {:.1f} ms per token",
                                          best.tokens_per_s_per_chip, best.tpot_s * 1e3);
  if (!best.meets_target)
    return fmt::format("No plan of {} that fit meets {:.0f} ms per token; {} is the fastest with {}",
                       feasible, scenario.workload.slo_tpot_ms, planText(best.step->plan()), numbers);
  std::string reason =
      fmt::format("{} gives most of {} plans that fit within {:.0f} ms per token: {}",
                  planText(best.step->plan()), feasible, scenario.workload.slo_tpot_ms, numbers);
  if (ranked.size() > 1 && ranked[1].meets_target)
    reason += fmt::format("; next is {} with {:.1f}", planText(ranked[1].step->plan()),
                          ranked[1].tokens_per_s_per_chip);
  return reason;
}

}  // namespace decodescope::analysis
