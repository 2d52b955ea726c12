// Axes that stay put while values move: they grow at once when a value leaves, and shrink only when far too
// wide.
#pragma once

#include "base/format.h"
#include "charts/chart_panel.h"

#include <vector>

namespace decodescope::views {

class StickyRange {
 public:
  explicit StickyRange(bool from_zero) : from_zero_(from_zero) {}

  /// Takes the newest extent; true when the range changed.
  bool update(double low, double high);
  void reset() { low_ = high_ = 0; }
  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }

 private:
  bool from_zero_;
  double low_ = 0, high_ = 0;
};

/// Round ticks for [low, high] seconds in one unit, at most `most`.
[[nodiscard]] std::vector<ChartTick> timeTicks(double low_s, double high_s, TimeUnit unit, int most);
/// Round whole numbers.
[[nodiscard]] std::vector<ChartTick> countTicks(double low, double high, int most,
                                                const QString& first_prefix);

}  // namespace decodescope::views
