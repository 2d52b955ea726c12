#include "app/settings.h"

#include <QFileInfo>
#include <QSettings>
#include <algorithm>

namespace decodescope::app::settings {
namespace {

constexpr int kRecentLimit = 10;
/// Raised when docks are renamed or added, so that an old layout is not forced on a new window.
constexpr int kLayoutVersion = 1;

QVariant read(const char* key, const QVariant& fallback = {}) {
  return QSettings().value(QLatin1String(key), fallback);
}
void write(const char* key, const QVariant& value) {
  QSettings().setValue(QLatin1String(key), value);
}

}  // namespace

QString theme() {
  return read("appearance/theme", QStringLiteral("dark")).toString();
}
void setTheme(const QString& id) {
  write("appearance/theme", id);
}

double zoom(double fallback) {
  return std::clamp(read("appearance/zoom", fallback).toDouble(), 0.8, 3.0);
}
void setZoom(double zoom) {
  write("appearance/zoom", zoom);
}

bool reducedMotion() {
  return read("appearance/reduced_motion", false).toBool();
}
void setReducedMotion(bool on) {
  write("appearance/reduced_motion", on);
}

bool allParameters() {
  return read("controls/all", false).toBool();
}
void setAllParameters(bool on) {
  write("controls/all", on);
}

QByteArray windowGeometry() {
  return read("window/geometry").toByteArray();
}

QByteArray windowState() {
  return read("window/layout_version", 0).toInt() == kLayoutVersion ? read("window/state").toByteArray()
                                                                    : QByteArray();
}

void setWindow(const QByteArray& geometry, const QByteArray& state) {
  write("window/geometry", geometry);
  write("window/state", state);
  write("window/layout_version", kLayoutVersion);
}

QStringList recentFiles() {
  QStringList files = read("files/recent").toStringList();
  files.erase(
      std::remove_if(files.begin(), files.end(), [](const QString& f) { return !QFileInfo::exists(f); }),
      files.end());
  return files;
}

void addRecentFile(const QString& file) {
  QStringList files = read("files/recent").toStringList();
  const QString path = QFileInfo(file).absoluteFilePath();
  files.removeAll(path);
  files.prepend(path);
  while (files.size() > kRecentLimit) files.removeLast();
  write("files/recent", files);
}

void clearRecentFiles() {
  write("files/recent", QStringList());
}

bool glCrashed() {
  return read("graphics/starting", false).toBool();
}
void setGlStarting(bool starting) {
  QSettings settings;
  settings.setValue(QLatin1String("graphics/starting"), starting);
  settings.sync();
}

void forgetAll() {
  QSettings().clear();
}

}  // namespace decodescope::app::settings
