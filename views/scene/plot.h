// What a plot shows, as data: axes, series with markers and error bars, bands, shaded regions, annotated
// points, a map of two parameters. Made by pages, drawn by PlotScene.
#pragma once

#include "scene/color_map.h"
#include "scene/draw_list.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace decodescope::scene {

inline constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

enum class AxisScale : std::uint8_t { Linear, Log };
struct PlotTick {
  double value = 0;
  std::string text{};
};
struct PlotAxis {
  std::string title{};  ///< with its unit: "Time per output token, ms"
  AxisScale scale = AxisScale::Linear;
  double from = 0, to = 0;                         ///< equal: what the data need, with some room
  bool from_zero = false;                          ///< a linear axis chosen from data begins at 0
  std::vector<PlotTick> ticks{};                   ///< empty: round numbers
  std::function<std::string(double)> tick_text{};  ///< of round numbers; empty: plain numbers
};

enum class Marker : std::uint8_t { None, Disc, Square, Triangle, Diamond, Cross };

/// Values in the units of the axes. A NaN breaks the line and draws no marker; an infinite y has no line and
/// stands at the edge of the axis, where points go that have a reason instead of a value.
struct PlotSeries {
  std::string name{};  ///< beside the line's end or in the legend; empty: neither
  Color color{};
  float width = 2;  ///< 0: no line
  Dash dash = Dash::Solid;
  Marker marker = Marker::None;
  bool hollow = false;    ///< markers
  float marker_size = 8;  ///< at 100 %
  bool pickable = true;
  std::vector<double> xs{}, ys{};
  std::vector<double> lows{}, highs{};  ///< ends of error bars of the ys; empty: none
};
/// The area between two lines.
struct PlotBand {
  std::string name{};  ///< in the legend; empty: not there
  Color color{};
  std::vector<double> xs{}, lows{}, highs{};
};
/// A range of x over the whole height; NaN: to the axis' end.
struct PlotRegion {
  double from = kNoValue, to = kNoValue;
  std::string label{};  ///< at its upper edge, where it fits
  Color color{};
  Hatch hatch = Hatch::None;
};
/// A straight line in the coordinates of the axes: limits, the identity, the place where a plan changes.
struct PlotGuide {
  double x1 = 0, y1 = 0, x2 = 0, y2 = 0;  ///< NaN: the axis' end
  std::string label{};                    ///< at its second end
  Color color{};
  Dash dash = Dash::Dotted;
  float width = 1;
};
/// A point worth a word: the optimum, a cliff, where the scenario is now.
struct PlotNote {
  double x = 0, y = 0;  ///< y infinite: at the edge
  std::string text{};
  Color color{};
  Marker marker = Marker::Disc;
  bool hollow = false, bold = false;
  float marker_size = 11;
};
/// A map of cells between the axes' ends, row by row from the top.
struct PlotMap {
  int columns = 0, rows = 0;
  std::vector<float> ratios{};          ///< 0 to 1 in the colour map; NaN: no value
  std::vector<std::uint8_t> hatched{};  ///< cells that cannot run; empty: none
  ColorMap colors = ColorMap::Viridis;
  std::string value_title{};            ///< of the colour bar
  std::vector<PlotTick> value_ticks{};  ///< values are ratios
};

/// A second reading of y at the right end is not offered: two plots one above the other say more.
struct Plot {
  PlotAxis x{}, y{};
  std::vector<PlotRegion> regions{};
  std::vector<PlotBand> bands{};
  std::vector<PlotGuide> guides{};
  std::vector<PlotSeries> series{};  ///< bottom-most first
  std::vector<PlotNote> notes{};
  std::optional<PlotMap> map;
  bool direct_labels = true;  ///< names at the ends of lines; false: a legend above the plot
  std::string empty_text{};   ///< in the middle when there is nothing to draw
};

/// One point of a series, or one cell of the map.
struct PlotHit {
  static constexpr std::uint32_t kMap = 0x3fe;
  std::uint32_t series = 0, point = 0;
  friend bool operator==(const PlotHit&, const PlotHit&) = default;
};
[[nodiscard]] PickId pickOf(PlotHit hit);
[[nodiscard]] std::optional<PlotHit> hitOf(PickId pick);

}  // namespace decodescope::scene
