#include "controls/parameter_row.h"

#include "base/theme.h"
#include "controls/parameter_slider.h"
#include "controls/quantity_spin_box.h"

#include <QGridLayout>
#include <algorithm>

namespace decodescope::views {
namespace {

constexpr double kFieldPx = 126, kFieldShare = 0.45;

}  // namespace

ParameterRow::ParameterRow(const ParameterDescriptor& descriptor, bool leading, QWidget* parent)
    : ControlRow(descriptor, leading, parent) {
  const ScaleMap map(descriptor);
  const QString unit =
      QString::fromUtf8(descriptor.unit.data(), static_cast<qsizetype>(descriptor.unit.size()));
  spin_ = new QuantitySpinBox(this);
  spin_->setScaleMap(map);
  spin_->setIntegral(descriptor.integral);
  spin_->setUnit(unit);
  slider_ = new ParameterSlider(this);
  slider_->setScaleMap(map);
  slider_->setUnit(unit);
  slider_->setTicksShown(leading);
  sparkline_ = new Sparkline(this);
  sparkline_->setScaleMap(map);
  sparkline_->setAccessibleName(tr("Answer of TPOT to %1").arg(label()));
  sparkline_->hide();
  setHeadEditor(spin_, 0);
  grid()->addWidget(slider_, 1, 0, 1, 2);
  grid()->addWidget(sparkline_, 2, 0, 1, 2);
  adoptEditor(slider_);
  adoptEditor(spin_);
  setTabOrder(slider_, spin_);

  connect(slider_, &ParameterSlider::edited, this, [this](double value, quint64 serial, bool finished) {
    showError({});
    showEverywhere(value);
    Q_EMIT edited(value, serial, finished);
  });
  connect(spin_, &QuantitySpinBox::edited, this, [this](double value, quint64 serial) {
    showEverywhere(value);
    Q_EMIT edited(value, serial, true);
  });
  connect(spin_, &QuantitySpinBox::refused, this, &ParameterRow::showError);
}

QWidget* ParameterRow::editor() const {
  return slider_;
}

void ParameterRow::setValue(const ParameterValue& value) {
  const double* number = std::get_if<double>(&value);
  // While the user drags, what comes back from the document is older than what the hand shows.
  if (number == nullptr || slider_->isDragging()) return;
  showEverywhere(*number);
}

void ParameterRow::showEverywhere(double value) {
  slider_->setParameterValue(value);
  spin_->setQuantity(value);
  sparkline_->setCurrent(value);
}

void ParameterRow::setSensitivity(std::vector<SensitivityPoint> points) {
  const bool any = points.size() >= 2;
  sparkline_->setPoints(std::move(points));
  sparkline_->setVisible(any);
  sparkline_->setTravel(slider_->grooveRect().left(), slider_->grooveRect().right());
  const QString summary = any ? sparkline_->summary() : QString();
  if (isLeading())
    setCaption(!any                ? QString()
               : summary.isEmpty() ? tr("TPOT against %1").arg(label().toLower())
                                   : tr("TPOT against %1; %2").arg(label().toLower(), summary));
}

void ParameterRow::resizeEvent(QResizeEvent* event) {
  // In a narrow panel the names need the room more than the fields.
  spin_->setUsualWidth(qRound(std::min(currentTheme().px(kFieldPx), width() * kFieldShare)));
  ControlRow::resizeEvent(event);
  sparkline_->setTravel(slider_->grooveRect().left(), slider_->grooveRect().right());
}

}  // namespace decodescope::views
