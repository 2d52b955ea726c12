#include "controls/accessible_slider.h"

#include "controls/parameter_slider.h"

#include <QAccessible>
#include <QAccessibleWidget>

namespace decodescope::views {
namespace {

class AccessibleSlider : public QAccessibleWidget, public QAccessibleValueInterface {
 public:
  explicit AccessibleSlider(ParameterSlider* slider) : QAccessibleWidget(slider, QAccessible::Slider) {}

  QString text(QAccessible::Text kind) const override {
    return kind == QAccessible::Value ? slider()->valueText() : QAccessibleWidget::text(kind);
  }
  void* interface_cast(QAccessible::InterfaceType type) override {
    if (type == QAccessible::ValueInterface) return static_cast<QAccessibleValueInterface*>(this);
    return QAccessibleWidget::interface_cast(type);
  }
  QVariant currentValue() const override { return slider()->parameterValue(); }
  void setCurrentValue(const QVariant& value) override {
    slider()->setParameterValue(value.toDouble());
    Q_EMIT slider()->edited(slider()->parameterValue(), nextEditSerial(), true);
  }
  QVariant maximumValue() const override { return slider()->scaleMap().softMax(); }
  QVariant minimumValue() const override { return slider()->scaleMap().softMin(); }
  QVariant minimumStepSize() const override {
    const double value = slider()->parameterValue();
    return slider()->scaleMap().stepped(value, 1, StepSize::Fine) - value;
  }

 private:
  [[nodiscard]] ParameterSlider* slider() const { return qobject_cast<ParameterSlider*>(object()); }
};

QAccessibleInterface* makeInterface(const QString&, QObject* object) {
  auto* slider = qobject_cast<ParameterSlider*>(object);
  return slider != nullptr ? new AccessibleSlider(slider) : nullptr;
}

}  // namespace

void installSliderAccessibility() {
  static const bool installed = [] {
    QAccessible::installFactory(makeInterface);
    return true;
  }();
  (void)installed;
}

void announceSliderValue(ParameterSlider* slider) {
  if (!QAccessible::isActive()) return;
  QAccessibleValueChangeEvent event(slider, slider->parameterValue());
  QAccessible::updateAccessibility(&event);
}

}  // namespace decodescope::views
