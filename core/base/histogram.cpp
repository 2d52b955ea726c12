#include "base/histogram.h"

#include <algorithm>
#include <bit>

namespace decodescope {

namespace {

constexpr int kSubBits = 8;
constexpr std::uint64_t kSubCount = std::uint64_t{1} << kSubBits;
constexpr std::size_t kBinCount = (63 - kSubBits) * kSubCount + kSubCount;

// Values below 256 have a bin each; above, the top eight bits after the leading one choose the bin of the
// octave.
std::size_t binOf(std::int64_t value) {
  const auto v = static_cast<std::uint64_t>(value);
  if (v < kSubCount) return static_cast<std::size_t>(v);
  const int shift = std::bit_width(v) - kSubBits - 1;
  return static_cast<std::size_t>(static_cast<std::uint64_t>(shift) * kSubCount + (v >> shift));
}

double lowerEdge(std::size_t bin) {
  if (bin < kSubCount) return static_cast<double>(bin);
  const std::uint64_t shift = bin / kSubCount - 1;
  return static_cast<double>((bin % kSubCount + kSubCount) << shift);
}

}  // namespace

Histogram::Histogram() : bins_(kBinCount, 0) {}

void Histogram::add(std::int64_t value, std::int64_t count) {
  const std::int64_t clamped = std::max<std::int64_t>(value, 0);
  bins_[binOf(clamped)] += count;
  count_ += count;
  sum_ += static_cast<double>(clamped) * static_cast<double>(count);
  smallest_ = std::min(smallest_, clamped);
  largest_ = std::max(largest_, clamped);
}

void Histogram::merge(const Histogram& other) {
  for (std::size_t i = 0; i < bins_.size(); ++i) bins_[i] += other.bins_[i];
  count_ += other.count_;
  sum_ += other.sum_;
  smallest_ = std::min(smallest_, other.smallest_);
  largest_ = std::max(largest_, other.largest_);
}

void Histogram::clear() {
  *this = Histogram();
}

double Histogram::percentile(double ratio) const {
  if (count_ == 0) return 0;
  const double wanted = std::clamp(ratio, 0.0, 1.0) * static_cast<double>(count_);
  double below = 0;
  for (std::size_t bin = 0; bin < bins_.size(); ++bin) {
    const auto here = static_cast<double>(bins_[bin]);
    if (here > 0 && below + here >= wanted) {
      const double position = (wanted - below) / here;
      const double low = lowerEdge(bin);
      const double value = low + position * (lowerEdge(bin + 1) - low);
      return std::clamp(value, static_cast<double>(smallest_), static_cast<double>(largest_));
    }
    below += here;
  }
  return static_cast<double>(largest_);
}

}  // namespace decodescope
