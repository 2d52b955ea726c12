// Step models of catalog entries for tests.
#pragma once

#include "decode/step_model.h"

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

struct Case {
  std::string model = "llama3.1-70b", system = "dgx-h100", weights = "fp8", kv = "bf16", engine = "vllm";
  ParallelDegrees degrees;
  int chips = 8;
};

inline Scenario scenarioOf(const Case& c) {
  Scenario s;
  s.model = c.model;
  s.system = c.system;
  s.chips = c.chips;
  s.precision.weights = c.weights;
  s.precision.kv = c.kv;
  s.serving.engine = c.engine;
  s.parallel = c.degrees;
  s.jitter = false;
  return s;
}

inline std::shared_ptr<const decode::StepModel> make(const Scenario& s) {
  auto step = decode::StepModel::make(catalog(), s, parallel::makePlan(*s.parallel, s.chips));
  if (!step) stop(step.error());
  return *std::move(step);
}
inline std::shared_ptr<const decode::StepModel> make(const Case& c) {
  return make(scenarioOf(c));
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

inline decode::StepInput input(double sequences, double context_tokens, double groups = 1) {
  decode::StepInput in;
  in.sequences = sequences;
  in.busiest_group_sequences = sequences / groups;
  in.context_tokens = context_tokens;
  return in;
}

/// Cases that between them reach every kind of attention, of experts and of parallelism.
inline std::array<Case, 10> variety() {
  ParallelDegrees data = degrees(8, 8);
  data.attention = AttentionSharding::Data;
  return {Case{"llama3.1-70b", "dgx-h100", "fp8", "bf16", "vllm", degrees(8), 8},
          Case{"llama2-7b", "dgx-a100", "bf16", "bf16", "trtllm", degrees(1), 1},
          Case{"palm-540b", "tpu-v4-pod", "int8", "bf16", "jetstream", degrees(48), 48},
          Case{"gemma3-27b", "dgx-h100", "bf16", "bf16", "vllm", degrees(4), 4},
          Case{"gpt-oss-120b", "dgx-b200", "mxfp4", "bf16", "trtllm", degrees(4, 4), 4},
          Case{"minimax-text-01", "hgx-h200", "bf16", "bf16", "sglang", degrees(8, 8), 8},
          Case{"deepseek-v3", "hgx-h200", "fp8_block", "fp8", "trtllm", data, 8},
          Case{"deepseek-v3.2", "gb200-nvl72", "fp8_block", "fp8", "trtllm", degrees(1, 72, 72), 72},
          Case{"llama4-maverick", "mi300x-8", "fp8", "bf16", "vllm", degrees(8, 8), 8},
          Case{"llama3.1-405b", "dgx-h100", "fp8", "fp8", "vllm", degrees(4, 1, 1, 2, 2), 16}};
}

}  // namespace fixture
