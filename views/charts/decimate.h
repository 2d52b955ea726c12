// Fewer points for the same picture: spikes are never averaged away. Pure.
#pragma once

#include <QPointF>
#include <span>
#include <vector>

namespace decodescope::views {

/// `points` sorted by x. Per pixel column of [from, to] the first, lowest, highest and last point stay, in
/// order of x; points with a NaN stay where they are and break the line. At most 4 x `columns` points.
[[nodiscard]] std::vector<QPointF> decimated(std::span<const QPointF> points, double from, double to,
                                             int columns);

}  // namespace decodescope::views
