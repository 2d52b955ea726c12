#include "scene/triangle_scene.h"

#include "scene/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace decodescope::scene {
namespace {

constexpr std::array<const char*, 3> kNames{"Compute", "Moving state", "Physical"};
constexpr float kMostShown = 1.25f;  // beyond its limit a mark leaves the triangle, but not the panel

struct Geometry {
  Point center;
  float radius = 0;
  [[nodiscard]] Point along(int corner, float value) const {
    // Compute on top, moving state bottom left, physical bottom right.
    constexpr std::array<float, 3> kAngles{-90, 150, 30};
    const float angle = kAngles[static_cast<std::size_t>(corner)] * std::numbers::pi_v<float> / 180;
    const float length = radius * std::min(value, kMostShown);
    return {center.x + length * std::cos(angle), center.y + length * std::sin(angle)};
  }
};

Color cornerColor(const Palette& palette, int corner) {
  return corner == 0 ? palette.compute : corner == 1 ? palette.interconnect : palette.physical;
}

int bindingCorner(const Prediction& prediction) {
  const std::string& binding = prediction.triangle.binding;
  return binding == "compute" ? 0 : binding == "interconnect" ? 1 : binding == "physical" ? 2 : -1;
}

Curve line(Point a, Point b, Color color, float width, Dash dash = Dash::Solid) {
  return {a, a, b, b, color, width, dash, 0, 0};
}

void outline(DrawList& out, const Geometry& geometry, const std::array<float, 3>& values, Color color,
             float width, Dash dash) {
  for (int i = 0; i < 3; ++i) {
    const int next = (i + 1) % 3;
    out.curves.push_back(line(geometry.along(i, values[static_cast<std::size_t>(i)]),
                              geometry.along(next, values[static_cast<std::size_t>(next)]), color, width,
                              dash));
  }
}

void addMark(DrawList& out, Point at, float size, Color fill, Color border) {
  out.overlays.push_back(
      {{at.x - size / 2, at.y - size / 2, size, size}, fill, border, 2, size / 2, Hatch::None, 0});
}

// Told apart by shape: a chip, three joined nodes, a thermometer.
void addIcon(DrawList& out, int corner, Point at, const SceneStyle& style) {
  const Color ink = style.palette.text;
  const float s = style.px(5), w = std::max(1.2f, style.px(1.4f));
  const auto stroke = [&](float x0, float y0, float x1, float y1) {
    out.curves.push_back(line({at.x + x0 * s, at.y + y0 * s}, {at.x + x1 * s, at.y + y1 * s}, ink, w));
  };
  if (corner == 0) {
    out.quads.push_back(
        {{at.x - s * 0.8f, at.y - s * 0.8f, s * 1.6f, s * 1.6f}, {0, 0, 0, 0}, ink, w, 1, Hatch::None, 0});
    for (const float k : {-0.4f, 0.4f})
      stroke(k, -1.4f, k, -0.8f), stroke(k, 0.8f, k, 1.4f), stroke(-1.4f, k, -0.8f, k),
          stroke(0.8f, k, 1.4f, k);
  } else if (corner == 1) {
    stroke(-0.9f, -0.7f, 0.9f, -0.7f), stroke(-0.9f, -0.7f, 0, 0.9f), stroke(0.9f, -0.7f, 0, 0.9f);
    for (const auto& [x, y] : {std::pair{-0.9f, -0.7f}, {0.9f, -0.7f}, {0.0f, 0.9f}})
      addMark(out, {at.x + x * s, at.y + y * s}, s * 0.9f, ink, ink);
  } else {
    out.quads.push_back({{at.x - s * 0.4f, at.y - s * 1.5f, s * 0.8f, s * 2.2f},
                         {0, 0, 0, 0},
                         ink,
                         w,
                         s * 0.4f,
                         Hatch::None,
                         0});
    addMark(out, {at.x, at.y + s}, s * 1.2f, ink, ink);
  }
}

void addCornerName(DrawList& out, const Geometry& geometry, int corner, bool bold, const SceneStyle& style) {
  const Point tip = geometry.along(corner, 1);
  const float width = style.text->width(kNames[static_cast<std::size_t>(corner)], FontRole::Secondary, bold),
              icon = style.px(16);
  const float y = corner == 0 ? tip.y - style.px(12) : tip.y + style.px(14);
  // Names of the lower corners grow inwards, so that they never leave the panel.
  float x = tip.x - (width + icon) / 2;
  if (corner == 1) x = tip.x - style.px(14);
  if (corner == 2) x = tip.x - width - icon + style.px(14);
  if (corner == 2)
    x = std::max(x, geometry.along(1, 1).x - style.px(14) +
                        style.text->width(kNames[1], FontRole::Secondary, true) + 2 * icon);
  addIcon(out, corner, {x + style.px(6), y}, style);
  out.labels.push_back({{x + icon, y},
                        kNames[static_cast<std::size_t>(corner)],
                        style.palette.text,
                        Align::Left,
                        FontRole::Secondary,
                        bold,
                        1,
                        {0, 0, 0, 0}});
}

void addFigure(const TriangleInput& input, const Geometry& geometry, const SceneStyle& style, DrawList& out) {
  const Palette& palette = style.palette;
  for (const float ring : {1.0f / 3, 2.0f / 3})
    outline(out, geometry, {ring, ring, ring}, palette.grid, 1, Dash::Dotted);
  for (int corner = 0; corner < 3; ++corner)
    out.curves.push_back(line(geometry.center, geometry.along(corner, 1), palette.grid, 1, Dash::Dotted));
  outline(out, geometry, {1, 1, 1}, palette.control_border, style.px(1.5f), Dash::Solid);
  const std::array<float, 3> values = triangleValues(*input.now, input.reading);
  if (input.trail != nullptr) {
    const auto count = static_cast<int>(input.trail->size());
    for (int i = 0; i < count; ++i)
      outline(out, geometry, (*input.trail)[static_cast<std::size_t>(i)],
              withAlpha(palette.live, 15 + 60 * (i + 1) / count), 1, Dash::Solid);
  }
  if (input.pinned != nullptr) {
    const std::array<float, 3> pinned = triangleValues(*input.pinned, input.reading);
    outline(out, geometry, pinned, palette.pinned, style.px(1.5f), Dash::Long);
    for (int corner = 0; corner < 3; ++corner)
      addMark(out, geometry.along(corner, pinned[static_cast<std::size_t>(corner)]), style.px(8),
              palette.panel, palette.pinned);
  }
  Polygon area{{}, withAlpha(palette.live, 50), {0, 0, 0, 0}, 0, 0};
  for (int corner = 0; corner < 3; ++corner)
    area.points.push_back(geometry.along(corner, values[static_cast<std::size_t>(corner)]));
  out.polygons.push_back(std::move(area));
  outline(out, geometry, values, palette.live, style.px(2), Dash::Solid);
  for (int corner = 0; corner < 3; ++corner)
    addMark(out, geometry.along(corner, values[static_cast<std::size_t>(corner)]),
            style.px(palette.projector ? 13 : 11), cornerColor(palette, corner), palette.live);
  const int binding = bindingCorner(*input.now);
  for (int corner = 0; corner < 3; ++corner) addCornerName(out, geometry, corner, corner == binding, style);
}

// Milliseconds of a step at each corner; what stands outside the triangle comes last.
std::array<double, 4> cornerTimes(const StepBreakdown& b) {
  return {b[StepPart::Math],
          b[StepPart::WeightsHbm] + b[StepPart::KvHbm] + b[StepPart::Collectives] + b[StepPart::Overlap],
          b[StepPart::Throttle], b[StepPart::Launch] + b[StepPart::Host] + b[StepPart::Wait]};
}

std::string noteOf(const Prediction& now, TriangleReading reading, int corner, float value) {
  if (reading == TriangleReading::Time)
    return timeText(cornerTimes(now.breakdown_s)[static_cast<std::size_t>(corner)]);
  if (value > 1.0005f) return "over limit";
  if (bindingCorner(now) == corner)
    return value > 0.9995f ? "binding" : fmt::format("binds, {:.0f} % free", (1 - value) * 100);
  return fmt::format("{:.0f} % free", (1 - value) * 100);
}

// From nothing to a little beyond the limit, so that exceeding it can be seen.
void addTrack(const TriangleInput& input, int corner, Rect track, const SceneStyle& style, DrawList& out) {
  const auto at = static_cast<std::size_t>(corner);
  const float value = triangleValues(*input.now, input.reading)[at];
  const float limit = track.width / kMostShown;
  out.quads.push_back({{track.x, track.y, limit, track.height}, style.palette.rack_metal2});
  Quad bar{{track.x, track.y, limit * std::clamp(value, 0.0f, kMostShown), track.height},
           cornerColor(style.palette, corner)};
  bar.hatch = value > 1.0005f ? Hatch::Diagonal : Hatch::None;
  out.quads.push_back(bar);
  const auto tick = [&](float x, Color color, float width, Dash dash) {
    out.curves.push_back(line({x, track.y - 3}, {x, track.bottom() + 3}, color, width, dash));
  };
  if (input.reading == TriangleReading::Pressure)
    tick(track.x + limit, style.palette.text, style.px(1.5f), Dash::Solid);
  if (input.pinned == nullptr) return;
  const float pinned = std::min(kMostShown, triangleValues(*input.pinned, input.reading)[at]);
  tick(track.x + limit * pinned, style.palette.pinned, style.px(2), Dash::Dotted);
}

void addBar(const TriangleInput& input, int corner, Rect row, const SceneStyle& style, DrawList& out) {
  const Palette& palette = style.palette;
  const float value = triangleValues(*input.now, input.reading)[static_cast<std::size_t>(corner)];
  const bool binds = bindingCorner(*input.now) == corner && input.reading == TriangleReading::Pressure;
  const std::string name = kNames[static_cast<std::size_t>(corner)];
  const std::string number =
      input.reading == TriangleReading::Pressure ? fmt::format("{:.2f}", value) : percentText(value);
  const std::string note = noteOf(*input.now, input.reading, corner, value);
  const Color note_color = value > 1.0005f ? palette.warning_text : palette.secondary_text;
  const auto width = [&](const std::string& text, bool bold) {
    return style.text->width(text, FontRole::Secondary, bold);
  };
  const auto label = [&](Point at, const std::string& text, Color color, Align align, bool bold, float room) {
    const float scale = std::min(1.0f, room / std::max(1.0f, width(text, bold)));
    out.labels.push_back({at, text, color, align, FontRole::Secondary, bold, scale, {0, 0, 0, 0}});
  };
  const float name_width = width("Moving state", true) + style.px(8),
              number_width = width("100 %", true) + style.px(8);
  const float note_width = std::min(width("binds, 88 % free", false) + style.px(6), row.width * 0.38f);
  const float y = row.center().y;
  if (row.width - name_width - number_width - note_width < style.px(36)) {
    // Narrow: texts above their bar.
    const float upper = row.y + row.height * 0.3f;
    label({row.x, upper}, name, palette.text, Align::Left, binds, name_width);
    label({row.right(), upper}, number, palette.text, Align::Right, true, number_width);
    const float between = row.width - width(name, binds) - width(number, true) - style.px(16);
    if (width(note, false) < between)
      label({row.x + width(name, binds) + style.px(8) + between / 2, upper}, note, note_color, Align::Center,
            false, between);
    addTrack(input, corner, {row.x, row.y + row.height * 0.68f, row.width, style.px(5)}, style, out);
    return;
  }
  const Rect track{row.x + name_width, y - style.px(5), row.width - name_width - number_width - note_width,
                   style.px(10)};
  label({row.x, y}, name, palette.text, Align::Left, binds, name_width);
  addTrack(input, corner, track, style, out);
  label({track.right() + number_width - style.px(4), y}, number, palette.text, Align::Right, true,
        number_width);
  label({row.right(), y}, note, note_color, Align::Right, binds, note_width);
}

std::string footer(const Prediction& now, TriangleReading reading) {
  if (reading == TriangleReading::Time)
    return "outside: launch, host, waiting " + timeText(cornerTimes(now.breakdown_s)[3]);
  std::string text = "moving state is " +
                     (now.triangle.interconnect_is.empty() ? "HBM or links" : now.triangle.interconnect_is);
  if (!now.triangle.physical_is.empty()) text += ", physical is " + now.triangle.physical_is;
  return text;
}

}  // namespace

std::array<float, 3> triangleValues(const Prediction& prediction, TriangleReading reading) {
  if (reading == TriangleReading::Time) {
    const auto& share = prediction.triangle_time_share;
    return {static_cast<float>(share[0]), static_cast<float>(share[1]), static_cast<float>(share[2])};
  }
  return {static_cast<float>(prediction.triangle.compute),
          static_cast<float>(prediction.triangle.interconnect),
          static_cast<float>(prediction.triangle.physical)};
}

void buildTriangle(const TriangleInput& input, Rect box, const SceneStyle& style, DrawList& out) {
  out.clear();
  out.background = style.palette.panel;
  if (input.now == nullptr || !input.now->feasible) {
    out.labels.push_back({box.center(),
                          input.now == nullptr ? "no operating point yet" : "this scenario cannot run",
                          style.palette.secondary_text,
                          Align::Center,
                          FontRole::Body,
                          false,
                          1,
                          {0, 0, 0, 0}});
    return;
  }
  const bool wide = box.width > box.height * 1.9f;  // bars beside the figure
  const bool narrow = (wide ? box.width * 0.5f : box.width) < style.px(270);
  const float row = narrow ? style.px(30) : style.px(20);
  const std::string note = footer(*input.now, input.reading);
  const float bars_height = 3 * row + style.px(18);
  const Rect figure = wide ? Rect{box.x, box.y, box.width * 0.46f, box.height}
                           : Rect{box.x, box.y, box.width, box.height - bars_height};
  const Rect bars = wide ? Rect{figure.right() + style.px(12), box.center().y - bars_height / 2,
                                box.right() - figure.right() - style.px(12), bars_height}
                         : Rect{box.x, figure.bottom(), box.width, bars_height};
  const float names = style.px(26);
  const float radius = std::min((figure.height - 2 * names) / 1.5f, (figure.width - style.px(40)) / 1.74f);
  if (radius > style.px(24)) {
    const Geometry geometry{
        {figure.center().x,
         figure.y + names + radius + std::max(0.0f, (figure.height - 2 * names - radius * 1.5f) / 2)},
        radius};
    addFigure(input, geometry, style, out);
  }
  for (int corner = 0; corner < 3; ++corner)
    addBar(input, corner, {bars.x, bars.y + row * static_cast<float>(corner), bars.width, row}, style, out);
  const float width = style.text->width(note, FontRole::Secondary, false);
  const float scale = std::min(1.0f, bars.width / std::max(1.0f, width));
  if (scale > 0.72f)
    out.labels.push_back({{bars.x, bars.y + 3 * row + style.px(9)},
                          note,
                          style.palette.secondary_text,
                          Align::Left,
                          FontRole::Secondary,
                          false,
                          scale,
                          {0, 0, 0, 0}});
}

std::string describeTriangle(const Prediction& prediction, TriangleReading reading) {
  const std::array<float, 3> values = triangleValues(prediction, reading);
  const char* of = reading == TriangleReading::Pressure ? " of its limit" : " of the step";
  std::string text = "Compute " + percentText(values[0]) + of + ", moving state " + percentText(values[1]) +
                     ", physical " + percentText(values[2]);
  const int binding = bindingCorner(prediction);
  return text + (binding < 0 ? "; balanced."
                             : std::string("; binding: ") + kNames[static_cast<std::size_t>(binding)] + ".");
}

}  // namespace decodescope::scene
