#include "base/theme.h"

#include <QFile>
#include <QRegularExpression>
#include <cmath>

namespace decodescope::views {
namespace {

QString replaced(const QString& text, const QRegularExpression& pattern, const auto& with) {
  QString out;
  qsizetype end = 0;
  for (auto it = pattern.globalMatch(text); it.hasNext();) {
    const QRegularExpressionMatch match = it.next();
    out += QStringView(text).mid(end, match.capturedStart() - end);
    out += with(match);
    end = match.capturedEnd();
  }
  out += QStringView(text).mid(end);
  return out;
}

QColor namedColor(const Theme& theme, const QString& name) {
  const scene::Palette& p = theme.palette;
  const struct {
    const char* name;
    scene::Color color;
  } names[] = {{"window", p.window},
               {"panel", p.panel},
               {"canvas", p.canvas},
               {"raised", p.raised},
               {"field", p.field},
               {"hover", p.hover},
               {"line", p.line},
               {"control_border", p.control_border},
               {"text", p.text},
               {"secondary_text", p.secondary_text},
               {"tertiary_text", p.tertiary_text},
               {"accent", p.accent},
               {"accent_fill", p.accent_fill},
               {"selection", p.selection},
               {"warning_text", p.warning_text},
               {"warning_background", p.warning_background}};
  for (const auto& entry : names)
    if (name == QLatin1String(entry.name)) return toQColor(entry.color);
  if (name == QLatin1String("error_text")) return theme.error_text;
  if (name == QLatin1String("better_text")) return theme.better_text;
  return {};
}

}  // namespace

QString styleSheet(const Theme& theme) {
  QFile file(QStringLiteral(":/themes/style.qss"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  static const QRegularExpression size(QStringLiteral("\\{([0-9.]+)\\}(px|pt)"));
  static const QRegularExpression color(QStringLiteral("@([a-z_]+)"));
  const QString sized =
      replaced(QString::fromUtf8(file.readAll()), size, [&theme](const QRegularExpressionMatch& m) {
        const double value = m.captured(1).toDouble() * theme.zoom;
        const bool points = m.captured(2) == QLatin1String("pt");
        return QString::number(points ? value : std::round(value)) + m.captured(2);
      });
  return replaced(sized, color, [&theme](const QRegularExpressionMatch& m) {
    const QColor found = namedColor(theme, m.captured(1));
    return found.isValid() ? found.name() : m.captured(0);
  });
}

}  // namespace decodescope::views
