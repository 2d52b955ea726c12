#include "physical/clocks.h"

#include "base/numeric.h"
#include "physical/monotone_root.h"

#include <decodescope/snapshot.h>

#include <algorithm>
#include <cmath>

namespace decodescope::physical {
namespace {

constexpr double kPowerTolerance_w = 1e-7;

constexpr std::uint8_t bit(ThrottleReason reason) {
  return static_cast<std::uint8_t>(reason);
}

/// Below the temperature limit the software controller raises the clock at this share of its gain: the band
/// of hysteresis keeps it from hunting, the creep still brings it to the limit.
constexpr double kCreepRatio = 0.125;
/// Largest change of the software limit per kelvin and tick, so that long ticks stay stable.
constexpr double kLargestIntegral_per_k = 0.01;
/// Proportional gain times tick: a die of the 1 kW class moves about 20 K/s per unit of clock.
constexpr double kLargestProportional_s_per_k = 0.026;

/// Power is filtered; the cap takes hold when the filtered power passes it and lets go when full clock fits.
double powerLimit(ClockState& state, const ChipPowerConstants& chip, const ClockLimits& limits,
                  const Activity& at_nominal, double die_c, double top_ratio, double dt_s) {
  const double power_w = chipPowerNow_w(chip, state, at_nominal, die_c);
  const double weight = chip.power_filter_s > 0 ? 1 - numeric::portableExp(-dt_s / chip.power_filter_s) : 1;
  state.filtered_power_w += (power_w - state.filtered_power_w) * weight;
  if (limits.power_cap_w <= 0) {
    state.power_capped = false;
    return top_ratio;
  }
  if (state.filtered_power_w > limits.power_cap_w) state.power_capped = true;
  if (!state.power_capped) return top_ratio;
  const double ratio = clockWithinPower(chip, at_nominal, die_c, limits.power_cap_w, top_ratio);
  if (ratio >= top_ratio) state.power_capped = false;
  return ratio;
}

/// Integral control of the clock to the throttling temperature, damped by the die's rate of change.
double softwareThermalLimit(ClockState& state, const ChipPowerConstants& chip, double die_c,
                            double other_ratio, double dt_s) {
  const double excess_k = die_c - chip.throttle_c;
  if (!state.sw_thermal) {
    if (excess_k <= 0) return other_ratio;
    state.sw_thermal = true;
    state.thermal_ratio = std::min(state.clock_ratio, other_ratio);
    state.previous_die_c = die_c;
  }
  const bool in_band = excess_k <= 0 && excess_k > -chip.sw_hysteresis_k;
  const double gain =
      std::min(chip.integral_per_k_s * dt_s, kLargestIntegral_per_k) * (in_band ? kCreepRatio : 1);
  const double damping =
      std::min(chip.proportional_per_k, kLargestProportional_s_per_k / std::max(dt_s, 1e-6));
  const double change = -gain * excess_k - damping * (die_c - state.previous_die_c);
  state.thermal_ratio = std::clamp(state.thermal_ratio + change, chip.lowest_ratio, 1.0);
  state.previous_die_c = die_c;
  if (state.thermal_ratio >= other_ratio) {
    // Another limit holds the clock: follow it instead of winding up, and let go once the band is left.
    state.thermal_ratio = other_ratio;
    if (excess_k <= -chip.sw_hysteresis_k) state.sw_thermal = false;
  }
  return state.thermal_ratio;
}

void updateHardware(ClockState& state, const ChipPowerConstants& chip, double die_c) {
  if (die_c >= chip.hw_slowdown_c) state.hw_slowdown = true;
  if (die_c < chip.hw_slowdown_c - chip.hw_hysteresis_k) state.hw_slowdown = false;
  if (die_c >= chip.shutdown_c) state.shut_down = true;
}

}  // namespace

double chipPowerNow_w(const ChipPowerConstants& chip, const ClockState& state, const Activity& at_nominal,
                      double junction_c) {
  if (state.shut_down || state.clock_ratio <= 0) return 0;
  return chipPower_w(chip, scaledToClock(chip, at_nominal, state.clock_ratio), junction_c, state.clock_ratio);
}

double clockWithinPower(const ChipPowerConstants& chip, const Activity& at_nominal, double junction_c,
                        double cap_w, double limit_ratio) {
  const double leak_w = leakage_w(chip, junction_c, 1);
  const auto power_w = [&](double ratio) {
    return powerWithoutLeakage_w(chip, scaledToClock(chip, at_nominal, ratio), ratio) +
           leak_w * voltageRatio(chip, ratio);
  };
  if (power_w(limit_ratio) <= cap_w) return limit_ratio;
  return largestWithin(std::min(chip.lowest_ratio, limit_ratio), limit_ratio, kPowerTolerance_w,
                       [&](double ratio) { return power_w(ratio) - cap_w; });
}

void controlClock(ClockState& state, const ChipPowerConstants& chip, const ClockLimits& limits,
                  const Activity& at_nominal, const ThermalState& thermal, double dt_s) {
  const double top_ratio = std::clamp(limits.clock_limit_ratio, chip.lowest_ratio, 1.0);
  updateHardware(state, chip, thermal.die_c);
  if (state.shut_down) {
    state.clock_ratio = 0;
    state.filtered_power_w = 0;
    state.reasons = bit(ThrottleReason::HwSlowdown) | bit(ThrottleReason::HwThermal);
    return;
  }
  const double power_ratio = powerLimit(state, chip, limits, at_nominal, thermal.die_c, top_ratio, dt_s);
  const double thermal_ratio = softwareThermalLimit(state, chip, thermal.die_c, power_ratio, dt_s);
  state.reasons = 0;
  // The one that binds, as NVML reports it; hardware slowdown is told beside it.
  if (state.sw_thermal && thermal_ratio < power_ratio) {
    state.reasons |= bit(ThrottleReason::SwThermal);
  } else if (power_ratio < top_ratio) {
    state.reasons |= bit(ThrottleReason::PowerCap);
  }
  state.clock_ratio = std::min(power_ratio, thermal_ratio);
  if (state.hw_slowdown) {
    state.clock_ratio = std::min(state.clock_ratio, chip.hw_slowdown_ratio);
    state.reasons |= bit(ThrottleReason::HwSlowdown) | bit(ThrottleReason::HwThermal);
  }
}

}  // namespace decodescope::physical
