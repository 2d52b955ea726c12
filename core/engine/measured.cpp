// A run's summary under the keys of a prediction.
#include "engine/engine.h"
#include "physical/facility.h"

#include <algorithm>

namespace decodescope::engine {

namespace {

ClockLimit limitOf(std::uint8_t reasons) {
  const auto has = [reasons](ThrottleReason r) { return (reasons & static_cast<std::uint8_t>(r)) != 0; };
  if (has(ThrottleReason::SwThermal) || has(ThrottleReason::HwThermal)) return ClockLimit::Thermal;
  return has(ThrottleReason::PowerCap) ? ClockLimit::Power : ClockLimit::None;
}

void measureTime(const RunSummary& run, int chips, Prediction& out) {
  const double predicted_step_s = out.step_time_s;
  out.tpot_s = run.tpot_s;
  if (run.ttft.count > 0) out.ttft_s = run.ttft.mean_s;
  out.step_time_s = run.step_time_s;
  out.total_tokens_per_s += run.output_tokens_per_s - out.output_tokens_per_s;
  out.output_tokens_per_s = run.output_tokens_per_s;
  out.output_tokens_per_s_per_chip = run.output_tokens_per_s / std::max(chips, 1);
  out.output_tokens_per_s_per_user = run.tpot_s > 0 ? 1 / run.tpot_s : 0;
  out.concurrency = run.mean_sequences;
  out.breakdown_s = run.breakdown_s;
  out.bound = run.breakdown_s.largest();
  if (run.step_time_s <= 0) return;
  const double faster = predicted_step_s / run.step_time_s;
  if (out.links.peak_utilization_ratio > 0) {
    out.links.mean_utilization_ratio *= run.peak_link_ratio / out.links.peak_utilization_ratio;
  }
  out.links.peak_utilization_ratio = run.peak_link_ratio;
  out.triangle.compute = run.breakdown_s[StepPart::Math] / run.step_time_s;
  out.triangle.interconnect *= faster;
}

// Racks, facility and money follow from the measured chip power as they do in a prediction.
void measurePower(const RunSummary& run, const analysis::Predictor& predictor, const Scenario& scenario,
                  Prediction& out) {
  const Catalog& catalog = predictor.catalog();
  const decode::StepModel& model = *predictor.stepModel();
  const SystemSpec& system = model.system();
  const ChipSpec& chip = model.chip();
  const physical::SiteConstants site = physical::siteConstants(catalog);
  const auto cooling = predictor.cooling(scenario);
  const bool liquid = !cooling || cooling->liquid;
  const double airflow = liquid ? 1 : cooling->flow_ratio;
  const int per_rack = std::max(1, physical::chipsPerRack(system));
  const auto rack_w = [&](int chips) {
    return physical::rackPower(site.rack, system, chip.tdp_w, run.mean_chip_w, chips, liquid, airflow)
        .total_w();
  };
  const int full = scenario.chips / per_rack, rest = scenario.chips % per_rack;
  const double dc_w = full * rack_w(per_rack) + (rest > 0 ? rack_w(rest) : 0);
  const double supply_c = cooling ? cooling->supply_c : 25;
  const physical::FacilityPower facility =
      physical::facilityPower(site.facility, dc_w, physical::liquidHeatRatio(site.rack, system, liquid),
                              supply_c, scenario.physical.ambient_c);
  out.power.chip_w = run.mean_chip_w;
  out.power.rack_w = rack_w(std::min(scenario.chips, per_rack));
  out.power.it_w = facility.it_w;
  out.power.facility_w = facility.total_w();
  out.power.pue_ratio = facility.pue_ratio();
  if (run.output_tokens_per_s <= 0) return;
  out.joules_per_token = facility.it_w / run.output_tokens_per_s;
  const physical::CostRate cost =
      physical::costRate(site.cost, scenario.economics, system, chip, facility.it_w / kKilo / scenario.chips,
                         facility.pue_ratio());
  out.cost.usd_per_hour = cost.usd_per_chip_hour * scenario.chips;
  out.cost.usd_per_million_output_tokens = physical::usdPerMillionTokens(
      cost.usd_per_chip_hour, out.output_tokens_per_s_per_chip, scenario.economics.utilization);
  out.scoreboard.tokens_per_joule = 1 / out.joules_per_token;
}

}  // namespace

Prediction measuredPoint(const RunSummary& run, const analysis::Predictor& predictor,
                         const Scenario& scenario) {
  Prediction out = predictor.predict(scenario);
  if (!predictor.stepModel() || run.simulated_s <= 0) return out;
  measureTime(run, scenario.chips, out);
  measurePower(run, predictor, scenario, out);
  out.thermal.max_chip_c = run.max_chip_c;
  out.thermal.mean_chip_c = run.mean_chip_c;
  out.thermal.clock_ratio = run.clock_ratio;
  out.thermal.limited_by = limitOf(run.throttle_reasons);
  if (run.itl.p50_s > 0) out.scoreboard.tpot_stability_ratio = run.itl.p99_s / run.itl.p50_s;
  return out;
}

}  // namespace decodescope::engine
