// How the time per token answers to one parameter over its slider's range, all others held.
#pragma once

#include "analysis/predict.h"

#include <decodescope/parameters.h>

#include <atomic>
#include <memory>
#include <vector>

namespace decodescope::analysis {

struct CurvePoint {
  double value = 0;  ///< in the descriptor's unit
  double tpot_s = 0;
  bool feasible = true;
};

class ParameterCurves {
 public:
  /// `base` is what the curves vary. Errors are those of a prediction of it.
  [[nodiscard]] static Expected<ParameterCurves> make(std::shared_ptr<const Catalog>, const Scenario& base);
  /// `count` points, evenly along the slider. Values that are no legal scenario are left out, and so is
  /// everything after `cancelled`. May be called from several threads at once.
  [[nodiscard]] std::vector<CurvePoint> curve(const ParameterDescriptor&, int count,
                                              const std::atomic<bool>& cancelled) const;

 private:
  std::shared_ptr<const Catalog> catalog_;
  std::shared_ptr<const CatalogListing> listing_;
  std::shared_ptr<const Predictor> predictor_;
  Scenario base_;
};

}  // namespace decodescope::analysis
