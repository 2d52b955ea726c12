// From values to pixels and back, and the range that an axis needs.
#pragma once

#include "scene/plot.h"

#include <span>

namespace decodescope::scene {

/// One axis on the screen.
struct AxisMap {
  double from = 0, to = 1;
  float pixel_from = 0, pixel_to = 1;
  AxisScale scale = AxisScale::Linear;
  /// Infinite values go to the ends.
  [[nodiscard]] float pixel(double value) const;
  [[nodiscard]] double value(float pixel) const;
  /// Whether the axis can show it: inside, and positive where the axis is logarithmic. Infinite values stand
  /// at an end.
  [[nodiscard]] bool shows(double value) const;
};

/// The ends of an axis: as given, or what the values need with some room.
[[nodiscard]] AxisMap axisFor(const PlotAxis& axis, std::span<const double> values);
/// Ticks as given inside the range, or round numbers, at most `most`.
[[nodiscard]] std::vector<PlotTick> ticksFor(const PlotAxis& axis, const AxisMap& map, int most);
/// Everything that must be seen along an axis.
[[nodiscard]] std::vector<double> xValues(const Plot& plot);
[[nodiscard]] std::vector<double> yValues(const Plot& plot);

}  // namespace decodescope::scene
