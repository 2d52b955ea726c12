// Chips: a tile filled by temperature, hatched when throttled, with as much text as fits.
#pragma once

#include "scene/rack_scene.h"

namespace decodescope::scene {

void paintChip(SceneFrame& frame, std::uint32_t chip, const Rect& tile);
/// All visible chips, at the frame's level of detail.
void paintChips(SceneFrame& frame);
/// Outline of the selected or hovered thing.
void paintOutline(SceneFrame& frame, const Rect& rect, bool selected);

struct ChipSummary {
  float max_c = 0, mean_c = 0, median_c = 0;
  std::uint32_t hottest = 0, throttled = 0, count = 0;
};
[[nodiscard]] ChipSummary summarize(const SceneFrame& frame, const std::vector<NodeId>& chips);
[[nodiscard]] ChipSummary summarizeAll(const SceneFrame& frame);

/// Text centred in a box: as large as the box allows up to the font's own size, nothing below nine pixels.
bool addFittedText(SceneFrame& frame, const std::string& text, const Rect& box, Color color, Align align,
                   FontRole font, bool bold = false);

}  // namespace decodescope::scene
