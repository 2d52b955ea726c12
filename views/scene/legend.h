// The key to the picture, on the picture: temperature scale, throttling, link states with their window and
// rule.
#pragma once

#include "scene/color_map.h"
#include "scene/link_loads.h"
#include "scene/scene_style.h"

#include <string>
#include <vector>

namespace decodescope::scene {

struct LegendInput {
  TemperatureScale scale;
  double max_c = 0, mean_c = 0;
  std::uint32_t throttled = 0, chips = 0;
  std::string window;              ///< "window: this phase, 41 µs"
  std::vector<std::string> notes;  ///< aggregate rules, link count
  PickId window_pick = 0;          ///< the link heading, which toggles the window
};

/// Width the legend needs.
[[nodiscard]] float legendWidth(const SceneStyle& style);
void paintLegend(const LegendInput& input, Rect box, const SceneStyle& style, DrawList& out);

/// A vertical temperature bar with ticks at `box`; used by the heat map as well.
void paintTemperatureBar(const LegendInput& input, Rect bar, const SceneStyle& style, DrawList& out);

}  // namespace decodescope::scene
