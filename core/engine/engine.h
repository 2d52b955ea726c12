// The discrete engine: plays a scenario event by event. One thread at a time; knows no wall clock.
//
// Every replica has its own sequences and iterations; iterations are counted (`token()`) and recorded on the
// first one. Up to 64 replicas are simulated; more are represented by 64, each standing for its share, with
// every chip's own temperature, power and clock. Chips are advanced every 50 ms of simulated time.
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
  std::int64_t iterations = 0;  ///< of one replica
  std::int64_t output_tokens = 0, requests = 0;
  double all_iterations = 0;  ///< of all replicas: what the means below are over
  double tpot_s = 0, step_time_s = 0, output_tokens_per_s = 0, mean_sequences = 0;
  LatencySummary tpot, ttft, itl, e2e;
  StepBreakdown breakdown_s;                                ///< mean per iteration
  double energy_j = 0, heat_out_j = 0, heat_stored_j = 0;   ///< of the chips, over `controlled_s`
  double controlled_s = 0;                                  ///< up to the last control tick
  double mean_chip_w = 0, max_chip_c = 0, mean_chip_c = 0;  ///< hottest ever; mean of all chips at the end
  double clock_ratio = 1;             ///< of the slowest chip of the first replica, mean over iterations
  double peak_link_ratio = 0;         ///< busiest direction of any link, mean over iterations
  std::uint8_t throttle_reasons = 0;  ///< ThrottleReason bits seen
  Fingerprint fingerprint;
};

/// The results of a run under the keys of a prediction: what was measured, and what follows from it.
[[nodiscard]] Prediction measuredPoint(const RunSummary&, const analysis::Predictor&, const Scenario&);

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
  [[nodiscard]] std::int64_t events() const;  ///< handled since the start
  [[nodiscard]] bool isHalted() const;        ///< infeasible or nothing left to do

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
