// The results that plans, comparisons and sensitivities are judged by, and which way is better.
#pragma once

#include <decodescope/expected.h>
#include <decodescope/prediction.h>

#include <span>
#include <string>
#include <string_view>

namespace decodescope::analysis {

struct HeadlineMetric {
  std::string_view key, label, unit;
  bool higher_is_better = true;
  double (*value)(const Prediction&) = nullptr;  ///< SI
  /// What to multiply the SI value by for `unit`.
  double to_unit = 1;
};
/// Time per token first.
[[nodiscard]] std::span<const HeadlineMetric> headlineMetrics();

/// What a plan is chosen for.
enum class Objective { Tpot, Throughput, Cost, Energy };
[[nodiscard]] Expected<Objective> parseObjective(std::string_view id);
[[nodiscard]] std::string_view objectiveId(Objective);
[[nodiscard]] const HeadlineMetric& objectiveMetric(Objective);
/// Position of the objective's metric in headlineMetrics().
[[nodiscard]] std::size_t objectiveIndex(Objective);

/// Whether going from `before` to `after` is "better", "worse", or "same" (within 1 %).
[[nodiscard]] std::string_view verdict(const HeadlineMetric&, double before, double after);

}  // namespace decodescope::analysis
