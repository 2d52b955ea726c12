// What is remembered between sessions. Keys live here only; written at once, never on a slider tick.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace decodescope::app::settings {

[[nodiscard]] QString theme();
void setTheme(const QString& id);
/// `fallback` until the user has chosen one.
[[nodiscard]] double zoom(double fallback);
void setZoom(double zoom);
[[nodiscard]] bool reducedMotion();
void setReducedMotion(bool on);
[[nodiscard]] bool allParameters();
void setAllParameters(bool on);

[[nodiscard]] QByteArray windowGeometry();
[[nodiscard]] QByteArray windowState();
void setWindow(const QByteArray& geometry, const QByteArray& state);

/// Existing files only, newest first.
[[nodiscard]] QStringList recentFiles();
void addRecentFile(const QString& file);
void clearRecentFiles();

/// Set while OpenGL starts: still set at the next start means that the driver took the program down.
[[nodiscard]] bool glCrashed();
void setGlStarting(bool starting);

void forgetAll();

}  // namespace decodescope::app::settings
