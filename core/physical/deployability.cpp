// Whether the machine can be put into a building: each rule a value, a limit and a margin; the tightest
// first.
#include "base/units.h"
#include "physical/facility.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <utility>

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

/// The rules as they are evaluated. Text is made for broken ones only: predictions come here often.
class Rules {
 public:
  explicit Rules(double reference_c) : reference_c_(reference_c) {}

  /// True when the rule is broken; describe() must follow then.
  bool add(const char* rule, double value, double limit, const char* unit, double margin_ratio) {
    if (margin_ratio < smallest_) {
      smallest_ = margin_ratio;
      limited_by_ = rule;
    }
    if (margin_ratio >= 0) return false;
    broken_.push_back({margin_ratio, {rule, value, limit, unit, "", "", "", ""}});
    return true;
  }
  bool atMost(const char* rule, double value, double limit, const char* unit) {
    return add(rule, value, limit, unit, limit > 0 ? (limit - value) / limit : -1);
  }
  /// Temperatures count from the reference of the catalog, not from the zero of Celsius.
  bool atMost_c(const char* rule, double value, double limit) {
    return add(rule, value, limit, "C", (limit - value) / std::max(1.0, limit - reference_c_));
  }
  void describe(std::string message, std::string fix, std::string fix_path = "", std::string fix_value = "") {
    Violation& violation = broken_.back().second;
    violation.message = std::move(message);
    violation.fix = std::move(fix);
    violation.fix_path = std::move(fix_path);
    violation.fix_value = std::move(fix_value);
  }

  Deployability tightestFirst() {
    std::stable_sort(broken_.begin(), broken_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    Deployability result;
    result.smallest_margin_ratio = smallest_;
    result.limited_by = limited_by_;
    for (auto& [margin, violation] : broken_) result.violations.push_back(std::move(violation));
    return result;
  }

 private:
  double reference_c_, smallest_ = 1;
  const char* limited_by_ = "";
  std::vector<std::pair<double, Violation>> broken_;
};

void addBuiltCooling(Rules& rules, const Site& site) {
  if (builtFor(site.system, site.liquid)) return;
  const char* given = site.liquid ? "liquid" : "air";
  const char* built = site.liquid ? "air" : "liquid";
  rules.add("cooling", site.max_chip_c, site.throttle_c, "C", -1);
  rules.describe(fmt::format("{} is built for {} cooling; on {} its hottest chip settles at {:.0f} °C",
                             site.system.name, built, given, site.max_chip_c),
                 fmt::format("cool it with {}", built), "physical.cooling", built);
}

void addFeed(Rules& rules, const Site& site) {
  if (!site.scenario.physical.rack_power_cap_kw) return;
  const double limit_w = *site.scenario.physical.rack_power_cap_kw * kKilo;
  if (!rules.atMost("power", site.rack_w(), limit_w, "W")) return;
  rules.describe(
      fmt::format("a rack draws {:.1f} kW of a feed of {:.1f} kW", site.rack_w() / kKilo, limit_w / kKilo),
      "raise the rack's feed", "physical.rack_power_cap_kw",
      fmt::format("{:.0f}", std::ceil(site.rack_w() / kKilo)));
}

void addBusbar(Rules& rules, const Site& site) {
  const RackConstants& rack = site.constants.rack;
  const double rated_w = site.system.rack_power_max_w;
  if (rated_w <= 0 || !rules.atMost("power", site.rack_w(), rated_w, "W")) return;
  const char* fix = "cap the rack's power at what the maker allows";
  const std::string cap_kw = fmt::format("{:.0f}", std::floor(rated_w / kKilo));
  std::string message =
      fmt::format("a rack draws {:.1f} kW and is made for {:.1f} kW", site.rack_w() / kKilo, rated_w / kKilo);
  if (site.system.layout.power_shelves > 0) {
    const double voltage_v = rated_w >= rack.high_busbar_from_w ? rack.high_busbar_v : rack.busbar_v;
    message += fmt::format(": {:.2f} kA on a {:.0f} V busbar for {:.2f} kA",
                           busbar(site.rack_w(), voltage_v, rack.busbar_ohm).current_a / kKilo, voltage_v,
                           busbar(rated_w, voltage_v, rack.busbar_ohm).current_a / kKilo);
  }
  rules.describe(std::move(message), fix, "physical.rack_power_cap_kw", cap_kw);
}

void addShelves(Rules& rules, const Site& site) {
  const RackConstants& rack = site.constants.rack;
  const double working = site.system.layout.power_shelves - rack.spare_shelves;
  if (working <= 0) return;
  // Makers that quote more than shelves of this size give have larger ones.
  const double shelf_w = std::max(rack.shelf_w, site.system.rack_power_max_w / working);
  const double limit_w = shelf_w * working;
  if (!rules.atMost("power", site.rack_w(), limit_w, "W")) return;
  rules.describe(
      fmt::format("a rack draws {:.1f} kW; with one of its {} power shelves failed {:.1f} kW are left",
                  site.rack_w() / kKilo, site.system.layout.power_shelves, limit_w / kKilo),
      "cap the rack's power at what the remaining shelves give", "physical.rack_power_cap_kw",
      fmt::format("{:.0f}", std::floor(limit_w / kKilo)));
}

void addAirCeiling(Rules& rules, const Site& site) {
  const double limit_w = site.constants.limits.air_w_per_rack;
  if (!rules.atMost("heat", site.airHeat_w(), limit_w, "W")) return;
  rules.describe(fmt::format("{:.1f} kW of a rack's heat go to air, which carries {:.0f} kW",
                             site.airHeat_w() / kKilo, limit_w / kKilo),
                 "cool with liquid, or use fewer chips per rack or rear-door exchangers",
                 site.liquid ? "" : "physical.cooling", site.liquid ? "" : "liquid");
}

void addAirInlet(Rules& rules, const Site& site) {
  const double limit_c = site.constants.limits.air_inlet_c;
  if (site.liquid || !rules.atMost_c("heat", site.supply_c, limit_c)) return;
  rules.describe(fmt::format("the air inlet is at {:.1f} °C, allowed are {:.0f} °C", site.supply_c, limit_c),
                 "lower the inlet temperature", "physical.supply_c", fmt::format("{:.0f}", limit_c));
}

void addCoolantUnit(Rules& rules, const Site& site) {
  if (!site.liquid) return;
  const LimitConstants& limits = site.constants.limits;
  if (rules.atMost("heat", site.liquidHeat_w(), limits.cdu_w, "W")) {
    rules.describe(fmt::format("{:.0f} kW go to the coolant of a rack; a distribution unit takes {:.0f} kW",
                               site.liquidHeat_w() / kKilo, limits.cdu_w / kKilo),
                   "use racks of fewer chips");
  }
  const double supply_most_c = site.system.supply_max_c;
  if (supply_most_c > 0 && rules.atMost_c("heat", site.supply_c, supply_most_c)) {
    rules.describe(
        fmt::format("coolant comes at {:.1f} °C, the system allows {:.0f} °C", site.supply_c, supply_most_c),
        "lower the coolant supply", "physical.supply_c", fmt::format("{:.0f}", supply_most_c));
  }
}

void addCoolantReturn(Rules& rules, const Site& site) {
  const double flow =
      site.scenario.physical.flow_l_per_min_per_chip.value_or(site.system.flow_l_per_min_per_chip);
  const LimitConstants& limits = site.constants.limits;
  const double w_per_k =
      flow * chipsPerRack(site.system) / kLitresPerMinutePerCubicMetrePerS * limits.coolant_j_per_m3_k;
  if (!site.liquid || w_per_k <= 0) return;
  const double rise_k = site.liquidHeat_w() / w_per_k;
  if (!rules.atMost_c("heat", site.supply_c + rise_k, limits.return_c)) return;
  const double needed = flow * rise_k / std::max(1.0, limits.return_c - site.supply_c);
  rules.describe(fmt::format("coolant returns at {:.1f} °C, allowed are {:.0f} °C", site.supply_c + rise_k,
                             limits.return_c),
                 "raise the coolant flow", "physical.flow_l_per_min_per_chip",
                 fmt::format("{:.2f}", std::ceil(needed * 20) / 20));
}

void addDewPoint(Rules& rules, const Site& site) {
  if (!site.liquid) return;
  const LimitConstants& limits = site.constants.limits;
  const double least_c = site.scenario.physical.dew_point_c + limits.dew_point_margin_k;
  const double margin = (site.supply_c - least_c) / std::max(1.0, limits.reference_c);
  if (!rules.add("heat", site.supply_c, least_c, "C", margin)) return;
  rules.describe(
      fmt::format("coolant at {:.1f} °C may condense water: dew point {:.1f} °C and {:.0f} K of margin",
                  site.supply_c, site.scenario.physical.dew_point_c, limits.dew_point_margin_k),
      "raise the coolant supply above the dew point", "physical.supply_c", fmt::format("{:.1f}", least_c));
}

void addJunction(Rules& rules, const Site& site) {
  const LimitConstants& limits = site.constants.limits;
  const double limit_c = site.throttle_c - limits.junction_margin_k;
  if (!rules.atMost_c("heat", site.max_chip_c, limit_c)) return;
  // A throttled chip hides how much hotter it would be: then no single value is known to mend it.
  constexpr double kThrottling_k = 0.2;
  const double supply_c = std::floor(site.supply_c - (site.max_chip_c - limit_c));
  const double least_c = site.liquid ? site.scenario.physical.dew_point_c + limits.dew_point_margin_k : 5;
  const bool known = site.max_chip_c < site.throttle_c - kThrottling_k && supply_c >= least_c;
  rules.describe(
      fmt::format("the hottest chip is at {:.1f} °C, {:.1f} K below throttling; {:.0f} K are asked for",
                  site.max_chip_c, site.throttle_c - site.max_chip_c, limits.junction_margin_k),
      site.liquid ? "lower the coolant supply or raise its flow" : "lower the air inlet",
      known ? "physical.supply_c" : "", known ? fmt::format("{:.0f}", supply_c) : "");
}

void addCopper(Rules& rules, const Site& site) {
  // Optics in the system carry what copper cannot; they are paid for in power and price.
  if (site.system.copper_span_m <= 0 || site.system.optics_power_w > 0) return;
  const LimitConstants& limits = site.constants.limits;
  const bool fast = site.system.year >= limits.fast_lane_year;
  const double reach_m = fast ? limits.active_copper_m : limits.slow_lane_copper_m;
  if (!rules.atMost("copper", site.system.copper_span_m, reach_m, "m")) return;
  rules.describe(
      fmt::format("the longest scale-up cable is {:.1f} m, copper reaches {:.1f} m{}",
                  site.system.copper_span_m, reach_m,
                  fast ? fmt::format(" ({:.1f} m without retimers)", limits.passive_copper_m) : ""),
      "keep the domain in one rack, or pay for optics in power and price");
}

void addWeight(Rules& rules, const Site& site) {
  if (site.system.weight_kg <= 0) return;
  const double rack_kg =
      site.system.weight_kg * standingRackRatio(site.system) / std::max(1, site.system.layout.racks);
  const double limit_kg = site.constants.limits.rack_weight_kg;
  if (!rules.atMost("weight", rack_kg, limit_kg, "kg")) return;
  rules.describe(
      fmt::format("a rack weighs {:.0f} kg, the floor carries {:.0f} kg per rack", rack_kg, limit_kg),
      "use a reinforced floor or lighter racks");
}

void addFacility(Rules& rules, const Site& site) {
  const LimitConstants& limits = site.constants.limits;
  const FacilityPower power =
      facilityPower(site.constants.facility, site.rack_dc_w * site.racks(), site.liquidRatio(), site.supply_c,
                    site.scenario.physical.ambient_c);
  const double limit_w = limits.facility_w * limits.oversubscription_ratio;
  if (!rules.atMost("facility", power.total_w(), limit_w, "W")) return;
  const double fitting =
      std::floor(limit_w / std::max(1.0, power.total_w() / site.racks())) * chipsPerRack(site.system);
  rules.describe(fmt::format("the deployment draws {:.1f} MW of a site of {:.0f} MW", power.total_w() / kMega,
                             limit_w / kMega),
                 fmt::format("use at most {:.0f} chips", fitting), "chips", fmt::format("{:.0f}", fitting));
}

}  // namespace

Deployability deployability(const SiteConstants& constants, const Scenario& scenario,
                            const SystemSpec& system, const ChipSpec& chip, int chips, double rack_dc_w,
                            double max_chip_c, double throttle_c, bool liquid, double supply_c) {
  const Site site{constants, scenario,   system,     chip,   chips,
                  rack_dc_w, max_chip_c, throttle_c, liquid, supply_c};
  Rules rules(constants.limits.reference_c);
  addBuiltCooling(rules, site);
  addFeed(rules, site);
  addBusbar(rules, site);
  addShelves(rules, site);
  addAirCeiling(rules, site);
  addAirInlet(rules, site);
  addCoolantUnit(rules, site);
  addCoolantReturn(rules, site);
  addDewPoint(rules, site);
  addJunction(rules, site);
  addCopper(rules, site);
  addWeight(rules, site);
  addFacility(rules, site);
  return rules.tightestFirst();
}

Deployability deployability(const Catalog& catalog, const Scenario& scenario, const SystemSpec& system,
                            const ChipSpec& chip, int chips, double rack_dc_w, double max_chip_c,
                            double throttle_c, bool liquid, double supply_c) {
  return deployability(siteConstants(catalog), scenario, system, chip, chips, rack_dc_w, max_chip_c,
                       throttle_c, liquid, supply_c);
}

}  // namespace decodescope::physical
