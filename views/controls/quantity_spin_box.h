// A number field with its unit inside. One edit per entry, not one per key; reads "128k", "64Ki" and other
// units.
#pragma once

#include "controls/scale_map.h"

#include <QAbstractSpinBox>
#include <QString>

class QLabel;

namespace decodescope::views {

class QuantitySpinBox : public QAbstractSpinBox {
  Q_OBJECT

 public:
  explicit QuantitySpinBox(QWidget* parent = nullptr);

  void setScaleMap(const ScaleMap& map) { map_ = map; }
  void setIntegral(bool integral) { integral_ = integral; }
  void setUnit(const QString& unit);
  /// Usual width in pixels; a number that needs more gets more.
  void setUsualWidth(int width);
  /// Shows a value; emits nothing. What is being typed stays.
  void setQuantity(double value);
  [[nodiscard]] double quantity() const { return value_; }

  void stepBy(int steps) override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void edited(double value, quint64 serial);
  /// The entry could not be used; the old value stays. Empty text: the trouble is over.
  void refused(const QString& why);

 protected:
  [[nodiscard]] StepEnabled stepEnabled() const override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void commit();
  void showValue();
  void placeUnit();
  [[nodiscard]] QString rangeText() const;

  ScaleMap map_;
  QString unit_;
  QLabel* unit_label_ = nullptr;
  double value_ = 0;
  int usual_width_ = 0;
  bool integral_ = false, typing_ = false;
  quint64 serial_ = 0;
  qint64 last_step_ms_ = -1;
};

}  // namespace decodescope::views
