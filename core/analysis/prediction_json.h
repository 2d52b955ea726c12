// The result keys of `predict --json`, shared with the summary of a simulation.
#pragma once

#include <decodescope/prediction.h>

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace decodescope::analysis {

/// Keys of the results; those that only a feasible point has are left out of an infeasible one.
[[nodiscard]] nlohmann::ordered_json predictionJson(const Prediction&);
[[nodiscard]] nlohmann::ordered_json breakdownJson(const StepBreakdown&);
[[nodiscard]] nlohmann::ordered_json violationJson(const Violation&);
[[nodiscard]] std::string_view clockLimitId(ClockLimit);

}  // namespace decodescope::analysis
