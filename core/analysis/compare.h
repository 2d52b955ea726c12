// Two scenarios side by side: inputs that differ, results that differ, and which input brings how much.
#pragma once

#include "analysis/attribution.h"
#include "analysis/headline.h"
#include "analysis/predict.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace decodescope::analysis {

struct InputDifference {
  std::string path;  ///< key of the scenario file; "parallel" and catalog entries with overrides as a whole
  std::string a, b;  ///< as in the file; "default" where a file leaves it out
};

struct ResultDelta {
  const HeadlineMetric* metric = nullptr;
  double a = 0, b = 0;  ///< SI
};

/// What a group of inputs adds to each result, in the order of headlineMetrics().
struct InputEffect {
  std::vector<std::string> paths;  ///< more than one where the inputs only work together
  std::vector<double> share;       ///< SI; sums over all effects to b - a
};

struct Comparison {
  Prediction a, b;
  std::vector<InputDifference> inputs;
  std::vector<ResultDelta> results;
  std::vector<InputEffect>
      effects;        ///< largest effect on the time per token first; empty if A or B cannot run
  bool exact = true;  ///< effects over all orders, not a sample
  std::string note;   ///< why there are no effects
};
[[nodiscard]] Expected<Comparison> compare(const std::shared_ptr<const Catalog>&, const Scenario& a,
                                           const Scenario& b);
/// Inputs in which the scenarios differ, names and seeds aside.
[[nodiscard]] std::vector<InputDifference> inputDifferences(const Scenario& a, const Scenario& b);

}  // namespace decodescope::analysis
