#include "base/theme.h"

#include "base/app_style.h"
#include "scene/color_map.h"

#include <QApplication>
#include <QEvent>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QWidget>
#include <algorithm>
#include <cmath>

// The resources live in a static library: without this the linker would leave them out.
static void initThemeResources() {
  Q_INIT_RESOURCE(resources);
}

namespace decodescope::views {
namespace {

scene::Color sceneColor(const QColor& c) {
  return {static_cast<std::uint8_t>(c.red()), static_cast<std::uint8_t>(c.green()),
          static_cast<std::uint8_t>(c.blue()), static_cast<std::uint8_t>(c.alpha())};
}

struct PaletteEntry {
  const char* key;
  scene::Color scene::Palette::*member;
};
constexpr PaletteEntry kEntries[] = {
    {"window", &scene::Palette::window},
    {"panel", &scene::Palette::panel},
    {"canvas", &scene::Palette::canvas},
    {"raised", &scene::Palette::raised},
    {"field", &scene::Palette::field},
    {"hover", &scene::Palette::hover},
    {"line", &scene::Palette::line},
    {"control_border", &scene::Palette::control_border},
    {"grid", &scene::Palette::grid},
    {"text", &scene::Palette::text},
    {"secondary_text", &scene::Palette::secondary_text},
    {"tertiary_text", &scene::Palette::tertiary_text},
    {"accent", &scene::Palette::accent},
    {"accent_fill", &scene::Palette::accent_fill},
    {"selection", &scene::Palette::selection},
    {"warning_text", &scene::Palette::warning_text},
    {"warning_background", &scene::Palette::warning_background},
    {"compute", &scene::Palette::compute},
    {"hbm", &scene::Palette::hbm},
    {"interconnect", &scene::Palette::interconnect},
    {"physical", &scene::Palette::physical},
    {"host", &scene::Palette::host},
    {"waiting", &scene::Palette::waiting},
    {"live", &scene::Palette::live},
    {"pinned", &scene::Palette::pinned},
    {"rack_metal", &scene::Palette::rack_metal},
    {"rack_metal2", &scene::Palette::rack_metal2},
    {"feasible_band", &scene::Palette::feasible_band},
};

QJsonObject readThemeFile(const QString& id) {
  initThemeResources();
  QFile file(QStringLiteral(":/themes/%1.json").arg(themeIds().contains(id) ? id : themeIds().first()));
  if (!file.open(QIODevice::ReadOnly)) return {};
  return QJsonDocument::fromJson(file.readAll()).object();
}

QFont makeFont(double points, double zoom, bool bold, bool mono) {
  QFont font;
  font.setFamilies(mono ? QStringList{QStringLiteral("Noto Sans Mono"), QStringLiteral("DejaVu Sans Mono")}
                        : QStringList{QStringLiteral("Noto Sans"), QStringLiteral("DejaVu Sans"),
                                      QStringLiteral("Noto Sans CJK SC"),
                                      QStringLiteral("WenQuanYi Micro Hei")});
  font.setStyleHint(mono ? QFont::Monospace : QFont::SansSerif);
  font.setPointSizeF(points * zoom);
  font.setBold(bold);
  return font;
}

Theme& installed() {
  static Theme theme = makeTheme(QStringLiteral("dark"), 1.0);
  return theme;
}

}  // namespace

QStringList themeIds() {
  return {QStringLiteral("dark"), QStringLiteral("light"), QStringLiteral("projector")};
}

Theme makeTheme(const QString& id, double zoom) {
  const QJsonObject json = readThemeFile(id);
  const auto color = [&json](const char* key) { return QColor(json.value(QLatin1String(key)).toString()); };
  Theme theme;
  theme.id = json.value(QLatin1String("id")).toString();
  theme.zoom = std::clamp(std::isfinite(zoom) ? zoom : 1.0, kMinZoom, kMaxZoom);
  theme.palette.dark = json.value(QLatin1String("dark")).toBool();
  theme.palette.projector = json.value(QLatin1String("projector")).toBool();
  for (const PaletteEntry& entry : kEntries) theme.palette.*entry.member = sceneColor(color(entry.key));
  const QJsonArray link = json.value(QLatin1String("link")).toArray();
  for (qsizetype i = 0; i < link.size() && i < 5; ++i)
    theme.palette.link[static_cast<std::size_t>(i)] = sceneColor(QColor(link.at(i).toString()));
  theme.error_text = color("error_text");
  theme.better_text = color("better_text");
  theme.body = makeFont(10, theme.zoom, false, false);
  theme.secondary = makeFont(9, theme.zoom, false, false);
  theme.title = makeFont(10.5, theme.zoom, true, false);
  theme.headline = makeFont(20, theme.zoom, true, false);
  theme.mono = makeFont(10, theme.zoom, false, true);
  return theme;
}

QPalette widgetPalette(const Theme& theme) {
  const scene::Palette& p = theme.palette;
  QPalette out;
  const auto set = [&out](QPalette::ColorRole role, scene::Color normal, scene::Color disabled) {
    out.setColor(QPalette::Active, role, toQColor(normal));
    out.setColor(QPalette::Inactive, role, toQColor(normal));
    out.setColor(QPalette::Disabled, role, toQColor(disabled));
  };
  set(QPalette::Window, p.panel, p.panel);
  set(QPalette::WindowText, p.text, p.tertiary_text);
  set(QPalette::Base, p.field, p.panel);
  set(QPalette::AlternateBase, p.raised, p.raised);
  set(QPalette::Text, p.text, p.tertiary_text);
  set(QPalette::PlaceholderText, p.tertiary_text, p.tertiary_text);
  set(QPalette::Button, p.raised, p.panel);
  set(QPalette::ButtonText, p.text, p.tertiary_text);
  set(QPalette::BrightText, p.warning_text, p.warning_text);
  set(QPalette::ToolTipBase, p.raised, p.raised);
  set(QPalette::ToolTipText, p.text, p.text);
  set(QPalette::Link, p.accent, p.tertiary_text);
  set(QPalette::LinkVisited, p.accent, p.tertiary_text);
  // Selected text stays readable on the selection, so Highlight carries the calm tint and not the accent
  // itself.
  set(QPalette::Highlight, p.selection, p.raised);
  set(QPalette::HighlightedText, p.text, p.tertiary_text);
  set(QPalette::Light, p.hover, p.hover);
  set(QPalette::Midlight, p.raised, p.raised);
  set(QPalette::Mid, p.line, p.line);
  set(QPalette::Dark, p.control_border, p.line);
  set(QPalette::Shadow, p.window, p.window);
  return out;
}

QColor sliderFill(const Theme& theme) {
  return toQColor(scene::mix(theme.palette.accent, theme.palette.accent_fill, 0.5));
}

void setCurrentTheme(const Theme& theme) {
  const bool same = installed().id == theme.id && installed().zoom == theme.zoom;
  installed() = theme;
  if (same) return;
  for (QWidget* widget : QApplication::allWidgets()) {
    QEvent event(QEvent::StyleChange);
    QCoreApplication::sendEvent(widget, &event);
  }
}

void installTheme(const Theme& theme) {
  installed() = theme;
  if (qobject_cast<AppStyle*>(QApplication::style()) == nullptr && qApp->styleSheet().isEmpty())
    QApplication::setStyle(new AppStyle);
  QApplication::setPalette(widgetPalette(theme));
  QApplication::setFont(theme.body);
  qApp->setStyleSheet(styleSheet(theme));
}

const Theme& currentTheme() {
  return installed();
}

}  // namespace decodescope::views
