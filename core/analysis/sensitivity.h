// What 10 % more of each resource would buy at an operating point, its plan held: most of them buy nothing.
#pragma once

#include "analysis/headline.h"
#include "analysis/predict.h"

#include <memory>
#include <string>
#include <vector>

namespace decodescope::analysis {

struct ResourceGain {
  std::string id;                        ///< "hbm_bandwidth"
  std::string label;                     ///< "HBM bandwidth"
  std::string change;                    ///< "8000 to 8800 GB/s"
  std::vector<std::string> assignments;  ///< that make it so, as of --set
  /// Relative change of each result, in the order of headlineMetrics().
  std::vector<double> change_ratio;
  Prediction prediction;
};

struct Sensitivity {
  Objective objective = Objective::Tpot;
  Prediction base;
  std::vector<ResourceGain> gains;   ///< largest gain in the objective first
  std::vector<std::string> skipped;  ///< resources that this scenario has none of, and why
};
/// Gain of the objective, positive when it gets better.
[[nodiscard]] double gainOf(const ResourceGain&, Objective);
[[nodiscard]] Expected<Sensitivity> sensitivity(const std::shared_ptr<const Catalog>&, const Scenario&,
                                                Objective);

}  // namespace decodescope::analysis
