// Icons of :/icons, drawn in the text colour of the theme that is current when they are painted.
#pragma once

#include <QIcon>
#include <QString>

namespace decodescope::views {

/// `name` as in resources/icons without its ending: "play", "zoom-in". Follows theme and zoom by itself.
[[nodiscard]] QIcon icon(const QString& name);

}  // namespace decodescope::views
