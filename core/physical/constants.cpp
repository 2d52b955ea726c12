#include "physical/constants.h"

#include "base/units.h"
#include "catalog/catalog.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace decodescope::physical {

const nlohmann::json* ConstantReader::find(std::string_view path) const {
  const nlohmann::json* node = document_;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string key(path.substr(0, slash));
    if (!node->is_object()) return nullptr;
    const auto member = node->find(key);
    if (member == node->end()) return nullptr;
    node = &*member;
    path = slash == std::string_view::npos ? std::string_view{} : path.substr(slash + 1);
  }
  return node;
}

void ConstantReader::fail(std::string_view path, std::string value, std::string message) {
  if (error_) return;
  std::string pointer = "/";
  pointer += path;
  error_ = Error{ErrorCode::BadInput, "physical.json",    std::move(pointer),
                 std::move(value),    std::move(message), "give a finite number or {\"value\": number}"};
}

std::optional<double> ConstantReader::optionalNumber(std::string_view path) {
  const nlohmann::json* node = find(path);
  if (node != nullptr && node->is_object()) {
    const auto value = node->find("value");
    node = value == node->end() ? nullptr : &*value;
  }
  if (node == nullptr || node->is_null()) return std::nullopt;
  if (!node->is_number() || !std::isfinite(node->get<double>()) || node->get<double>() < 0) {
    fail(path, node->dump(), "is not a number of at least 0");
    return std::nullopt;
  }
  return node->get<double>();
}

double ConstantReader::number(std::string_view path) {
  const auto value = optionalNumber(path);
  if (!value) fail(path, "", "is missing");
  return value.value_or(0);
}

bool ConstantReader::lists(std::string_view path, std::string_view text) const {
  const nlohmann::json* node = find(path);
  if (node == nullptr || !node->is_array()) return false;
  return std::any_of(node->begin(), node->end(), [text](const nlohmann::json& item) {
    return item.is_string() && item.get<std::string>() == text;
  });
}

namespace {

RackConstants readRack(ConstantReader& in) {
  RackConstants rack;
  rack.nic_j_per_byte = in.number("rack/nic_w_per_gb_per_s") / kGiga;
  rack.fan_ratio_of_tdp_air = in.number("rack/fan_ratio_of_tdp_air");
  rack.fan_ratio_of_tdp_liquid = in.number("rack/fan_ratio_of_tdp_liquid");
  rack.distribution_ratio_of_chips = in.number("rack/distribution_ratio_of_chips");
  rack.overhead_ratio_of_tdp = in.number("rack/overhead_ratio_of_tdp");
  rack.plates_only_liquid_ratio = in.number("rack/plates_only_liquid_ratio");
  rack.shelf_w = in.number("rack/shelf_w");
  rack.spare_shelves = in.number("rack/spare_shelves");
  rack.busbar_v = in.number("rack/busbar_v");
  rack.high_busbar_v = in.number("rack/high_busbar_v");
  rack.high_busbar_from_w = in.number("rack/high_busbar_from_w");
  rack.busbar_ohm = in.number("rack/busbar_ohm");
  return rack;
}

FacilityConstants readFacility(ConstantReader& in) {
  FacilityConstants facility;
  facility.psu_ratio = in.number("facility/psu_ratio");
  facility.ups_ratio = in.number("facility/ups_ratio");
  facility.pump_ratio = in.number("facility/pump_ratio");
  facility.crah_ratio = in.number("facility/crah_ratio");
  facility.dry_cooler_ratio = in.number("facility/dry_cooler_ratio");
  facility.dry_cooler_approach_k = in.number("facility/dry_cooler_approach_k");
  facility.chiller_cop = in.number("facility/chiller_cop");
  facility.air_plant_cop = in.number("facility/air_plant_cop");
  return facility;
}

LimitConstants readLimits(ConstantReader& in) {
  LimitConstants limits;
  limits.air_w_per_rack = in.number("limits/air_w_per_rack");
  limits.cdu_w = in.number("limits/cdu_w");
  limits.return_c = in.number("limits/return_c");
  limits.air_inlet_c = in.number("limits/air_inlet_c");
  limits.dew_point_margin_k = in.number("limits/dew_point_margin_k");
  limits.junction_margin_k = in.number("limits/junction_margin_k");
  limits.reference_c = in.number("cooling/dry_bulb_reference_c");
  limits.passive_copper_m = in.number("limits/passive_copper_m");
  limits.active_copper_m = in.number("limits/active_copper_m");
  limits.slow_lane_copper_m = in.number("limits/slow_lane_copper_m");
  limits.fast_lane_year = in.number("limits/fast_lane_year");
  limits.rack_weight_kg = in.number("limits/rack_weight_kg");
  limits.facility_w = in.number("limits/facility_w");
  limits.oversubscription_ratio = in.number("limits/oversubscription_ratio");
  limits.coolant_j_per_m3_k =
      in.number("cooling/coolant_density_kg_per_m3") * in.number("cooling/coolant_heat_capacity_j_per_kg_k");
  return limits;
}

CostConstants readCost(ConstantReader& in) {
  CostConstants cost;
  cost.network_uplift_ratio = in.number("cost/network_uplift_ratio");
  cost.host_uplift_ratio = in.number("cost/host_uplift_ratio");
  cost.usd_per_tdp_w = in.number("cost/usd_per_tdp_w");
  cost.interconnect_share_ratio = in.number("cost/interconnect_share_ratio");
  return cost;
}

LinkConstants readLinks(ConstantReader& in) {
  LinkConstants links;
  links.electrical_j_per_bit = in.number("links/electrical_pj_per_bit") * kPico;
  links.pluggable_j_per_bit = in.number("links/pluggable_pj_per_bit") * kPico;
  links.lpo_ratio = in.number("links/lpo_ratio");
  links.copackaged_j_per_bit = in.number("links/copackaged_pj_per_bit") * kPico;
  links.active_copper_j_per_bit = in.number("links/active_copper_pj_per_bit") * kPico;
  return links;
}

}  // namespace

Expected<SiteConstants> siteConstants(const nlohmann::json& physical) {
  ConstantReader in(physical);
  const SiteConstants site{readRack(in),   readFacility(in),
                           readLimits(in), readCost(in),
                           readLinks(in),  in.number("cooling/stored_coolant_j_per_k_per_chip")};
  if (!in.ok()) return Unexpected(in.error());
  return site;
}

SiteConstants siteConstants(const Catalog& catalog) {
  return siteConstants(catalog.document("physical")).value_or(SiteConstants{});
}

}  // namespace decodescope::physical
