// One theme for widgets, charts and scenes: palette, fonts and metrics at the current zoom.
#pragma once

#include "scene/palette.h"

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>
#include <QStringList>

namespace decodescope::views {

struct Theme {
  QString id;                   ///< dark light projector
  scene::Palette palette;
  double zoom = 1.0;            ///< 0.8 to 3.0
  QFont body, secondary, title, headline, mono;   ///< already zoomed
  [[nodiscard]] double px(double at_100_percent) const { return at_100_percent * zoom; }
};

[[nodiscard]] QStringList themeIds();
/// Reads :/themes/<id>.json; unknown ids give the dark theme.
[[nodiscard]] Theme makeTheme(const QString& id, double zoom);
[[nodiscard]] QPalette widgetPalette(const Theme&);
/// Style sheet for the few things that palettes cannot say.
[[nodiscard]] QString styleSheet(const Theme&);
[[nodiscard]] inline QColor toQColor(scene::Color c) { return QColor(c.r, c.g, c.b, c.a); }

}  // namespace decodescope::views
