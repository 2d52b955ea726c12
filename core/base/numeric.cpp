#include "base/numeric.h"

#include <array>
#include <bit>
#include <limits>

namespace decodescope::numeric {

namespace {

constexpr double kLn2High =
    6.93147180369123816490e-01;  // ln 2 split so that k x high is exact for |k| < 2^20
constexpr double kLn2Low = 1.90821492927058770002e-10;
constexpr double kInverseLn2 = 1.44269504088896338700;
constexpr std::array<double, 14> kInverseFactorial = [] {
  std::array<double, 14> inverse{};
  double factorial = 1;
  for (std::size_t n = 0; n < inverse.size(); ++n) {
    inverse[n] = 1 / factorial;
    factorial *= static_cast<double>(n + 1);
  }
  return inverse;
}();
constexpr int kMantissaBits = 52;
constexpr int kExponentBias = 1023;

double magnitude(double x) {
  return x < 0 ? -x : x;
}

double powerOfTwo(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + kExponentBias) << kMantissaBits);
}

}  // namespace

double portableExp(double x) {
  constexpr double kLimit = 700;
  if (x > kLimit) x = kLimit;
  if (x < -kLimit) x = -kLimit;
  const double scaled = x * kInverseLn2;
  const int k = static_cast<int>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
  const double r = (x - k * kLn2High) - k * kLn2Low;
  double sum = kInverseFactorial[13];
  for (std::size_t term = 13; term-- > 0;) sum = kInverseFactorial[term] + sum * r;
  return sum * powerOfTwo(k);
}

double portableLog(double x) {
  if (!(x > 0)) return -std::numeric_limits<double>::infinity();
  const auto bits = std::bit_cast<std::uint64_t>(x);
  int exponent = static_cast<int>(bits >> kMantissaBits) - kExponentBias;
  constexpr std::uint64_t kMantissaMask = (std::uint64_t{1} << kMantissaBits) - 1;
  double m = std::bit_cast<double>((bits & kMantissaMask) | (std::uint64_t{kExponentBias} << kMantissaBits));
  constexpr double kSqrt2 = 1.41421356237309504880;
  if (m > kSqrt2) {
    m *= 0.5;
    ++exponent;
  }
  const double s = (m - 1) / (m + 1);
  const double s2 = s * s;
  double series = 0;
  for (int odd = 25; odd >= 3; odd -= 2) series = (series + 1.0 / odd) * s2;
  return exponent * kLn2High + (2 * s * (1 + series) + exponent * kLn2Low);
}

double portablePow(double x, double y) {
  return portableExp(y * portableLog(x));
}

bool approxEqual(double a, double b, double relative, double absolute) {
  const double larger = magnitude(a) > magnitude(b) ? magnitude(a) : magnitude(b);
  const double allowed = relative * larger > absolute ? relative * larger : absolute;
  return magnitude(a - b) <= allowed;
}

double pairwiseSum(std::span<const double> values) {
  constexpr std::size_t kLeaf = 32;
  if (values.size() <= kLeaf) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum;
  }
  const std::size_t half = values.size() / 2;
  return pairwiseSum(values.first(half)) + pairwiseSum(values.subspan(half));
}

void CompensatedSum::add(double value) {
  const double total = sum_ + value;
  if (magnitude(sum_) >= magnitude(value)) {
    compensation_ += (sum_ - total) + value;
  } else {
    compensation_ += (value - total) + sum_;
  }
  sum_ = total;
}

}  // namespace decodescope::numeric
