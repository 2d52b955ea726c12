// Scenarios and predictors for tests of the analysis.
#pragma once

#include "analysis/predict.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

namespace fixture {

using namespace decodescope;

[[noreturn]] inline void stop(const Error& error) {
  std::fprintf(stderr, "%s\n", error.text().c_str());
  std::abort();
}

inline std::shared_ptr<const Catalog> catalog() {
  static const std::shared_ptr<const Catalog> loaded = [] {
    const std::array folders{std::filesystem::path(DECODESCOPE_SOURCE_DIR) / "resources" / "catalog"};
    auto result = Catalog::load(folders);
    if (!result) stop(result.error());
    return *std::move(result);
  }();
  return loaded;
}

inline std::shared_ptr<const analysis::Predictor> predictor(const Scenario& s) {
  auto made = analysis::Predictor::make(catalog(), s);
  if (!made) stop(made.error());
  return *std::move(made);
}
/// Numbers only: no links, no scoreboard.
inline Prediction predict(const Scenario& s) {
  return predictor(s)->predict(s, {false, false});
}

inline ParallelDegrees degrees(int tp, int ep = 1, int dp = 1, int pp = 1, int cp = 1) {
  ParallelDegrees d;
  d.tp = tp;
  d.ep = ep;
  d.dp = dp;
  d.pp = pp;
  d.cp = cp;
  return d;
}

/// Llama-3.1-70B in fp8 on eight H100, vLLM, TP8, noise off.
inline Scenario dense() {
  Scenario s;
  s.model = "llama3.1-70b";
  s.system = "dgx-h100";
  s.chips = 8;
  s.precision.weights = "fp8";
  s.precision.kv = "bf16";
  s.serving.engine = "vllm";
  s.parallel = degrees(8);
  s.workload.concurrency = 64;
  s.workload.prompt.mean_tokens = 1024;
  s.workload.output.mean_tokens = 1024;
  s.jitter = false;
  return s;
}

/// DeepSeek-V3 on a GB200 NVL72, experts over the whole rack.
inline Scenario mixture() {
  Scenario s;
  s.model = "deepseek-v3";
  s.system = "gb200-nvl72";
  s.chips = 72;
  s.precision.weights = "fp8_block";
  s.precision.kv = "fp8";
  s.serving.engine = "trtllm";
  s.parallel = degrees(1, 72, 72);
  s.workload.concurrency = 2304;
  s.workload.prompt.mean_tokens = 4096;
  s.workload.output.mean_tokens = 1024;
  s.workload.slo_tpot_ms = 1000;
  s.jitter = false;
  return s;
}

inline Scenario fixedBatch(Scenario s, double sequences, double context_tokens) {
  s.workload.mode = WorkloadMode::Static;
  s.workload.concurrency = sequences;
  s.workload.context_tokens = context_tokens;
  return s;
}

}  // namespace fixture
