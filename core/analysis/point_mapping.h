// From a published row to a scenario and to what of its prediction the row reports.
#pragma once

#include "analysis/measured_point.h"
#include "catalog/catalog.h"

#include <decodescope/scenario.h>

#include <string>
#include <vector>

namespace decodescope::analysis {

/// How the number was measured.
enum class Regime {
  StaticBatch,    ///< a batch prefilled at once and decoded together to its end
  StaticDecode,   ///< decode steps alone, at a given batch and context
  ClosedLoop,     ///< a server with a fixed number of requests in flight
  OpenLoop,       ///< a server with a given rate of arrivals
  MaxThroughput,  ///< as many requests as memory and the engine's batch limit allow
  PrefillOnly,
};

struct MappedPoint {
  Scenario scenario;
  Regime regime = Regime::ClosedLoop;
  double batch = 1;  ///< StaticBatch, StaticDecode, PrefillOnly: over the deployment
  double chips_per_node = 8;
  double prompt_tokens = 1, output_tokens = 1;
  bool counts_prefill = true;
  std::string engine;
  std::vector<std::string> assumed;
};
/// The error is the reason why the row cannot be mapped.
[[nodiscard]] Expected<MappedPoint> mapPoint(const Catalog&, const MeasuredPoint&);

/// "TensorRT-LLM v0.17" to the catalog's "trtllm"; "generic" when no known engine is named.
[[nodiscard]] std::string engineOf(std::string_view published);
/// Empty when no catalog entry is meant.
[[nodiscard]] std::string chipOf(const Catalog&, const MeasuredPoint&);
[[nodiscard]] std::string modelOf(const Catalog&, const MeasuredPoint&);
/// The machine in which these chips are joined: by the stated link, else the smallest that holds them.
[[nodiscard]] const SystemSpec* systemOf(const Catalog&, const std::string& chip, const MeasuredPoint&);

}  // namespace decodescope::analysis
