// Steady temperature, power and clock of one chip.
#include "physical/clocks.h"

#include "physical/monotone_root.h"

#include <algorithm>
#include <cmath>

namespace decodescope::physical {
namespace {

constexpr int kNewtonSteps = 40;
constexpr double kConverged_k = 1e-9;
/// Both limits are named "thermal" this close to the throttling temperature: below a sensor's resolution.
constexpr double kThermal_k = 0.2;
constexpr int kBisections = 40;
constexpr double kPowerTolerance_w = 1e-7;

struct Balance {
  double junction_c = 0, power_w = 0;
  bool runaway = false;
};

/// Lower root of f(T) = T_ref + R (P0 + leak(T)) - T. f is convex and positive at T_ref, so Newton's method
/// climbs to the root without passing it; a slope that turns positive on the way means that no root exists.
Balance balance(const ChipPowerConstants& chip, double reference_c, double k_per_w, double dynamic_w,
                double clock_ratio) {
  double junction_c = reference_c + k_per_w * dynamic_w;
  for (int i = 0; i < kNewtonSteps; ++i) {
    const double leak_w = leakage_w(chip, junction_c, clock_ratio);
    const double excess_k = reference_c + k_per_w * (dynamic_w + leak_w) - junction_c;
    const double slope = k_per_w * chip.leak_per_k * leak_w - 1;
    if (slope > -1e-6) return {junction_c, dynamic_w + leak_w, excess_k > kConverged_k};
    const double rise_k = -excess_k / slope;
    junction_c += rise_k;
    // Quadratic: the next step would be far below the tolerance. The leakage follows by its derivative.
    if (rise_k < 1e-5) return {junction_c, dynamic_w + leak_w * (1 + chip.leak_per_k * rise_k), false};
  }
  return {junction_c, dynamic_w + leakage_w(chip, junction_c, clock_ratio), true};
}

/// `activityAt(x)` gives the rates at clock x.
template <class ActivityAt>
class SteadySolver {
 public:
  SteadySolver(const ChipPowerConstants& chip, const CoolingSetup& cooling, const ClockLimits& limits,
               const ActivityAt& activity_at, double upstream_w)
      : chip_(chip),
        activity_at_(activity_at),
        reference_c_(reservoir_c(cooling, upstream_w, 0)),
        k_per_w_(junction_k_per_w(cooling)),
        top_ratio_(std::clamp(limits.clock_limit_ratio, chip.lowest_ratio, 1.0)) {
    const double cap_w =
        limits.power_cap_w > 0 ? limits.power_cap_w : std::numeric_limits<double>::infinity();
    const double thermal_w = (chip.throttle_c - reference_c_) / k_per_w_;
    allowed_w_ = std::min(cap_w, thermal_w);
    allowed_c_ = std::min(chip.throttle_c, reference_c_ + k_per_w_ * cap_w);
  }

  SteadyPoint solve() const {
    const double dynamic_w = powerWithoutLeakage_w(chip_, activity_at_(top_ratio_), top_ratio_);
    if (dynamic_w <= allowed_w_) {
      const Balance top = balance(chip_, reference_c_, k_per_w_, dynamic_w, top_ratio_);
      if (holds(top)) return {top_ratio_, top.junction_c, top.power_w, ClockLimit::None, false};
    }
    const double ratio = limitedRatio();
    const Balance limited = at(ratio);
    const bool thermal = limited.runaway || limited.junction_c > chip_.throttle_c - kThermal_k;
    return {ratio, limited.junction_c, limited.power_w, thermal ? ClockLimit::Thermal : ClockLimit::Power,
            limited.runaway};
  }

 private:
  Balance at(double ratio) const {
    return balance(chip_, reference_c_, k_per_w_, powerWithoutLeakage_w(chip_, activity_at_(ratio), ratio),
                   ratio);
  }
  bool holds(const Balance& b) const {
    return !b.runaway && b.power_w <= allowed_w_ && b.junction_c <= allowed_c_;
  }

  /// Where a limit binds, temperature is known (T_ref + R times the allowed power), so one leakage serves all
  /// clocks: P(x, T) = allowed. That is the lower balance unless the loop gain there is above 1; then each
  /// clock is balanced.
  double limitedRatio() const {
    const double leak_w = leakage_w(chip_, allowed_c_, 1);
    const bool simple = allowed_w_ > 0 && k_per_w_ * chip_.leak_per_k * leak_w < 0.95;
    if (simple) {
      return largestWithin(chip_.lowest_ratio, top_ratio_, kPowerTolerance_w, [&](double ratio) {
        return powerWithoutLeakage_w(chip_, activity_at_(ratio), ratio) +
               leak_w * voltageRatio(chip_, ratio) - allowed_w_;
      });
    }
    double low = chip_.lowest_ratio, high = top_ratio_;
    for (int i = 0; i < kBisections; ++i) {
      const double ratio = 0.5 * (low + high);
      (holds(at(ratio)) ? low : high) = ratio;
    }
    return low;
  }

  const ChipPowerConstants& chip_;
  const ActivityAt& activity_at_;
  double reference_c_, k_per_w_, top_ratio_;
  double allowed_w_ = 0, allowed_c_ = 0;
};

}  // namespace

SteadyPoint steadyPoint(const ChipPowerConstants& chip, const CoolingSetup& cooling,
                        const ClockLimits& limits, const ActivityAtClock& activity_at, double upstream_w) {
  return SteadySolver(chip, cooling, limits, activity_at, upstream_w).solve();
}

SteadyPoint steadyPoint(const ChipPowerConstants& chip, const CoolingSetup& cooling,
                        const ClockLimits& limits, const Activity& at_nominal, double upstream_w) {
  const auto activity_at = [&](double ratio) { return scaledToClock(chip, at_nominal, ratio); };
  return SteadySolver(chip, cooling, limits, activity_at, upstream_w).solve();
}

SteadyPoint settle(const ChipPowerConstants& chip, const CoolingSetup& cooling, const Activity& activity,
                   double clock_ratio, double upstream_w) {
  const Balance b = balance(chip, reservoir_c(cooling, upstream_w, 0), junction_k_per_w(cooling),
                            powerWithoutLeakage_w(chip, activity, clock_ratio), clock_ratio);
  return {clock_ratio, b.junction_c, b.power_w, ClockLimit::None, b.runaway};
}

double throttleOnsetSupply_c(const ChipPowerConstants& chip, const CoolingSetup& cooling, double power_w) {
  return chip.throttle_c - power_w * junction_k_per_w(cooling);
}

double workTime_s(const ChipPowerConstants& chip, double memory_s, double math_s, double clock_ratio) {
  return std::max(memory_s * std::max(1.0, chip.saturation_ratio / clock_ratio), math_s / clock_ratio);
}

}  // namespace decodescope::physical
