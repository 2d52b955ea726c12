// One steady operating point of a scenario: batch that fits, step, latency, power, heat, cost, triangle.
#pragma once

#include "catalog/catalog.h"
#include "decode/step_model.h"
#include "physical/clocks.h"
#include "topology/topology.h"

#include <decodescope/derivation.h>
#include <decodescope/expected.h>
#include <decodescope/prediction.h>
#include <decodescope/scenario.h>

#include <memory>
#include <optional>
#include <string_view>

namespace decodescope::analysis {

/// Fills what the scenario leaves to the catalog: dtypes, cooling, supply, flow, caps.
[[nodiscard]] Expected<Scenario> resolve(const Catalog&, const Scenario&);

struct PredictOptions {
  bool link_loads = true;  ///< builds the topology and loads its links
  bool scoreboard = true;  ///< a few further predictions
};

/// Everything that depends on the structure of a scenario (model, system, chips, plan) and is kept while only
/// its operating point (context, concurrency, temperatures, prices) moves.
class Predictor {
 public:
  [[nodiscard]] static Expected<std::shared_ptr<const Predictor>> make(std::shared_ptr<const Catalog>,
                                                                       const Scenario&);
  /// Whether `other` differs from this predictor's scenario in its operating point only.
  [[nodiscard]] bool covers(const Scenario& other) const;

  /// Infeasible is a result. `scenario` must be covered.
  [[nodiscard]] Prediction predict(const Scenario&, PredictOptions = {}) const;
  /// The hot path of sweeps and sliders: no allocation, no link loads, no scoreboard; fills numbers only.
  void predictFast(const Scenario&, Prediction& out) const;
  /// Tree for a result key such as "tpot_s", "memory.kv_bytes_per_chip",
  /// "cost.usd_per_million_output_tokens".
  [[nodiscard]] Expected<Derivation> explain(const Scenario&, std::string_view quantity) const;
  [[nodiscard]] static std::span<const std::string_view> quantities();

  /// Null when no legal plan exists or nothing fits; then predict() says why.
  [[nodiscard]] const std::shared_ptr<const decode::StepModel>& stepModel() const;
  [[nodiscard]] const std::shared_ptr<const topology::Topology>& topology()
      const;  ///< built on first use, thread-safe
  [[nodiscard]] const Scenario& scenario() const;
  [[nodiscard]] const Catalog& catalog() const;
  [[nodiscard]] const physical::ChipPowerConstants& chipPower() const;
  /// Cooling of the chips at the scenario's settings.
  [[nodiscard]] Expected<physical::CoolingSetup> cooling(const Scenario&) const;
  [[nodiscard]] physical::ClockLimits clockLimits(const Scenario&) const;

  ~Predictor();
  struct Impl;

 private:
  Predictor();
  std::unique_ptr<Impl> impl_;
};

/// make + predict, for one-off use.
[[nodiscard]] Expected<Prediction> predict(std::shared_ptr<const Catalog>, const Scenario&,
                                           PredictOptions = {});

/// Time to decode and prefill averaged over a closed loop's life, from the step model; shared with the
/// engine's tests.
[[nodiscard]] physical::Activity activityOf(const decode::StepResult&);

}  // namespace decodescope::analysis
