// How a machine is cut into the rows and blocks of its heat map.
#pragma once

#include "scene/heat_scene.h"

namespace decodescope::scene {

[[nodiscard]] std::vector<HeatRow> heatRows(const TopologyView& topology);
[[nodiscard]] std::vector<HeatBlock> heatBlocks(const TopologyView& topology);

}  // namespace decodescope::scene
