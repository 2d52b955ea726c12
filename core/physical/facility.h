// Rack, facility, deployability and cost. Defaults and sources: resources/catalog/physical.json.
#pragma once

#include "catalog/catalog.h"
#include "physical/thermal.h"

#include <decodescope/prediction.h>
#include <decodescope/scenario.h>

#include <vector>

namespace decodescope::physical {

/// Power of one rack at given chip power, W, DC at the busbar.
struct RackPower {
  double chips_w = 0, cpus_w = 0, switches_w = 0, nics_w = 0, optics_w = 0, fans_w = 0;
  [[nodiscard]] double total_w() const { return chips_w + cpus_w + switches_w + nics_w + optics_w + fans_w; }
};
[[nodiscard]] RackPower rackPower(const Catalog&, const SystemSpec&, double chip_w, int chips_in_rack, bool liquid);

struct FacilityPower {
  double it_w = 0, pumps_w = 0, crah_w = 0, liquid_rejection_w = 0, air_rejection_w = 0, ups_loss_w = 0;
  [[nodiscard]] double total_w() const { return it_w + pumps_w + crah_w + liquid_rejection_w + air_rejection_w + ups_loss_w; }
  [[nodiscard]] double pue_ratio() const { return it_w > 0 ? total_w() / it_w : 1; }
};
/// `rack_dc_w` summed over racks; the wall power is divided by the supplies' efficiency.
[[nodiscard]] FacilityPower facilityPower(const Catalog&, double rack_dc_w, double liquid_ratio, double supply_c, double ambient_c);

/// Rules with margins; a violation for each broken one, first the tightest. `smallest_margin_ratio` over all rules.
struct Deployability {
  std::vector<Violation> violations;
  double smallest_margin_ratio = 1;
  std::string limited_by;
};
[[nodiscard]] Deployability deployability(const Catalog&, const Scenario&, const SystemSpec&, const ChipSpec&, int chips,
                                          double rack_dc_w, double max_chip_c, double throttle_c, bool liquid, double supply_c);

struct CostRate {
  double usd_per_chip_hour = 0;
  double capital_usd_per_hour = 0, hosting_usd_per_hour = 0, energy_usd_per_hour = 0;   ///< per chip
  double interconnect_capex_share = 0;
};
/// capex * annuity / 8760 + kW * hosting / 730 + kW * PUE * $/kWh, per chip.
[[nodiscard]] CostRate costRate(const Catalog&, const Economics&, const SystemSpec&, const ChipSpec&, double it_kw_per_chip, double pue_ratio);
[[nodiscard]] double usdPerMillionTokens(double usd_per_chip_hour, double tokens_per_s_per_chip, double utilization);

}  // namespace decodescope::physical
