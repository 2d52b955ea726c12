// Chip power from activity. Source of shape and constants: resources/catalog/physical.json.
//   P = base + leak(T, x) + duty A x v^2 + B_hbm e_dev + B_op e_op v^2 + sum_d F_d e_flop,d v^2 + B_link
//   e_link v(x) = max(v_min, 1 - slope (1 - x)),   leak(T, x) = L60 exp(k (T - 60)) v
#pragma once

#include "catalog/catalog.h"

#include <decodescope/expected.h>

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace decodescope::physical {

struct ChipPowerConstants {
  double tdp_w = 0, base_w = 0, leak_w_at_60c = 0, active_w = 0;
  double hbm_j_per_byte = 0, operand_j_per_byte = 0;
  double bf16_j_per_flop = 0, fp8_j_per_flop = 0, fp4_j_per_flop = 0;
  double link_j_per_byte = 0;
  double nominal_clock_hz = 0;
  double throttle_c = 0, hw_slowdown_c = 0, shutdown_c = 0;
  double leak_per_k = 0.025, voltage_min = 0.72, voltage_slope = 0.6, saturation_ratio = 0.6;
  bool derived = false;  ///< by the stated rule (generation and TDP), not from measurements of this chip
  std::string provenance;

  double data_activity_ratio =
      1;                 ///< operand switching on the math energy, 0.85 to 1.15; zeros draw less than noise
  double context_w = 0;  ///< part of base_w that a resident runtime context draws
  double lowest_ratio = 0.1;  ///< lowest clock
  double idle_ratio = 0.061;  ///< clock of an idle chip
  double power_filter_s = 0.1;
  double sw_hysteresis_k = 3, hw_hysteresis_k = 5, hw_slowdown_ratio = 0.5;
  double integral_per_k_s = 0.02, proportional_per_k = 0.16;
  double leak_sigma_ratio = 0.06, dynamic_sigma_ratio = 0.015;
  double hbm_above_die_k = 7;
};
/// Also checks the rest of the physical constants, so that later calls cannot fail.
[[nodiscard]] Expected<ChipPowerConstants> chipPowerConstants(const Catalog&, const ChipSpec&);
[[nodiscard]] Expected<ChipPowerConstants> chipPowerConstants(const nlohmann::json& physical,
                                                              const ChipSpec&);

/// Rates averaged over a step, as they are at the clock at which power is asked for; scaledToClock() makes
/// those of another clock from the rates at nominal clock and the two shares.
struct Activity {
  double duty_ratio = 1;  ///< kernels resident; a wait in a collective counts half
  double hbm_bytes_per_s = 0, operand_bytes_per_s = 0;
  double bf16_flop_per_s = 0, fp8_flop_per_s = 0, fp4_flop_per_s = 0;
  double link_bytes_per_s = 0;  ///< transmit plus receive
  /// How the step's time at nominal clock depends on the clock: this share goes with 1/x, ...
  double math_share = 1;
  /// ... this share with max(1, x_sat / x), and the rest (links, host, waiting) does not.
  double memory_share = 0;
};

/// The rates of `at_nominal` when the chip runs at `clock_ratio`: all fall with the longer step. The duty is
/// kept, so that power stays monotone in the clock.
[[nodiscard]] Activity scaledToClock(const ChipPowerConstants&, const Activity& at_nominal,
                                     double clock_ratio);
/// Step time at `clock_ratio` over step time at nominal clock.
[[nodiscard]] double stepTimeRatio(const ChipPowerConstants&, const Activity& at_nominal, double clock_ratio);

[[nodiscard]] double voltageRatio(const ChipPowerConstants&, double clock_ratio);
[[nodiscard]] double leakage_w(const ChipPowerConstants&, double junction_c, double clock_ratio);
/// All of chip power but leakage, which alone depends on temperature.
[[nodiscard]] double powerWithoutLeakage_w(const ChipPowerConstants&, const Activity&, double clock_ratio);
/// Monotone in every argument.
[[nodiscard]] double chipPower_w(const ChipPowerConstants&, const Activity&, double junction_c,
                                 double clock_ratio);
/// Nothing resident. With a runtime context loaded a chip stays at a higher level, whatever memory it holds.
[[nodiscard]] double idlePower_w(const ChipPowerConstants&, double junction_c, bool context_loaded);
/// Hottest memory stack next to a die of this temperature.
[[nodiscard]] double memory_c(const ChipPowerConstants&, double junction_c);

/// The same chip type as another sample: leakage and energies moved by this many standard deviations.
[[nodiscard]] ChipPowerConstants sampleOfChip(ChipPowerConstants, double leak_sigmas, double dynamic_sigmas);

}  // namespace decodescope::physical
