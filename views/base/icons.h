// Icons of :/icons, drawn in a colour of the theme that is current when they are painted.
#pragma once

#include <QIcon>
#include <QString>

namespace decodescope::views {

enum class IconTint { Text, Secondary, Accent, Warning };

/// `name` as in resources/icons without its ending: "play", "zoom-in". Follows theme and zoom by itself.
[[nodiscard]] QIcon icon(const QString& name, IconTint tint = IconTint::Text);

}  // namespace decodescope::views
