#include "controls/switch_row.h"

#include "controls/parameter_slider.h"

#include <QCheckBox>
#include <QSignalBlocker>

namespace decodescope::views {

SwitchRow::SwitchRow(const ParameterDescriptor& descriptor, QWidget* parent)
    : ControlRow(descriptor, false, parent) {
  box_ = new QCheckBox(this);
  box_->setText(tr("off"));
  setHeadEditor(box_, 0);
  adoptEditor(box_);
  connect(box_, &QCheckBox::toggled, this, [this](bool on) {
    box_->setText(on ? tr("on") : tr("off"));
    showError({});
    Q_EMIT edited(on ? 1.0 : 0.0, nextEditSerial(), true);
  });
}

QWidget* SwitchRow::editor() const {
  return box_;
}

void SwitchRow::setValue(const ParameterValue& value) {
  const double* number = std::get_if<double>(&value);
  const std::string* text = std::get_if<std::string>(&value);
  const bool on = number != nullptr ? *number != 0 : (*text == "true" || *text == "on");
  const QSignalBlocker blocker(box_);
  box_->setChecked(on);
  box_->setText(on ? tr("on") : tr("off"));
}

}  // namespace decodescope::views
