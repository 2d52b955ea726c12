// Draw lists by QPainter: export, machines without OpenGL, tests. The same picture as views/gl.
#pragma once

#include "base/theme.h"
#include "scene/draw_list.h"

class QPainter;

namespace decodescope::views {

void paintDrawList(QPainter& painter, const scene::DrawList& list, const Theme& theme);

}  // namespace decodescope::views
