#include "physical/chip_power.h"

#include "base/numeric.h"

#include <algorithm>

namespace decodescope::physical {

double voltageRatio(const ChipPowerConstants& chip, double clock_ratio) {
  return std::max(chip.voltage_min, 1 - chip.voltage_slope * (1 - clock_ratio));
}

double leakage_w(const ChipPowerConstants& chip, double junction_c, double clock_ratio) {
  return chip.leak_w_at_60c * numeric::portableExp(chip.leak_per_k * (junction_c - 60)) *
         voltageRatio(chip, clock_ratio);
}

double powerWithoutLeakage_w(const ChipPowerConstants& chip, const Activity& activity, double clock_ratio) {
  const double v = voltageRatio(chip, clock_ratio);
  const double math_w = activity.bf16_flop_per_s * chip.bf16_j_per_flop +
                        activity.fp8_flop_per_s * chip.fp8_j_per_flop +
                        activity.fp4_flop_per_s * chip.fp4_j_per_flop;
  const double core_w = activity.duty_ratio * chip.active_w * clock_ratio +
                        activity.operand_bytes_per_s * chip.operand_j_per_byte +
                        math_w * chip.data_activity_ratio;
  return chip.base_w + core_w * v * v + activity.hbm_bytes_per_s * chip.hbm_j_per_byte +
         activity.link_bytes_per_s * chip.link_j_per_byte;
}

double chipPower_w(const ChipPowerConstants& chip, const Activity& activity, double junction_c,
                   double clock_ratio) {
  return powerWithoutLeakage_w(chip, activity, clock_ratio) + leakage_w(chip, junction_c, clock_ratio);
}

double idlePower_w(const ChipPowerConstants& chip, double junction_c, bool context_loaded) {
  Activity idle;
  idle.duty_ratio = 0;
  return chipPower_w(chip, idle, junction_c, chip.idle_ratio) - (context_loaded ? 0 : chip.context_w);
}

double memory_c(const ChipPowerConstants& chip, double junction_c) {
  return junction_c + chip.hbm_above_die_k;
}

double stepTimeRatio(const ChipPowerConstants& chip, const Activity& at_nominal, double clock_ratio) {
  const double fixed_share = std::max(0.0, 1 - at_nominal.math_share - at_nominal.memory_share);
  return at_nominal.math_share / clock_ratio +
         at_nominal.memory_share * std::max(1.0, chip.saturation_ratio / clock_ratio) + fixed_share;
}

Activity scaledToClock(const ChipPowerConstants& chip, const Activity& at_nominal, double clock_ratio) {
  const double rate_ratio = 1 / stepTimeRatio(chip, at_nominal, clock_ratio);
  Activity scaled = at_nominal;
  scaled.hbm_bytes_per_s *= rate_ratio;
  scaled.operand_bytes_per_s *= rate_ratio;
  scaled.bf16_flop_per_s *= rate_ratio;
  scaled.fp8_flop_per_s *= rate_ratio;
  scaled.fp4_flop_per_s *= rate_ratio;
  scaled.link_bytes_per_s *= rate_ratio;
  return scaled;
}

ChipPowerConstants sampleOfChip(ChipPowerConstants chip, double leak_sigmas, double dynamic_sigmas) {
  // A sample beyond three sigmas would have been binned out.
  const double leak = 1 + chip.leak_sigma_ratio * std::clamp(leak_sigmas, -3.0, 3.0);
  const double dynamic = 1 + chip.dynamic_sigma_ratio * std::clamp(dynamic_sigmas, -3.0, 3.0);
  chip.leak_w_at_60c *= leak;
  chip.active_w *= dynamic;
  chip.hbm_j_per_byte *= dynamic;
  chip.operand_j_per_byte *= dynamic;
  chip.bf16_j_per_flop *= dynamic;
  chip.fp8_j_per_flop *= dynamic;
  chip.fp4_j_per_flop *= dynamic;
  return chip;
}

}  // namespace decodescope::physical
