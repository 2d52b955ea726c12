// Rack, facility, deployability and cost. Defaults and sources: resources/catalog/physical.json.
// Functions of a Catalog read their constants each time; those of SiteConstants serve hot paths.
#pragma once

#include "catalog/catalog.h"
#include "physical/constants.h"
#include "physical/thermal.h"

#include <decodescope/prediction.h>
#include <decodescope/scenario.h>

#include <vector>

namespace decodescope::physical {

/// Power of one rack at given chip power, W, DC at the busbar.
struct RackPower {
  double chips_w = 0, cpus_w = 0, switches_w = 0, nics_w = 0, optics_w = 0, fans_w = 0;
  double overhead_w = 0;  ///< conversion on the trays, storage, management
  [[nodiscard]] double total_w() const {
    return chips_w + cpus_w + switches_w + nics_w + optics_w + fans_w + overhead_w;
  }
};
[[nodiscard]] RackPower rackPower(const Catalog&, const SystemSpec&, double chip_w, int chips_in_rack,
                                  bool liquid);
[[nodiscard]] RackPower rackPower(const RackConstants&, const SystemSpec&, double chip_tdp_w, double chip_w,
                                  int chips_in_rack, bool liquid, double airflow_ratio = 1);
/// Chip power at which the rack draws `rack_w`: the chip's share of a rack cap. Inverse of the above.
[[nodiscard]] double chipShareOfRack_w(const RackConstants&, const SystemSpec&, double chip_tdp_w,
                                       double rack_w, int chips_in_rack, bool liquid,
                                       double airflow_ratio = 1);
/// Share of the rack's heat that the coolant takes: the system's, or that of plates on the chips alone; 0 on
/// air.
[[nodiscard]] double liquidHeatRatio(const RackConstants&, const SystemSpec&, bool liquid);
/// A rack's power counts its share of the domain's switches and optics. Where these stand in racks of their
/// own, this is what one of all those racks draws on average: what feeds, busbars and coolers see.
[[nodiscard]] double standingRackRatio(const SystemSpec&);
/// Chips that stand in one rack of the system.
[[nodiscard]] int chipsPerRack(const SystemSpec&);

struct FacilityPower {
  double it_w = 0, pumps_w = 0, crah_w = 0, liquid_rejection_w = 0, air_rejection_w = 0, ups_loss_w = 0;
  [[nodiscard]] double total_w() const {
    return it_w + pumps_w + crah_w + liquid_rejection_w + air_rejection_w + ups_loss_w;
  }
  [[nodiscard]] double pue_ratio() const { return it_w > 0 ? total_w() / it_w : 1; }
};
/// `rack_dc_w` summed over racks; the wall power is divided by the supplies' efficiency.
[[nodiscard]] FacilityPower facilityPower(const Catalog&, double rack_dc_w, double liquid_ratio,
                                          double supply_c, double ambient_c);
[[nodiscard]] FacilityPower facilityPower(const FacilityConstants&, double rack_dc_w, double liquid_ratio,
                                          double supply_c, double ambient_c);

/// Fan and pump affinity: power with the cube of speed, pressure with its square.
[[nodiscard]] double fanOrPump_w(double full_w, double speed_ratio);
struct Busbar {
  double voltage_v = 0, current_a = 0, loss_w = 0;
};
[[nodiscard]] Busbar busbar(double power_w, double voltage_v, double resistance_ohm);
/// Both ends of every link of a domain.
[[nodiscard]] double linkEnds_w(double chips, double bytes_per_s_per_direction, double j_per_bit);
/// 99th percentile of the sum of independent loads: what to provision, instead of the sum of peaks.
[[nodiscard]] double provisioned_w(double mean_w, double sigma_w, double loads);

/// Rules with margins; a violation for each broken one, first the tightest. `smallest_margin_ratio` over all
/// rules.
struct Deployability {
  std::vector<Violation> violations;
  double smallest_margin_ratio = 1;
  std::string limited_by;
};
/// `rack_dc_w` of one rack of the system, which holds chipsPerRack() of its chips.
[[nodiscard]] Deployability deployability(const Catalog&, const Scenario&, const SystemSpec&, const ChipSpec&,
                                          int chips, double rack_dc_w, double max_chip_c, double throttle_c,
                                          bool liquid, double supply_c);
[[nodiscard]] Deployability deployability(const SiteConstants&, const Scenario&, const SystemSpec&,
                                          const ChipSpec&, int chips, double rack_dc_w, double max_chip_c,
                                          double throttle_c, bool liquid, double supply_c);

struct CostRate {
  double usd_per_chip_hour = 0;
  double capital_usd_per_hour = 0, hosting_usd_per_hour = 0, energy_usd_per_hour = 0;  ///< per chip
  double interconnect_capex_share = 0;
};
/// capex * annuity / 8760 + kW * hosting / 730 + kW * PUE * $/kWh, per chip. Hosting is paid for the
/// provisioned kW (the rack's maximum), energy for the drawn ones.
[[nodiscard]] CostRate costRate(const Catalog&, const Economics&, const SystemSpec&, const ChipSpec&,
                                double it_kw_per_chip, double pue_ratio);
[[nodiscard]] CostRate costRate(const CostConstants&, const Economics&, const SystemSpec&, const ChipSpec&,
                                double it_kw_per_chip, double pue_ratio);
/// Hourly payment that returns `capex_usd` with interest over the years; hourly compounding.
[[nodiscard]] double annuity_usd_per_hour(double capex_usd, double years, double interest_ratio);
[[nodiscard]] double hosting_usd_per_hour(double kw, double usd_per_kw_month);
[[nodiscard]] double energy_usd_per_hour(double it_kw, double pue_ratio, double usd_per_kwh);
/// All-in capital per chip: the scenario's, else from the system's price, the chip's price, or its TDP.
[[nodiscard]] double capexPerChip_usd(const CostConstants&, const Economics&, const SystemSpec&,
                                      const ChipSpec&);
[[nodiscard]] double usdPerMillionTokens(double usd_per_chip_hour, double tokens_per_s_per_chip,
                                         double utilization);

}  // namespace decodescope::physical
