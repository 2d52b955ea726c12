#include "panels/headline_tile.h"

#include "base/theme.h"

#include <QPainter>
#include <QRegularExpression>
#include <algorithm>

namespace decodescope::views {
namespace {

// At 100 %.
constexpr double kPadXPx = 12, kPadYPx = 6, kBarPx = 6;

QColor toneColor(Tone tone) {
  const Theme& theme = currentTheme();
  switch (tone) {
    case Tone::Neutral:
      return toQColor(theme.palette.secondary_text);
    case Tone::Warning:
      return toQColor(theme.palette.warning_text);
    case Tone::Better:
      return theme.better_text;
    case Tone::Worse:
      return theme.error_text;
  }
  return {};
}

QFont toneFont(Tone tone) {
  QFont font = currentTheme().secondary;
  font.setBold(tone != Tone::Neutral);
  return font;
}

double advance(const QFont& font, const QString& text) {
  return QFontMetricsF(font).horizontalAdvance(text);
}

}  // namespace

HeadlineTile::HeadlineTile(QWidget* parent) : QAbstractButton(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_Hover);
  setCursor(Qt::PointingHandCursor);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void HeadlineTile::setContent(const HeadlineTileContent& content) {
  content_ = content;
  const QString spoken = content_.title + QStringLiteral(": ") + content_.value.text();
  setAccessibleName(spoken);
  const QString extra = QStringList{content_.corner, content_.note}
                            .filter(QRegularExpression(QStringLiteral(".")))
                            .join(QStringLiteral(", "));
  setAccessibleDescription(extra);
  setToolTip(extra.isEmpty() ? tr("%1\nClick to see where it comes from").arg(spoken)
                             : tr("%1\n%2\nClick to see where it comes from").arg(spoken, extra));
  update();
}

QSize HeadlineTile::sizeHint() const {
  const Theme& theme = currentTheme();
  const double height = QFontMetricsF(theme.secondary).height() +
                        QFontMetricsF(theme.headline).height() * 0.92 + theme.px(2 * kPadYPx);
  return {qRound(theme.px(190)), qRound(height)};
}
QSize HeadlineTile::minimumSizeHint() const {
  return {qRound(currentTheme().px(132)), sizeHint().height()};
}

void HeadlineTile::paintEvent(QPaintEvent*) {
  const Theme& theme = currentTheme();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(hasFocus() ? QPen(toQColor(theme.palette.accent), theme.px(2))
                            : QPen(toQColor(theme.palette.line), 1));
  painter.setBrush(toQColor(underMouse() ? theme.palette.hover : theme.palette.panel));
  const double inset = hasFocus() ? theme.px(1) : 0.5;
  painter.drawRoundedRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset), theme.px(6), theme.px(6));
  const QRectF inner =
      QRectF(rect()).adjusted(theme.px(kPadXPx), theme.px(kPadYPx), -theme.px(kPadXPx), -theme.px(kPadYPx));
  paintTop(&painter, inner);
  paintBottom(&painter, inner);
}

void HeadlineTile::paintTop(QPainter* painter, const QRectF& inner) const {
  const Theme& theme = currentTheme();
  const QFont corner_font = toneFont(content_.corner_tone);
  const double baseline = inner.top() + QFontMetricsF(theme.secondary).ascent();
  const double corner = content_.corner.isEmpty() ? 0 : advance(corner_font, content_.corner) + theme.px(8);
  const bool long_fits = advance(theme.secondary, content_.title) + corner <= inner.width();
  const QString title = long_fits ? content_.title : content_.short_title;
  painter->setFont(theme.secondary);
  painter->setPen(toQColor(theme.palette.secondary_text));
  painter->drawText(QPointF(inner.left(), baseline), title);
  if (corner <= 0 || advance(theme.secondary, title) + corner > inner.width()) return;
  painter->setFont(corner_font);
  painter->setPen(toneColor(content_.corner_tone));
  painter->drawText(QPointF(inner.right() - corner + theme.px(8), baseline), content_.corner);
}

void HeadlineTile::paintBottom(QPainter* painter, const QRectF& inner) const {
  const Theme& theme = currentTheme();
  const QFontMetricsF big(theme.headline);
  const double baseline = inner.bottom() - big.descent() * 0.55;
  painter->setFont(theme.headline);
  painter->setPen(toQColor(theme.palette.text));
  painter->drawText(QPointF(inner.left(), baseline), content_.value.number);
  const double number = big.horizontalAdvance(content_.value.number);
  // The dots below say: a click explains.
  QPen dots(toQColor(theme.palette.secondary_text), std::max(1.0, theme.px(1)));
  dots.setStyle(Qt::CustomDashLine);
  dots.setDashPattern({1, 2});
  painter->setPen(dots);
  painter->drawLine(QPointF(inner.left(), baseline + theme.px(4)),
                    QPointF(inner.left() + number, baseline + theme.px(4)));
  painter->setFont(theme.body);
  painter->setPen(toQColor(theme.palette.secondary_text));
  const double unit_left = inner.left() + number + theme.px(6);
  painter->drawText(QPointF(unit_left, baseline), content_.value.unit);
  const double free_left = unit_left + advance(theme.body, content_.value.unit) + theme.px(10);
  if (content_.bar_ratio >= 0 && inner.right() - free_left > theme.px(24)) {
    const double height = theme.px(kBarPx);
    const QRectF bar(free_left, baseline - height * 1.4, inner.right() - free_left, height);
    painter->setPen(Qt::NoPen);
    painter->setBrush(toQColor(theme.palette.line));
    painter->drawRoundedRect(bar, height / 2, height / 2);
    const QRectF used(bar.left(), bar.top(), bar.width() * std::min(1.0, content_.bar_ratio), height);
    painter->setBrush(content_.bar_ratio > 1 ? theme.error_text : toQColor(theme.palette.pinned));
    painter->drawRoundedRect(used, height / 2, height / 2);
    return;
  }
  const QFont note_font = toneFont(content_.note_tone);
  for (const QString& note : {content_.note, content_.short_note}) {
    const double left = inner.right() - advance(note_font, note);
    if (note.isEmpty() || left < free_left) continue;
    painter->setFont(note_font);
    painter->setPen(toneColor(content_.note_tone));
    painter->drawText(QPointF(left, baseline), note);
    return;
  }
}

}  // namespace decodescope::views
