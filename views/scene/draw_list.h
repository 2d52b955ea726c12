// What a view draws, as plain data: filled by scenes, drawn by OpenGL or QPainter, checked by tests without
// either. Coordinates are logical pixels, origin top left, y down. Colours are straight (not premultiplied)
// 8-bit RGBA.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace decodescope::scene {

struct Color {
  std::uint8_t r = 0, g = 0, b = 0, a = 255;
  friend bool operator==(Color, Color) = default;
};
struct Point {
  float x = 0, y = 0;
};
struct Rect {
  float x = 0, y = 0, width = 0, height = 0;
  [[nodiscard]] bool contains(Point p) const {
    return p.x >= x && p.x < x + width && p.y >= y && p.y < y + height;
  }
  [[nodiscard]] Point center() const { return {x + width / 2, y + height / 2}; }
  [[nodiscard]] float right() const { return x + width; }
  [[nodiscard]] float bottom() const { return y + height; }
};

/// Identifies what a primitive stands for; 0 is nothing. See picking.h for the packing.
using PickId = std::uint32_t;

enum class Hatch : std::uint8_t { None, Diagonal, Cross };
struct Quad {
  Rect rect;
  Color fill;
  Color border{0, 0, 0, 0};
  float border_width = 0, radius = 0;
  Hatch hatch = Hatch::None;
  PickId pick = 0;
};

enum class Dash : std::uint8_t { Solid, Dotted, Long, Short, Double };
/// A cubic Bezier when control points differ from the ends, else a straight line.
struct Curve {
  Point from, control1, control2, to;
  Color color;
  float width = 1;
  Dash dash = Dash::Solid;
  float dash_phase = 0;  ///< moves the dashes along, in pixels
  PickId pick = 0;
};
/// Convex.
struct Polygon {
  std::vector<Point> points;
  Color fill, border{0, 0, 0, 0};
  float border_width = 0;
  PickId pick = 0;
};

enum class Align : std::uint8_t { Left, Center, Right };
enum class FontRole : std::uint8_t { Body, Secondary, Title, Headline, Mono };
struct Label {
  Point anchor;  ///< vertical middle; horizontal by `align`
  std::string text;
  Color color;
  Align align = Align::Left;
  FontRole font = FontRole::Body;
  bool bold = false;
  float scale = 1;
  Color halo{0, 0, 0, 0};
};

/// A raster of cells drawn as one texture or image: heat maps of many chips.
struct CellGrid {
  Rect rect;
  int columns = 0, rows = 0;
  std::vector<Color> cells;  ///< row by row from the top
  PickId pick_base = 0;      ///< cell i picks pick_base + i; 0: none
};

/// Drawn in this order: grids, quads and polygons, curves, overlays (quads), labels.
/// Then the layers, each on top of everything before it.
struct DrawList {
  Color background;
  Rect clip;  ///< nothing is drawn outside; empty: no limit

  std::vector<CellGrid> grids;
  std::vector<Quad> quads;
  std::vector<Polygon> polygons;
  std::vector<Curve> curves;
  std::vector<Quad> overlays;
  std::vector<Label> labels;
  std::vector<DrawList> layers;  ///< their backgrounds are not drawn

  void clear() {
    grids.clear(), quads.clear(), polygons.clear(), curves.clear(), overlays.clear(), labels.clear();
    layers.clear();
    clip = {};
  }
};

/// Text width in pixels at a font role, supplied by the backend so that scenes can place labels without
/// fonts.
class TextMeasure {
 public:
  virtual ~TextMeasure() = default;
  [[nodiscard]] virtual float width(const std::string& text, FontRole role, bool bold) const = 0;
  [[nodiscard]] virtual float lineHeight(FontRole role) const = 0;
};

}  // namespace decodescope::scene
