#include "scene/plot_marks.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace decodescope::scene {
namespace {

constexpr float kHitSize_px = 12;
constexpr float kErrorCap_px = 6;
constexpr float kMarkerLine_px = 1.6f;

Curve line(Point a, Point b, Color color, float width, Dash dash = Dash::Solid, float phase = 0) {
  return {a, a, b, b, color, width, dash, phase, 0};
}

std::vector<Point> cornersOf(Marker marker, Point at, float size) {
  const float half = size / 2;
  if (marker == Marker::Triangle)
    return {{at.x, at.y - half * 1.1f},
            {at.x + half * 1.15f, at.y + half * 0.9f},
            {at.x - half * 1.15f, at.y + half * 0.9f}};
  const float wide = half * 1.25f;
  return {{at.x, at.y - wide}, {at.x + wide, at.y}, {at.x, at.y + wide}, {at.x - wide, at.y}};
}

double endOf(double value, const AxisMap& axis, bool low) {
  return std::isnan(value) ? (low ? axis.from : axis.to) : value;
}

void paintErrorBar(const PlotSeries& series, std::size_t i, const PlotFrame& frame, const SceneStyle& style,
                   DrawList& out) {
  if (i >= series.lows.size() || i >= series.highs.size() || !frame.x.shows(series.xs[i])) return;
  const auto inside = [&](double value) { return std::clamp(value, frame.y.from, frame.y.to); };
  const double low = series.lows[i], high = series.highs[i];
  if (!std::isfinite(low) || !std::isfinite(high)) return;
  const Point a = frame.at(series.xs[i], inside(low)), b = frame.at(series.xs[i], inside(high));
  const float cap = style.px(kErrorCap_px) / 2;
  out.curves.push_back(line(a, b, series.color, 1));
  out.curves.push_back(line({a.x - cap, a.y}, {a.x + cap, a.y}, series.color, 1));
  out.curves.push_back(line({b.x - cap, b.y}, {b.x + cap, b.y}, series.color, 1));
}

void paintLine(const PlotSeries& series, const PlotFrame& frame, const SceneStyle& style, DrawList& out) {
  if (series.width <= 0) return;
  const std::size_t count = std::min(series.xs.size(), series.ys.size());
  // Dashes run on over the joints.
  float run = 0;
  const auto drawn = [&](std::size_t i) {
    const bool positive = (frame.x.scale == AxisScale::Linear || series.xs[i] > 0) &&
                          (frame.y.scale == AxisScale::Linear || series.ys[i] > 0);
    return std::isfinite(series.xs[i]) && std::isfinite(series.ys[i]) && positive;
  };
  for (std::size_t i = 1; i < count; ++i) {
    if (!drawn(i - 1) || !drawn(i)) {
      run = 0;
      continue;
    }
    const Point a = frame.at(series.xs[i - 1], series.ys[i - 1]), b = frame.at(series.xs[i], series.ys[i]);
    out.curves.push_back(line(a, b, series.color, style.px(series.width), series.dash, run));
    run += std::hypot(b.x - a.x, b.y - a.y);
  }
}

}  // namespace

void paintMarker(Marker marker, Point at, float size, bool hollow, Color color, Color ground, DrawList& out) {
  const Color fill = hollow ? ground : color;
  const float half = size / 2, border = hollow ? kMarkerLine_px : 0;
  switch (marker) {
    case Marker::None:
      return;
    case Marker::Disc:
      out.overlays.push_back({{at.x - half, at.y - half, size, size}, fill, color, border, half});
      return;
    case Marker::Square:
      out.overlays.push_back({{at.x - half, at.y - half, size, size}, fill, color, border});
      return;
    case Marker::Triangle:
    case Marker::Diamond:
      out.polygons.push_back({cornersOf(marker, at, size), fill, color, border});
      return;
    case Marker::Cross:
      out.curves.push_back(
          line({at.x - half, at.y - half}, {at.x + half, at.y + half}, color, kMarkerLine_px));
      out.curves.push_back(
          line({at.x - half, at.y + half}, {at.x + half, at.y - half}, color, kMarkerLine_px));
      return;
  }
}

void paintBands(const Plot& plot, const PlotFrame& frame, DrawList& out) {
  for (const PlotBand& band : plot.bands) {
    const std::size_t count = std::min({band.xs.size(), band.lows.size(), band.highs.size()});
    for (std::size_t i = 1; i < count; ++i) {
      const std::span values{band.xs.data() + i - 1, 2};
      if (!std::isfinite(values[0]) || !std::isfinite(values[1])) continue;
      Polygon area{{frame.at(band.xs[i - 1], band.lows[i - 1]), frame.at(band.xs[i], band.lows[i]),
                    frame.at(band.xs[i], band.highs[i]), frame.at(band.xs[i - 1], band.highs[i - 1])},
                   band.color};
      const bool finite =
          std::ranges::all_of(area.points, [](Point p) { return std::isfinite(p.x) && std::isfinite(p.y); });
      if (finite) out.polygons.push_back(std::move(area));
    }
  }
}

void paintGuides(const Plot& plot, const PlotFrame& frame, const SceneStyle& style, LabelPlacer& labels,
                 DrawList& out) {
  for (const PlotGuide& guide : plot.guides) {
    const Point a = frame.at(endOf(guide.x1, frame.x, true), endOf(guide.y1, frame.y, true));
    const Point b = frame.at(endOf(guide.x2, frame.x, false), endOf(guide.y2, frame.y, false));
    if (!std::isfinite(a.x + a.y + b.x + b.y)) continue;
    out.curves.push_back(line(a, b, guide.color, style.px(guide.width), guide.dash));
    if (guide.label.empty()) continue;
    const float gap = style.px(4), high = style.text->lineHeight(FontRole::Secondary);
    const bool upright = std::abs(a.x - b.x) < 1;
    // Where the line leaves the frame, inwards.
    const Point end{std::clamp(b.x, frame.rect.x, frame.rect.right()),
                    std::clamp(b.y, frame.rect.y, frame.rect.bottom())};
    const float y = upright ? end.y + high : end.y - high / 2 - gap;
    Label label{{end.x + (upright ? gap : -gap), y},
                guide.label,
                guide.color,
                upright ? Align::Left : Align::Right,
                FontRole::Secondary};
    label.halo = withAlpha(style.palette.canvas, 200);
    labels.add({label,
                LabelPriority::Structure,
                0,
                {{label.anchor.x, end.y + high / 2 + gap}, {label.anchor.x, y + high}}});
  }
}

void paintLines(const Plot& plot, const PlotFrame& frame, const SceneStyle& style, DrawList& out) {
  for (const PlotSeries& series : plot.series) paintLine(series, frame, style, out);
}

void paintPoints(const Plot& plot, const PlotFrame& frame, const SceneStyle& style, DrawList& out) {
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const PlotSeries& series = plot.series[s];
    const std::size_t count = std::min(series.xs.size(), series.ys.size());
    // A layer for each series: its markers cover those of the series below.
    DrawList layer;
    for (std::size_t i = 0; i < count; ++i) {
      paintErrorBar(series, i, frame, style, layer);
      if (!frame.shows(series.xs[i], series.ys[i])) continue;
      const Point at = frame.at(series.xs[i], series.ys[i]);
      const float size = style.px(series.marker_size);
      paintMarker(series.marker, at, size, series.hollow, series.color, style.palette.canvas, layer);
      if (!series.pickable) continue;
      const float hit = std::max(size, style.px(kHitSize_px));
      Quad target{{at.x - hit / 2, at.y - hit / 2, hit, hit}, Color{0, 0, 0, 0}};
      target.pick = pickOf({static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(i)});
      layer.overlays.push_back(target);
    }
    out.layers.push_back(std::move(layer));
  }
}

void paintNotes(const Plot& plot, const PlotFrame& frame, const SceneStyle& style, LabelPlacer& labels,
                DrawList& out) {
  for (const PlotNote& note : plot.notes) {
    if (!frame.shows(note.x, note.y)) continue;
    const Point at = frame.at(note.x, note.y);
    const float size = style.px(note.marker_size);
    paintMarker(note.marker, at, size, note.hollow, note.color, style.palette.canvas, out);
    if (note.text.empty()) continue;
    const float gap = size / 2 + style.px(5);
    const float high = style.text->lineHeight(FontRole::Secondary);
    const float width = style.text->width(note.text, FontRole::Secondary, note.bold);
    Label label{{at.x + gap, at.y - high / 2}, note.text, style.palette.text, Align::Left,
                FontRole::Secondary,           note.bold};
    label.halo = withAlpha(style.palette.canvas, 220);
    labels.reserve({at.x - size / 2, at.y - size / 2, size, size});
    labels.add({label,
                note.bold ? LabelPriority::Selected : LabelPriority::Pinned,
                0,
                {{at.x - gap - width, at.y - high / 2},
                 {at.x - width / 2, at.y - gap - high / 2},
                 {at.x - width / 2, at.y + gap + high / 2},
                 {at.x + gap, at.y + high},
                 {at.x - gap - width, at.y + high},
                 {at.x + gap, at.y - 1.6f * high},
                 {at.x - gap - width, at.y - 1.6f * high}}});
  }
}

void paintEmphasis(const Plot& plot, const PlotFrame& frame, const SceneStyle& style, PlotHit hit,
                   bool strong, DrawList& out) {
  const Color color = strong ? style.palette.accent : style.palette.text;
  const float width = style.px(strong ? 2.5f : 1.5f);
  if (hit.series == PlotHit::kMap) {
    if (!plot.map || plot.map->columns < 1 || plot.map->rows < 1) return;
    const auto columns = static_cast<std::uint32_t>(plot.map->columns);
    const float cell_width = frame.rect.width / static_cast<float>(columns);
    const float cell_height = frame.rect.height / static_cast<float>(plot.map->rows);
    const Rect cell{frame.rect.x + cell_width * static_cast<float>(hit.point % columns),
                    frame.rect.y + cell_height * static_cast<float>(hit.point / columns), cell_width,
                    cell_height};
    out.overlays.push_back({{cell.x - width, cell.y - width, cell.width + 2 * width, cell.height + 2 * width},
                            Color{0, 0, 0, 0},
                            color,
                            width});
    return;
  }
  if (hit.series >= plot.series.size()) return;
  const PlotSeries& series = plot.series[hit.series];
  if (hit.point >= std::min(series.xs.size(), series.ys.size())) return;
  if (!frame.shows(series.xs[hit.point], series.ys[hit.point])) return;
  const Point at = frame.at(series.xs[hit.point], series.ys[hit.point]);
  const float size = style.px(series.marker_size + 8);
  out.overlays.push_back(
      {{at.x - size / 2, at.y - size / 2, size, size}, Color{0, 0, 0, 0}, color, width, size / 2});
}

}  // namespace decodescope::scene
