#include "analysis/steady_batch.h"

#include <algorithm>
#include <cmath>

namespace decodescope::analysis {
namespace {

double standardNormalCdf(double x) {
  return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

/// E[clamp(X, lo, hi)^power] of a lognormal X whose mean is `mean` before clamping.
double clampedMoment(const TokenLength& length, int power) {
  const double s = length.sigma, mu = std::log(std::max(1.0, length.mean_tokens)) - s * s / 2;
  const double lo = std::max(1.0, length.min_tokens), hi = std::max(lo, length.max_tokens);
  if (s <= 0) return std::pow(std::clamp(length.mean_tokens, lo, hi), power);
  const double a = (std::log(lo) - mu) / s, b = (std::log(hi) - mu) / s;
  const double inside = std::exp(power * mu + power * power * s * s / 2) *
                        (standardNormalCdf(b - power * s) - standardNormalCdf(a - power * s));
  return inside + std::pow(lo, power) * standardNormalCdf(a) +
         std::pow(hi, power) * (1 - standardNormalCdf(b));
}

double moment(const TokenLength& length, int power) {
  switch (length.distribution) {
    case TokenLength::Distribution::Fixed:
      return std::pow(std::max(1.0, length.mean_tokens), power);
    case TokenLength::Distribution::Uniform: {
      const double lo = std::max(1.0, length.min_tokens), hi = std::max(lo, length.max_tokens);
      return power == 1 ? (lo + hi) / 2 : (lo * lo + lo * hi + hi * hi) / 3;
    }
    case TokenLength::Distribution::Lognormal:
      return clampedMoment(length, power);
  }
  return length.mean_tokens;
}

}  // namespace

double meanLength(const TokenLength& length) {
  return moment(length, 1);
}

MeanLengths meanLengths(const Workload& workload) {
  MeanLengths out;
  out.prompt_tokens = moment(workload.prompt, 1);
  out.output_tokens = std::max(1.0, moment(workload.output, 1));
  out.decoding_age_tokens = moment(workload.output, 2) / (2 * out.output_tokens);
  return out;
}

}  // namespace decodescope::analysis
