// On or off.
#pragma once

#include "controls/control_row.h"

class QCheckBox;

namespace decodescope::views {

class SwitchRow : public ControlRow {
  Q_OBJECT

 public:
  SwitchRow(const ParameterDescriptor& descriptor, QWidget* parent);

  void setValue(const ParameterValue& value) override;
  [[nodiscard]] QWidget* editor() const override;

 private:
  QCheckBox* box_ = nullptr;
};

}  // namespace decodescope::views
