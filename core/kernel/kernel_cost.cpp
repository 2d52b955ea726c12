#include "kernel/kernel_cost.h"

#include "kernel/smooth_maximum.h"

#include <algorithm>

namespace decodescope::kernel {

double KernelCost::roofline_s() const {
  return smoothMaximum(exponent, memory_s, math_s, wave_s);
}

double KernelCost::total_s(double clock_ratio, double saturation_ratio) const {
  // Below saturation the cores cannot keep HBM busy, so memory time grows with the clock's inverse.
  const double memory_stretch = std::max(1.0, saturation_ratio / clock_ratio);
  const double roofline =
      smoothMaximum(exponent, memory_s * memory_stretch, math_s / clock_ratio, wave_s / clock_ratio);
  return fixed_s + serial_s + roofline + extra_s * memory_stretch;
}

}  // namespace decodescope::kernel
