// Power, heat and clock of an operating point, and what racks, facility and money make of it.
#include "analysis/predictor_impl.h"
#include "decode/step_impl.h"

#include <algorithm>
#include <cmath>

namespace decodescope::analysis {

bool Predictor::Impl::isLiquid(const Scenario& s) const {
  return (s.physical.cooling.empty() ? resolved.physical.cooling : s.physical.cooling) == "liquid";
}

double Predictor::Impl::supply_c(const Scenario& s) const {
  return s.physical.supply_c.value_or(resolved.physical.supply_c.value_or(25));
}

bool Predictor::Impl::coolsAsResolved(const Scenario& s) const {
  const auto same = [](const std::optional<double>& a, const std::optional<double>& b) {
    return !a || a == b;
  };
  return isLiquid(s) == isLiquid(resolved) && same(s.physical.supply_c, resolved.physical.supply_c) &&
         same(s.physical.flow_l_per_min_per_chip, resolved.physical.flow_l_per_min_per_chip) &&
         same(s.physical.airflow_ratio, resolved.physical.airflow_ratio);
}

double Predictor::Impl::rackCap_w(const Scenario& s) const {
  const auto cap_kw =
      s.physical.rack_power_cap_kw ? s.physical.rack_power_cap_kw : resolved.physical.rack_power_cap_kw;
  return cap_kw ? *cap_kw * 1e3 : 0;
}

physical::ClockLimits Predictor::Impl::limits(const Scenario& s) const {
  physical::ClockLimits out;
  const decode::Specs& specs = context->specs;
  const auto cap =
      s.physical.chip_power_cap_w ? s.physical.chip_power_cap_w : resolved.physical.chip_power_cap_w;
  out.power_cap_w = cap.value_or(specs.chip.tdp_w);
  if (const double rack_cap = rackCap_w(s); rack_cap > 0) {
    const int in_rack = std::min(resolved.chips, physical::chipsPerRack(specs.system));
    const double share =
        physical::chipShareOfRack_w(site.rack, specs.system, specs.chip.tdp_w, rack_cap, in_rack, isLiquid(s),
                                    cooling.liquid ? 1 : cooling.flow_ratio);
    // A rack that cannot even feed its chips at idle is a deployment rule's matter; the clock stops at its
    // lowest.
    out.power_cap_w = std::min(out.power_cap_w, std::max(share, 1.0));
  }
  out.clock_limit_ratio = s.physical.clock_limit_ratio;
  return out;
}

physical::Activity activityOf(const decode::StepResult& r) {
  physical::Activity a;
  if (!(r.step_s > 0)) return a;
  a.duty_ratio = std::clamp((r.busy_s - r.collective_s / 2) / r.step_s, 0.0, 1.0);
  a.hbm_bytes_per_s = a.operand_bytes_per_s = r.hbm_bytes / r.step_s;
  a.bf16_flop_per_s = r.bf16_flop / r.step_s;
  a.fp8_flop_per_s = r.fp8_flop / r.step_s;
  a.fp4_flop_per_s = r.fp4_flop / r.step_s;
  a.link_bytes_per_s = 2 * r.wire_bytes / r.step_s;  // transmitted and received
  a.math_share = r.breakdown_s[StepPart::Math] / r.step_s;
  a.memory_share = (r.breakdown_s[StepPart::WeightsHbm] + r.breakdown_s[StepPart::KvHbm]) / r.step_s;
  return a;
}

namespace {

/// The chips of one coolant branch or air lane, first to last; the slowest of them sets the pace.
void settleBranch(const Predictor::Impl& m, const physical::CoolingSetup& cooling,
                  const physical::ClockLimits& limits, const physical::Activity& activity, SettledPoint& p) {
  const int chips = std::max(1, cooling.chips_in_series);
  double upstream_w = 0, sum_w = 0, sum_c = 0;
  for (int i = 0; i < chips; ++i) {
    const physical::SteadyPoint at = physical::steadyPoint(m.power, cooling, limits, activity, upstream_w);
    upstream_w += at.power_w;
    sum_w += at.power_w;
    sum_c += at.junction_c;
    const bool slower = i == 0 || at.clock_ratio < p.hottest.clock_ratio;
    const bool hotter = i == 0 || at.junction_c > p.hottest.junction_c;
    const double hottest_c = hotter ? at.junction_c : p.hottest.junction_c;
    if (slower || hotter) {
      const physical::SteadyPoint before = p.hottest;
      p.hottest = at;
      if (!slower) {
        p.hottest.clock_ratio = before.clock_ratio;
        p.hottest.limited_by = before.limited_by;
      }
      p.hottest.junction_c = hottest_c;
      p.hottest.runaway = at.runaway || (i > 0 && before.runaway);
    }
  }
  p.chip_w = sum_w / chips;
  p.mean_chip_c = sum_c / chips;
}

}  // namespace

SettledPoint settle(const Predictor::Impl& m, const Scenario& s) {
  SettledPoint p;
  const decode::Specs& specs = m.context->specs;
  p.lengths = m.lengthsOf(s);
  const double arrivals = m.arrivalsOf(s);
  p.loop = operatingLoop(*m.step, s, p.lengths, arrivals, 1, &p.overload_ratio);
  p.nominal_step_s = p.loop.step.mean.step_s;
  const physical::Activity activity = activityOf(p.loop.step.mean);
  const physical::ClockLimits limits = m.limits(s);
  if (m.coolsAsResolved(s)) {
    settleBranch(m, m.cooling, limits, activity, p);
  } else if (const auto setup = physical::coolingSetup(
                 *m.catalog, specs.chip, specs.system, m.isLiquid(s), m.supply_c(s),
                 s.physical.flow_l_per_min_per_chip.value_or(0), s.physical.airflow_ratio.value_or(1))) {
    settleBranch(m, *setup, limits, activity, p);
  }
  if (p.hottest.clock_ratio < 1)
    p.loop = operatingLoop(*m.step, s, p.lengths, arrivals, p.hottest.clock_ratio, &p.overload_ratio);
  const bool liquid = m.isLiquid(s);
  const int per_rack = std::max(1, physical::chipsPerRack(specs.system));
  const int chips = m.resolved.chips;
  const double airflow = liquid ? 1 : m.cooling.flow_ratio;
  p.racks = (chips + per_rack - 1) / per_rack;
  p.rack = physical::rackPower(m.site.rack, specs.system, specs.chip.tdp_w, p.chip_w,
                               std::min(chips, per_rack), liquid, airflow);
  const int rest = chips % per_rack;
  p.rack_dc_w = p.rack.total_w() * (chips < per_rack ? 1 : chips / per_rack);
  if (rest > 0 && chips > per_rack)
    p.rack_dc_w +=
        physical::rackPower(m.site.rack, specs.system, specs.chip.tdp_w, p.chip_w, rest, liquid, airflow)
            .total_w();
  p.facility = physical::facilityPower(m.site.facility, p.rack_dc_w,
                                       physical::liquidHeatRatio(m.site.rack, specs.system, liquid),
                                       m.supply_c(s), s.physical.ambient_c);
  p.cost = physical::costRate(m.site.cost, s.economics, specs.system, specs.chip,
                              p.facility.it_w / 1e3 / chips, p.facility.pue_ratio());
  return p;
}

}  // namespace decodescope::analysis
