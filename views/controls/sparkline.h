// Under a slider: how a result answers to this parameter, the others held. Cliffs and infeasible stretches
// show before the user goes there.
#pragma once

#include "controls/scale_map.h"

#include <QWidget>
#include <vector>

namespace decodescope::views {

struct SensitivityPoint {
  double value = 0;   ///< of the parameter
  double result = 0;  ///< smaller is better (TPOT)
  bool feasible = true;
};

class Sparkline : public QWidget {
  Q_OBJECT

 public:
  explicit Sparkline(QWidget* parent = nullptr);

  void setScaleMap(const ScaleMap& map) { map_ = map; }
  void setPoints(std::vector<SensitivityPoint> points);
  void setCurrent(double value);
  [[nodiscard]] const std::vector<SensitivityPoint>& points() const { return points_; }
  /// Left and right ends of the slider's travel, in own coordinates.
  void setTravel(double left, double right);
  /// Feasible limits and the best value in words: "out of reach above 34k; least at 72".
  [[nodiscard]] QString summary() const;

  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  [[nodiscard]] double xOf(double value) const;
  void paintHatch(QPainter* painter, double left, double right) const;

  ScaleMap map_;
  std::vector<SensitivityPoint> points_;
  double current_ = 0, left_ = 0, right_ = 0;
};

}  // namespace decodescope::views
