// Picks the parallel plan of an automatic scenario: most tokens per second and chip within the target of time
// per token.
#pragma once

#include "analysis/steady_batch.h"

#include <memory>
#include <string>
#include <vector>

namespace decodescope::analysis {

struct RankedPlan {
  std::shared_ptr<const decode::StepModel> step;
  double tpot_s = 0, ttft_s = 0, tokens_per_s_per_chip = 0, admitted = 0;
  bool fits = false, meets_target = false;
};
/// All legal plans by closed forms at nominal clock, best first: those that fit and meet the target by
/// throughput per chip, then those that fit by time per token, then those that do not fit by how little is
/// missing.
[[nodiscard]] std::vector<RankedPlan> rankPlans(const std::shared_ptr<const decode::StepContext>&,
                                                const Scenario&, const SystemSpec&, const ModelSpec&,
                                                const MeanLengths&, double arrivals_per_s,
                                                int most_chips_per_replica = 0);
[[nodiscard]] std::string planReason(const std::vector<RankedPlan>&, const Scenario&);
/// "TP8", "TP4 x EP16 x DP4": degrees that are not 1.
[[nodiscard]] std::string planText(const parallel::Plan&);

}  // namespace decodescope::analysis
