// How a scene draws at the moment: theme, zoom, text metrics, options.
#pragma once

#include "scene/color_map.h"
#include "scene/draw_list.h"
#include "scene/link_style.h"
#include "scene/palette.h"

namespace decodescope::scene {

struct SceneStyle {
  Palette palette;
  float zoom = 1;
  const TextMeasure* text = nullptr;  ///< outlives the scene; required
  ColorMap temperature_map = ColorMap::Inferno;
  LinkThresholds thresholds;
  bool reduced_motion = false;

  [[nodiscard]] float px(float at_100_percent) const { return at_100_percent * zoom; }
  /// Size of the letter m of a font, from which the canvas derives its gaps.
  [[nodiscard]] float em(FontRole role) const { return text->lineHeight(role) / 1.36f; }
};

}  // namespace decodescope::scene
