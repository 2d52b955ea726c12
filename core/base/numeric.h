// Arithmetic whose bits are the same on every machine: only + - x / sqrt and integers, no libm. For values
// that enter state fingerprints (random lengths and gaps); also sums and comparisons with named tolerances.
#pragma once

#include <cstdint>
#include <span>

namespace decodescope::numeric {

/// e^x within 2 ulp for |x| <= 700, clamped beyond. Range reduction by ln 2, Taylor series to degree 13 on
/// |r| <= ln2/2.
[[nodiscard]] double portableExp(double x);
/// ln x within 2 ulp for x > 0 and normal; -infinity for x <= 0. Mantissa in [sqrt 1/2, sqrt 2), series of 2
/// atanh.
[[nodiscard]] double portableLog(double x);
/// x^y for x > 0 by the two above.
[[nodiscard]] double portablePow(double x, double y);

/// |a - b| <= max(absolute, relative x larger magnitude).
[[nodiscard]] bool approxEqual(double a, double b, double relative = 1e-9, double absolute = 1e-12);
/// Pairwise sum: error grows with log n. For sums over many terms.
[[nodiscard]] double pairwiseSum(std::span<const double> values);

/// Running sum with Neumaier's compensation, for books kept over millions of steps.
class CompensatedSum {
 public:
  void add(double value);
  [[nodiscard]] double value() const { return sum_ + compensation_; }

 private:
  double sum_ = 0, compensation_ = 0;
};

/// Smallest q with q x divisor >= value, for value >= 0 and divisor > 0.
[[nodiscard]] constexpr std::int64_t ceilDiv(std::int64_t value, std::int64_t divisor) {
  return (value + divisor - 1) / divisor;
}

}  // namespace decodescope::numeric
