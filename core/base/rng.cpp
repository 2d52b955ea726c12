#include "base/rng.h"

#include "base/numeric.h"

#include <cmath>

namespace decodescope::rng {

namespace {

constexpr std::uint32_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
constexpr int kRounds = 10;

std::uint32_t low(std::uint64_t x) {
  return static_cast<std::uint32_t>(x);
}
std::uint32_t high(std::uint64_t x) {
  return static_cast<std::uint32_t>(x >> 32U);
}

}  // namespace

Block philox4x32(Block counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t p0 = std::uint64_t{kMultiplier0} * counter[0];
    const std::uint64_t p1 = std::uint64_t{kMultiplier1} * counter[2];
    counter = {high(p1) ^ counter[1] ^ key[0], low(p1), high(p0) ^ counter[3] ^ key[1], low(p0)};
    key = {key[0] + kWeyl0, key[1] + kWeyl1};
  }
  return counter;
}

double uniform(std::uint64_t seed, Stream stream, std::uint64_t entity, std::uint64_t index) {
  const std::uint32_t tag = (static_cast<std::uint32_t>(stream) << 16U) | (high(index) & 0xFFFFU);
  const Block block = philox4x32({low(index), tag, low(entity), high(entity)}, {low(seed), high(seed)});
  const std::uint64_t bits = (std::uint64_t{block[1]} << 32U) | block[0];
  constexpr double kTwoToMinus53 = 1.0 / 9007199254740992.0;
  return (static_cast<double>(bits >> 12U) + 0.5) * (2 * kTwoToMinus53);
}

double Sequence::normal() {
  for (;;) {
    const double u = 2 * uniform() - 1;
    const double v = 2 * uniform() - 1;
    const double s = u * u + v * v;
    if (s < 1 && s > 0) return u * std::sqrt(-2 * numeric::portableLog(s) / s);
  }
}

double Sequence::exponential() {
  return -numeric::portableLog(uniform());
}

double Sequence::gamma(double shape) {
  if (shape < 1) return gamma(shape + 1) * numeric::portablePow(uniform(), 1 / shape);
  const double d = shape - 1.0 / 3.0;
  const double c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = normal();
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (numeric::portableLog(uniform()) < 0.5 * x * x + d * (1 - v + numeric::portableLog(v))) return d * v;
  }
}

double largestExponential(double u, double members) {
  const double below_all = numeric::portablePow(u, 1 / (members > 1 ? members : 1));
  return -numeric::portableLog(1 - below_all);
}

}  // namespace decodescope::rng
