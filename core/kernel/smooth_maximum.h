// norm_p: the maximum of times that overlap well (p large) or badly (p near 1).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace decodescope::kernel {

/// ratio^p for 0 <= ratio <= 1; 0 where the power is below half a unit of rounding beside 1, so that the sum
/// is the same.
[[nodiscard]] inline double powerBesideOne(double ratio, double p) {
  constexpr int kExponentBias = 1022;  // value < 2^(biased exponent - 1022)
  constexpr double kBelowRounding = -54;
  const auto biased = static_cast<int>(std::bit_cast<std::uint64_t>(ratio) >> 52);
  if ((biased - kExponentBias) * p < kBelowRounding) return 0;
  return std::pow(ratio, p);
}

/// (a^p + b^p + c^p)^(1/p), at least the largest and at most the sum for p >= 1. Arguments are not negative.
[[nodiscard]] inline double smoothMaximum(double p, double a, double b, double c) {
  if (p == 1) return a + b + c;
  const double largest = std::max({a, b, c});
  if (!(largest > 0)) return 0;
  const double middle = std::max(std::min(a, b), std::min(std::max(a, b), c));
  const double smallest = std::min({a, b, c});
  const double sum = 1 + powerBesideOne(middle / largest, p) + powerBesideOne(smallest / largest, p);
  return sum == 1 ? largest : largest * std::pow(sum, 1 / p);
}

}  // namespace decodescope::kernel
