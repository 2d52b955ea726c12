// What one kernel costs, split so that it can be explained and slowed down by a lower clock.
#pragma once

#include <string_view>

namespace decodescope::kernel {

/// t = fixed + serial + norm_p(memory, math, wave) + extra. Sources of the shape and constants:
/// resources/catalog/kernels.json. All times in seconds at nominal clock.
struct KernelCost {
  double fixed_s = 0;          ///< launch, ramp, drain
  double serial_s = 0;         ///< c * sqrt(serial length)
  double memory_s = 0;         ///< bytes over achieved bandwidth
  double math_s = 0;           ///< FLOPs over achieved rate, waves included
  double wave_s = 0;           ///< one CTA per work item; attention only
  double extra_s = 0;          ///< activation traffic that adds to the roofline: quantising, permuting
  double exponent = 1;         ///< p of the smooth maximum
  double bytes = 0, flop = 0;  ///< HBM bytes moved and useful FLOPs, for power and explanation

  [[nodiscard]] double roofline_s() const;
  [[nodiscard]] double total_s() const { return fixed_s + serial_s + roofline_s() + extra_s; }
  /// Total with the math and wave terms at `clock_ratio` of nominal and memory flat above `saturation_ratio`,
  /// below it proportional to the clock (physics: core/physical/clocks.h).
  [[nodiscard]] double total_s(double clock_ratio, double saturation_ratio) const;
};

}  // namespace decodescope::kernel
