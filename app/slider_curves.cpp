#include "app/slider_curves.h"

#include "analysis/parameter_curve.h"

#include <tbb/parallel_for.h>

namespace decodescope::app {
namespace {
constexpr int kPoints = 25;
}  // namespace

void SliderCurves::refresh(const QStringList& paths) {
  if (!bench_.isReady() || paths.isEmpty()) return;
  auto work = [this, paths, catalog = bench_.catalog(),
               scenario = bench_.document().scenario()](JobControl& control) {
    const auto curves = analysis::ParameterCurves::make(catalog, scenario);
    if (!curves) return;  // the window says elsewhere why the scenario cannot be predicted
    tbb::parallel_for(qsizetype{0}, paths.size(), [&](qsizetype i) {
      const ParameterDescriptor* descriptor = findParameter(paths[i].toStdString());
      if (!descriptor) return;
      std::vector<SensitivityPoint> points;
      for (const analysis::CurvePoint& point : curves->curve(*descriptor, kPoints, control.cancelled()))
        points.push_back({point.value, point.tpot_s, point.feasible});
      if (control.cancelled()) return;
      control.post([this, path = paths[i], points = std::move(points)] { Q_EMIT ready(path, points); });
    });
    control.post([this] { Q_EMIT finished(); });
  };
  job_.start(tr("Curves under the sliders"), std::move(work));
}

}  // namespace decodescope::app
