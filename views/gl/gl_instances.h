// Primitives of a draw list as the arrays that the shaders read.
#pragma once

#include "gl/label_atlas.h"
#include "scene/draw_list.h"

#include <array>
#include <vector>

namespace decodescope::views {

/// Attributes of one instance; which fields count depends on the kind (see resources/shaders).
struct GlInstance {
  std::array<float, 4> a{}, b{}, c{};
  scene::Color ink{}, second{0, 0, 0, 0};
};

struct GlVertex {
  float x = 0, y = 0;
  scene::Color color;
};

[[nodiscard]] std::vector<GlInstance> quadInstances(const std::vector<scene::Quad>& quads);
[[nodiscard]] std::vector<GlInstance> curveInstances(const std::vector<scene::Curve>& curves);
/// Fans of triangles.
[[nodiscard]] std::vector<GlVertex> polygonVertices(const std::vector<scene::Polygon>& polygons);
[[nodiscard]] std::vector<scene::Curve> polygonBorders(const std::vector<scene::Polygon>& polygons);
/// Texts on whole device pixels.
[[nodiscard]] std::vector<GlInstance> labelInstances(const std::vector<scene::Label>& labels,
                                                     LabelAtlas& atlas, double pixel_ratio);

}  // namespace decodescope::views
