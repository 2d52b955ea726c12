#include "kernel/expert_routing.h"

#include "base/csv.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace decodescope::kernel {
namespace {

BusiestRank balanced(double tokens, int top_k, int ranks, double local) {
  const double copies = tokens * top_k;
  const double distinct = std::max(1.0, std::min(local, std::ceil(copies / ranks)));
  return {distinct, std::max(distinct, copies / ranks)};
}

/// Mean plus the expected maximum over ranks of a binomial count.
BusiestRank uniform(double tokens, int experts, int top_k, int ranks, double local) {
  const double copies = tokens * top_k;
  const double mean = copies / ranks;
  const double routed = std::max(
      1.0, std::min(copies, mean + expectedNormalMaximum(ranks) * std::sqrt(mean * (1 - 1.0 / ranks))));
  const double distinct = ranks > 1
                              ? local * (1 - std::pow(1 - 1 / local, routed))
                              : local * (1 - std::pow(1 - static_cast<double>(top_k) / experts, tokens));
  return {std::min(routed, std::max(1.0, distinct)), routed};
}

/// Expected tokens of each expert, largest first: quantiles of x^-alpha between the collector's bounds.
std::vector<double> powerLawCounts(double tokens, int experts, int top_k, double alpha) {
  const double exponent = 1 - alpha;
  const double copies = tokens * top_k;
  const double low = copies > experts ? 1 : 0.01;
  double high = copies > experts ? 0.8 * tokens : 2;
  if (high <= low) high = low * 1.0001;
  const double low_power = std::pow(low, exponent), high_power = std::pow(high, exponent);
  std::vector<double> counts(static_cast<std::size_t>(experts));
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double quantile = (static_cast<double>(i) + 0.5) / experts;
    counts[i] = std::pow((high_power - low_power) * quantile + low_power, 1 / exponent);
  }
  const double sum = std::accumulate(counts.begin(), counts.end(), 0.0);
  for (double& count : counts) count = std::min(tokens, copies * count / sum);
  std::sort(counts.begin(), counts.end(), std::greater<>());
  return counts;
}

BusiestRank powerLaw(double tokens, int experts, int top_k, int ranks, double local, double alpha) {
  const std::vector<double> counts = powerLawCounts(tokens, experts, top_k, alpha);
  const double copies = tokens * top_k;
  const auto hit =
      static_cast<double>(std::count_if(counts.begin(), counts.end(), [](double v) { return v >= 0.5; }));
  const double active = std::min(std::max(hit, std::min(copies, static_cast<double>(top_k))), copies);
  const double mean = copies / ranks;
  double variance = 0;
  for (const double count : counts) variance += (count - copies / experts) * (count - copies / experts);
  variance /= experts;
  double largest_share = 0;
  for (std::size_t i = 0; i < std::min(counts.size(), static_cast<std::size_t>(local)); ++i)
    largest_share += counts[i];
  const double routed =
      std::min({mean + expectedNormalMaximum(ranks) * std::sqrt(local * variance * (1 - 1.0 / ranks)),
                largest_share, copies});
  // A busier rank also hits more of its experts, up to twice the average.
  const double distinct = std::max(
      1.0, std::min({local, local * active / experts * std::min(2.0, std::sqrt(routed / mean)), routed}));
  return {distinct, std::max(routed, distinct)};
}

}  // namespace

double expectedNormalMaximum(double n) {
  static constexpr std::array<double, 9> kByOctave{0, 0.56, 1.03, 1.42, 1.77, 2.07, 2.34, 2.59, 2.82};
  if (!(n > 1)) return 0;
  const double octave = std::min(std::log2(n), static_cast<double>(kByOctave.size() - 1));
  const auto below = std::min(static_cast<std::size_t>(octave), kByOctave.size() - 2);
  const double part = octave - static_cast<double>(below);
  return kByOctave[below] + part * (kByOctave[below + 1] - kByOctave[below]);
}

Expected<BusiestRank> routeTokens(double tokens, int experts, int top_k, int ranks,
                                  std::string_view distribution) {
  if (!(tokens > 0) || experts < 1 || top_k < 1 || top_k > experts || ranks < 1) {
    return Unexpected(Error{ErrorCode::BadInput, "", "", "",
                            "tokens, experts, topk and ep must be positive, topk at most experts",
                            "correct the row"});
  }
  const double local = std::max(1, experts / ranks);
  if (distribution.empty() || distribution == "balanced") return balanced(tokens, top_k, ranks, local);
  if (distribution == "uniform") return uniform(tokens, experts, top_k, ranks, local);
  constexpr std::string_view kPowerLaw = "power_law_";
  if (distribution.starts_with(kPowerLaw)) {
    const auto alpha = csv::parseNumber(distribution.substr(kPowerLaw.size()));
    if (alpha && *alpha != 1) return powerLaw(tokens, experts, top_k, ranks, local, *alpha);
  }
  return Unexpected(Error{ErrorCode::BadInput, "", "dist", std::string(distribution), "unknown distribution",
                          "balanced, uniform or power_law_<alpha>"});
}

}  // namespace decodescope::kernel
