// Clock control of one chip: power cap, software and hardware thermal slowdown, shutdown; and the steady clock.
#pragma once

#include "physical/chip_power.h"
#include "physical/thermal.h"

#include <decodescope/prediction.h>

#include <cstdint>
#include <functional>

namespace decodescope::physical {

struct ClockState {
  double clock_ratio = 1;
  double filtered_power_w = 0;
  double thermal_ratio = 1;    ///< integral controller of the software thermal limit
  bool hw_slowdown = false, shut_down = false;
  std::uint8_t reasons = 0;    ///< ThrottleReason bits
};
struct ClockLimits {
  double power_cap_w = 0;      ///< chip cap, or the chip's share of the rack cap when lower
  double clock_limit_ratio = 1;
};
/// One control tick of `dt_s`: the minimum over limiters, with hysteresis.
void controlClock(ClockState&, const ChipPowerConstants&, const ClockLimits&, const Activity&, const ThermalState&, double dt_s);

struct SteadyPoint {
  double clock_ratio = 1, junction_c = 25, power_w = 0;
  ClockLimit limited_by = ClockLimit::None;
  bool runaway = false;        ///< no steady temperature exists
};
/// Activity as a function of the clock, because a slower chip also moves fewer bytes per second.
using ActivityAtClock = std::function<Activity(double clock_ratio)>;
/// Largest clock at which power and temperature limits hold, by bisection; temperature from the fixed point
/// T = T_ref + R P(T), where T_ref includes the branch's own heating (half its rise) and `upstream_w`.
[[nodiscard]] SteadyPoint steadyPoint(const ChipPowerConstants&, const CoolingSetup&, const ClockLimits&,
                                      const ActivityAtClock&, double upstream_w = 0);

}  // namespace decodescope::physical
