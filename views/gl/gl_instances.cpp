#include "gl/gl_instances.h"

#include <cmath>

namespace decodescope::views {

std::vector<GlInstance> quadInstances(const std::vector<scene::Quad>& quads) {
  std::vector<GlInstance> instances;
  instances.reserve(quads.size());
  for (const scene::Quad& quad : quads) {
    const float border = quad.border.a > 0 ? quad.border_width : 0;
    instances.push_back({{quad.rect.x, quad.rect.y, quad.rect.width, quad.rect.height},
                         {border, quad.radius, float(quad.hatch), 0},
                         {},
                         quad.fill,
                         quad.border});
  }
  return instances;
}

std::vector<GlInstance> curveInstances(const std::vector<scene::Curve>& curves) {
  std::vector<GlInstance> instances;
  instances.reserve(curves.size());
  for (const scene::Curve& curve : curves) {
    instances.push_back({{curve.from.x, curve.from.y, curve.control1.x, curve.control1.y},
                         {curve.control2.x, curve.control2.y, curve.to.x, curve.to.y},
                         {curve.width, float(curve.dash), curve.dash_phase, 0},
                         curve.color,
                         {0, 0, 0, 0}});
  }
  return instances;
}

std::vector<GlVertex> polygonVertices(const std::vector<scene::Polygon>& polygons) {
  std::vector<GlVertex> vertices;
  for (const scene::Polygon& polygon : polygons) {
    for (std::size_t i = 2; i < polygon.points.size(); ++i) {
      for (const std::size_t corner : {std::size_t{0}, i - 1, i})
        vertices.push_back({polygon.points[corner].x, polygon.points[corner].y, polygon.fill});
    }
  }
  return vertices;
}

std::vector<scene::Curve> polygonBorders(const std::vector<scene::Polygon>& polygons) {
  std::vector<scene::Curve> borders;
  for (const scene::Polygon& polygon : polygons) {
    if (polygon.border.a == 0 || polygon.border_width <= 0) continue;
    for (std::size_t i = 0; i < polygon.points.size(); ++i) {
      const scene::Point from = polygon.points[i], to = polygon.points[(i + 1) % polygon.points.size()];
      borders.push_back({from, from, to, to, polygon.border, polygon.border_width, scene::Dash::Solid, 0, 0});
    }
  }
  return borders;
}

std::vector<GlInstance> labelInstances(const std::vector<scene::Label>& labels, LabelAtlas& atlas,
                                       double pixel_ratio) {
  std::vector<GlInstance> instances;
  // When the atlas had to start anew, what was placed before is gone: once more, now that everything fits.
  for (int attempt = 0; attempt < 2; ++attempt) {
    const int generation = atlas.generation();
    instances.clear();
    for (const scene::Label& label : labels) {
      const LabelAtlas::Entry* entry = atlas.find(label);
      if (entry == nullptr) continue;
      const double shift = label.align == scene::Align::Left     ? 0
                           : label.align == scene::Align::Center ? entry->advance_px / 2
                                                                 : entry->advance_px;
      const double x = std::round(double(label.anchor.x) * pixel_ratio - shift) + entry->offset.x();
      const double y =
          std::round(double(label.anchor.y) * pixel_ratio + entry->cap_height_px / 2) + entry->offset.y();
      const auto at = [pixel_ratio](double device_px) { return float(device_px / pixel_ratio); };
      const QRect& box = entry->texels;
      instances.push_back(
          {{at(x), at(y), at(box.width()), at(box.height())},
           {float(box.x()), float(box.y()), float(box.x() + box.width()), float(box.y() + box.height())},
           {},
           label.color,
           label.halo});
    }
    if (generation == atlas.generation()) break;
  }
  return instances;
}

}  // namespace decodescope::views
