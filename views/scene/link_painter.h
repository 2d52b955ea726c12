// Links and bundles as curves with chevrons, badges and numbers.
#pragma once

#include "scene/rack_scene.h"

namespace decodescope::scene {

struct LinkLine {
  Point from, control1, control2, to;
  float ratio = 0;
  bool backward = false;  ///< bytes flow from `to` to `from`
  PickId pick = 0;
  float faded = 1;      ///< opacity
  float most_px = 100;  ///< width where lines are close together
};

/// One line in the style of its use, with chevrons, badge and, in flow, moving dashes.
void paintLink(SceneFrame& frame, const LinkLine& line);
/// Both directions of a link: one line when they are in the same state, else two lanes of half width.
void paintLanes(SceneFrame& frame, LinkLine line, LinkId link);
/// "93 %" in the colour of the state, bold from busy on.
void addLoadText(SceneFrame& frame, float ratio, const Rect& box, Align align);
[[nodiscard]] Color loadTextColor(const SceneFrame& frame, float ratio);
[[nodiscard]] PickId linkPick(LinkId link);

}  // namespace decodescope::scene
