#include "scene/plot_axes.h"

#include "scene/axis_ticks.h"
#include "scene/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace decodescope::scene {
namespace {

constexpr double kRoom = 0.05;      // of the range, beyond the outermost values
constexpr double kFlatRatio = 0.1;  // of the value, where all are equal
constexpr double kEdge = 1e-9;

double onScale(double value, AxisScale scale) {
  return scale == AxisScale::Log ? std::log(value) : value;
}

std::string plainText(double value) {
  const double size = std::abs(value);
  if (size < 1e-12) return "0";
  if (size >= 1000 && size < 1e6 && value == std::round(value))
    return countText(static_cast<std::int64_t>(value));
  if (size >= 1e6 || size < 1e-3) return fmt::format("{:.3g}", value);
  return fmt::format("{:.6g}", value);
}

void append(std::vector<double>& to, const std::vector<double>& values) {
  to.insert(to.end(), values.begin(), values.end());
}

}  // namespace

float AxisMap::pixel(double value) const {
  if (std::isinf(value)) return value < 0 ? pixel_from : pixel_to;
  const double low = onScale(from, scale), high = onScale(to, scale);
  const double along = (onScale(value, scale) - low) / (high - low);
  return pixel_from + static_cast<float>(along) * (pixel_to - pixel_from);
}

double AxisMap::value(float pixel) const {
  const double along = static_cast<double>(pixel - pixel_from) / static_cast<double>(pixel_to - pixel_from);
  const double low = onScale(from, scale), high = onScale(to, scale);
  const double on_scale = low + along * (high - low);
  return scale == AxisScale::Log ? std::exp(on_scale) : on_scale;
}

bool AxisMap::shows(double value) const {
  if (std::isinf(value)) return true;
  if (std::isnan(value) || (scale == AxisScale::Log && value <= 0)) return false;
  const double along =
      (onScale(value, scale) - onScale(from, scale)) / (onScale(to, scale) - onScale(from, scale));
  return along >= -kEdge && along <= 1 + kEdge;
}

AxisMap axisFor(const PlotAxis& axis, std::span<const double> values) {
  AxisMap map;
  map.scale = axis.scale;
  map.from = axis.from;
  map.to = axis.to;
  if (axis.to > axis.from) return map;
  const bool log = axis.scale == AxisScale::Log;
  double low = INFINITY, high = -INFINITY;
  for (const double value : values) {
    if (!std::isfinite(value) || (log && value <= 0)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (!(high >= low)) low = 1, high = 10;
  if (log) {
    const double room = high > low * (1 + kEdge) ? std::pow(high / low, kRoom) : 1 + kFlatRatio;
    map.from = low / room;
    map.to = high * room;
    return map;
  }
  if (axis.from_zero) low = std::min(low, 0.0), high = std::max(high, 0.0);
  const double room = high > low ? (high - low) * kRoom : std::max(std::abs(high) * kFlatRatio, kEdge);
  map.from = axis.from_zero && low == 0 ? 0 : low - room;
  map.to = axis.from_zero && high == 0 && low < 0 ? 0 : high + room;
  return map;
}

std::vector<PlotTick> ticksFor(const PlotAxis& axis, const AxisMap& map, int most) {
  std::vector<PlotTick> out;
  if (!axis.ticks.empty()) {
    std::ranges::copy_if(axis.ticks, std::back_inserter(out),
                         [&](const PlotTick& tick) { return map.shows(tick.value); });
    return out;
  }
  const bool log = map.scale == AxisScale::Log;
  Ticks ticks = log ? logTicks(map.from, map.to, most) : linearTicks(map.from, map.to, most);
  // Less than a decade has too few of 1, 2 and 5.
  if (log && ticks.values.size() < 2) ticks = linearTicks(map.from, map.to, most);
  for (const double value : ticks.values)
    out.push_back({value, axis.tick_text ? axis.tick_text(value) : plainText(value)});
  return out;
}

std::vector<double> xValues(const Plot& plot) {
  std::vector<double> values;
  for (const PlotSeries& series : plot.series) append(values, series.xs);
  for (const PlotBand& band : plot.bands) append(values, band.xs);
  for (const PlotNote& note : plot.notes) values.push_back(note.x);
  return values;
}

std::vector<double> yValues(const Plot& plot) {
  std::vector<double> values;
  for (const PlotSeries& series : plot.series) {
    append(values, series.ys);
    append(values, series.lows);
    append(values, series.highs);
  }
  for (const PlotBand& band : plot.bands) append(values, band.lows), append(values, band.highs);
  for (const PlotNote& note : plot.notes) values.push_back(note.y);
  return values;
}

}  // namespace decodescope::scene
