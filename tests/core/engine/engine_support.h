// Scenarios and engines for the tests of the engine.
#pragma once

#include "catalog/catalog.h"
#include "engine/engine.h"

#include <QtTest>
#include <memory>
#include <string>

namespace decodescope::testing {

inline std::shared_ptr<const Catalog> catalog() {
  static const std::shared_ptr<const Catalog> loaded = [] {
    auto result = Catalog::load(Catalog::defaultFolders());
    if (!result) qFatal("%s", result.error().text().c_str());
    return *std::move(result);
  }();
  return loaded;
}

/// Llama 3.1 70B on eight H100 in one air-cooled chassis: one replica, tensor-parallel, no noise.
inline Scenario denseOnHgx() {
  Scenario s;
  s.name = "dense";
  s.model = "llama-3.1-70b";
  s.system = "dgx-h100";
  s.chips = 8;
  s.precision.weights = "fp8";
  s.precision.kv = "bf16";
  s.parallel = ParallelDegrees{8, 1, 1, 1, 1, AttentionSharding::Tensor};
  s.serving.engine = "trtllm";
  s.workload.concurrency = 64;
  s.workload.prompt.mean_tokens = 1024;
  s.workload.output.mean_tokens = 512;
  s.jitter = false;
  return s;
}

/// DeepSeek V3 on the 64 chips of an NVL72 that its experts divide: data-parallel attention, one replica in
/// lockstep.
inline Scenario expertsInLockstep() {
  Scenario s;
  s.name = "experts";
  s.model = "deepseek-v3";
  s.system = "gb200-nvl72";
  s.chips = 64;
  s.precision.weights = "fp8";
  s.precision.kv = "fp8";
  s.parallel = ParallelDegrees{1, 1, 64, 64, 1, AttentionSharding::Tensor};
  s.serving.engine = "trtllm";
  s.workload.concurrency = 256;
  s.workload.prompt.mean_tokens = 4096;
  s.workload.output.mean_tokens = 1024;
  s.jitter = false;
  return s;
}

inline std::unique_ptr<engine::Engine> start(const Scenario& scenario) {
  auto made = engine::Engine::make(catalog(), scenario);
  if (!made) qFatal("%s", made.error().text().c_str());
  return *std::move(made);
}

inline double ratio(double a, double b) {
  return b > 0 || b < 0 ? a / b : 0;
}

}  // namespace decodescope::testing
