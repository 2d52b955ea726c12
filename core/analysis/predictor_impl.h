// State of a predictor and the steps that predict() and predictFast() share.
#pragma once

#include "analysis/predict.h"
#include "analysis/steady_batch.h"
#include "physical/constants.h"
#include "physical/facility.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace decodescope::analysis {

struct Predictor::Impl {
  std::shared_ptr<const Catalog> catalog;
  Scenario given, resolved;
  std::shared_ptr<const decode::StepContext> context;
  std::shared_ptr<const decode::StepModel> step;     ///< of the chosen plan, even when it does not fit
  std::shared_ptr<const decode::StepModel> exposed;  ///< null when infeasible
  std::vector<Violation> structural;                 ///< no legal plan
  std::string plan_reason;
  std::vector<std::string> assumptions;
  physical::ChipPowerConstants power;
  physical::SiteConstants site;
  physical::CoolingSetup cooling;
  bool trace = false;
  MeanLengths trace_lengths;
  double trace_arrivals_per_s = 0;
  mutable std::mutex topology_mutex;
  mutable std::shared_ptr<const topology::Topology> topology;

  [[nodiscard]] MeanLengths lengthsOf(const Scenario& s) const {
    return trace ? trace_lengths : meanLengths(s.workload);
  }
  [[nodiscard]] double arrivalsOf(const Scenario& s) const {
    return trace ? trace_arrivals_per_s : s.workload.arrivals_per_s;
  }
  [[nodiscard]] double supply_c(const Scenario&) const;
  [[nodiscard]] bool isLiquid(const Scenario&) const;
  [[nodiscard]] bool coolsAsResolved(const Scenario&) const;
  [[nodiscard]] physical::ClockLimits limits(const Scenario&) const;
  [[nodiscard]] double rackCap_w(const Scenario&) const;
};

/// The operating point with its clock settled: what predict() lays out and explain() takes apart.
struct SettledPoint {
  MeanLengths lengths;
  ClosedLoop loop;
  double overload_ratio = 0;
  physical::SteadyPoint hottest;
  double mean_chip_c = 0, chip_w = 0, nominal_step_s = 0;
  physical::RackPower rack;
  double rack_dc_w = 0;  ///< all racks
  int racks = 1;
  physical::FacilityPower facility;
  physical::CostRate cost;
};
[[nodiscard]] SettledPoint settle(const Predictor::Impl&, const Scenario&);
/// The numbers of a settled point. No allocation.
void fillNumbers(const Predictor::Impl&, const Scenario&, const SettledPoint&, Prediction&);
/// Whether the weights, and one request, fit; the violation when not.
[[nodiscard]] bool fitsMemory(const Predictor::Impl&, const Scenario&);
[[nodiscard]] Violation memoryViolation(const Predictor::Impl&, const Scenario&);

// triangle.cpp
void fillTriangle(const Predictor::Impl&, const Scenario&, const SettledPoint&, double peak_link_ratio,
                  double smallest_margin_ratio, Prediction&);
// scoreboard.cpp
void fillScoreboard(const Predictor::Impl&, const Scenario&, const SettledPoint&,
                    const physical::Deployability&, Prediction&);

/// Values of a scenario that its predictor does not depend on.
[[nodiscard]] bool sameStructure(const Scenario&, const Scenario&);

}  // namespace decodescope::analysis
