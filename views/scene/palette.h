// Colours of a theme, one meaning per hue in the whole program. Values: resources/themes/*.json, read by
// views/base/theme.
#pragma once

#include "scene/draw_list.h"

#include <array>

namespace decodescope::scene {

struct Palette {
  Color window, panel, canvas, raised, field, hover;
  Color line, control_border, grid;
  Color text, secondary_text, tertiary_text;
  Color accent, accent_fill, selection;
  Color warning_text, warning_background;
  std::array<Color, 5> link;  ///< idle normal busy hot saturated
  Color compute, hbm, interconnect, physical, host, waiting;
  Color live, pinned;
  Color rack_metal, rack_metal2, feasible_band;
  bool dark = true;
  bool projector = false;
};

}  // namespace decodescope::scene
