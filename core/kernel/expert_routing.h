// What the busiest expert-parallel rank gets when a measured MoE row names only a distribution.
#pragma once

#include <decodescope/expected.h>

#include <string_view>

namespace decodescope::kernel {

struct BusiestRank {
  double distinct_experts = 0, routed_tokens = 0;
};

/// Expected maximum of n standard normal variates, linear in log2 n between tabulated powers of two
/// (n = 2 .. 256, Royston 1982, Appl. Stat. 31, 161).
[[nodiscard]] double expectedNormalMaximum(double n);

/// `distribution`: "balanced" (deterministic stride), "uniform" (independent choice), or "power_law_<alpha>":
/// expert shares from the quantiles of a truncated power law, as the aiconfigurator collector draws them,
/// then the busiest rank.
[[nodiscard]] Expected<BusiestRank> routeTokens(double tokens, int experts, int top_k, int ranks,
                                                std::string_view distribution);

}  // namespace decodescope::kernel
