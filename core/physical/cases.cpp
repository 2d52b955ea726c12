#include "physical/cases.h"

#include "base/units.h"
#include "physical/case_inputs.h"
#include "physical/clocks.h"
#include "physical/constants.h"
#include "physical/facility.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace decodescope::physical {
namespace {

using case_range::kClock;
using case_range::kNotNegative;
using case_range::kPositive;
using case_range::kTemperature_c;
using case_range::Range;
using decodescope::json::kNotNegative;
using decodescope::json::kPositive;
using decodescope::json::Object;
using decodescope::json::Range;
using decodescope::json::Reading;
using nlohmann::json;

json chipPower(Case& c) {
  const ChipSpec chip = chipOf(c);
  const ChipPowerConstants constants = constantsOf(c, chip);
  const Activity activity = activityOf(c);
  const double clock = c.in.number("clock_ratio", 1, kClock);
  return {
      {"power_w", chipPower_w(constants, activity, c.in.number("junction_c", 60, kTemperature_c), clock)}};
}

json cappedGemm(Case& c) {
  const ChipSpec chip = chipOf(c);
  const ChipPowerConstants constants = constantsOf(c, chip);
  const Activity gemm = gemmOf(c, chip);
  const double junction_c = c.in.number("junction_c", 60, kTemperature_c);
  const double cap_w = c.in.number("cap_w", constants.tdp_w, kPositive);
  if (!c.ok()) return {};
  const double clock = clockWithinPower(constants, gemm, junction_c, cap_w, 1);
  return {{"clock_ratio", clock},
          {"clock_mhz", clock * constants.nominal_clock_hz / kMega},
          {"power_w", chipPower_w(constants, scaledToClock(constants, gemm, clock), junction_c, clock)},
          {"pflop_per_s", gemmFlopPerS(constants, gemm, clock) / kPeta}};
}

/// The chip's own cap holds its power; the clock is as given.
SteadyPoint settleUnderCap(const ChipPowerConstants& chip, const CoolingSetup& air, const Activity& activity,
                           double clock, double upstream_w, double cap_w) {
  SteadyPoint point = settle(chip, air, activity, clock, upstream_w);
  if (point.runaway || point.power_w > cap_w) {
    point.power_w = cap_w;
    point.junction_c = steadyState(air.path, cap_w, reservoir_c(air, upstream_w, cap_w)).die_c;
  }
  return point;
}

json airChassis(Case& c) {
  const ChipSpec chip = chipOf(c);
  const ChipPowerConstants constants = constantsOf(c, chip);
  const CoolingSetup air = chassisOf(c, chip);
  const Activity activity = activityOf(c);
  const double clock = c.in.number("clock_ratio", 1, kClock);
  const double cap_w = c.in.number("cap_w", constants.tdp_w, kPositive);
  if (!c.ok()) return {};
  const SteadyPoint front = settleUnderCap(constants, air, activity, clock, 0, cap_w);
  const SteadyPoint rear = settleUnderCap(constants, air, activity, clock, front.power_w, cap_w);
  return {{"resistance_k_per_w", air.path.total_k_per_w()},
          {"lane_w_per_k", air.branch_w_per_k},
          {"front_c", front.junction_c},
          {"front_w", front.power_w},
          {"rear_air_c", reservoir_c(air, front.power_w, rear.power_w)},
          {"rear_c", rear.junction_c},
          {"rear_w", rear.power_w}};
}

json liquidPlate(Case& c) {
  const bool has_chip = c.in.has("chip");
  const ChipSpec chip = has_chip ? chipOf(c) : ChipSpec{};
  const CoolingSetup plate = plateOf(c, has_chip ? &chip : nullptr);
  const double power_w = c.need("power_w", kNotNegative);
  if (!c.ok()) return {};
  const double out_c = outlet_c(plate, 0, power_w);
  return {{"resistance_k_per_w", plate.path.total_k_per_w()},
          {"coolant_rise_k", out_c - plate.supply_c},
          {"junction_c", steadyState(plate.path, power_w, reservoir_c(plate, 0, power_w)).die_c},
          {"outlet_c", out_c}};
}

json platesInSeries(Case& c) {
  const CoolingSetup plate = plateOf(c, nullptr);
  const double power_w = c.need("power_w", kNotNegative);
  c.in.require("plates", "give how many plates the coolant passes");
  const int plates = c.in.integer("plates", 1, Range{1, 10000, "", true});
  if (!c.ok()) return {};
  json junctions = json::array();
  double upstream_w = 0;
  for (int i = 0; i < plates; ++i, upstream_w += power_w) {
    junctions.push_back(steadyState(plate.path, power_w, reservoir_c(plate, upstream_w, power_w)).die_c);
  }
  return {{"junction_c", junctions}, {"outlet_c", outlet_c(plate, upstream_w, 0)}};
}

std::vector<double> timesOf(Case& c) {
  std::vector<double> times_s;
  c.in.require("times_s", "give an array of seconds");
  const json* times = c.in.find("times_s");
  if (times == nullptr) return times_s;
  if (!times->is_array()) c.in.fail("times_s", "is not an array", "give an array of seconds");
  for (std::size_t i = 0; times->is_array() && i < times->size(); ++i) {
    const auto t = decodescope::json::readNumber(
        c.in.reading(), (*times)[i], c.in.pointerTo("times_s") + "/" + std::to_string(i), kNotNegative);
    times_s.push_back(t.value_or(0));
  }
  return times_s;
}

json stepResponse(Case& c) {
  const ThermalPath path{c.need("c1_j_per_k", kPositive), c.need("r1_k_per_w", kPositive),
                         c.need("c2_j_per_k", kPositive), c.need("r2_k_per_w", kPositive)};
  const double from_w = c.need("from_w", kNotNegative), to_w = c.need("to_w", kNotNegative);
  const double reference_c = c.in.number("reference_c", 25, kTemperature_c);
  const std::vector<double> times_s = timesOf(c);
  if (!c.ok()) return {};
  json junctions = json::array();
  for (const double t_s : times_s) {
    ThermalState state = steadyState(path, from_w, reference_c);
    ThermalStep(path, t_s).advance(state, to_w, reference_c);
    junctions.push_back(state.die_c);
  }
  return {{"tau_s", timeConstants_s(path)}, {"junction_c", junctions}};
}

json flowLoss(Case& c) {
  const bool has_chip = c.in.has("chip");
  const ChipSpec chip = has_chip ? chipOf(c) : ChipSpec{};
  const CoolingSetup plate = plateOf(c, has_chip ? &chip : nullptr);
  const double power_w = c.need("power_w", kNotNegative);
  const double reference_c = c.need("reference_c", kTemperature_c);
  const double stored_j_per_k = c.in.number("stored_coolant_j_per_k", 0, kNotNegative);
  const double limit_c = c.need("limit_c", kTemperature_c);
  if (!c.ok()) return {};
  const double seconds = rideThrough_s(plate.path, power_w, reference_c, stored_j_per_k, limit_c);
  return {{"seconds", std::isfinite(seconds) ? json(seconds) : json(nullptr)}};
}

json throttledGemm(Case& c) {
  const ChipSpec chip = chipOf(c);
  const ChipPowerConstants constants = constantsOf(c, chip);
  const CoolingSetup plate = plateOf(c, &chip);
  const Activity gemm = gemmOf(c, chip);
  const double cap_w = c.in.number("cap_w", constants.tdp_w, kPositive);
  if (!c.ok()) return {};
  const SteadyPoint point = steadyPoint(constants, plate, {cap_w, 1}, gemm);
  return {{"clock_ratio", point.clock_ratio},
          {"junction_c", point.junction_c},
          {"power_w", point.power_w},
          {"pflop_per_s", gemmFlopPerS(constants, gemm, point.clock_ratio) / kPeta},
          {"limited_by", limitName(point.limited_by)}};
}

json throttleOnset(Case& c) {
  const ChipSpec chip = chipOf(c);
  const ChipPowerConstants constants = constantsOf(c, chip);
  const CoolingSetup plate = plateOf(c, &chip);
  const double power_w = c.need("power_w", kNotNegative);
  if (!c.ok()) return {};
  return {{"supply_c", throttleOnsetSupply_c(constants, plate, power_w)}};
}

json steadyOnLiquid(Case& c) {
  const ChipSpec chip = chipOf(c);
  const ChipPowerConstants constants = constantsOf(c, chip);
  const CoolingSetup plate = plateOf(c, &chip);
  const Activity activity = activityOf(c);
  const double clock = c.in.number("clock_ratio", 1, kClock);
  if (!c.ok()) return {};
  const SteadyPoint point = settle(constants, plate, activity, clock);
  if (point.runaway) return {{"junction_c", nullptr}, {"power_w", nullptr}, {"runaway", true}};
  return {{"junction_c", point.junction_c}, {"power_w", point.power_w}};
}

json lockstep(Case& c) {
  ChipPowerConstants any;
  ConstantReader constants(c.constants);
  any.saturation_ratio =
      c.in.number("saturation_ratio", constants.number("clock/saturation_ratio"), Range{0, 1});
  const double memory_s = c.need("memory_ms", kNotNegative) * kMilli,
               math_s = c.need("compute_ms", kNotNegative) * kMilli;
  const double collective_s = c.in.number("collective_ms", 0, kNotNegative) * kMilli;
  const double hot = c.need("hot_clock_ratio", kClock), others = c.in.number("clock_ratio", 1, kClock);
  if (!c.ok()) return {};
  const double slowest_s =
      std::max(workTime_s(any, memory_s, math_s, hot), workTime_s(any, memory_s, math_s, others));
  return {{"step_ms", (slowest_s + collective_s) / kMilli}};
}

json facility(Case& c) {
  const auto site = siteConstants(c.constants);
  const double it_w = c.need("it_dc_kw", kNotNegative) * kKilo;
  const double liquid_ratio = c.in.number("liquid_ratio", 0, Range{0, 1});
  const double supply_c = c.in.number("supply_c", 25, kTemperature_c),
               ambient_c = c.in.number("ambient_c", 18, kTemperature_c);
  if (!c.ok() || !site) return {};
  const FacilityPower power = facilityPower(site->facility, it_w, liquid_ratio, supply_c, ambient_c);
  return {{"it_ac_kw", power.it_w / kKilo},
          {"pumps_kw", power.pumps_w / kKilo},
          {"crah_kw", power.crah_w / kKilo},
          {"liquid_rejection_kw", power.liquid_rejection_w / kKilo},
          {"air_rejection_kw", power.air_rejection_w / kKilo},
          {"ups_loss_kw", power.ups_loss_w / kKilo},
          {"total_kw", power.total_w() / kKilo},
          {"pue_ratio", power.pue_ratio()}};
}

json linkOptics(Case& c) {
  const double chips = c.need("chips", kNotNegative);
  const double bytes_per_s = c.need("gbit_per_s_per_direction", kNotNegative) * kGiga / kBitsPerByte;
  return {{"power_kw", linkEnds_w(chips, bytes_per_s, c.need("pj_per_bit", kNotNegative) * kPico) / kKilo}};
}

json busbarCase(Case& c) {
  const double power_w = c.need("power_kw", kNotNegative) * kKilo, voltage_v = c.need("voltage_v", kPositive);
  const double ohm =
      c.in.number("resistance_ohm", ConstantReader(c.constants).number("rack/busbar_ohm"), kNotNegative);
  if (!c.ok()) return {};
  const Busbar bar = busbar(power_w, voltage_v, ohm);
  return {{"current_a", bar.current_a}, {"loss_w", bar.loss_w}};
}

json fanOrPump(Case& c) {
  return {
      {"power_w", fanOrPump_w(c.need("full_power_w", kNotNegative), c.need("speed_ratio", kNotNegative))}};
}

json cost(Case& c) {
  const double capex_usd = c.need("capex_usd", kNotNegative), years = c.need("years", kPositive);
  const double interest = c.in.number("interest_ratio", 0, Range{0, 10});
  const double kw = c.in.number("all_in_kw", 0, kNotNegative);
  const double hosting = c.in.number("hosting_usd_per_kw_month", 0, kNotNegative);
  const double usd_per_kwh = c.in.number("usd_per_kwh", 0, kNotNegative),
               pue = c.in.number("pue_ratio", 1, Range{1, 10});
  const double utilization = c.in.number("utilization_ratio", 1, Range{1e-6, 1});
  const auto tokens_per_s = c.in.optionalNumber("tokens_per_s_per_chip", kPositive);
  if (!c.ok()) return {};
  const double hourly = annuity_usd_per_hour(capex_usd, years, interest) + hosting_usd_per_hour(kw, hosting) +
                        energy_usd_per_hour(kw, pue, usd_per_kwh);
  json out{{"usd_per_chip_hour", hourly}};
  if (tokens_per_s) out["usd_per_million_tokens"] = usdPerMillionTokens(hourly, *tokens_per_s, utilization);
  return out;
}

struct Kind {
  std::string_view name;
  json (*compute)(Case&);
};
constexpr std::array kKinds{
    Kind{"air_chassis", airChassis},
    Kind{"busbar", busbarCase},
    Kind{"capped_gemm", cappedGemm},
    Kind{"chip_power", chipPower},
    Kind{"cost", cost},
    Kind{"facility", facility},
    Kind{"fan_or_pump", fanOrPump},
    Kind{"flow_loss", flowLoss},
    Kind{"link_optics", linkOptics},
    Kind{"liquid_plate", liquidPlate},
    Kind{"lockstep", lockstep},
    Kind{"plates_in_series", platesInSeries},
    Kind{"steady_on_liquid", steadyOnLiquid},
    Kind{"step_response", stepResponse},
    Kind{"throttle_onset", throttleOnset},
    Kind{"throttled_gemm", throttledGemm},
};

/// The first result that is no number, or holds one; empty when all are finite.
std::string notFinite(const json& computed) {
  for (const auto& [name, value] : computed.items()) {
    const bool is_list = value.is_array();
    for (const json& one : is_list ? value : json::array({value})) {
      if (one.is_number_float() && !std::isfinite(one.get<double>())) return name;
    }
  }
  return {};
}

json computeOne(const Catalog& catalog, const json& constants, Reading& reading, const json& value,
                const std::string& pointer) {
  Object row(reading, value, pointer);
  row.require("kind", "name the kind of case");
  const std::string name = row.text("kind", ""), id = row.text("id", "");
  (void)row.find("expected");
  (void)row.find("relative_tolerance");
  if (!reading.ok()) return {};
  const auto kind = std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& k) { return k.name == name; });
  if (kind == kKinds.end()) {
    std::string known;
    for (const Kind& k : kKinds) known += (known.empty() ? "" : ", ") + std::string(k.name);
    row.fail("kind", "is not a known kind of case", "use one of " + known);
    return {};
  }
  Case one{row.object("inputs"), catalog, constants};
  json computed = kind->compute(one);
  one.in.warnUnknownKeys();
  if (const std::string endless = notFinite(computed); !endless.empty())
    row.fail("inputs", endless + " has no finite value", "use less extreme inputs");
  return {{"id", id}, {"computed", std::move(computed)}};
}

}  // namespace

std::vector<std::string> caseKinds() {
  std::vector<std::string> names;
  for (const Kind& kind : kKinds) names.emplace_back(kind.name);
  return names;
}

Expected<json> computeCases(const Catalog& catalog, const json& document, const std::string& file,
                            Warnings* warnings) {
  const json& constants = catalog.document("physical");
  if (auto site = siteConstants(constants); !site) return Unexpected(site.error());
  const bool bare = document.is_array();
  const auto member = document.is_object() ? document.find("cases") : document.end();
  if (!bare && (member == document.end() || !member->is_array())) {
    return Unexpected(Error{ErrorCode::BadInput, file, "/cases", "", "is not an array of cases",
                            "give {\"cases\": [{\"id\", \"kind\", \"inputs\"}]}"});
  }
  const json& cases = bare ? document : *member;
  Reading reading(file, warnings);
  json out = json::array();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string pointer = (bare ? "/" : "/cases/") + std::to_string(i);
    out.push_back(computeOne(catalog, constants, reading, cases[i], pointer));
    if (!reading.ok()) return Unexpected(reading.error());
  }
  return json{{"cases", std::move(out)}};
}

}  // namespace decodescope::physical
