// A draw list as a file: PNG at twice the size, SVG or PDF as vectors.
#pragma once

#include "base/theme.h"
#include "scene/draw_list.h"

#include <QSize>
#include <QString>

namespace decodescope::views {

/// The kind follows the file's ending. Empty when it went well, else what is wrong and what to do.
[[nodiscard]] QString exportDrawList(const scene::DrawList& list, QSize size, const Theme& theme,
                                     const QString& title, const QString& file);

}  // namespace decodescope::views
