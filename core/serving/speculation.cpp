#include "serving/speculation.h"

#include "base/rng.h"

namespace decodescope::serving {

namespace {
constexpr int kFractionBits = 32;
}

double expectedTokensPerStep(const std::optional<Speculation>& speculation) {
  double mean = 1, chance = 1;
  if (!speculation) return mean;
  for (int k = 0; k < speculation->draft_tokens; ++k) {
    chance *= speculation->acceptance_ratio;
    mean += chance;
  }
  return mean;
}

SpeculationSampler::SpeculationSampler(const std::optional<Speculation>& speculation, bool jitter,
                                       std::uint64_t seed)
    : jitter_(jitter), seed_(seed) {
  if (!speculation) return;
  draft_tokens_ = speculation->draft_tokens;
  acceptance_ratio_ = speculation->acceptance_ratio;
  constexpr double kOne = 4294967296.0;
  mean_fixed_point_ = static_cast<std::uint64_t>(expectedTokensPerStep(speculation) * kOne);
}

std::int32_t SpeculationSampler::tokens(std::uint64_t request, std::uint64_t step,
                                        std::uint64_t& credit) const {
  if (!jitter_) {
    credit += mean_fixed_point_;
    const auto whole = static_cast<std::int32_t>(credit >> kFractionBits);
    credit &= (std::uint64_t{1} << kFractionBits) - 1;
    return whole;
  }
  const double u = rng::uniform(seed_, rng::Stream::Acceptance, request, step);
  std::int32_t accepted = 0;
  for (double chance = acceptance_ratio_; accepted < draft_tokens_ && u < chance; chance *= acceptance_ratio_)
    ++accepted;
  return 1 + accepted;
}

std::uint64_t SpeculationSampler::initialCredit(std::uint64_t request) {
  constexpr std::uint64_t kGoldenRatio = 0x9E3779B9;
  return (request * kGoldenRatio) & 0xFFFFFFFFU;
}

}  // namespace decodescope::serving
