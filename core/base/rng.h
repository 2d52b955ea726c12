// Counter-based randomness: every draw is a pure function of (seed, stream, entity, index), so adding a
// consumer or changing the order of events shifts nobody else's draws. Philox4x32-10: Salmon, Moraes, Dror,
// Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
#pragma once

#include <array>
#include <cstdint>

namespace decodescope::rng {

using Block = std::array<std::uint32_t, 4>;
[[nodiscard]] Block philox4x32(Block counter, std::array<std::uint32_t, 2> key);

/// Who draws. The numbers are part of the fingerprint's meaning: append, never renumber.
enum class Stream : std::uint16_t {
  Arrival = 1,
  PromptLength = 2,
  OutputLength = 3,
  Acceptance = 4,
  KernelNoise = 5,
  HostNoise = 6,
  ExpertNoise = 7,
  ChipLeakage = 8,
  ChipEnergy = 9,
  InitialAge = 10,
};

/// Uniform in (0, 1): never 0 and never 1, 53 bits.
[[nodiscard]] double uniform(std::uint64_t seed, Stream, std::uint64_t entity, std::uint64_t index);

/// Successive draws of one entity. Distributions that reject draw as often as they need without touching
/// others.
class Sequence {
 public:
  Sequence(std::uint64_t seed, Stream stream, std::uint64_t entity, std::uint64_t first_index = 0)
      : seed_(seed), entity_(entity), index_(first_index), stream_(stream) {}

  [[nodiscard]] double uniform() { return rng::uniform(seed_, stream_, entity_, index_++); }
  /// Mean 0, standard deviation 1. Marsaglia's polar method.
  [[nodiscard]] double normal();
  /// Mean 1.
  [[nodiscard]] double exponential();
  /// Shape k > 0, scale 1: mean k, variance k. Marsaglia and Tsang, ACM TOMS 26 (2000); shapes below 1 by
  /// U^(1/k).
  [[nodiscard]] double gamma(double shape);

 private:
  std::uint64_t seed_, entity_, index_;
  Stream stream_;
};

/// The largest of `members` exponential delays of mean 1, by inversion of F^members: grows like ln(members).
[[nodiscard]] double largestExponential(double uniform, double members);

}  // namespace decodescope::rng
