#include "scene/legend.h"

#include "scene/number_text.h"

#include <algorithm>
#include <cmath>

namespace decodescope::scene {
namespace {

struct Tick {
  double celsius;
  std::string text;
  bool bold;
  int priority;  // lower wins a place
};

Label plainLabel(Point at, std::string text, Color color, FontRole font, bool bold = false,
                 Align align = Align::Left) {
  return {at, std::move(text), color, align, font, bold, 1, {0, 0, 0, 0}};
}

std::vector<Tick> ticksOf(const LegendInput& input) {
  const TemperatureScale& scale = input.scale;
  std::vector<Tick> ticks{{scale.throttle_c, degreesText(scale.throttle_c) + " throttle", true, 0},
                          {TemperatureScale::kBottom_c, degreesText(TemperatureScale::kBottom_c), false, 1}};
  if (scale.shutdown_c > scale.throttle_c)
    ticks.push_back({scale.shutdown_c, degreesText(scale.shutdown_c) + " shutdown", false, 2});
  if (input.chips > 0) {
    ticks.push_back({input.max_c, degreesText(input.max_c) + " max now", true, 3});
    ticks.push_back({input.mean_c, degreesText(input.mean_c) + " mean", false, 4});
  }
  for (const double celsius : {45.0, 60.0, 75.0}) ticks.push_back({celsius, degreesText(celsius), false, 5});
  return ticks;
}

void addTick(const Tick& tick, Rect bar, float y, const SceneStyle& style, DrawList& out) {
  const float out_px = style.px(tick.bold ? 5 : 2), thick = tick.bold ? style.px(2) : 1.0f;
  const float left = bar.x - (tick.bold ? style.px(3) : 0);
  const Point a{left, y}, b{bar.right() + out_px, y};
  const Color ink = style.palette.text;
  out.curves.push_back({a, a, b, b, ink, thick, Dash::Solid, 0, 0});
  out.labels.push_back(plainLabel({bar.right() + style.px(8), y}, tick.text,
                                  tick.bold ? ink : style.palette.secondary_text, FontRole::Secondary,
                                  tick.bold));
}

void paintLinkRow(LinkState state, Rect row, const SceneStyle& style, DrawList& out) {
  constexpr double kTypical[] = {0.02, 0.4, 0.8, 0.95, 1.2};
  const LinkStyle look =
      linkStyle(kTypical[static_cast<std::size_t>(state)], style.palette, style.zoom, style.thresholds);
  const float y = row.center().y, length = style.px(46);
  const Point a{row.x, y}, b{row.x + length, y};
  out.curves.push_back({a, a, b, b, look.color, look.width, look.dash, 0, 0});
  const float size = style.px(4), middle = row.x + length / 2;
  if (look.chevrons > 0)
    out.curves.push_back({{middle - size * 1.7f, y},
                          {middle - size * 1.7f, y},
                          {middle + size * 1.7f, y},
                          {middle + size * 1.7f, y},
                          style.palette.canvas,
                          look.width + 2,
                          Dash::Solid,
                          0,
                          0});
  for (int i = 0; i < look.chevrons; ++i) {
    const float tip = middle + size * (0.5f + (look.chevrons == 2 ? (i == 0 ? -0.7f : 0.7f) : 0.0f));
    for (const float side : {-1.0f, 1.0f}) {
      const Point start{tip - size, y + side * size}, end{tip, y};
      out.curves.push_back({start, start, end, end, look.color, style.px(2), Dash::Solid, 0, 0});
    }
  }
  if (look.badge) {
    const float side = style.px(14);
    out.overlays.push_back({{middle - side / 2, y - side / 2, side, side},
                            look.color,
                            style.palette.canvas,
                            1,
                            3,
                            Hatch::None,
                            0});
    out.labels.push_back({{middle, y},
                          "!",
                          textOn(look.color),
                          Align::Center,
                          FontRole::Secondary,
                          true,
                          0.95f,
                          {0, 0, 0, 0}});
  }
  out.labels.push_back(plainLabel({row.x + style.px(54), y}, std::string(linkStateName(state)),
                                  style.palette.text, FontRole::Secondary));
  out.labels.push_back(plainLabel({row.right(), y}, std::string(linkStateRange(state)),
                                  style.palette.secondary_text, FontRole::Secondary, false, Align::Right));
}

}  // namespace

float legendWidth(const SceneStyle& style) {
  const float states = style.px(54) + style.text->width("saturated", FontRole::Secondary, false) +
                       style.px(12) + style.text->width("90–100 %", FontRole::Secondary, false);
  const float note = style.text->width("1,296 links of 50 GB/s", FontRole::Secondary, false);
  return std::max(states, note) + style.px(12);
}

void paintTemperatureBar(const LegendInput& input, Rect bar, const SceneStyle& style, DrawList& out) {
  constexpr int kCells = 64;
  CellGrid grid{bar, 1, kCells, {}, 0};
  for (int i = 0; i < kCells; ++i)
    grid.cells.push_back(mapColor(style.temperature_map, 1 - (i + 0.5) / kCells));
  out.grids.push_back(std::move(grid));
  out.quads.push_back({bar, {0, 0, 0, 0}, style.palette.control_border, 1, 0, Hatch::None, 0});
  std::vector<Tick> ticks = ticksOf(input);
  std::stable_sort(ticks.begin(), ticks.end(),
                   [](const Tick& a, const Tick& b) { return a.priority < b.priority; });
  std::vector<float> taken;
  const float line = style.em(FontRole::Secondary) * 1.05f;
  for (const Tick& tick : ticks) {
    const double ratio = input.scale.ratio(tick.celsius);
    if (ratio < 0 || ratio > 1) continue;
    const float y = bar.bottom() - bar.height * static_cast<float>(ratio);
    if (std::any_of(taken.begin(), taken.end(), [&](float other) { return std::abs(other - y) < line; }))
      continue;
    taken.push_back(y);
    addTick(tick, bar, y, style, out);
  }
}

void paintLegend(const LegendInput& input, Rect box, const SceneStyle& style, DrawList& out) {
  const Palette& palette = style.palette;
  const float row = std::max(style.px(19), style.em(FontRole::Secondary) * 1.5f);
  const float links_height = row * 2 + row * kLinkStateCount, throttle_height = row * 1.7f;
  float y = box.y;
  out.labels.push_back(
      plainLabel({box.x, y + row * 0.5f}, "Chip temperature, °C", palette.text, FontRole::Secondary, true));
  y += row * 1.3f;
  const float notes_height =
      static_cast<float>(input.notes.size()) * style.em(FontRole::Secondary) * 1.35f + row * 0.5f;
  const float free = box.bottom() - y - links_height - throttle_height;
  const bool notes = free - notes_height > style.px(90);
  const float bar_height =
      std::clamp(free - (notes ? notes_height : 0) - row * 0.4f, style.px(50), style.px(200));
  paintTemperatureBar(input, {box.x + style.px(4), y, style.px(15), bar_height}, style, out);
  y += bar_height + row * 0.45f;

  const Color swatch = mapColor(style.temperature_map, input.scale.ratio(input.scale.throttle_c));
  out.quads.push_back({{box.x + 1, y + row * 0.1f, style.px(26), row * 0.75f},
                       swatch,
                       textOn(palette.canvas),
                       style.px(2),
                       1,
                       Hatch::Diagonal,
                       0});
  const std::string throttled = "throttled: " + countText(input.throttled) + " of " + countText(input.chips);
  out.labels.push_back(plainLabel({box.x + style.px(34), y + row * 0.48f}, throttled, palette.text,
                                  FontRole::Secondary, input.throttled > 0));
  y += row * 1.5f;

  out.labels.push_back(plainLabel({box.x, y + row * 0.45f}, "Link use, per direction", palette.text,
                                  FontRole::Secondary, true));
  y += row * 0.88f;
  const float window_width = style.text->width(input.window, FontRole::Secondary, false);
  out.quads.push_back({{box.x, y - row * 0.9f, box.width, row * 1.8f},
                       {0, 0, 0, 0},
                       {},
                       0,
                       0,
                       Hatch::None,
                       input.window_pick});
  out.labels.push_back({{box.x, y + row * 0.42f},
                        input.window,
                        palette.secondary_text,
                        Align::Left,
                        FontRole::Secondary,
                        false,
                        std::min(1.0f, box.width / std::max(1.0f, window_width)),
                        {0, 0, 0, 0}});
  y += row * 1.0f;
  for (std::size_t i = 0; i < kLinkStateCount; ++i) {
    paintLinkRow(static_cast<LinkState>(i), {box.x, y, box.width, row}, style, out);
    y += row;
  }
  if (!notes) return;
  y += row * 0.5f;
  for (const std::string& note : input.notes) {
    const float width = style.text->width(note, FontRole::Secondary, false);
    out.labels.push_back({{box.x, y + style.em(FontRole::Secondary) * 0.6f},
                          note,
                          palette.secondary_text,
                          Align::Left,
                          FontRole::Secondary,
                          false,
                          std::min(1.0f, box.width / std::max(1.0f, width)),
                          {0, 0, 0, 0}});
    y += style.em(FontRole::Secondary) * 1.35f;
  }
}

}  // namespace decodescope::scene
