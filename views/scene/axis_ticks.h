// Where an axis puts its ticks: round numbers, as many as fit.
#pragma once

#include <vector>

namespace decodescope::scene {

struct Ticks {
  std::vector<double> values;  ///< ascending, inside [from, to]
  double step = 1;
};

/// Steps of 1, 2 or 5 times a power of ten, at most `most` ticks.
[[nodiscard]] Ticks linearTicks(double from, double to, int most);
/// Decades, or 1-2-5 within few decades. Both ends must be positive.
[[nodiscard]] Ticks logTicks(double from, double to, int most);

}  // namespace decodescope::scene
