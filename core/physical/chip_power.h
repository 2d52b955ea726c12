// Chip power from activity. Source of shape and constants: resources/catalog/physical.json.
//   P = base + leak(T, x) + duty A x v^2 + B_hbm e_dev + B_op e_op v^2 + sum_d F_d e_flop,d v^2 + B_link e_link
//   v(x) = max(v_min, 1 - slope (1 - x)),   leak(T, x) = L60 exp(k (T - 60)) v
#pragma once

#include "catalog/catalog.h"

#include <decodescope/expected.h>

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
  bool derived = false;        ///< by the stated rule (generation and TDP), not from measurements of this chip
  std::string provenance;
};
[[nodiscard]] Expected<ChipPowerConstants> chipPowerConstants(const Catalog&, const ChipSpec&);

/// Rates at nominal clock, averaged over a step.
struct Activity {
  double duty_ratio = 1;                 ///< kernels resident; a wait in a collective counts half
  double hbm_bytes_per_s = 0, operand_bytes_per_s = 0;
  double bf16_flop_per_s = 0, fp8_flop_per_s = 0, fp4_flop_per_s = 0;
  double link_bytes_per_s = 0;           ///< transmit plus receive
};

[[nodiscard]] double voltageRatio(const ChipPowerConstants&, double clock_ratio);
[[nodiscard]] double leakage_w(const ChipPowerConstants&, double junction_c, double clock_ratio);
/// Monotone in every argument.
[[nodiscard]] double chipPower_w(const ChipPowerConstants&, const Activity&, double junction_c, double clock_ratio);

}  // namespace decodescope::physical
