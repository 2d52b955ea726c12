// What stands inside the axes of a plot: bands, lines, markers, error bars, notes.
#pragma once

#include "scene/label_placement.h"
#include "scene/plot_axes.h"
#include "scene/scene_style.h"

namespace decodescope::scene {

struct PlotFrame {
  const AxisMap& x;
  const AxisMap& y;
  Rect rect;
  [[nodiscard]] Point at(double x_value, double y_value) const {
    return {x.pixel(x_value), y.pixel(y_value)};
  }
  [[nodiscard]] bool shows(double x_value, double y_value) const {
    return x.shows(x_value) && y.shows(y_value);
  }
};

/// A marker of `size` pixels.
void paintMarker(Marker marker, Point at, float size, bool hollow, Color color, Color ground, DrawList& out);
void paintBands(const Plot& plot, const PlotFrame& frame, DrawList& out);
void paintGuides(const Plot& plot, const PlotFrame& frame, const SceneStyle& style, LabelPlacer& labels,
                 DrawList& out);
void paintLines(const Plot& plot, const PlotFrame& frame, const SceneStyle& style, DrawList& out);
/// Markers, error bars, and what the mouse finds.
void paintPoints(const Plot& plot, const PlotFrame& frame, const SceneStyle& style, DrawList& out);
void paintNotes(const Plot& plot, const PlotFrame& frame, const SceneStyle& style, LabelPlacer& labels,
                DrawList& out);
/// A ring around a point, or a frame around a cell.
void paintEmphasis(const Plot& plot, const PlotFrame& frame, const SceneStyle& style, PlotHit hit,
                   bool strong, DrawList& out);

}  // namespace decodescope::scene
