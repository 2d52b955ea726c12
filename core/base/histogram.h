// Durations counted in fixed logarithmic bins: mergeable, order-independent, no allocation after
// construction. Bins are linear within each power of two (256 per octave), so a percentile is exact to 0.2 %.
#pragma once

#include <cstdint>
#include <vector>

namespace decodescope {

class Histogram {
 public:
  Histogram();

  /// Negative values count as 0.
  void add(std::int64_t value, std::int64_t count = 1);
  void merge(const Histogram&);
  void clear();

  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] double mean() const { return count_ > 0 ? sum_ / static_cast<double>(count_) : 0; }
  [[nodiscard]] std::int64_t smallest() const { return count_ > 0 ? smallest_ : 0; }
  [[nodiscard]] std::int64_t largest() const { return largest_; }
  /// Value below which `ratio` of the samples lie, interpolated within its bin and clamped to what was seen.
  /// 0 when empty.
  [[nodiscard]] double percentile(double ratio) const;

 private:
  std::vector<std::int64_t> bins_;
  std::int64_t count_ = 0, smallest_ = INT64_MAX, largest_ = 0;
  double sum_ = 0;
};

}  // namespace decodescope
