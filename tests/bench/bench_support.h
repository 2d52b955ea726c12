// The scenarios that benchmarks run.
#pragma once

#include "catalog/catalog.h"
#include "scenario/scenario_json.h"

#include <decodescope/scenario.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

namespace decodescope::bench {

/// The value, or the error on stderr and exit.
template <class T>
T valueOf(Expected<T> expected) {
  if (expected) return *std::move(expected);
  std::fprintf(stderr, "%s\n", expected.error().text().c_str());
  std::exit(2);
}

inline const std::shared_ptr<const Catalog>& catalog() {
  static const std::shared_ptr<const Catalog> loaded = valueOf(Catalog::load(Catalog::defaultFolders()));
  return loaded;
}

/// DeepSeek-R1 on `chips` chips of a system, closed loop with prefill.
inline Scenario mixtureOfExperts(const std::string& system, int chips) {
  Scenario scenario;
  scenario.system = system;
  scenario.chips = chips;
  scenario.workload.concurrency = 16.0 * chips;
  return scenario;
}

/// Llama-3.1-70B on one HGX H100 at a given plan.
inline Scenario dense() {
  Scenario scenario;
  scenario.model = "llama3.1-70b";
  scenario.system = "dgx-h100";
  scenario.chips = 8;
  scenario.parallel = ParallelDegrees{8, 1, 1, 1, 1, AttentionSharding::Tensor};
  scenario.workload.mode = WorkloadMode::Static;
  scenario.workload.concurrency = 32;
  scenario.workload.context_tokens = 4096;
  return scenario;
}

}  // namespace decodescope::bench
