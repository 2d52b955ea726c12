// What `run` writes: a record per interval, and the summary.
#pragma once

#include "engine/engine.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace decodescope::cli {

/// Means over one interval of simulated time; levels at its end.
struct IntervalRecord {
  double start_s = 0, end_s = 0;
  std::int64_t iterations = 0, output_tokens = 0, requests = 0;
  double output_tokens_per_s = 0, step_time_s = 0;
  LatencySummary itl, ttft;
  StepBreakdown breakdown_s;
  ServingState serving;
  double mean_context_tokens = 0, kv_used_ratio = 0;
  double max_chip_c = 0, mean_chip_c = 0, chip_w = 0, clock_ratio = 1, peak_link_ratio = 0;
};

/// Takes snapshots and summaries of an engine and turns them into records.
class IntervalRecorder {
 public:
  /// The interval from the last call to now. Nothing when no time has passed.
  void record(engine::Engine&);
  [[nodiscard]] const std::vector<IntervalRecord>& records() const { return records_; }
  /// Iterations seen, as many as snapshots hold.
  [[nodiscard]] const std::vector<TokenRecord>& iterations() const { return iterations_; }

 private:
  std::vector<IntervalRecord> records_;
  std::vector<TokenRecord> iterations_;
  engine::RunSummary before_;
};

[[nodiscard]] std::string intervalsCsv(const std::vector<IntervalRecord>&, const std::string& version,
                                       const std::string& hash);
[[nodiscard]] nlohmann::ordered_json intervalsJson(const std::vector<IntervalRecord>&);
/// Keys of a prediction as measured, and those of a run.
[[nodiscard]] nlohmann::ordered_json summaryJson(const engine::RunSummary&, const Prediction& measured);
[[nodiscard]] std::string summaryText(const Scenario&, const engine::RunSummary&, const Prediction& measured);

}  // namespace decodescope::cli
