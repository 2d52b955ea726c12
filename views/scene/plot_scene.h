// Draws a plot. Keeps the mapping of the last picture, so that views can turn pixels into values.
#pragma once

#include "scene/label_placement.h"
#include "scene/plot.h"
#include "scene/plot_axes.h"
#include "scene/scene_style.h"

namespace decodescope::scene {

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
  void paintGround(const Plot& plot, const SceneStyle& style, DrawList& out) const;
  void paintAxes(const Plot& plot, Rect box, const SceneStyle& style, DrawList& out) const;
  void paintColorBar(const PlotMap& map, const SceneStyle& style, DrawList& out) const;
  void paintNames(const Plot& plot, Rect box, const SceneStyle& style, DrawList& out) const;

  AxisMap x_, y_;
  Rect plot_;
  float names_width_ = 0, legend_height_ = 0;
  std::vector<PlotTick> x_ticks_, y_ticks_;
  LabelPlacer labels_;
};

/// "2 series, 12 points": what screen readers are told when a view has nothing better.
[[nodiscard]] std::string describePlot(const Plot& plot);

}  // namespace decodescope::scene
