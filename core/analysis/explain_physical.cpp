// Derivations of power, heat and money.
#include "analysis/explain_quantity.h"
#include "decode/step_impl.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>

namespace decodescope::analysis {
namespace {

using decode::combined;
using decode::leaf;

Derivation rack(const ExplainPoint& e) {
  const physical::RackPower& r = e.settled.rack;
  const std::string source = "physical.json and the catalog entry of the system";
  std::vector<Derivation> parts;
  const std::pair<const char*, double> rows[] = {
      {"Chips", r.chips_w},   {"CPUs", r.cpus_w}, {"Switches", r.switches_w},           {"NICs", r.nics_w},
      {"Optics", r.optics_w}, {"Fans", r.fans_w}, {"Conversion and rest", r.overhead_w}};
  for (const auto& [label, w] : rows)
    parts.push_back(leaf(fmt::format("power.rack_w/{}", label), label, w, "W", SourceKind::Catalog, source));
  return combined("power.rack_w", "Power of one rack", "W", Combine::Sum, "sum of its parts",
                  std::move(parts));
}

Derivation temperature(const ExplainPoint& e) {
  std::vector<Derivation> parts;
  const double supply = e.model.supply_c(e.scenario);
  parts.push_back(leaf("supply_c", "Supply", supply, "c", SourceKind::UserSet, "scenario or system",
                       "physical.supply_c"));
  std::vector<Derivation> rise;
  rise.push_back(leaf("chip_w", "Power of the hottest chip", e.settled.hottest.power_w, "W",
                      SourceKind::Calibrated, e.model.power.provenance));
  rise.push_back(leaf(
      "k_per_w", "Resistance to the supply, with what is upstream",
      e.settled.hottest.power_w > 0 ? (e.settled.hottest.junction_c - supply) / e.settled.hottest.power_w : 0,
      "K/W", SourceKind::Calibrated, e.model.cooling.provenance));
  parts.push_back(productNode("rise", "Rise", "K", std::move(rise)));
  return combined("thermal.max_chip_c", "Hottest junction", "c", Combine::Sum, "supply + resistance x power",
                  std::move(parts));
}

Derivation costPerMillion(const ExplainPoint& e) {
  std::vector<Derivation> parts;
  parts.push_back(costPerHour(e));
  std::vector<Derivation> sold;
  sold.push_back(throughput(e));
  sold.push_back(
      leaf("hour", "Seconds of an hour, per million", 3600 / 1e6, "1", SourceKind::Derived, "definition"));
  sold.push_back(leaf("utilization", "Utilisation", e.scenario.economics.utilization, "1",
                      SourceKind::UserSet, "scenario", "economics.utilization"));
  parts.push_back(productNode("millions", "Millions of tokens sold per hour", "1", std::move(sold)));
  return combined("cost.usd_per_million_output_tokens", "Cost per million output tokens", "usd",
                  Combine::Quotient, "cost per hour / millions of tokens per hour", std::move(parts));
}

Derivation energy(const ExplainPoint& e, const char* id, const char* label, double per_s,
                  const char* rate_unit, double j_each, double factor) {
  const std::string place = std::string("power.chip_w/") + id;
  std::vector<Derivation> parts{leaf(place + "/rate", std::string(label) + ": rate", per_s, rate_unit,
                                     SourceKind::Derived, "operation list / step time"),
                                leaf(place + "/energy", std::string(label) + ": energy of one", j_each, "J",
                                     SourceKind::Calibrated, e.model.power.provenance)};
  if (factor != 1)
    parts.push_back(leaf(place + "/voltage", "Voltage squared and data activity", factor, "1",
                         SourceKind::Calibrated, e.model.power.provenance));
  return productNode(place, label, "W", std::move(parts));
}

/// Power of a busy chip: what it draws by standing there, by its clock, by every byte and operation, and by
/// its temperature.
Derivation busyChip(const ExplainPoint& e) {
  const physical::ChipPowerConstants& c = e.model.power;
  const double clock = e.settled.hottest.clock_ratio, v = physical::voltageRatio(c, clock), vv = v * v;
  const physical::Activity a = physical::scaledToClock(c, activityOf(nominalStep(e)), clock);
  std::vector<Derivation> parts;
  parts.push_back(leaf("power.chip_w/base", "Base", c.base_w, "W", SourceKind::Calibrated, c.provenance));
  parts.push_back(productNode(
      "power.chip_w/active", "Clocked and busy", "W",
      {leaf("power.chip_w/active/duty", "Share of time with work resident", a.duty_ratio, "1",
            SourceKind::Derived, "busy time less half of the waits in collectives"),
       leaf("power.chip_w/active/w", "When always so, at nominal clock", c.active_w, "W",
            SourceKind::Calibrated, c.provenance),
       leaf("power.chip_w/active/clock", "Clock x voltage squared", clock * vv, "1", SourceKind::Simulated,
            "clock that the limits allow", "physical.clock_limit_ratio")}));
  parts.push_back(energy(e, "hbm", "HBM bytes", a.hbm_bytes_per_s, "B/s", c.hbm_j_per_byte, 1));
  parts.push_back(
      energy(e, "operands", "Operand bytes", a.operand_bytes_per_s, "B/s", c.operand_j_per_byte, vv));
  const double math = c.data_activity_ratio * vv;
  parts.push_back(energy(e, "bf16", "16-bit math", a.bf16_flop_per_s, "FLOP/s", c.bf16_j_per_flop, math));
  parts.push_back(energy(e, "fp8", "8-bit math", a.fp8_flop_per_s, "FLOP/s", c.fp8_j_per_flop, math));
  parts.push_back(energy(e, "fp4", "4-bit math", a.fp4_flop_per_s, "FLOP/s", c.fp4_j_per_flop, math));
  parts.push_back(
      energy(e, "links", "Link bytes, both ways", a.link_bytes_per_s, "B/s", c.link_j_per_byte, 1));
  double sum = 0;
  for (const Derivation& part : parts) sum += part.value;
  parts.push_back(leaf(
      "power.chip_w/leakage", "Leakage", e.settled.chip_w - sum, "W", SourceKind::Calibrated,
      fmt::format("at {:.1f} C in the mean of one cooling branch; {}", e.settled.mean_chip_c, c.provenance)));
  return combined("power.chip_w/busy", "Power of a chip at work", "W", Combine::Sum,
                  "base + activity + energies x rates + leakage", std::move(parts));
}

Derivation chipPower(const ExplainPoint& e) {
  const double busy = e.settled.loop.admission.busy_replicas / e.model.step->plan().replicas;
  Derivation at_work = busyChip(e);
  if (busy == 1) {
    at_work.id = "power.chip_w";
    at_work.label = "Power of one chip";
    return at_work;
  }
  const auto weighed = [](const char* place, const char* label, double share, Derivation power) {
    const std::string id = std::string("power.chip_w/") + place;
    std::vector<Derivation> parts{leaf(id + "/share", "Share of replicas", share, "1", SourceKind::Derived,
                                       "busy replicas / replicas", "workload.concurrency"),
                                  std::move(power)};
    return productNode(id, label, "W", std::move(parts));
  };
  std::vector<Derivation> parts;
  parts.push_back(weighed("of_busy", "Chips of busy replicas", busy, std::move(at_work)));
  parts.push_back(weighed("of_idle", "Chips without requests", 1 - busy,
                          leaf("power.chip_w/idle", "Power of an idle chip",
                               physical::idlePower_w(e.model.power, e.settled.mean_chip_c, true), "W",
                               SourceKind::Calibrated, e.model.power.provenance)));
  return combined("power.chip_w", "Power of one chip", "W", Combine::Sum, "mean over replicas",
                  std::move(parts));
}

Derivation pue(const ExplainPoint& e) {
  return ratioNode("power.pue_ratio", "PUE: facility power over IT power", "1", facility(e), itPower(e));
}

Derivation joulesPerToken(const ExplainPoint& e) {
  return ratioNode("joules_per_token", "IT energy per output token", "J", itPower(e), throughput(e));
}

Derivation perMegawatt(const ExplainPoint& e) {
  return ratioNode("output_tokens_per_s_per_mw", "Output tokens per second and facility megawatt", "tokens/s",
                   throughput(e),
                   productNode("facility_mw", "Facility power in megawatts", "1",
                               {facility(e), leaf("megawatt", "Megawatts in a watt", 1e-6, "1",
                                                  SourceKind::Derived, "definition")}));
}

Derivation clock(const ExplainPoint& e) {
  const physical::SteadyPoint& at = e.settled.hottest;
  const char* why = at.limited_by == ClockLimit::Power     ? "largest clock within the power cap"
                    : at.limited_by == ClockLimit::Thermal ? "largest clock below the throttling temperature"
                                                           : "no limit binds";
  return leaf("thermal.clock_ratio", "Clock over nominal", at.clock_ratio, "1", SourceKind::Simulated, why,
              "physical.clock_limit_ratio");
}

constexpr std::array<ExplainRow, 11> kRows{{
    {"power.chip_w", chipPower},
    {"power.rack_w", rack},
    {"power.it_w", itPower},
    {"power.facility_w", facility},
    {"power.pue_ratio", pue},
    {"joules_per_token", joulesPerToken},
    {"output_tokens_per_s_per_mw", perMegawatt},
    {"thermal.max_chip_c", temperature},
    {"thermal.clock_ratio", clock},
    {"cost.usd_per_hour", costPerHour},
    {"cost.usd_per_million_output_tokens", costPerMillion},
}};

}  // namespace

Derivation itPower(const ExplainPoint& e) {
  return ratioNode("power.it_w", "IT power of the deployment", "W",
                   leaf("rack_dc_w", "Racks, at the busbar", e.settled.rack_dc_w, "W", SourceKind::Derived,
                        fmt::format("{} racks", e.settled.racks)),
                   leaf("psu", "Efficiency of the supplies", e.settled.rack_dc_w / e.settled.facility.it_w,
                        "1", SourceKind::Catalog, "physical.json"));
}

Derivation facility(const ExplainPoint& e) {
  const physical::FacilityPower& f = e.settled.facility;
  std::vector<Derivation> parts;
  parts.push_back(itPower(e));
  const std::pair<const char*, double> rows[] = {{"Pumps", f.pumps_w},
                                                 {"Room air handlers", f.crah_w},
                                                 {"Heat rejection of liquid", f.liquid_rejection_w},
                                                 {"Heat rejection of air", f.air_rejection_w},
                                                 {"UPS losses", f.ups_loss_w}};
  for (const auto& [label, w] : rows)
    parts.push_back(leaf(fmt::format("power.facility_w/{}", label), label, w, "W", SourceKind::Calibrated,
                         "physical.json", "physical.supply_c"));
  return combined("power.facility_w", "Facility power", "W", Combine::Sum, "IT + cooling + losses",
                  std::move(parts));
}

Derivation costPerHour(const ExplainPoint& e) {
  const physical::CostRate& c = e.settled.cost;
  std::vector<Derivation> parts;
  const std::pair<const char*, double> rows[] = {{"Capital", c.capital_usd_per_hour},
                                                 {"Hosting", c.hosting_usd_per_hour},
                                                 {"Energy", c.energy_usd_per_hour}};
  for (const auto& [label, usd] : rows)
    parts.push_back(leaf(fmt::format("cost/{}", label), label, usd, "usd", SourceKind::Derived,
                         "prices of the scenario", "economics.years"));
  Derivation each = combined("cost/chip_hour", "One chip, one hour", "usd", Combine::Sum,
                             "capital + hosting + energy", std::move(parts));
  std::vector<Derivation> all;
  all.push_back(std::move(each));
  all.push_back(chips(e));
  return productNode("cost.usd_per_hour", "Cost of the deployment per hour", "usd", std::move(all));
}

std::span<const ExplainRow> physicalRows() {
  return kRows;
}

}  // namespace decodescope::analysis
