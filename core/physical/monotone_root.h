// The largest argument at which a rising function stays within its limit.
#pragma once

#include <cmath>

namespace decodescope::physical {

/// Root of the non-decreasing `excess` between `low` (where it is at most 0, or nothing is) and `high` (where
/// it is above 0), by false position with the Illinois weighting: about eight evaluations. Bisects whenever
/// that stalls. Returns a point at most 0, or within `tolerance` of it.
template <class Excess>
double largestWithin(double low, double high, double tolerance, const Excess& excess) {
  double at_low = excess(low), at_high = excess(high);
  if (at_low >= 0) return low;
  int side = 0;
  for (int i = 0; i < 100 && high - low > 1e-12; ++i) {
    const bool bisect = i % 8 == 7;
    const double x = bisect ? 0.5 * (low + high) : (low * at_high - high * at_low) / (at_high - at_low);
    const double at_x = excess(x);
    if (std::abs(at_x) <= tolerance) return x;
    if (at_x < 0) {
      low = x;
      at_low = at_x;
      if (side < 0) at_high *= 0.5;
      side = -1;
    } else {
      high = x;
      at_high = at_x;
      if (side > 0) at_low *= 0.5;
      side = 1;
    }
  }
  return low;
}

}  // namespace decodescope::physical
