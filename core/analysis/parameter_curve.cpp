#include "analysis/parameter_curve.h"

#include <cmath>

namespace decodescope::analysis {
namespace {

double valueAt(const ParameterDescriptor& descriptor, double along) {
  const bool logarithmic =
      descriptor.scale == ParameterScale::Log2 || descriptor.scale == ParameterScale::Log10;
  const double low = descriptor.soft_min, high = descriptor.soft_max;
  const double value = logarithmic ? low * std::pow(high / low, along) : low + (high - low) * along;
  return descriptor.integral ? std::round(value) : value;
}

}  // namespace

Expected<ParameterCurves> ParameterCurves::make(std::shared_ptr<const Catalog> catalog,
                                                const Scenario& base) {
  ParameterCurves curves;
  auto predictor = Predictor::make(catalog, base);
  if (!predictor) return Unexpected(predictor.error());
  curves.predictor_ = *std::move(predictor);
  curves.listing_ = std::make_shared<const CatalogListing>(catalog->listing());
  curves.catalog_ = std::move(catalog);
  curves.base_ = base;
  return curves;
}

std::vector<CurvePoint> ParameterCurves::curve(const ParameterDescriptor& descriptor, int count,
                                               const std::atomic<bool>& cancelled) const {
  std::vector<CurvePoint> points;
  std::shared_ptr<const Predictor> predictor = predictor_;
  for (int i = 0; i < count && !cancelled; ++i) {
    const double value = valueAt(descriptor, count > 1 ? double(i) / double(count - 1) : 0);
    if (!points.empty() && points.back().value == value) continue;  // whole numbers repeat
    const auto varied = withParameter(base_, descriptor, value, *listing_);
    if (!varied) continue;
    if (!predictor->covers(*varied)) {
      auto made = Predictor::make(catalog_, *varied);
      if (!made) continue;
      predictor = *std::move(made);
    }
    Prediction point;
    predictor->predictFast(*varied, point);
    points.push_back({value, point.tpot_s, point.feasible});
  }
  return points;
}

}  // namespace decodescope::analysis
