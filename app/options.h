// What the GUI program was asked for on its command line.
#pragma once

#include "paint/scene_canvas.h"

#include <QSize>
#include <QString>
#include <QStringList>

namespace decodescope::app {

inline constexpr char kDefaultScenario[] = "deepseek-r1-nvl72";

struct Options {
  QString scenario = QString::fromLatin1(kDefaultScenario);  ///< file, or id of a shipped scenario
  QString theme;                                             ///< empty: as last time
  double zoom = 0;                                           ///< 0: as last time
  views::RendererChoice renderer = views::RendererChoice::Auto;
  QString screenshot;  ///< file; empty: a window
  QString view = QStringLiteral("window");
  QString page = QStringLiteral("rack");
  QSize size;             ///< of the window or picture; empty: as last time
  qint64 at_token = 200;  ///< when the picture is taken
  bool present = false;   ///< full screen, projector theme
  bool reset_settings = false;
  bool graphics_info = false;
  bool paused = false;
};

/// Views that --view knows.
[[nodiscard]] QStringList viewNames();

struct ParsedOptions {
  Options options;
  QString message;  ///< help, version or error text; empty when the program should start
  int exit_code = 0;
};
/// Arguments without the program's name.
[[nodiscard]] ParsedOptions parseOptions(const QStringList& arguments);

}  // namespace decodescope::app
