// A number: field with unit, slider, and the curve of how the result answers to it.
#pragma once

#include "controls/control_row.h"

namespace decodescope::views {

class ParameterSlider;
class QuantitySpinBox;

class ParameterRow : public ControlRow {
  Q_OBJECT

 public:
  ParameterRow(const ParameterDescriptor& descriptor, bool leading, QWidget* parent);

  void setValue(const ParameterValue& value) override;
  void setSensitivity(std::vector<SensitivityPoint> points) override;
  [[nodiscard]] QWidget* editor() const override;
  [[nodiscard]] ParameterSlider* slider() const { return slider_; }
  [[nodiscard]] QuantitySpinBox* spinBox() const { return spin_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void showEverywhere(double value);

  ParameterSlider* slider_ = nullptr;
  QuantitySpinBox* spin_ = nullptr;
  Sparkline* sparkline_ = nullptr;
};

}  // namespace decodescope::views
