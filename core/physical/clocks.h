// Clock control of one chip: power cap, software and hardware thermal slowdown, shutdown; and the steady
// clock.
#pragma once

#include "physical/chip_power.h"
#include "physical/thermal.h"

#include <decodescope/prediction.h>

#include <cstdint>
#include <functional>
#include <limits>

namespace decodescope::physical {

struct ClockState {
  double clock_ratio = 1;
  double filtered_power_w = 0;
  double thermal_ratio = 1;  ///< integral controller of the software thermal limit
  bool hw_slowdown = false, shut_down = false;
  std::uint8_t reasons = 0;  ///< ThrottleReason bits
  bool power_capped = false, sw_thermal = false;
  double previous_die_c = std::numeric_limits<double>::quiet_NaN();  ///< while sw_thermal holds
};
struct ClockLimits {
  double power_cap_w = 0;  ///< chip cap, or the chip's share of the rack cap when lower; 0: none
  double clock_limit_ratio = 1;
};
/// One control tick of `dt_s`, up to about 1 s: the minimum over limiters, with hysteresis. `at_nominal` are
/// the rates at nominal clock with the shares that say how they fall with it. A chip that shut down stays so,
/// at clock 0, until the state is made anew.
void controlClock(ClockState&, const ChipPowerConstants&, const ClockLimits&, const Activity& at_nominal,
                  const ThermalState&, double dt_s);
/// Power at the state's clock: scaled rates, nothing once it shut down.
[[nodiscard]] double chipPowerNow_w(const ChipPowerConstants&, const ClockState&, const Activity& at_nominal,
                                    double junction_c);
/// Largest clock up to `limit_ratio` whose power at this temperature stays within `cap_w`.
[[nodiscard]] double clockWithinPower(const ChipPowerConstants&, const Activity& at_nominal,
                                      double junction_c, double cap_w, double limit_ratio);

struct SteadyPoint {
  double clock_ratio = 1, junction_c = 25, power_w = 0;
  ClockLimit limited_by = ClockLimit::None;
  bool runaway = false;  ///< no steady temperature exists
};
/// Activity as a function of the clock, because a slower chip also moves fewer bytes per second.
using ActivityAtClock = std::function<Activity(double clock_ratio)>;
/// Largest clock at which power and temperature limits hold; temperature from the fixed point
/// T = T_ref + R P(T), where T_ref includes the branch's own heating (half its rise) and `upstream_w`.
[[nodiscard]] SteadyPoint steadyPoint(const ChipPowerConstants&, const CoolingSetup&, const ClockLimits&,
                                      const ActivityAtClock&, double upstream_w = 0);
/// The same with rates at nominal clock that scale by their shares: no allocation, no indirect call. A few
/// exponentials when no limit binds.
[[nodiscard]] SteadyPoint steadyPoint(const ChipPowerConstants&, const CoolingSetup&, const ClockLimits&,
                                      const Activity& at_nominal, double upstream_w = 0);
/// Temperature and power at a given clock and the rates that hold there. Leakage feeds back; runaway when the
/// loop gain R dP/dT reaches 1 before a balance is found.
[[nodiscard]] SteadyPoint settle(const ChipPowerConstants&, const CoolingSetup&, const Activity&,
                                 double clock_ratio, double upstream_w = 0);
/// Supply temperature at which a chip of steady `power_w` reaches its throttling temperature.
[[nodiscard]] double throttleOnsetSupply_c(const ChipPowerConstants&, const CoolingSetup&, double power_w);

/// Duration of work with these memory and math times at nominal clock, the longer of the two counting: math
/// goes with 1/x, memory is flat down to the saturating clock.
[[nodiscard]] double workTime_s(const ChipPowerConstants&, double memory_s, double math_s,
                                double clock_ratio);

}  // namespace decodescope::physical
