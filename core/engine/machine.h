// The chips as bodies: power, two temperatures and a clock each, advanced once per control tick.
#pragma once

#include "base/numeric.h"
#include "parallel/plan.h"
#include "physical/clocks.h"

#include <decodescope/topology_view.h>

#include <cstdint>
#include <span>
#include <vector>

namespace decodescope::engine {

/// What the chips of one replica did in an interval: rates as they were, and as they would be at nominal
/// clock.
struct ReplicaActivity {
  physical::Activity actual, at_nominal;
  bool is_idle = true;
};

/// Cooling, limits and inlet temperatures from now on.
struct MachineSettings {
  physical::CoolingSetup cooling;
  physical::ClockLimits limits;
  physical::InletField inlet;
  bool has_inlet_field = false;  ///< air: inlet by height in the rack
  double rack_load_ratio = 0;
};

/// What changed in a tick, chips.
struct TickChange {
  std::int32_t throttled = 0, released = 0, shut_down = 0;
  std::uint8_t reasons = 0;  ///< of all that are throttled
};

class Machine {
 public:
  static constexpr double kTick_s = 0.05;

  /// `chips_per_replica` consecutive chips form a replica; replica r behaves as activity[r % activities].
  /// With jitter each chip is a sample of its type, drawn by chip number.
  Machine(const TopologyView&, const physical::ChipPowerConstants&, int chips_per_replica, bool jitter,
          std::uint64_t seed);

  void configure(const MachineSettings&);
  /// Cooling of the chips of one tray at a share of the flow.
  void setTrayCooling(TrayId, const physical::CoolingSetup&);
  /// Puts every chip at the temperature and clock it would settle at.
  void settle(std::span<const ReplicaActivity>);
  /// Takes temperatures and clocks over from the machine before, chip by chip.
  void inherit(const Machine&);

  TickChange tick(std::span<const ReplicaActivity>);

  [[nodiscard]] std::size_t size() const { return thermal_.size(); }
  /// Clock of the slowest chip of a replica; 0 when one has shut down. Rounded down to 1/1024: clocks come in
  /// steps, and what enters the step time must not depend on the last bit of an exponential.
  [[nodiscard]] double slowestClock(std::size_t replica) const { return slowest_clock_[replica]; }
  [[nodiscard]] const physical::ThermalState& thermal(std::size_t chip) const { return thermal_[chip]; }
  [[nodiscard]] const physical::ClockState& clock(std::size_t chip) const { return clock_[chip]; }
  [[nodiscard]] double power_w(std::size_t chip) const { return power_w_[chip]; }
  [[nodiscard]] double maxDie_c() const { return max_die_c_; }
  [[nodiscard]] double hottestEver_c() const { return hottest_ever_c_; }
  [[nodiscard]] double meanPower_w() const { return mean_power_w_; }
  [[nodiscard]] double meanDie_c() const;

  [[nodiscard]] double energy_j() const { return energy_j_.value(); }
  [[nodiscard]] double heatOut_j() const { return heat_out_j_.value(); }
  /// Above the state at the start; changes of the heat capacity by new cooling are booked out.
  [[nodiscard]] double heatStored_j() const { return storedNow_j() - stored_at_start_j_; }
  /// Temperatures to a thousandth of a kelvin and clocks to 1/1024, mixed in chip order.
  [[nodiscard]] std::uint64_t fingerprint(std::uint64_t chain) const;

 private:
  [[nodiscard]] const physical::ChipPowerConstants& constants(std::size_t chip) const {
    return constants_[chip < constants_.size() ? chip : 0];
  }
  [[nodiscard]] const physical::CoolingSetup& cooling(std::size_t chip) const {
    return coolings_[cooling_of_[chip]];
  }
  [[nodiscard]] double storedNow_j() const;
  void placeInLanes();
  void updateSlowest();
  void rebaseStored(double before_j);
  [[nodiscard]] double chipPower(std::size_t chip, const ReplicaActivity&) const;
  void control(std::size_t chip, const ReplicaActivity&, TickChange&);

  std::vector<physical::ChipPowerConstants> constants_;  ///< one for all, or one per chip
  std::vector<physical::CoolingSetup> coolings_;         ///< [0] the common one, then those of single trays
  std::vector<physical::ThermalStep> steps_;
  std::vector<std::uint16_t> cooling_of_;  ///< by chip
  physical::ClockLimits limits_;
  std::size_t chips_per_replica_ = 1;

  std::vector<physical::ThermalState> thermal_;
  std::vector<physical::ClockState> clock_;
  std::vector<double> power_w_, upstream_w_, inlet_c_;
  std::vector<double> height_ratio_;
  std::vector<std::uint8_t> at_row_end_;
  std::vector<std::int32_t> before_in_lane_;  ///< chip upstream, -1: first
  std::vector<std::vector<std::uint32_t>> tray_chips_;
  std::vector<double> slowest_clock_;

  numeric::CompensatedSum energy_j_, heat_out_j_;
  double stored_at_start_j_ = 0;
  double max_die_c_ = 0, hottest_ever_c_ = -273.15, mean_power_w_ = 0;
};

}  // namespace decodescope::engine
