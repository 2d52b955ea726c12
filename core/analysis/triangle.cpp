// Token-speed triangle: compute, interconnect and physical limits, as pressure and as shares of time.
#include "analysis/predictor_impl.h"
#include "decode/step_impl.h"

#include <algorithm>

namespace decodescope::analysis {
namespace {

/// Corners within this of one another are balanced.
constexpr double kBalanceRatio = 1.2;

struct Reading {
  double value = 0;
  const char* name = "";
};

Reading largest(std::initializer_list<Reading> readings) {
  return *std::max_element(readings.begin(), readings.end(),
                           [](const Reading& a, const Reading& b) { return a.value < b.value; });
}

}  // namespace

void fillTriangle(const Predictor::Impl& m, const Scenario& s, const SettledPoint& p, double peak_link_ratio,
                  double smallest_margin_ratio, Prediction& out) {
  const StepBreakdown& b = out.breakdown_s;
  const double step_s = out.step_time_s;
  if (!(step_s > 0)) return;
  const ChipSpec& chip = m.context->specs.chip;
  const double hbm = chip.memory_bandwidth_bytes_per_s > 0
                         ? p.loop.step.mean.hbm_bytes / step_s / chip.memory_bandwidth_bytes_per_s
                         : 0;
  // Without loads of single links, the chip's own bytes over all of its links.
  const double own_links =
      chip.scale_up_bytes_per_s > 0 ? p.loop.step.mean.wire_bytes / step_s / chip.scale_up_bytes_per_s : 0;
  const Reading moving = largest({{hbm, "HBM"}, {std::max(peak_link_ratio, own_links), "links"}});
  const double supply = m.supply_c(s), span = m.power.throttle_c - supply;
  const double heat = span > 0 ? (p.hottest.junction_c - supply) / span : 1;
  const Reading physical =
      largest({{out.power.chip_cap_w > 0 ? p.chip_w / out.power.chip_cap_w : 0, "chip power"},
               {heat, "temperature"},
               {out.power.rack_cap_w > 0 ? out.power.rack_w / out.power.rack_cap_w : 0, "rack power"},
               {1 - smallest_margin_ratio, "site limits"}});
  TrianglePoint& t = out.triangle;
  t.compute = b[StepPart::Math] / step_s;
  t.interconnect = moving.value;
  t.physical = physical.value;
  t.interconnect_is = moving.name;
  t.physical_is = physical.name;
  const double lowest = std::min({t.compute, t.interconnect, t.physical});
  const Reading most =
      largest({{t.compute, "compute"}, {t.interconnect, "interconnect"}, {t.physical, "physical"}});
  t.binding = most.value <= kBalanceRatio * lowest ? "balanced" : most.name;
  const double math = b[StepPart::Math];
  const double hidden = std::min(0.0, b[StepPart::Overlap]);
  const double state =
      b[StepPart::WeightsHbm] + b[StepPart::KvHbm] + std::max(0.0, b[StepPart::Collectives] + hidden);
  const double throttle = b[StepPart::Throttle], sum = math + state + throttle;
  out.triangle_time_share = sum > 0 ? std::array<double, 3>{math / sum, state / sum, throttle / sum}
                                    : std::array<double, 3>{0, 0, 0};
}

}  // namespace decodescope::analysis
