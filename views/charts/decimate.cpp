#include "charts/decimate.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace decodescope::views {
namespace {

/// Positions of the points of one column that stay.
struct Column {
  std::size_t first = 0, lowest = 0, highest = 0, last = 0;
  bool used = false;

  void take(std::span<const QPointF> points, std::size_t i) {
    if (!used) {
      first = lowest = highest = i;
      used = true;
    }
    // A NaN compares false with everything and so never becomes an extreme, but an extreme that is one gives
    // way.
    if (points[i].y() < points[lowest].y() || std::isnan(points[lowest].y())) lowest = i;
    if (points[i].y() > points[highest].y() || std::isnan(points[highest].y())) highest = i;
    last = i;
  }
  void flush(std::span<const QPointF> points, std::vector<QPointF>& out) {
    if (!used) return;
    std::array<std::size_t, 4> kept{first, lowest, highest, last};
    std::sort(kept.begin(), kept.end());
    const auto end = std::unique(kept.begin(), kept.end());
    for (auto it = kept.begin(); it != end; ++it) out.push_back(points[*it]);
    used = false;
  }
};

}  // namespace

std::vector<QPointF> decimated(std::span<const QPointF> points, double from, double to, int columns) {
  if (columns < 1 || !(to > from) || points.size() <= static_cast<std::size_t>(2 * columns))
    return {points.begin(), points.end()};
  std::vector<QPointF> out;
  out.reserve(static_cast<std::size_t>(4 * columns));
  Column column;
  double current = -1;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double place =
        std::clamp(std::floor((points[i].x() - from) / (to - from) * columns), 0.0, columns - 1.0);
    if (place != current) column.flush(points, out);
    current = place;
    column.take(points, i);
  }
  column.flush(points, out);
  return out;
}

}  // namespace decodescope::views
