#include "physical/facility.h"

#include "base/units.h"

#include <algorithm>
#include <cmath>

namespace decodescope::physical {
namespace {

/// Parts of a rack that the catalog states, without its chips.
RackPower statedParts(const RackConstants& rack, const SystemSpec& system, int chips_in_rack) {
  const double chips = chips_in_rack;
  const double domain_share = system.chips > 0 ? chips / system.chips : 0;
  RackPower power;
  power.cpus_w = system.cpu_power_w * chips;
  power.switches_w = system.switch_power_w * domain_share;
  power.nics_w = system.nic_bytes_per_s_per_chip * rack.nic_j_per_byte * chips;
  power.optics_w = system.optics_power_w * domain_share;
  return power;
}

/// Share of the assumed parts (fans, conversion, storage) that a full rack has room for: a maker's maximum is
/// known better than they are, so where all parts at full chip power would pass it, the assumed ones shrink,
/// to a quarter at most.
double assumedShare(const RackConstants& rack, const SystemSpec& system, double tdp_w, bool liquid) {
  if (system.rack_power_max_w <= 0) return 1;
  constexpr double kLeast = 0.25;
  const int chips = chipsPerRack(system);
  const double chips_w = tdp_w * chips;
  const double fan_ratio = liquid ? rack.fan_ratio_of_tdp_liquid : rack.fan_ratio_of_tdp_air;
  const double assumed_w =
      chips_w * (fan_ratio + rack.overhead_ratio_of_tdp + rack.distribution_ratio_of_chips);
  const double room_w = system.rack_power_max_w / standingRackRatio(system) - chips_w -
                        statedParts(rack, system, chips).total_w();
  return assumed_w > 0 ? std::clamp(room_w / assumed_w, kLeast, 1.0) : 1;
}

/// What the rack draws beside its chips and what grows with their power.
RackPower withoutChips(const RackConstants& rack, const SystemSpec& system, double tdp_w, int chips_in_rack,
                       bool liquid, double airflow_ratio) {
  RackPower power = statedParts(rack, system, chips_in_rack);
  const double assumed_w = assumedShare(rack, system, tdp_w, liquid) * tdp_w * chips_in_rack;
  const double fan_ratio = liquid ? rack.fan_ratio_of_tdp_liquid : rack.fan_ratio_of_tdp_air;
  power.fans_w = fanOrPump_w(fan_ratio * assumed_w, liquid ? 1 : airflow_ratio);
  power.overhead_w = rack.overhead_ratio_of_tdp * assumed_w;
  return power;
}

double distributionRatio(const RackConstants& rack, const SystemSpec& system, double tdp_w, bool liquid) {
  return rack.distribution_ratio_of_chips * assumedShare(rack, system, tdp_w, liquid);
}

double systemTdp_w(const Catalog& catalog, const SystemSpec& system) {
  const auto chip = catalog.chip(system.chip);
  return chip ? (*chip)->tdp_w : 0;
}

}  // namespace

double liquidHeatRatio(const RackConstants& rack, const SystemSpec& system, bool liquid) {
  if (!liquid) return 0;
  return system.liquid_heat_ratio > 0 ? system.liquid_heat_ratio : rack.plates_only_liquid_ratio;
}

double standingRackRatio(const SystemSpec& system) {
  const double racks = std::max(1, system.layout.racks);
  return racks / (racks + std::max(0, system.layout.switch_racks));
}

int chipsPerRack(const SystemSpec& system) {
  const int racks = std::max(1, system.layout.racks);
  return std::max(1, (system.chips + racks - 1) / racks);
}

RackPower rackPower(const RackConstants& rack, const SystemSpec& system, double chip_tdp_w, double chip_w,
                    int chips_in_rack, bool liquid, double airflow_ratio) {
  RackPower power = withoutChips(rack, system, chip_tdp_w, chips_in_rack, liquid, airflow_ratio);
  power.chips_w = chip_w * chips_in_rack;
  power.overhead_w += distributionRatio(rack, system, chip_tdp_w, liquid) * power.chips_w;
  return power;
}

RackPower rackPower(const Catalog& catalog, const SystemSpec& system, double chip_w, int chips_in_rack,
                    bool liquid) {
  return rackPower(siteConstants(catalog).rack, system, systemTdp_w(catalog, system), chip_w, chips_in_rack,
                   liquid);
}

double chipShareOfRack_w(const RackConstants& rack, const SystemSpec& system, double chip_tdp_w,
                         double rack_w, int chips_in_rack, bool liquid, double airflow_ratio) {
  const double rest_w =
      withoutChips(rack, system, chip_tdp_w, chips_in_rack, liquid, airflow_ratio).total_w();
  return std::max(0.0, rack_w / standingRackRatio(system) - rest_w) /
         (1 + distributionRatio(rack, system, chip_tdp_w, liquid)) / std::max(1, chips_in_rack);
}

FacilityPower facilityPower(const FacilityConstants& site, double rack_dc_w, double liquid_ratio,
                            double supply_c, double ambient_c) {
  FacilityPower power;
  power.it_w = rack_dc_w / site.psu_ratio;
  const double liquid_w = power.it_w * std::clamp(liquid_ratio, 0.0, 1.0);
  const double air_w = power.it_w - liquid_w;
  power.pumps_w = site.pump_ratio * liquid_w;
  power.crah_w = site.crah_ratio * air_w;
  const bool dry_cooler = supply_c - ambient_c >= site.dry_cooler_approach_k;
  power.liquid_rejection_w = dry_cooler ? site.dry_cooler_ratio * liquid_w : liquid_w / site.chiller_cop;
  power.air_rejection_w = air_w / site.air_plant_cop;
  power.ups_loss_w = power.it_w / site.ups_ratio - power.it_w;
  return power;
}

FacilityPower facilityPower(const Catalog& catalog, double rack_dc_w, double liquid_ratio, double supply_c,
                            double ambient_c) {
  return facilityPower(siteConstants(catalog).facility, rack_dc_w, liquid_ratio, supply_c, ambient_c);
}

double fanOrPump_w(double full_w, double speed_ratio) {
  return full_w * speed_ratio * speed_ratio * speed_ratio;
}

Busbar busbar(double power_w, double voltage_v, double resistance_ohm) {
  const double current_a = power_w / voltage_v;
  return {voltage_v, current_a, current_a * current_a * resistance_ohm};
}

double linkEnds_w(double chips, double bytes_per_s_per_direction, double j_per_bit) {
  return chips * bytes_per_s_per_direction * kBitsPerByte * 2 * j_per_bit;
}

double provisioned_w(double mean_w, double sigma_w, double loads) {
  constexpr double kNormal99 = 2.3263478740408408;
  return loads * mean_w + kNormal99 * sigma_w * std::sqrt(loads);
}

}  // namespace decodescope::physical
