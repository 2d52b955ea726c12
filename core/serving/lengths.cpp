#include "serving/lengths.h"

#include "base/numeric.h"

#include <algorithm>
#include <array>

namespace decodescope::serving {

namespace {

double drawUnclamped(const TokenLength& length, rng::Sequence& draws) {
  switch (length.distribution) {
    case TokenLength::Distribution::Fixed:
      return length.mean_tokens;
    case TokenLength::Distribution::Uniform:
      return length.min_tokens - 0.5 + draws.uniform() * (length.max_tokens - length.min_tokens + 1);
    case TokenLength::Distribution::Lognormal: {
      const double mu = numeric::portableLog(length.mean_tokens) - 0.5 * length.sigma * length.sigma;
      return std::clamp(numeric::portableExp(mu + length.sigma * draws.normal()), length.min_tokens,
                        length.max_tokens);
    }
  }
  return length.mean_tokens;
}

std::int32_t rounded(double tokens) {
  const double bounded = std::clamp(tokens, 1.0, static_cast<double>(kMaxContextTokens));
  return static_cast<std::int32_t>(bounded + 0.5);
}

}  // namespace

std::int32_t drawLength(const TokenLength& length, std::uint64_t seed, rng::Stream stream,
                        std::uint64_t request) {
  rng::Sequence draws(seed, stream, request);
  return rounded(drawUnclamped(length, draws));
}

std::int32_t drawLengthInFlight(const TokenLength& length, std::uint64_t seed, rng::Stream stream,
                                std::uint64_t request) {
  if (length.distribution == TokenLength::Distribution::Fixed) return rounded(length.mean_tokens);
  rng::Sequence draws(seed, stream, request);
  std::array<double, 16> candidates{};
  double total = 0;
  for (double& candidate : candidates) {
    candidate = drawUnclamped(length, draws);
    total += candidate;
  }
  double left = draws.uniform() * total;
  for (const double candidate : candidates) {
    left -= candidate;
    if (left <= 0) return rounded(candidate);
  }
  return rounded(candidates.back());
}

}  // namespace decodescope::serving
