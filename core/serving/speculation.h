// How many tokens a sequence gains in one verification step of speculative decoding.
#pragma once

#include <decodescope/scenario.h>

#include <cstdint>
#include <optional>

namespace decodescope::serving {

/// One token of the verifier plus the accepted prefix of `draft_tokens` proposals, each accepted with the
/// same chance given that the one before was: mean sum of a^k, k = 0..d (Leviathan, Kalman, Matias, ICML
/// 2023, eq. 1).
[[nodiscard]] double expectedTokensPerStep(const std::optional<Speculation>&);

class SpeculationSampler {
 public:
  SpeculationSampler(const std::optional<Speculation>&, bool jitter, std::uint64_t seed);
  [[nodiscard]] bool isActive() const { return draft_tokens_ > 0; }
  /// Tokens gained in this step. With jitter a draw keyed by request and step; without it the exact mean,
  /// carried over in `credit` (32 fractional bits), so that no randomness remains.
  [[nodiscard]] std::int32_t tokens(std::uint64_t request, std::uint64_t step, std::uint64_t& credit) const;
  /// Credit a new sequence starts with: spread over sequences by the golden ratio.
  [[nodiscard]] static std::uint64_t initialCredit(std::uint64_t request);

 private:
  int draft_tokens_ = 0;
  double acceptance_ratio_ = 0;
  bool jitter_ = false;
  std::uint64_t seed_ = 0, mean_fixed_point_ = 0;
};

}  // namespace decodescope::serving
