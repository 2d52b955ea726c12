#include "controls/quantity_spin_box.h"

#include "base/format.h"
#include "base/parse_value.h"
#include "base/theme.h"
#include "controls/parameter_slider.h"

#include <QApplication>
#include <QDateTime>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QWheelEvent>
#include <cmath>

namespace decodescope::views {
namespace {

constexpr double kWidthPx = 126;
constexpr qint64 kMergeMs = 600;

}  // namespace

QuantitySpinBox::QuantitySpinBox(QWidget* parent) : QAbstractSpinBox(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setKeyboardTracking(false);
  setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  unit_label_ = new QLabel(lineEdit());
  unit_label_->setAttribute(Qt::WA_TransparentForMouseEvents);
  unit_label_->setProperty("role", QStringLiteral("secondary"));
  connect(lineEdit(), &QLineEdit::textEdited, this, [this] { typing_ = true; });
  connect(this, &QAbstractSpinBox::editingFinished, this, &QuantitySpinBox::commit);
}

void QuantitySpinBox::setUnit(const QString& unit) {
  unit_ = unit;
  unit_label_->setText(unit);
  placeUnit();
}

void QuantitySpinBox::setUsualWidth(int width) {
  if (usual_width_ == width) return;
  usual_width_ = width;
  updateGeometry();
}

void QuantitySpinBox::setQuantity(double value) {
  value_ = value;
  if (!typing_) showValue();
}

void QuantitySpinBox::showValue() {
  typing_ = false;
  const QString text = exactText(value_);
  if (lineEdit()->text() == text) return;
  lineEdit()->setText(text);
  updateGeometry();
}

QString QuantitySpinBox::rangeText() const {
  const ValueText high{exactText(map_.hardMax()), unit_};
  return tr("Allowed: %1 to %2").arg(exactText(map_.hardMin()), high.text());
}

void QuantitySpinBox::commit() {
  if (!typing_) return;
  const std::optional<double> parsed = parseValue(lineEdit()->text(), unit_);
  if (!parsed) {
    Q_EMIT refused(tr("Not a number: “%1”. %2").arg(lineEdit()->text(), rangeText()));
    showValue();
    return;
  }
  const double value = integral_ ? std::round(*parsed) : *parsed;
  if (value < map_.hardMin() || value > map_.hardMax()) {
    Q_EMIT refused(rangeText());
    showValue();
    return;
  }
  Q_EMIT refused({});
  const bool changed = value != value_;
  value_ = value;
  showValue();
  if (changed) Q_EMIT edited(value_, nextEditSerial());
}

void QuantitySpinBox::stepBy(int steps) {
  if (typing_) commit();
  const Qt::KeyboardModifiers keys = QApplication::keyboardModifiers();
  const StepSize size = keys.testFlag(Qt::ShiftModifier) ? StepSize::Fine : StepSize::Normal;
  // Qt multiplies by ten for Ctrl and Page keys; here that means one coarse step.
  const bool coarse = std::abs(steps) >= 10;
  const double value = map_.stepped(value_, coarse ? steps / 10 : steps, coarse ? StepSize::Coarse : size);
  if (value == value_) return;
  const qint64 now_ms = QDateTime::currentMSecsSinceEpoch();
  if (last_step_ms_ < 0 || now_ms - last_step_ms_ > kMergeMs) serial_ = nextEditSerial();
  last_step_ms_ = now_ms;
  value_ = value;
  showValue();
  Q_EMIT refused({});
  Q_EMIT edited(value_, serial_);
}

QAbstractSpinBox::StepEnabled QuantitySpinBox::stepEnabled() const {
  StepEnabled enabled = StepNone;
  if (value_ < map_.hardMax()) enabled |= StepUpEnabled;
  if (value_ > map_.hardMin()) enabled |= StepDownEnabled;
  return enabled;
}

void QuantitySpinBox::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && typing_) {
    showValue();
    lineEdit()->selectAll();
    return;
  }
  QAbstractSpinBox::keyPressEvent(event);
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) lineEdit()->selectAll();
}

void QuantitySpinBox::wheelEvent(QWheelEvent* event) {
  if (hasFocus())
    QAbstractSpinBox::wheelEvent(event);
  else
    event->ignore();
}

void QuantitySpinBox::focusInEvent(QFocusEvent* event) {
  QAbstractSpinBox::focusInEvent(event);
  lineEdit()->selectAll();
}

void QuantitySpinBox::resizeEvent(QResizeEvent* event) {
  QAbstractSpinBox::resizeEvent(event);
  placeUnit();
}

void QuantitySpinBox::changeEvent(QEvent* event) {
  QAbstractSpinBox::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) placeUnit();
}

bool QuantitySpinBox::event(QEvent* event) {
  const bool handled = QAbstractSpinBox::event(event);
  if (event->type() == QEvent::Polish || event->type() == QEvent::LayoutRequest) placeUnit();
  return handled;
}

void QuantitySpinBox::placeUnit() {
  const int gap = qRound(currentTheme().px(4));
  QFont bold = font();
  bold.setBold(true);
  if (lineEdit()->font() != bold) lineEdit()->setFont(bold);
  unit_label_->setFont(currentTheme().secondary);
  unit_label_->resize(unit_label_->sizeHint());
  const QSize edit = lineEdit()->size();
  unit_label_->move(edit.width() - unit_label_->width() - gap / 2,
                    (edit.height() - unit_label_->height()) / 2);
  lineEdit()->setTextMargins(0, 0, unit_.isEmpty() ? 0 : unit_label_->width() + gap, 0);
}

QSize QuantitySpinBox::sizeHint() const {
  const Theme& theme = currentTheme();
  QFont bold = theme.body;
  bold.setBold(true);
  const double text = QFontMetricsF(bold).horizontalAdvance(exactText(value_)) +
                      QFontMetricsF(theme.secondary).horizontalAdvance(unit_);
  // Rows line up at the usual width; only a number that needs more gets more.
  return {qRound(std::max(usual_width_ > 0 ? usual_width_ : theme.px(kWidthPx), text + theme.px(46))),
          qRound(QFontMetricsF(theme.body).height() + theme.px(9))};
}
QSize QuantitySpinBox::minimumSizeHint() const {
  return sizeHint();
}

}  // namespace decodescope::views
