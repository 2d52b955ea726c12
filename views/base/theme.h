// One theme for widgets, charts and scenes: palette, fonts and metrics at the current zoom.
#pragma once

#include "scene/palette.h"

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>
#include <QStringList>

namespace decodescope::views {

inline constexpr double kMinZoom = 0.8, kMaxZoom = 3.0;

struct Theme {
  QString id;  ///< dark light projector
  scene::Palette palette;
  double zoom = 1.0;                             ///< 0.8 to 3.0
  QFont body, secondary, title, headline, mono;  ///< already zoomed
  QColor error_text, better_text;  ///< refused input and changes for the worse; changes for the better
  [[nodiscard]] double px(double at_100_percent) const { return at_100_percent * zoom; }
};

[[nodiscard]] QStringList themeIds();
/// Reads :/themes/<id>.json; unknown ids give the dark theme.
[[nodiscard]] Theme makeTheme(const QString& id, double zoom);
[[nodiscard]] QPalette widgetPalette(const Theme&);
/// Style sheet for the few things that palettes cannot say: :/themes/style.qss with this theme's colours and
/// sizes.
[[nodiscard]] QString styleSheet(const Theme&);
[[nodiscard]] inline QColor toQColor(scene::Color c) {
  return QColor(c.r, c.g, c.b, c.a);
}
/// Fill of a slider's used part: the accent, calmed.
[[nodiscard]] QColor sliderFill(const Theme&);

/// Makes `theme` the one of the whole application: style, palette, font, style sheet. Widgets that keep a
/// theme of their own still need applyTheme. Call again on every change of theme or zoom.
void installTheme(const Theme& theme);
/// Only tells widgets, sliders and icons which theme to draw in; for those who set palette and style sheet
/// themselves. Panels do it in applyTheme. Widgets learn of a change by a StyleChange event.
void setCurrentTheme(const Theme& theme);
/// The theme set last; the dark one at 100 % before that.
[[nodiscard]] const Theme& currentTheme();

}  // namespace decodescope::views
