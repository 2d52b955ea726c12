#include "physical/thermal.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace decodescope::physical {
namespace {

/// Resistance that stands for "no way out": loses less than a milliwatt, and leaves the exponential its
/// digits.
constexpr double kNoFlow_k_per_w = 1e6;

/// A of dT/dt = A (T - T_steady), and its eigenvalues, both negative.
struct Generator {
  double a, b, c, d, determinant, slow, fast;
};
Generator generator(const ThermalPath& path) {
  Generator g{};
  g.a = -1 / (path.r1_k_per_w * path.c1_j_per_k);
  g.b = -g.a;
  g.c = 1 / (path.r1_k_per_w * path.c2_j_per_k);
  g.d = -(1 / path.r1_k_per_w + 1 / path.r2_k_per_w) / path.c2_j_per_k;
  g.determinant = 1 / (path.r1_k_per_w * path.c1_j_per_k * path.r2_k_per_w * path.c2_j_per_k);
  const double mean = 0.5 * (g.a + g.d);
  const double half_gap = std::sqrt(0.25 * (g.a - g.d) * (g.a - g.d) + g.b * g.c);
  g.fast = mean - half_gap;
  // From the product, because mean + half_gap cancels when the way out is narrow.
  g.slow = g.determinant / g.fast;
  return g;
}

}  // namespace

ThermalStep::ThermalStep(const ThermalPath& path, double dt_s) : path_(path), dt_s_(dt_s) {
  const Generator g = generator(path);
  // exp(A t) - 1 = ((s - A) f - (f' - A) s')/... written for two distinct real eigenvalues (b c > 0, so they
  // differ):
  //   exp(A t) - 1 = es + (es - ef) (A - s) / (s - f),  es = exp(s t) - 1, ef = exp(f t) - 1.
  const double es = std::expm1(g.slow * dt_s), ef = std::expm1(g.fast * dt_s);
  const double slope = (es - ef) / (g.slow - g.fast);
  g11_ = es + slope * (g.a - g.slow);
  g12_ = slope * g.b;
  g21_ = slope * g.c;
  g22_ = es + slope * (g.d - g.slow);
  q1_ = (g.a * g21_ - g.c * g11_) / g.determinant;
  q2_ = (g.a * g22_ - g.c * g12_) / g.determinant;
}

double ThermalStep::advance(ThermalState& state, double power_w, double reservoir_c) const {
  const ThermalState steady = steadyState(path_, power_w, reservoir_c);
  const double die_k = state.die_c - steady.die_c, sink_k = state.sink_c - steady.sink_c;
  state.die_c += g11_ * die_k + g12_ * sink_k;
  state.sink_c += g21_ * die_k + g22_ * sink_k;
  return power_w * dt_s_ + (q1_ * die_k + q2_ * sink_k) / path_.r2_k_per_w;
}

ThermalState steadyState(const ThermalPath& path, double power_w, double reservoir_c) {
  const double sink_c = reservoir_c + power_w * path.r2_k_per_w;
  return {sink_c + power_w * path.r1_k_per_w, sink_c};
}

double storedHeat_j(const ThermalPath& path, const ThermalState& state) {
  return path.c1_j_per_k * state.die_c + path.c2_j_per_k * state.sink_c;
}

std::array<double, 2> timeConstants_s(const ThermalPath& path) {
  const Generator g = generator(path);
  return {-1 / g.slow, -1 / g.fast};
}

double reservoir_c(const CoolingSetup& setup, double upstream_w, double own_w) {
  if (setup.branch_w_per_k <= 0) return setup.supply_c;
  // A plate works against the mean of its coolant; a sink's resistance is counted from the air that reaches
  // it.
  const double own_share = setup.liquid ? 0.5 * own_w : 0;
  return setup.supply_c + (upstream_w + own_share) / setup.branch_w_per_k;
}

double outlet_c(const CoolingSetup& setup, double upstream_w, double own_w) {
  if (setup.branch_w_per_k <= 0) return setup.supply_c;
  return setup.supply_c + (upstream_w + own_w) / setup.branch_w_per_k;
}

double junction_k_per_w(const CoolingSetup& setup) {
  const double own = setup.liquid && setup.branch_w_per_k > 0 ? 0.5 / setup.branch_w_per_k : 0;
  return setup.path.total_k_per_w() + own;
}

ThermalPath withoutFlow(const ThermalPath& path, double stored_coolant_j_per_k) {
  ThermalPath stopped = path;
  stopped.c2_j_per_k += stored_coolant_j_per_k;
  stopped.r2_k_per_w = kNoFlow_k_per_w;
  return stopped;
}

double rideThrough_s(const ThermalPath& path, double power_w, double reservoir_c,
                     double stored_coolant_j_per_k, double limit_c) {
  const ThermalState start = steadyState(path, power_w, reservoir_c);
  if (start.die_c >= limit_c) return 0;
  const ThermalPath stopped = withoutFlow(path, stored_coolant_j_per_k);
  if (power_w <= 0) return std::numeric_limits<double>::infinity();
  const auto dieAfter = [&](double t_s) {
    ThermalState state = start;
    ThermalStep(stopped, t_s).advance(state, power_w, reservoir_c);
    return state.die_c;
  };
  // All heat into both masses bounds the time from above, because the die is the warmer of the two.
  double low_s = 0,
         high_s = (limit_c - start.sink_c) * (stopped.c1_j_per_k + stopped.c2_j_per_k) / power_w * 1.01;
  for (int i = 0; i < 80; ++i) {
    const double middle_s = 0.5 * (low_s + high_s);
    (dieAfter(middle_s) < limit_c ? low_s : high_s) = middle_s;
  }
  return low_s;
}

double InletField::inlet_c(double rack_load_ratio, double height_ratio, bool at_row_end) const {
  const double height = std::clamp(height_ratio, 0.0, 1.0);
  return supply_c + recirculation_k * std::max(rack_load_ratio, 0.0) * height * height +
         (at_row_end ? row_end_k : 0);
}

}  // namespace decodescope::physical
