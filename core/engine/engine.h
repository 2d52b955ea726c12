// The discrete engine: plays a scenario event by event. One thread at a time; knows no wall clock.
#pragma once

#include "analysis/predict.h"
#include "base/units.h"

#include <decodescope/expected.h>
#include <decodescope/scenario.h>
#include <decodescope/snapshot.h>

#include <cstdint>
#include <memory>
#include <string>

namespace decodescope::engine {

/// Hash chains of the state, by subsystem, free of libm: same scenario and seed give the same chains
/// anywhere.
struct Fingerprint {
  std::uint64_t tokens = 0, kv_blocks = 0, time = 0, thermal = 0;
  [[nodiscard]] std::string text() const;
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

struct RunSummary {
  double simulated_s = 0;
  std::int64_t iterations = 0, output_tokens = 0, requests = 0;
  double tpot_s = 0, step_time_s = 0, output_tokens_per_s = 0, mean_sequences = 0;
  LatencySummary tpot, ttft, itl, e2e;
  StepBreakdown breakdown_s;  ///< mean per iteration
  double energy_j = 0, heat_out_j = 0, heat_stored_j = 0;
  double max_chip_c = 0;
  Fingerprint fingerprint;
};

class Engine {
 public:
  [[nodiscard]] static Expected<std::unique_ptr<Engine>> make(std::shared_ptr<const Catalog>,
                                                              const Scenario&);
  ~Engine();

  /// Changes parameters from now on; the clock goes on. What changes cooling, caps or prices keeps sequences
  /// and temperatures. A new load (concurrency, lengths, rates) starts at its own steady state, so that a
  /// slider shows where it leads, with temperatures kept. A new structure (model, system, chips, plan,
  /// serving, faults) rebuilds the machine.
  [[nodiscard]] Expected<void> setScenario(const Scenario&, std::uint64_t revision);

  void stepEvent();
  void stepToken();  ///< to the end of the running iteration, then one whole one
  void stepLayer();  ///< to the start of the next layer of the running iteration
  void advanceUntil(TimeNs time);
  void advanceTokens(std::int64_t tokens);
  void inject(const Fault&);

  [[nodiscard]] TimeNs now() const;
  [[nodiscard]] std::int64_t token() const;
  [[nodiscard]] bool isHalted() const;  ///< infeasible or nothing left to do

  /// `with_timeline` lays the running iteration out (slow motion, layer mode).
  [[nodiscard]] std::shared_ptr<const Snapshot> snapshot(bool with_timeline = false);
  [[nodiscard]] RunSummary summary() const;
  [[nodiscard]] Fingerprint fingerprint() const;
  [[nodiscard]] const analysis::Predictor& predictor() const;

  struct Impl;

 private:
  Engine();
  std::unique_ptr<Impl> impl_;
};

}  // namespace decodescope::engine
