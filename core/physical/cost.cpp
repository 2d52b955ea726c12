#include "physical/facility.h"

#include "base/units.h"

#include <algorithm>
#include <cmath>

namespace decodescope::physical {

double annuity_usd_per_hour(double capex_usd, double years, double interest_ratio) {
  const double hours = years * kHoursPerYear;
  if (interest_ratio <= 0) return capex_usd / hours;
  const double hourly = interest_ratio / kHoursPerYear;
  return capex_usd * hourly / -std::expm1(-hours * std::log1p(hourly));
}

double hosting_usd_per_hour(double kw, double usd_per_kw_month) {
  return kw * usd_per_kw_month / kHoursPerMonth;
}

double energy_usd_per_hour(double it_kw, double pue_ratio, double usd_per_kwh) {
  return it_kw * pue_ratio * usd_per_kwh;
}

double capexPerChip_usd(const CostConstants& cost, const Economics& economics, const SystemSpec& system,
                        const ChipSpec& chip) {
  if (economics.chip_capex_usd) return *economics.chip_capex_usd;
  if (system.price_usd > 0 && system.chips > 0)
    return system.price_usd / system.chips * cost.network_uplift_ratio;
  const double chip_usd = chip.price_usd > 0 ? chip.price_usd : cost.usd_per_tdp_w * chip.tdp_w;
  return chip_usd * cost.host_uplift_ratio * cost.network_uplift_ratio;
}

CostRate costRate(const CostConstants& cost, const Economics& economics, const SystemSpec& system,
                  const ChipSpec& chip, double it_kw_per_chip, double pue_ratio) {
  const double provisioned_kw =
      std::max(it_kw_per_chip, system.rack_power_max_w / kKilo / chipsPerRack(system));
  CostRate rate;
  rate.capital_usd_per_hour = annuity_usd_per_hour(capexPerChip_usd(cost, economics, system, chip),
                                                   economics.years, economics.interest_ratio);
  rate.hosting_usd_per_hour = hosting_usd_per_hour(provisioned_kw, economics.hosting_usd_per_kw_month);
  rate.energy_usd_per_hour = energy_usd_per_hour(it_kw_per_chip, pue_ratio, economics.usd_per_kwh);
  rate.usd_per_chip_hour = rate.capital_usd_per_hour + rate.hosting_usd_per_hour + rate.energy_usd_per_hour;
  rate.interconnect_capex_share =
      system.interconnect_capex_share > 0 ? system.interconnect_capex_share : cost.interconnect_share_ratio;
  return rate;
}

CostRate costRate(const Catalog& catalog, const Economics& economics, const SystemSpec& system,
                  const ChipSpec& chip, double it_kw_per_chip, double pue_ratio) {
  return costRate(siteConstants(catalog).cost, economics, system, chip, it_kw_per_chip, pue_ratio);
}

double usdPerMillionTokens(double usd_per_chip_hour, double tokens_per_s_per_chip, double utilization) {
  return usd_per_chip_hour / (tokens_per_s_per_chip * kSecondsPerHour) * kMega / utilization;
}

}  // namespace decodescope::physical
