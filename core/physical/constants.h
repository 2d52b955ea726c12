// Typed reading of resources/catalog/physical.json, and the constants that do not depend on a chip.
#pragma once

#include <decodescope/expected.h>

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace decodescope {
class Catalog;
}

namespace decodescope::physical {

/// Reads numbers written as {"value": x, ...} or plain, by path such as "facility/psu_ratio". Keeps the first
/// error, so that reading code stays linear; check ok() once at the end.
class ConstantReader {
 public:
  explicit ConstantReader(const nlohmann::json& document) : document_(&document) {}

  [[nodiscard]] double number(std::string_view path);
  [[nodiscard]] std::optional<double> optionalNumber(std::string_view path);
  /// Null when absent.
  [[nodiscard]] const nlohmann::json* find(std::string_view path) const;
  /// Whether the array at `path` holds `text`.
  [[nodiscard]] bool lists(std::string_view path, std::string_view text) const;

  [[nodiscard]] bool ok() const { return !error_; }
  [[nodiscard]] const Error& error() const { return *error_; }

 private:
  void fail(std::string_view path, std::string value, std::string message);
  const nlohmann::json* document_;
  std::optional<Error> error_;
};

struct RackConstants {
  double nic_j_per_byte = 0;
  double fan_ratio_of_tdp_air = 0, fan_ratio_of_tdp_liquid = 0;
  double distribution_ratio_of_chips = 0, overhead_ratio_of_tdp = 0;
  double plates_only_liquid_ratio = 0;
  double shelf_w = 0, spare_shelves = 0;
  double busbar_v = 0, high_busbar_v = 0, high_busbar_from_w = 0, busbar_ohm = 0;
};
struct FacilityConstants {
  double psu_ratio = 1, ups_ratio = 1, pump_ratio = 0, crah_ratio = 0;
  double dry_cooler_ratio = 0, dry_cooler_approach_k = 0, chiller_cop = 1, air_plant_cop = 1;
};
struct LimitConstants {
  double air_w_per_rack = 0, cdu_w = 0, return_c = 0, air_inlet_c = 0;
  double dew_point_margin_k = 0, junction_margin_k = 0, reference_c = 0;
  double passive_copper_m = 0, active_copper_m = 0, slow_lane_copper_m = 0, fast_lane_year = 0;
  double rack_weight_kg = 0, facility_w = 0, oversubscription_ratio = 1;
  double coolant_j_per_m3_k = 0;
};
struct CostConstants {
  double network_uplift_ratio = 1, host_uplift_ratio = 1, usd_per_tdp_w = 0, interconnect_share_ratio = 0;
};
/// Energy of a link's ends, J/bit and end. Active copper's comes on top of the electrical one.
struct LinkConstants {
  double electrical_j_per_bit = 0, pluggable_j_per_bit = 0, lpo_ratio = 1;
  double copackaged_j_per_bit = 0, active_copper_j_per_bit = 0;
};
/// Everything of the site that predictions need, read once.
struct SiteConstants {
  RackConstants rack;
  FacilityConstants facility;
  LimitConstants limits;
  CostConstants cost;
  LinkConstants links;
  double stored_coolant_j_per_k = 0;  ///< stagnant coolant of one chip once its flow is lost
};
[[nodiscard]] Expected<SiteConstants> siteConstants(const nlohmann::json& physical);
/// Throws away no error: coolingSetup and chipPowerConstants, which come first, report what is wrong with the
/// file. A file that they refuse gives zeros here.
[[nodiscard]] SiteConstants siteConstants(const Catalog&);

}  // namespace decodescope::physical
