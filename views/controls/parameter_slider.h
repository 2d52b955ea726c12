// A slider of one parameter on its own scale. Groove clicks go there; round values attract the handle (Alt:
// not); the wheel belongs to the panel until the slider has the focus; a screen reader hears the value and
// not the position.
#pragma once

#include "controls/scale_map.h"

#include <QSlider>
#include <QString>

namespace decodescope::views {

/// Numbers a drag, a run of key presses or a typed value: edits of one number make one undo entry.
[[nodiscard]] quint64 nextEditSerial();

class ParameterSlider : public QSlider {
  Q_OBJECT

 public:
  explicit ParameterSlider(QWidget* parent = nullptr);

  void setScaleMap(const ScaleMap& map);
  [[nodiscard]] const ScaleMap& scaleMap() const { return map_; }
  void setUnit(const QString& unit) { unit_ = unit; }
  /// Labels of round values below the groove.
  void setTicksShown(bool shown);

  /// Shows a value; emits nothing.
  void setParameterValue(double value);
  [[nodiscard]] double parameterValue() const { return value_; }
  [[nodiscard]] bool isDragging() const { return dragging_; }
  /// "131,072 tokens", as shown and spoken.
  [[nodiscard]] QString valueText() const;

  /// The line that the handle's centre moves on, for what is drawn below it.
  [[nodiscard]] QRectF grooveRect() const;
  [[nodiscard]] QPointF handleCenter() const;

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 Q_SIGNALS:
  /// The user moved it. While a drag lasts at most one per pass of the event loop with `finished` false; its
  /// last value always comes with `finished` true.
  void edited(double value, quint64 serial, bool finished);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void dragTo(double x, bool snap);
  void takeValue(double value);
  void emitPending();
  void stepBy(int steps, StepSize size);
  void paintTicks(QPainter* painter) const;
  void paintRangeArrow(QPainter* painter) const;

  ScaleMap map_;
  QString unit_;
  double value_ = 0;
  bool ticks_ = false;
  bool dragging_ = false, changed_in_drag_ = false, pending_ = false;
  double grab_offset_ = 0;
  quint64 serial_ = 0;
  qint64 last_step_ms_ = -1;
};

}  // namespace decodescope::views
