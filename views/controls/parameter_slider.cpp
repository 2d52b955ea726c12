#include "controls/parameter_slider.h"

#include "base/app_style.h"
#include "base/format.h"
#include "base/theme.h"
#include "controls/accessible_slider.h"

#include <QDateTime>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QWheelEvent>
#include <cmath>

namespace decodescope::views {
namespace {

// At 100 %.
constexpr double kInsetPx = 10, kRowPx = 24, kTickGapPx = 8, kTickPx = 4;
/// Key presses and wheel clicks that follow each other this fast are one edit.
constexpr qint64 kMergeMs = 600;

}  // namespace

quint64 nextEditSerial() {
  static quint64 serial = 0;
  return ++serial;
}

ParameterSlider::ParameterSlider(QWidget* parent) : QSlider(Qt::Horizontal, parent) {
  installSliderAccessibility();
  setRange(0, ScaleMap::kPositions);
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_Hover);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ParameterSlider::setScaleMap(const ScaleMap& map) {
  map_ = map;
  setParameterValue(value_);
}

void ParameterSlider::setTicksShown(bool shown) {
  ticks_ = shown;
  updateGeometry();
  update();
}

void ParameterSlider::setParameterValue(double value) {
  if (dragging_) return;  // what the user holds is the newest
  takeValue(value);
}

void ParameterSlider::takeValue(double value) {
  value_ = value;
  const QSignalBlocker blocker(this);
  setValue(static_cast<int>(std::lround(map_.fractionOf(value) * ScaleMap::kPositions)));
  announceSliderValue(this);
  update();
}

QString ParameterSlider::valueText() const {
  return ValueText{exactText(value_), unit_}.text();
}

QRectF ParameterSlider::grooveRect() const {
  const double inset = currentTheme().px(kInsetPx), y = currentTheme().px(kRowPx) / 2;
  return {inset, y, std::max(1.0, width() - 2 * inset), 0};
}

QPointF ParameterSlider::handleCenter() const {
  const QRectF groove = grooveRect();
  return {groove.left() + groove.width() * map_.fractionOf(value_), groove.y()};
}

QSize ParameterSlider::sizeHint() const {
  const double label = ticks_ ? QFontMetricsF(currentTheme().secondary).height() : 0;
  return {qRound(currentTheme().px(200)), qCeil(currentTheme().px(kRowPx) + label)};
}
QSize ParameterSlider::minimumSizeHint() const {
  return {qRound(currentTheme().px(80)), sizeHint().height()};
}

void ParameterSlider::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (ticks_) paintTicks(&painter);
  paintSlider(&painter, grooveRect(), map_.fractionOf(value_), isEnabled(), hasFocus(), underMouse());
  if (map_.isBelow(value_) || map_.isAbove(value_)) paintRangeArrow(&painter);
}

void ParameterSlider::paintTicks(QPainter* painter) const {
  const Theme& theme = currentTheme();
  const QRectF groove = grooveRect();
  const QFontMetricsF metrics(theme.secondary);
  painter->setFont(theme.secondary);
  double free_from = 0;
  const std::vector<double> values = map_.ticks(std::max(2, static_cast<int>(groove.width() / theme.px(44))));
  const double last_left =
      width() - metrics.horizontalAdvance(shortCountText(values.empty() ? 0 : values.back()));
  for (const double value : values) {
    const double x = groove.left() + groove.width() * map_.fractionOf(value),
                 y = groove.y() + theme.px(kTickGapPx);
    painter->setPen(QPen(toQColor(theme.palette.control_border), 1));
    painter->drawLine(QPointF(x, y), QPointF(x, y + theme.px(kTickPx)));
    const QString text = shortCountText(value);
    const double text_width = metrics.horizontalAdvance(text);
    const double left = std::clamp(x - text_width / 2, 0.0, std::max(0.0, width() - text_width));
    const bool is_last = value == values.back();
    if (left < free_from || (!is_last && left + text_width > last_left - theme.px(6))) continue;
    painter->setPen(toQColor(theme.palette.secondary_text));
    painter->drawText(QPointF(left, y + theme.px(kTickPx) + metrics.ascent()), text);
    free_from = left + text_width + theme.px(6);
  }
}

void ParameterSlider::paintRangeArrow(QPainter* painter) const {
  const QRectF groove = grooveRect();
  const double sign = map_.isAbove(value_) ? 1 : -1, size = currentTheme().px(5);
  const double x = sign > 0 ? width() - 1.0 : 1.0;
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(Qt::NoPen);
  painter->setBrush(toQColor(currentTheme().palette.warning_text));
  painter->drawPolygon(QPolygonF({QPointF(x, groove.y()), QPointF(x - sign * size, groove.y() - size),
                                  QPointF(x - sign * size, groove.y() + size)}));
}

void ParameterSlider::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) {
    event->ignore();
    return;
  }
  dragging_ = true;
  changed_in_drag_ = false;
  serial_ = nextEditSerial();
  const double distance = event->position().x() - handleCenter().x();
  const bool on_handle = std::abs(distance) <= currentTheme().px(8);
  grab_offset_ = on_handle ? distance : 0;
  if (!on_handle) dragTo(event->position().x(), !event->modifiers().testFlag(Qt::AltModifier));
  event->accept();
}

void ParameterSlider::mouseMoveEvent(QMouseEvent* event) {
  if (dragging_) dragTo(event->position().x(), !event->modifiers().testFlag(Qt::AltModifier));
}

void ParameterSlider::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !dragging_) return;
  dragging_ = pending_ = false;
  if (changed_in_drag_) Q_EMIT edited(value_, serial_, true);
  update();
}

void ParameterSlider::dragTo(double x, bool snap) {
  const QRectF groove = grooveRect();
  const double exact = (x - grab_offset_ - groove.left()) / groove.width();
  const double fraction =
      std::round(std::clamp(exact, 0.0, 1.0) * ScaleMap::kPositions) / ScaleMap::kPositions;
  const double value = snap ? map_.snapped(fraction) : map_.valueAt(fraction);
  if (value == value_) return;
  takeValue(value);
  changed_in_drag_ = true;
  if (pending_) return;
  pending_ = true;
  QMetaObject::invokeMethod(this, &ParameterSlider::emitPending, Qt::QueuedConnection);
}

void ParameterSlider::emitPending() {
  if (!pending_) return;  // the release was faster and has told the value
  pending_ = false;
  Q_EMIT edited(value_, serial_, false);
}

void ParameterSlider::stepBy(int steps, StepSize size) {
  const double value = map_.stepped(value_, steps, size);
  if (value == value_) return;
  const qint64 now_ms = QDateTime::currentMSecsSinceEpoch();
  if (last_step_ms_ < 0 || now_ms - last_step_ms_ > kMergeMs) serial_ = nextEditSerial();
  last_step_ms_ = now_ms;
  takeValue(value);
  Q_EMIT edited(value_, serial_, true);
}

void ParameterSlider::keyPressEvent(QKeyEvent* event) {
  const StepSize size = event->modifiers().testFlag(Qt::ShiftModifier)     ? StepSize::Fine
                        : event->modifiers().testFlag(Qt::ControlModifier) ? StepSize::Coarse
                                                                           : StepSize::Normal;
  switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Up:
      stepBy(1, size);
      break;
    case Qt::Key_Left:
    case Qt::Key_Down:
      stepBy(-1, size);
      break;
    case Qt::Key_PageUp:
      stepBy(1, StepSize::Coarse);
      break;
    case Qt::Key_PageDown:
      stepBy(-1, StepSize::Coarse);
      break;
    default:
      QWidget::keyPressEvent(event);
      return;
  }
  event->accept();
}

void ParameterSlider::wheelEvent(QWheelEvent* event) {
  if (!hasFocus()) {
    event->ignore();
    return;
  }
  const int clicks = event->angleDelta().y() / 120;
  if (clicks != 0)
    stepBy(clicks, event->modifiers().testFlag(Qt::ShiftModifier) ? StepSize::Fine : StepSize::Normal);
  event->accept();
}

bool ParameterSlider::event(QEvent* event) {
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) updateGeometry();
  return QSlider::event(event);
}

}  // namespace decodescope::views
