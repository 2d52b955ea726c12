// Draws a plot. Keeps the mapping of the last picture, so that views can turn pixels into values.
#pragma once

#include "scene/label_placement.h"
#include "scene/plot.h"
#include "scene/scene_style.h"

namespace decodescope::scene {

/// One axis on the screen.
struct AxisMap {
  double from = 0, to = 1;
  float pixel_from = 0, pixel_to = 1;
  AxisScale scale = AxisScale::Linear;
  [[nodiscard]] float pixel(double value) const;
  [[nodiscard]] double value(float pixel) const;
  /// Whether the axis can show it: finite, inside, and positive where the axis is logarithmic.
  [[nodiscard]] bool shows(double value) const;
};

class PlotScene {
 public:
  void build(const Plot& plot, Rect box, const SceneStyle& style, std::optional<PlotHit> hovered,
             std::optional<PlotHit> selected, DrawList& out);
  [[nodiscard]] const AxisMap& xMap() const { return x_; }
  [[nodiscard]] const AxisMap& yMap() const { return y_; }
  /// Where the data stand, without axes and legend.
  [[nodiscard]] Rect plotRect() const { return plot_; }

 private:
  void layOut(const Plot& plot, Rect box, const SceneStyle& style);
  void paintAxes(const Plot& plot, Rect box, const SceneStyle& style, DrawList& out) const;
  void paintGround(const Plot& plot, const SceneStyle& style, DrawList& out);
  void paintMap(const PlotMap& map, const SceneStyle& style, DrawList& out) const;
  void paintSeries(const Plot& plot, const SceneStyle& style, DrawList& out) const;
  void paintNotes(const Plot& plot, const SceneStyle& style, DrawList& out);
  void paintNames(const Plot& plot, const SceneStyle& style, DrawList& out);
  void paintEmphasis(const Plot& plot, const SceneStyle& style, std::optional<PlotHit> hit, bool strong,
                     DrawList& out) const;
  [[nodiscard]] Point at(double x, double y) const { return {x_.pixel(x), y_.pixel(y)}; }

  AxisMap x_, y_;
  Rect plot_;
  std::vector<PlotTick> x_ticks_, y_ticks_;
  LabelPlacer labels_;
};

/// "12 points in 2 series": what screen readers are told when a view has nothing better.
[[nodiscard]] std::string describePlot(const Plot& plot);

}  // namespace decodescope::scene
