// Prompt and output lengths drawn from a scenario's distributions, one draw per request, keyed by the
// request's number.
#pragma once

#include "base/rng.h"

#include <decodescope/scenario.h>

#include <cstdint>

namespace decodescope::serving {

/// Longest context a scenario may ask for.
inline constexpr std::int32_t kMaxContextTokens = 16 * 1024 * 1024;

/// At least 1. Lognormal: exp(ln mean - sigma^2/2 + sigma z), so that `mean_tokens` is the mean before
/// clamping.
[[nodiscard]] std::int32_t drawLength(const TokenLength&, std::uint64_t seed, rng::Stream,
                                      std::uint64_t request);

/// Lengths of requests that are in flight at a random instant: longer ones are seen more often, in proportion
/// to their length. Chosen among 16 draws with weight equal to length (sampling importance resampling).
[[nodiscard]] std::int32_t drawLengthInFlight(const TokenLength&, std::uint64_t seed, rng::Stream,
                                              std::uint64_t request);

}  // namespace decodescope::serving
