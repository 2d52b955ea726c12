// The curves under the sliders: computed beside the engine, on all cores, the newest scenario only.
#pragma once

#include "app/workbench.h"

#include <QObject>
#include <QStringList>
#include <vector>

namespace decodescope::app {

/// One point of a curve: the parameter's value in its unit, and the time per token it gives.
struct SensitivityPoint {
  double value = 0, tpot_s = 0;
  bool feasible = true;
};

class SliderCurves : public QObject {
  Q_OBJECT

 public:
  explicit SliderCurves(Workbench& bench, QObject* parent = nullptr) : QObject(parent), bench_(bench) {}
  /// Starts anew for these parameters; what still runs for an older scenario is abandoned.
  void refresh(const QStringList& paths);

 Q_SIGNALS:
  void ready(const QString& path, const std::vector<decodescope::app::SensitivityPoint>& points);
  /// All that were asked for have come.
  void finished();

 private:
  Workbench& bench_;
  LatestJob job_{bench_.jobs()};
};

}  // namespace decodescope::app
