// Whether the machine can be put into a building: each rule a value, a limit and a margin; the tightest
// first.
#include "base/units.h"
#include "physical/facility.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace decodescope::physical {
namespace {

/// Everything that the rules look at.
struct Site {
  const SiteConstants& constants;
  const Scenario& scenario;
  const SystemSpec& system;
  const ChipSpec& chip;
  int chips;
  double rack_dc_w, max_chip_c, throttle_c;
  bool liquid;
  double supply_c;

  [[nodiscard]] double liquidRatio() const { return liquidHeatRatio(constants.rack, system, liquid); }
  [[nodiscard]] double rack_w() const { return rack_dc_w * standingRackRatio(system); }
  [[nodiscard]] double liquidHeat_w() const { return rack_w() * liquidRatio(); }
  [[nodiscard]] double airHeat_w() const { return rack_w() - liquidHeat_w(); }
  [[nodiscard]] double racks() const { return std::ceil(static_cast<double>(chips) / chipsPerRack(system)); }
};

/// A rule evaluated: margin below 0 is a violation.
struct Verdict {
  double margin_ratio = 1;
  Violation violation;
};
using Verdicts = std::vector<Verdict>;

void atMost(Verdicts& out, Violation violation) {
  const double margin = violation.limit > 0 ? (violation.limit - violation.value) / violation.limit : -1;
  out.push_back({margin, std::move(violation)});
}

/// Temperatures count from the reference of the catalog, not from the zero of Celsius.
void atMost_c(Verdicts& out, const Site& site, Violation violation) {
  const double span_k = std::max(1.0, violation.limit - site.constants.limits.reference_c);
  out.push_back({(violation.limit - violation.value) / span_k, std::move(violation)});
}

void addBuiltCooling(Verdicts& out, const Site& site) {
  if (builtFor(site.system, site.liquid)) return;
  const char* given = site.liquid ? "liquid" : "air";
  const char* built = site.liquid ? "air" : "liquid";
  out.push_back({-1,
                 {"cooling", site.max_chip_c, site.throttle_c, "C",
                  fmt::format("{} is built for {} cooling; on {} its hottest chip settles at {:.0f} °C",
                              site.system.name, built, given, site.max_chip_c),
                  fmt::format("cool it with {}", built), "physical.cooling", built}});
}

void addFeed(Verdicts& out, const Site& site) {
  if (!site.scenario.physical.rack_power_cap_kw) return;
  const double limit_w = *site.scenario.physical.rack_power_cap_kw * kKilo;
  atMost(out, {"power", site.rack_w(), limit_w, "W",
               fmt::format("a rack draws {:.1f} kW of a feed of {:.1f} kW", site.rack_w() / kKilo,
                           limit_w / kKilo),
               "raise the rack's feed", "physical.rack_power_cap_kw",
               fmt::format("{:.0f}", std::ceil(site.rack_w() / kKilo))});
}

void addBusbar(Verdicts& out, const Site& site) {
  const RackConstants& rack = site.constants.rack;
  const double rated_w = site.system.rack_power_max_w;
  if (rated_w <= 0) return;
  const double voltage_v = rated_w >= rack.high_busbar_from_w ? rack.high_busbar_v : rack.busbar_v;
  const Busbar drawn = busbar(site.rack_w(), voltage_v, rack.busbar_ohm);
  const Busbar rated = busbar(rated_w, voltage_v, rack.busbar_ohm);
  atMost(out,
         {"power", site.rack_w(), rated_w, "W",
          fmt::format(
              "a rack draws {:.1f} kW ({:.2f} kA at {:.0f} V); its busbar is made for {:.1f} kW ({:.2f} kA)",
              site.rack_w() / kKilo, drawn.current_a / kKilo, voltage_v, rated_w / kKilo,
              rated.current_a / kKilo),
          "cap the rack's power at what its busbar carries", "physical.rack_power_cap_kw",
          fmt::format("{:.0f}", std::floor(rated_w / kKilo))});
}

void addShelves(Verdicts& out, const Site& site) {
  const RackConstants& rack = site.constants.rack;
  const double working = site.system.layout.power_shelves - rack.spare_shelves;
  if (working <= 0) return;
  // Makers that quote more than shelves of this size give have larger ones.
  const double shelf_w = std::max(rack.shelf_w, site.system.rack_power_max_w / working);
  const double limit_w = shelf_w * working;
  atMost(out,
         {"power", site.rack_w(), limit_w, "W",
          fmt::format("a rack draws {:.1f} kW; with one of its {} power shelves failed {:.1f} kW are left",
                      site.rack_w() / kKilo, site.system.layout.power_shelves, limit_w / kKilo),
          "cap the rack's power at what the remaining shelves give", "physical.rack_power_cap_kw",
          fmt::format("{:.0f}", std::floor(limit_w / kKilo))});
}

void addAirCeiling(Verdicts& out, const Site& site) {
  const double limit_w = site.constants.limits.air_w_per_rack;
  Violation violation{"heat",
                      site.airHeat_w(),
                      limit_w,
                      "W",
                      fmt::format("{:.1f} kW of a rack's heat go to air, which carries {:.0f} kW",
                                  site.airHeat_w() / kKilo, limit_w / kKilo),
                      "cool with liquid, or use fewer chips per rack or rear-door exchangers",
                      "",
                      ""};
  if (!site.liquid) {
    violation.fix_path = "physical.cooling";
    violation.fix_value = "liquid";
  }
  atMost(out, std::move(violation));
}

void addAirInlet(Verdicts& out, const Site& site) {
  if (site.liquid) return;
  const double limit_c = site.constants.limits.air_inlet_c;
  atMost_c(out, site,
           {"heat", site.supply_c, limit_c, "C",
            fmt::format("the air inlet is at {:.1f} °C, allowed are {:.0f} °C", site.supply_c, limit_c),
            "lower the inlet temperature", "physical.supply_c", fmt::format("{:.0f}", limit_c)});
}

double flowPerChip(const Site& site) {
  return site.scenario.physical.flow_l_per_min_per_chip.value_or(site.system.flow_l_per_min_per_chip);
}

void addCoolant(Verdicts& out, const Site& site) {
  if (!site.liquid) return;
  const LimitConstants& limits = site.constants.limits;
  const double heat_w = site.liquidHeat_w();
  atMost(out, {"heat", heat_w, limits.cdu_w, "W",
               fmt::format("{:.0f} kW go to the coolant of a rack; a distribution unit takes {:.0f} kW",
                           heat_w / kKilo, limits.cdu_w / kKilo),
               "use racks of fewer chips", "", ""});
  const double supply_most_c = site.system.supply_max_c;
  if (supply_most_c > 0) {
    atMost_c(
        out, site,
        {"heat", site.supply_c, supply_most_c, "C",
         fmt::format("coolant comes at {:.1f} °C, the system allows {:.0f} °C", site.supply_c, supply_most_c),
         "lower the coolant supply", "physical.supply_c", fmt::format("{:.0f}", supply_most_c)});
  }
  const double w_per_k = flowPerChip(site) * chipsPerRack(site.system) / kLitresPerMinutePerCubicMetrePerS *
                         limits.coolant_j_per_m3_k;
  if (w_per_k <= 0) return;
  const double return_c = site.supply_c + heat_w / w_per_k;
  const double needed =
      flowPerChip(site) * (return_c - site.supply_c) / std::max(1.0, limits.return_c - site.supply_c);
  atMost_c(out, site,
           {"heat", return_c, limits.return_c, "C",
            fmt::format("coolant returns at {:.1f} °C, allowed are {:.0f} °C", return_c, limits.return_c),
            "raise the coolant flow", "physical.flow_l_per_min_per_chip",
            fmt::format("{:.2f}", std::ceil(needed * 20) / 20)});
}

void addDewPoint(Verdicts& out, const Site& site) {
  if (!site.liquid) return;
  const LimitConstants& limits = site.constants.limits;
  const double least_c = site.scenario.physical.dew_point_c + limits.dew_point_margin_k;
  const double span_k = std::max(1.0, limits.reference_c);
  out.push_back(
      {(site.supply_c - least_c) / span_k,
       {"heat", site.supply_c, least_c, "C",
        fmt::format("coolant at {:.1f} °C may condense water: dew point {:.1f} °C and {:.0f} K of margin",
                    site.supply_c, site.scenario.physical.dew_point_c, limits.dew_point_margin_k),
        "raise the coolant supply above the dew point", "physical.supply_c",
        fmt::format("{:.1f}", least_c)}});
}

void addJunction(Verdicts& out, const Site& site) {
  const double limit_c = site.throttle_c - site.constants.limits.junction_margin_k;
  Violation violation{
      "heat",
      site.max_chip_c,
      limit_c,
      "C",
      fmt::format("the hottest chip is at {:.1f} °C, {:.1f} K below throttling; {:.0f} K are asked for",
                  site.max_chip_c, site.throttle_c - site.max_chip_c,
                  site.constants.limits.junction_margin_k),
      site.liquid ? "lower the coolant supply or raise its flow" : "lower the air inlet",
      "",
      ""};
  // A throttled chip hides how much hotter it would be: then no single value is known to mend it.
  constexpr double kThrottling_k = 0.2;
  const double supply_c = std::floor(site.supply_c - (site.max_chip_c - limit_c));
  const double least_c =
      site.liquid ? site.scenario.physical.dew_point_c + site.constants.limits.dew_point_margin_k : 5;
  if (site.max_chip_c < site.throttle_c - kThrottling_k && supply_c >= least_c) {
    violation.fix_path = "physical.supply_c";
    violation.fix_value = fmt::format("{:.0f}", supply_c);
  }
  atMost_c(out, site, std::move(violation));
}

void addCopper(Verdicts& out, const Site& site) {
  // Optics in the system carry what copper cannot; they are paid for in power and price.
  if (site.system.copper_span_m <= 0 || site.system.optics_power_w > 0) return;
  const LimitConstants& limits = site.constants.limits;
  const bool fast = site.system.year >= limits.fast_lane_year;
  const double reach_m = fast ? limits.active_copper_m : limits.slow_lane_copper_m;
  atMost(out, {"copper", site.system.copper_span_m, reach_m, "m",
               fmt::format("the longest scale-up cable is {:.1f} m, copper reaches {:.1f} m{}",
                           site.system.copper_span_m, reach_m,
                           fast ? fmt::format(" ({:.1f} m without retimers)", limits.passive_copper_m) : ""),
               "keep the domain in one rack, or pay for optics in power and price", "", ""});
}

void addWeight(Verdicts& out, const Site& site) {
  if (site.system.weight_kg <= 0) return;
  const double rack_kg = site.system.weight_kg / std::max(1, site.system.layout.racks);
  const double limit_kg = site.constants.limits.rack_weight_kg;
  atMost(out,
         {"weight", rack_kg, limit_kg, "kg",
          fmt::format("a rack weighs {:.0f} kg, the floor carries {:.0f} kg per rack", rack_kg, limit_kg),
          "use a reinforced floor or lighter racks", "", ""});
}

void addFacility(Verdicts& out, const Site& site) {
  const LimitConstants& limits = site.constants.limits;
  const FacilityPower power =
      facilityPower(site.constants.facility, site.rack_dc_w * site.racks(), site.liquidRatio(), site.supply_c,
                    site.scenario.physical.ambient_c);
  const double limit_w = limits.facility_w * limits.oversubscription_ratio;
  const double fitting =
      std::floor(limit_w / std::max(1.0, power.total_w() / site.racks())) * chipsPerRack(site.system);
  atMost(out, {"facility", power.total_w(), limit_w, "W",
               fmt::format("the deployment draws {:.1f} MW of a site of {:.0f} MW", power.total_w() / kMega,
                           limit_w / kMega),
               fmt::format("use at most {:.0f} chips", fitting), "chips", fmt::format("{:.0f}", fitting)});
}

Deployability tightestFirst(Verdicts verdicts) {
  std::stable_sort(verdicts.begin(), verdicts.end(),
                   [](const Verdict& a, const Verdict& b) { return a.margin_ratio < b.margin_ratio; });
  Deployability result;
  if (verdicts.empty()) return result;
  result.smallest_margin_ratio = verdicts.front().margin_ratio;
  result.limited_by = verdicts.front().violation.rule;
  for (Verdict& verdict : verdicts) {
    if (verdict.margin_ratio < 0) result.violations.push_back(std::move(verdict.violation));
  }
  return result;
}

}  // namespace

Deployability deployability(const SiteConstants& constants, const Scenario& scenario,
                            const SystemSpec& system, const ChipSpec& chip, int chips, double rack_dc_w,
                            double max_chip_c, double throttle_c, bool liquid, double supply_c) {
  const Site site{constants, scenario,   system,     chip,   chips,
                  rack_dc_w, max_chip_c, throttle_c, liquid, supply_c};
  Verdicts verdicts;
  verdicts.reserve(16);
  addBuiltCooling(verdicts, site);
  addFeed(verdicts, site);
  addBusbar(verdicts, site);
  addShelves(verdicts, site);
  addAirCeiling(verdicts, site);
  addAirInlet(verdicts, site);
  addCoolant(verdicts, site);
  addDewPoint(verdicts, site);
  addJunction(verdicts, site);
  addCopper(verdicts, site);
  addWeight(verdicts, site);
  addFacility(verdicts, site);
  return tightestFirst(std::move(verdicts));
}

Deployability deployability(const Catalog& catalog, const Scenario& scenario, const SystemSpec& system,
                            const ChipSpec& chip, int chips, double rack_dc_w, double max_chip_c,
                            double throttle_c, bool liquid, double supply_c) {
  return deployability(siteConstants(catalog), scenario, system, chip, chips, rack_dc_w, max_chip_c,
                       throttle_c, liquid, supply_c);
}

}  // namespace decodescope::physical
