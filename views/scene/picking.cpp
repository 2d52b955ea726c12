#include "scene/picking.h"

#include <algorithm>
#include <cmath>

namespace decodescope::scene {
namespace {

float distanceToSegment(Point p, Point a, Point b) {
  const float dx = b.x - a.x, dy = b.y - a.y;
  const float length2 = dx * dx + dy * dy;
  const float t =
      length2 > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length2, 0.0f, 1.0f) : 0.0f;
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

// A Bezier curve lies inside the hull of its control points.
bool nearHull(const Curve& curve, Point p, float margin) {
  const auto [x0, x1] = std::minmax({curve.from.x, curve.control1.x, curve.control2.x, curve.to.x});
  const auto [y0, y1] = std::minmax({curve.from.y, curve.control1.y, curve.control2.y, curve.to.y});
  return p.x >= x0 - margin && p.x <= x1 + margin && p.y >= y0 - margin && p.y <= y1 + margin;
}

bool inside(const Polygon& polygon, Point p) {
  bool in = false;
  const auto& points = polygon.points;
  for (std::size_t i = 0, j = points.size() - 1; i < points.size(); j = i++) {
    const Point a = points[i], b = points[j];
    if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) in = !in;
  }
  return in;
}

PickId hitQuads(const std::vector<Quad>& quads, Point p) {
  for (auto quad = quads.rbegin(); quad != quads.rend(); ++quad) {
    if (quad->pick != 0 && quad->rect.contains(p)) return quad->pick;
  }
  return 0;
}

PickId hitCurves(const std::vector<Curve>& curves, Point p, float tolerance_px) {
  PickId best = 0;
  float best_distance = tolerance_px;
  for (auto curve = curves.rbegin(); curve != curves.rend(); ++curve) {
    if (curve->pick == 0 || !nearHull(*curve, p, tolerance_px + curve->width / 2)) continue;
    const float distance = distanceTo(*curve, p) - curve->width / 2;
    if (distance < best_distance) best_distance = distance, best = curve->pick;
  }
  return best;
}

PickId hitGrids(const std::vector<CellGrid>& grids, Point p) {
  for (auto grid = grids.rbegin(); grid != grids.rend(); ++grid) {
    if (grid->pick_base == 0 || !grid->rect.contains(p)) continue;
    const int column =
        static_cast<int>((p.x - grid->rect.x) / grid->rect.width * static_cast<float>(grid->columns));
    const int row =
        static_cast<int>((p.y - grid->rect.y) / grid->rect.height * static_cast<float>(grid->rows));
    const int cell = std::min(row, grid->rows - 1) * grid->columns + std::min(column, grid->columns - 1);
    return grid->pick_base + static_cast<PickId>(cell);
  }
  return 0;
}

}  // namespace

Point pointOn(const Curve& c, float t) {
  const float u = 1 - t;
  const float a = u * u * u, b = 3 * u * u * t, d = 3 * u * t * t, e = t * t * t;
  return {a * c.from.x + b * c.control1.x + d * c.control2.x + e * c.to.x,
          a * c.from.y + b * c.control1.y + d * c.control2.y + e * c.to.y};
}

float distanceTo(const Curve& curve, Point point) {
  constexpr int kSegments = 32;
  float best = INFINITY;
  Point previous = curve.from;
  for (int i = 1; i <= kSegments; ++i) {
    const Point next = pointOn(curve, static_cast<float>(i) / kSegments);
    best = std::min(best, distanceToSegment(point, previous, next));
    previous = next;
  }
  return best;
}

PickId hitTest(const DrawList& list, Point point, float tolerance_px) {
  for (auto layer = list.layers.rbegin(); layer != list.layers.rend(); ++layer) {
    if (const PickId hit = hitTest(*layer, point, tolerance_px)) return hit;
  }
  if (list.clip.width > 0 && !list.clip.contains(point)) return 0;
  if (const PickId hit = hitQuads(list.overlays, point)) return hit;
  if (const PickId hit = hitCurves(list.curves, point, tolerance_px)) return hit;
  for (auto polygon = list.polygons.rbegin(); polygon != list.polygons.rend(); ++polygon) {
    if (polygon->pick != 0 && inside(*polygon, point)) return polygon->pick;
  }
  if (const PickId hit = hitQuads(list.quads, point)) return hit;
  return hitGrids(list.grids, point);
}

}  // namespace decodescope::scene
