// Which sink or plate cools a chip, and how it behaves at the given flow.
//   air     R = R_jc + R_sink u^-n,               lane   C = CFM u share / lanes * rho cp
//   liquid  R = R_jc + R_plate (flow / rated)^-n, branch C = flow rho cp
#include "base/numeric.h"
#include "base/units.h"
#include "physical/constants.h"
#include "physical/thermal.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace decodescope::physical {
namespace {

/// A row of "cooling/air" or "cooling/liquid" at its rated chip.
struct Reference {
  std::string name;
  double rated_tdp_w = 0, largest_tdp_w = 0;
  double junction_k_per_w = 0, fluid_k_per_w = 0, exponent = 0;
  double branch_w_per_k = 0;   ///< at rated flow
  double rated_l_per_min = 0;  ///< liquid
  double units_per_chip = 0;   ///< air
  double c1_j_per_k = 0, c2_j_per_k = 0;
  int chips_in_series = 1;
  bool named_for_chip = false;
};

Reference readAir(ConstantReader& in, const std::string& name) {
  const std::string path = "cooling/air/" + name;
  Reference r;
  r.name = name;
  r.rated_tdp_w = in.number(path + "/rated_tdp_w");
  r.junction_k_per_w = in.number(path + "/junction_k_per_w");
  r.fluid_k_per_w = in.number(path + "/sink_k_per_w");
  r.exponent = in.number(path + "/exponent");
  r.units_per_chip = in.number(path + "/units_per_chip");
  r.c1_j_per_k = in.number(path + "/c1_j_per_k");
  r.c2_j_per_k = in.number(path + "/c2_j_per_k");
  r.chips_in_series = std::max(1, static_cast<int>(in.number(path + "/chips_in_lane")));
  const double air_w_per_k = in.number(path + "/chassis_cfm") * kCubicMetrePerSPerCfm *
                             in.number("cooling/air_density_kg_per_m3") *
                             in.number("cooling/air_heat_capacity_j_per_kg_k");
  r.branch_w_per_k =
      air_w_per_k * in.number(path + "/lane_share_ratio") / std::max(1.0, in.number(path + "/lanes"));
  return r;
}

Reference readLiquid(ConstantReader& in, const std::string& name) {
  const std::string path = "cooling/liquid/" + name;
  Reference r;
  r.name = name;
  r.rated_tdp_w = in.number(path + "/rated_tdp_w");
  r.largest_tdp_w = in.number(path + "/largest_tdp_w");
  r.junction_k_per_w = in.number(path + "/junction_k_per_w");
  r.fluid_k_per_w = in.number(path + "/plate_k_per_w");
  r.exponent = in.number(path + "/exponent");
  r.rated_l_per_min = in.number(path + "/rated_l_per_min");
  r.c1_j_per_k = in.number(path + "/c1_j_per_k");
  r.c2_j_per_k = in.number(path + "/c2_j_per_k");
  r.branch_w_per_k = r.rated_l_per_min / kLitresPerMinutePerCubicMetrePerS *
                     in.number("cooling/coolant_density_kg_per_m3") *
                     in.number("cooling/coolant_heat_capacity_j_per_kg_k");
  return r;
}

/// The row that lists the chip, else the one whose rated TDP is nearest by ratio.
Reference chooseReference(ConstantReader& in, const ChipSpec& chip, bool liquid) {
  const std::string kind = liquid ? "cooling/liquid" : "cooling/air";
  const nlohmann::json* rows = in.find(kind);
  Reference best;
  double best_distance = std::numeric_limits<double>::infinity();
  if (rows == nullptr || !rows->is_object()) return best;
  for (const auto& [name, row] : rows->items()) {
    Reference candidate = liquid ? readLiquid(in, name) : readAir(in, name);
    candidate.named_for_chip = in.lists(kind + "/" + name + "/chips", chip.id);
    const double distance =
        candidate.named_for_chip ? -1 : std::abs(std::log(chip.tdp_w / std::max(candidate.rated_tdp_w, 1.0)));
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

/// The rule in physical.json, "cooling/rule", for a chip of another TDP.
void scaleToTdp(Reference& r, double tdp_w) {
  const double size = tdp_w / r.rated_tdp_w;
  r.c1_j_per_k *= size;
  r.c2_j_per_k *= size;
  r.branch_w_per_k *= size;
  r.rated_l_per_min *= size;
  const double largest_w = std::max(r.largest_tdp_w, r.rated_tdp_w);
  double resistance = 1;
  if (tdp_w < r.rated_tdp_w) resistance = 1 / size;
  if (r.largest_tdp_w > 0 && tdp_w > largest_w) resistance = largest_w / tdp_w;
  r.junction_k_per_w *= resistance;
  r.fluid_k_per_w *= resistance;
}

/// Air in a chassis built for plates: sink and air stream in proportion to the rack units that a chip has
/// there.
void squeezeInto(Reference& r, const SystemSpec& system) {
  const double units =
      static_cast<double>(std::max(1, system.layout.tray_units)) / std::max(1, system.layout.chips_per_tray);
  const double room = std::min(1.0, units / r.units_per_chip);
  r.fluid_k_per_w /= room;
  r.branch_w_per_k *= room;
  r.c2_j_per_k *= room;
}

CoolingSetup atFlow(const Reference& r, bool liquid, double fluid_c, double flow_ratio) {
  CoolingSetup setup;
  setup.liquid = liquid;
  setup.supply_c = fluid_c;
  setup.flow_ratio = flow_ratio;
  setup.branch_w_per_k = r.branch_w_per_k * flow_ratio;
  setup.chips_in_series = r.chips_in_series;
  setup.path = {r.c1_j_per_k, r.junction_k_per_w, r.c2_j_per_k,
                r.fluid_k_per_w * numeric::portablePow(flow_ratio, -r.exponent)};
  setup.provenance = r.name;
  return setup;
}

Expected<CoolingSetup> checked(const ConstantReader& in, const CoolingSetup& setup) {
  if (!in.ok()) return Unexpected(in.error());
  const ThermalPath& path = setup.path;
  if (path.c1_j_per_k > 0 && path.c2_j_per_k > 0 && path.r1_k_per_w > 0 && path.r2_k_per_w > 0) return setup;
  return Unexpected(Error{ErrorCode::BadInput, "physical.json",
                          "/cooling/" + std::string(setup.liquid ? "liquid/" : "air/") + setup.provenance, "",
                          "a thermal path needs resistances and heat capacities above 0",
                          "give positive values"});
}

Error unknownSetup(const ConstantReader& in, const std::string& kind, std::string_view name) {
  std::string known;
  const nlohmann::json* rows = in.find(kind);
  if (rows != nullptr && rows->is_object()) {
    for (const auto& [row, ignored] : rows->items()) known += (known.empty() ? "" : ", ") + row;
  }
  return {ErrorCode::NotFound, "", kind, std::string(name), "no such cooling setup", "use one of " + known};
}

}  // namespace

bool builtFor(const SystemSpec& system, bool liquid) {
  const bool names_liquid = system.cooling.find("liquid") != std::string::npos;
  const bool mixed = system.cooling.find("mix") != std::string::npos;
  return mixed || names_liquid == liquid;
}

Expected<CoolingSetup> coolingSetup(const nlohmann::json& physical, const ChipSpec& chip,
                                    const SystemSpec& system, bool liquid, double supply_c,
                                    double flow_l_per_min, double airflow_ratio) {
  ConstantReader in(physical);
  Reference reference = chooseReference(in, chip, liquid);
  if (!in.ok()) return Unexpected(in.error());
  if (!(reference.rated_tdp_w > 0))
    return Unexpected(unknownSetup(in, liquid ? "cooling/liquid" : "cooling/air", chip.id));
  const bool as_built = builtFor(system, liquid);
  if (!reference.named_for_chip) scaleToTdp(reference, chip.tdp_w);
  if (!liquid && !as_built) squeezeInto(reference, system);
  double flow_ratio = liquid ? flow_l_per_min / reference.rated_l_per_min : airflow_ratio;
  if (liquid && !(flow_l_per_min > 0))
    flow_ratio = system.flow_l_per_min_per_chip / reference.rated_l_per_min;
  if (!(flow_ratio > 0)) flow_ratio = 1;
  CoolingSetup setup = atFlow(reference, liquid, supply_c, flow_ratio);
  setup.as_built = as_built;
  setup.derived = !reference.named_for_chip || !as_built;
  return checked(in, setup);
}

Expected<CoolingSetup> coolingSetup(const Catalog& catalog, const ChipSpec& chip, const SystemSpec& system,
                                    bool liquid, double supply_c, double flow_l_per_min,
                                    double airflow_ratio) {
  return coolingSetup(catalog.document("physical"), chip, system, liquid, supply_c, flow_l_per_min,
                      airflow_ratio);
}

Expected<CoolingSetup> plateSetup(const nlohmann::json& physical, std::string_view name, double supply_c,
                                  double flow_l_per_min) {
  ConstantReader in(physical);
  if (in.find("cooling/liquid/" + std::string(name)) == nullptr)
    return Unexpected(unknownSetup(in, "cooling/liquid", name));
  const Reference reference = readLiquid(in, std::string(name));
  return checked(in, atFlow(reference, true, supply_c, flow_l_per_min / reference.rated_l_per_min));
}

Expected<CoolingSetup> chassisSetup(const nlohmann::json& physical, std::string_view name, double inlet_c,
                                    double airflow_ratio) {
  ConstantReader in(physical);
  if (in.find("cooling/air/" + std::string(name)) == nullptr)
    return Unexpected(unknownSetup(in, "cooling/air", name));
  return checked(in, atFlow(readAir(in, std::string(name)), false, inlet_c, airflow_ratio));
}

Expected<InletField> inletField(const nlohmann::json& physical, double supply_c, bool contained) {
  ConstantReader in(physical);
  InletField field;
  field.supply_c = supply_c;
  field.recirculation_k =
      in.number(contained ? "cooling/recirculation_contained_k" : "cooling/recirculation_open_k");
  field.row_end_k = in.number("cooling/row_end_k");
  if (!in.ok()) return Unexpected(in.error());
  return field;
}

}  // namespace decodescope::physical
