#include "scene/plot_scene.h"

#include "scene/plot_marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace decodescope::scene {
namespace {

constexpr float kTickGap_px = 6, kTickPitch_px = 70, kTickPitchUpright_px = 34;
constexpr float kBarWidth_px = 14;
constexpr float kMostNames = 0.34f;  // of the width, for names at the ends of lines

Curve line(Point a, Point b, Color color, float width) {
  return {a, a, b, b, color, width, Dash::Solid, 0, 0};
}

float widest(const std::vector<PlotTick>& ticks, const SceneStyle& style) {
  float width = 0;
  for (const PlotTick& tick : ticks)
    width = std::max(width, style.text->width(tick.text, FontRole::Secondary, false));
  return width;
}

/// The last point of a series that a name can stand beside.
std::optional<std::size_t> lastShown(const PlotSeries& series, const AxisMap& x, const AxisMap& y) {
  for (std::size_t i = std::min(series.xs.size(), series.ys.size()); i-- > 0;) {
    if (std::isfinite(series.ys[i]) && x.shows(series.xs[i]) && y.shows(series.ys[i])) return i;
  }
  return std::nullopt;
}

struct LegendItem {
  const std::string* name = nullptr;
  Color color;
  const PlotSeries* series = nullptr;  ///< null: a band
};

std::vector<LegendItem> legendItems(const Plot& plot) {
  std::vector<LegendItem> items;
  if (!plot.direct_labels) {
    for (const PlotSeries& series : plot.series)
      if (!series.name.empty()) items.push_back({&series.name, series.color, &series});
  }
  for (const PlotBand& band : plot.bands)
    if (!band.name.empty()) items.push_back({&band.name, band.color, nullptr});
  return items;
}

/// Positions of the items in rows of `width`; the height of all rows.
float flowLegend(const std::vector<LegendItem>& items, float width, const SceneStyle& style,
                 std::vector<Point>* places) {
  const float row = style.text->lineHeight(FontRole::Secondary) + style.px(2);
  Point at{0, 0};
  for (const LegendItem& item : items) {
    const float need = style.px(30) + style.text->width(*item.name, FontRole::Secondary, false);
    if (at.x > 0 && at.x + need > width) at = {0, at.y + row};
    if (places) places->push_back(at);
    at.x += need + style.px(12);
  }
  return items.empty() ? 0 : at.y + row;
}

}  // namespace

void PlotScene::layOut(const Plot& plot, Rect box, const SceneStyle& style) {
  const AxisScale x_scale = plot.x.scale, y_scale = plot.y.scale;
  x_ = axisFor(plot.x, xValues(plot));
  y_ = axisFor(plot.y, yValues(plot));
  x_.scale = x_scale, y_.scale = y_scale;
  const float text_height = style.text->lineHeight(FontRole::Secondary);
  legend_height_ = flowLegend(legendItems(plot), box.width, style, nullptr);
  const float top = (plot.y.title.empty() ? text_height / 2 : text_height + style.px(4)) + legend_height_;
  const float bottom =
      text_height + style.px(kTickGap_px) + (plot.x.title.empty() ? 0 : text_height + style.px(2));
  const float height = std::max(box.height - top - bottom, 1.0f);
  y_ticks_ = ticksFor(plot.y, y_, std::max(2, static_cast<int>(height / style.px(kTickPitchUpright_px))));
  const float left = widest(y_ticks_, style) + style.px(kTickGap_px);
  names_width_ = 0;
  if (plot.direct_labels && !plot.map) {
    for (const PlotSeries& series : plot.series)
      if (!series.name.empty())
        names_width_ =
            std::max(names_width_, style.text->width(series.name, FontRole::Secondary, false) + style.px(10));
    names_width_ = std::min(names_width_, box.width * kMostNames);
  }
  float right = std::max(names_width_, style.px(14));
  if (plot.map) right = style.px(kBarWidth_px + 22) + widest(plot.map->value_ticks, style);
  plot_ = {box.x + left, box.y + top, std::max(box.width - left - right, 1.0f), height};
  const float wide = std::max(widest(ticksFor(plot.x, x_, 8), style) + style.px(16), style.px(kTickPitch_px));
  x_ticks_ = ticksFor(plot.x, x_, std::max(2, static_cast<int>(plot_.width / wide)));
  x_.pixel_from = plot_.x, x_.pixel_to = plot_.right();
  y_.pixel_from = plot_.bottom(), y_.pixel_to = plot_.y;
}

void PlotScene::build(const Plot& plot, Rect box, const SceneStyle& style, std::optional<PlotHit> hovered,
                      std::optional<PlotHit> selected, DrawList& out) {
  out.background = style.palette.canvas;
  layOut(plot, box, style);
  const PlotFrame frame{x_, y_, plot_};
  paintGround(plot, style, out);
  paintAxes(plot, box, style, out);

  DrawList inside;
  const float margin = style.px(1);
  inside.clip = {plot_.x - margin, plot_.y - margin, plot_.width + 2 * margin, plot_.height + 2 * margin};
  paintBands(plot, frame, inside);
  paintGuides(plot, frame, style, labels_, inside);
  paintLines(plot, frame, style, inside);
  out.layers.push_back(std::move(inside));

  DrawList points;  // markers at the very edge are not cut
  paintPoints(plot, frame, style, points);
  out.layers.push_back(std::move(points));
  DrawList top;
  paintNotes(plot, frame, style, labels_, top);
  if (hovered) paintEmphasis(plot, frame, style, *hovered, false, top);
  if (selected) paintEmphasis(plot, frame, style, *selected, true, top);
  paintNames(plot, box, style, top);
  labels_.place(plot_, *style.text, top.labels);
  const bool nothing = plot.series.empty() && !plot.map && plot.notes.empty();
  if (nothing && !plot.empty_text.empty()) {
    Label label{plot_.center(), plot.empty_text, style.palette.secondary_text, Align::Center};
    top.labels.push_back(std::move(label));
  }
  out.layers.push_back(std::move(top));
}

void PlotScene::paintGround(const Plot& plot, const SceneStyle& style, DrawList& out) const {
  for (const PlotRegion& region : plot.regions) {
    const float a =
        std::isnan(region.from) ? plot_.x : std::clamp(x_.pixel(region.from), plot_.x, plot_.right());
    const float b =
        std::isnan(region.to) ? plot_.right() : std::clamp(x_.pixel(region.to), plot_.x, plot_.right());
    if (!(b > a)) continue;
    Quad quad{{a, plot_.y, b - a, plot_.height}, region.color};
    quad.hatch = region.hatch;
    out.quads.push_back(quad);
    const float width = style.text->width(region.label, FontRole::Secondary, false);
    if (region.label.empty() || width + style.px(8) > b - a) continue;
    Label label{{a + style.px(4), plot_.y + style.text->lineHeight(FontRole::Secondary) * 0.6f},
                region.label,
                style.palette.secondary_text,
                Align::Left,
                FontRole::Secondary};
    label.halo = withAlpha(style.palette.canvas, 200);
    out.labels.push_back(std::move(label));
  }
  if (!plot.map || plot.map->columns < 1 || plot.map->rows < 1) return;
  const PlotMap& map = *plot.map;
  CellGrid grid{plot_, map.columns, map.rows, {}, pickOf({PlotHit::kMap, 0})};
  grid.cells.reserve(map.ratios.size());
  for (const float ratio : map.ratios)
    grid.cells.push_back(std::isnan(ratio) ? style.palette.raised
                                           : mapColor(map.colors, static_cast<double>(ratio)));
  out.grids.push_back(std::move(grid));
  const float cell_width = plot_.width / static_cast<float>(map.columns);
  const float cell_height = plot_.height / static_cast<float>(map.rows);
  for (std::size_t i = 0; i < map.hatched.size(); ++i) {
    if (!map.hatched[i]) continue;
    // Runs of one row are one rectangle.
    const auto columns = static_cast<std::size_t>(map.columns);
    std::size_t end = i + 1;
    while (end < map.hatched.size() && end % columns != 0 && map.hatched[end]) ++end;
    Quad quad{{plot_.x + cell_width * static_cast<float>(i % columns),
               plot_.y + cell_height * static_cast<float>(i / columns),
               cell_width * static_cast<float>(end - i), cell_height},
              withAlpha(style.palette.raised, 90)};
    quad.hatch = Hatch::Diagonal;
    out.quads.push_back(quad);
    i = end - 1;
  }
  paintColorBar(map, style, out);
}

void PlotScene::paintAxes(const Plot& plot, Rect box, const SceneStyle& style, DrawList& out) const {
  const Palette& palette = style.palette;
  const float text_height = style.text->lineHeight(FontRole::Secondary);
  const float gap = style.px(kTickGap_px);
  for (const PlotTick& tick : y_ticks_) {
    const float y = y_.pixel(tick.value);
    if (!plot.map) out.curves.push_back(line({plot_.x, y}, {plot_.right(), y}, palette.grid, 1));
    out.labels.push_back(
        {{plot_.x - gap, y}, tick.text, palette.secondary_text, Align::Right, FontRole::Secondary});
  }
  float free_from = box.x;
  for (const PlotTick& tick : x_ticks_) {
    const float x = x_.pixel(tick.value);
    out.curves.push_back(line({x, plot_.bottom()}, {x, plot_.bottom() + gap / 2}, palette.line, 1));
    const float half = style.text->width(tick.text, FontRole::Secondary, false) / 2;
    const float at = std::clamp(x, std::min(box.x + half, x), std::max(box.right() - half, plot_.x));
    if (at - half < free_from) continue;
    free_from = at + half + style.px(8);
    out.labels.push_back({{at, plot_.bottom() + gap + text_height / 2},
                          tick.text,
                          palette.secondary_text,
                          Align::Center,
                          FontRole::Secondary});
  }
  out.curves.push_back(line({plot_.x, plot_.bottom()}, {plot_.right(), plot_.bottom()}, palette.line, 1));
  out.curves.push_back(line({plot_.x, plot_.y}, {plot_.x, plot_.bottom()}, palette.line, 1));
  if (!plot.y.title.empty())
    out.labels.push_back({{box.x, box.y + legend_height_ + text_height / 2},
                          plot.y.title,
                          palette.secondary_text,
                          Align::Left,
                          FontRole::Secondary});
  if (!plot.x.title.empty())
    out.labels.push_back(
        {{plot_.x + plot_.width / 2, plot_.bottom() + gap + text_height * 1.5f + style.px(2)},
         plot.x.title,
         palette.secondary_text,
         Align::Center,
         FontRole::Secondary});
}

void PlotScene::paintColorBar(const PlotMap& map, const SceneStyle& style, DrawList& out) const {
  constexpr int kSteps = 64;
  const Rect bar{plot_.right() + style.px(12), plot_.y, style.px(kBarWidth_px), plot_.height};
  CellGrid grid{bar, 1, kSteps, {}, 0};
  for (int i = 0; i < kSteps; ++i) grid.cells.push_back(mapColor(map.colors, 1 - (i + 0.5) / kSteps));
  out.grids.push_back(std::move(grid));
  for (const PlotTick& tick : map.value_ticks) {
    const float y = bar.bottom() - static_cast<float>(tick.value) * bar.height;
    out.labels.push_back({{bar.right() + style.px(5), y},
                          tick.text,
                          style.palette.secondary_text,
                          Align::Left,
                          FontRole::Secondary});
  }
  if (!map.value_title.empty())
    out.labels.push_back({{bar.right(), bar.y - style.text->lineHeight(FontRole::Secondary) * 0.7f},
                          map.value_title,
                          style.palette.secondary_text,
                          Align::Right,
                          FontRole::Secondary});
}

void PlotScene::paintNames(const Plot& plot, Rect box, const SceneStyle& style, DrawList& out) const {
  const float text_height = style.text->lineHeight(FontRole::Secondary);
  std::vector<Point> places;
  const auto items = legendItems(plot);
  flowLegend(items, box.width, style, &places);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Point at{box.x + places[i].x, box.y + places[i].y + text_height / 2};
    const float middle = at.x + style.px(11);
    if (const PlotSeries* series = items[i].series) {
      if (series->width > 0) {
        Curve sample =
            line({at.x, at.y}, {at.x + style.px(22), at.y}, series->color, style.px(series->width));
        sample.dash = series->dash;
        out.curves.push_back(sample);
      }
      paintMarker(series->marker, {middle, at.y}, std::min(style.px(series->marker_size), text_height * 0.7f),
                  series->hollow, series->color, style.palette.canvas, out);
    } else {
      out.overlays.push_back({{at.x, at.y - style.px(4), style.px(22), style.px(8)}, items[i].color});
    }
    out.labels.push_back(
        {{at.x + style.px(28), at.y}, *items[i].name, style.palette.text, Align::Left, FontRole::Secondary});
  }
  if (names_width_ <= 0) return;

  std::vector<Label> names;
  for (const PlotSeries& series : plot.series) {
    const auto last = series.name.empty() ? std::nullopt : lastShown(series, x_, y_);
    if (!last) continue;
    names.push_back({{plot_.right() + style.px(8), y_.pixel(series.ys[*last])},
                     series.name,
                     series.color,
                     Align::Left,
                     FontRole::Secondary});
  }
  std::ranges::stable_sort(names, {}, [](const Label& label) { return label.anchor.y; });
  // Apart from above, then back up from the lower end.
  for (std::size_t i = 1; i < names.size(); ++i)
    names[i].anchor.y = std::max(names[i].anchor.y, names[i - 1].anchor.y + text_height);
  float lowest = plot_.bottom();
  for (std::size_t i = names.size(); i-- > 0;) {
    names[i].anchor.y = std::min(names[i].anchor.y, lowest);
    lowest = names[i].anchor.y - text_height;
  }
  std::ranges::move(names, std::back_inserter(out.labels));
}

std::string describePlot(const Plot& plot) {
  std::size_t points = 0;
  for (const PlotSeries& series : plot.series) points += std::min(series.xs.size(), series.ys.size());
  if (plot.map)
    return fmt::format("{}, {}: map of {} by {}", plot.x.title, plot.y.title, plot.map->columns,
                       plot.map->rows);
  return fmt::format("{} against {}: {} series, {} points", plot.y.title, plot.x.title, plot.series.size(),
                     points);
}

}  // namespace decodescope::scene
