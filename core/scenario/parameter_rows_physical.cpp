#include "scenario/parameter_rows.h"

namespace decodescope::scenario {
namespace {

template <std::optional<double> Physical::*Value>
ParameterRow optionalRow(ParameterDescriptor descriptor) {
  // The path is needed to look the system's value up; each instance serves one member, hence one path.
  static const std::string path(descriptor.path);
  return {std::move(descriptor),
          [](const Scenario& s, const Defaults& d) -> ParameterValue {
            return (s.physical.*Value).value_or(defaultOf(d, path, 0));
          },
          [](Scenario& s, const ParameterValue& v) { s.physical.*Value = numberOf(v); },
          [](const Scenario& s) { return (s.physical.*Value).has_value(); }};
}

template <double Physical::*Value>
ParameterRow physicalRow(ParameterDescriptor descriptor) {
  return {std::move(descriptor),
          [](const Scenario& s, const Defaults&) -> ParameterValue { return s.physical.*Value; },
          [](Scenario& s, const ParameterValue& v) { s.physical.*Value = numberOf(v); }};
}

template <double Economics::*Value>
ParameterRow costRow(ParameterDescriptor descriptor) {
  return {std::move(descriptor),
          [](const Scenario& s, const Defaults&) -> ParameterValue { return s.economics.*Value; },
          [](Scenario& s, const ParameterValue& v) { s.economics.*Value = numberOf(v); }};
}

}  // namespace

void addPhysicalRows(std::vector<ParameterRow>& rows) {
  addRow(
      rows,
      {"physical.cooling",
       "Cooling",
       "Physical",
       "",
       ParameterScale::Choice,
       0,
       1,
       0,
       1,
       true,
       false,
       {},
       "Automatic cools the system as it was built; the other way is simulated and reported as a violation."},
      [](const Scenario& s, const Defaults&) -> ParameterValue { return s.physical.cooling; },
      [](Scenario& s, const ParameterValue& v) { s.physical.cooling = textOf(v); },
      [](const Scenario& s) { return !s.physical.cooling.empty(); },
      {{"", "Automatic", "as the system was built"},
       {"air", "Air", "fans"},
       {"liquid", "Liquid", "cold plates"}});
  rows.push_back(optionalRow<&Physical::rack_power_cap_kw>(
      {"physical.rack_power_cap_kw",
       "Rack power cap",
       "Physical",
       "kW",
       ParameterScale::Linear,
       5,
       250,
       0.1,
       10000,
       false,
       true,
       {},
       "Most that one rack may draw; chips share it and slow down at it."}));
  rows.push_back(optionalRow<&Physical::chip_power_cap_w>({"physical.chip_power_cap_w",
                                                           "Chip power cap",
                                                           "Physical",
                                                           "W",
                                                           ParameterScale::Linear,
                                                           200,
                                                           2000,
                                                           1,
                                                           100000,
                                                           false,
                                                           false,
                                                           {},
                                                           "Most that one chip may draw."}));
  rows.push_back(
      optionalRow<&Physical::supply_c>({"physical.supply_c",
                                        "Supply temperature",
                                        "Physical",
                                        "C",
                                        ParameterScale::Linear,
                                        15,
                                        60,
                                        -20,
                                        90,
                                        false,
                                        false,
                                        {},
                                        "Of the coolant into the rack, or of the air into the chassis."}));
  rows.push_back(optionalRow<&Physical::flow_l_per_min_per_chip>({"physical.flow_l_per_min_per_chip",
                                                                  "Coolant flow",
                                                                  "Physical",
                                                                  "L/min",
                                                                  ParameterScale::Linear,
                                                                  0.2,
                                                                  6,
                                                                  0,
                                                                  1000,
                                                                  false,
                                                                  false,
                                                                  {},
                                                                  "Per chip; liquid cooling only."}));
  rows.push_back(optionalRow<&Physical::airflow_ratio>(
      {"physical.airflow_ratio",
       "Airflow",
       "Physical",
       "",
       ParameterScale::Linear,
       0.2,
       1,
       0.01,
       2,
       false,
       false,
       {},
       "Share of the chassis maximum; air cooling only. Fan power grows with its cube."}));
  rows.push_back(physicalRow<&Physical::ambient_c>({"physical.ambient_c",
                                                    "Outdoor temperature",
                                                    "Physical",
                                                    "C",
                                                    ParameterScale::Linear,
                                                    -10,
                                                    45,
                                                    -60,
                                                    70,
                                                    false,
                                                    false,
                                                    {},
                                                    "Decides whether heat leaves freely or by a chiller."}));
  rows.push_back(physicalRow<&Physical::dew_point_c>({"physical.dew_point_c",
                                                      "Dew point",
                                                      "Physical",
                                                      "C",
                                                      ParameterScale::Linear,
                                                      0,
                                                      30,
                                                      -60,
                                                      60,
                                                      false,
                                                      false,
                                                      {},
                                                      "Of the room; coolant must stay 2 K above it."}));
  rows.push_back(physicalRow<&Physical::clock_limit_ratio>({"physical.clock_limit_ratio",
                                                            "Clock limit",
                                                            "Physical",
                                                            "",
                                                            ParameterScale::Linear,
                                                            0.3,
                                                            1,
                                                            0.1,
                                                            1,
                                                            false,
                                                            false,
                                                            {},
                                                            "Highest clock as a share of the nominal one."}));
}

void addCostRows(std::vector<ParameterRow>& rows) {
  rows.push_back(costRow<&Economics::usd_per_kwh>({"economics.usd_per_kwh",
                                                   "Electricity",
                                                   "Cost",
                                                   "$/kWh",
                                                   ParameterScale::Log10,
                                                   0.02,
                                                   0.5,
                                                   0,
                                                   100,
                                                   false,
                                                   false,
                                                   {},
                                                   "Price of energy."}));
  rows.push_back(
      costRow<&Economics::hosting_usd_per_kw_month>({"economics.hosting_usd_per_kw_month",
                                                     "Hosting",
                                                     "Cost",
                                                     "$/kW/month",
                                                     ParameterScale::Linear,
                                                     0,
                                                     400,
                                                     0,
                                                     100000,
                                                     false,
                                                     false,
                                                     {},
                                                     "Space, cooling and power delivery, energy apart."}));
  rows.push_back(costRow<&Economics::years>({"economics.years",
                                             "Depreciation",
                                             "Cost",
                                             "years",
                                             ParameterScale::Linear,
                                             1,
                                             10,
                                             0.1,
                                             100,
                                             false,
                                             false,
                                             {},
                                             "Over which hardware is paid off."}));
  rows.push_back(costRow<&Economics::interest_ratio>({"economics.interest_ratio",
                                                      "Interest",
                                                      "Cost",
                                                      "per year",
                                                      ParameterScale::Linear,
                                                      0,
                                                      0.2,
                                                      0,
                                                      10,
                                                      false,
                                                      false,
                                                      {},
                                                      "Yearly cost of capital as a share."}));
  rows.push_back(
      costRow<&Economics::utilization>({"economics.utilization",
                                        "Utilization",
                                        "Cost",
                                        "",
                                        ParameterScale::Linear,
                                        0.05,
                                        1,
                                        0.001,
                                        1,
                                        false,
                                        false,
                                        {},
                                        "Share of its life that the cluster serves at this load."}));
  addRow(
      rows,
      {"economics.chip_capex_usd",
       "Capital per chip",
       "Cost",
       "$",
       ParameterScale::Log10,
       5000,
       200000,
       0,
       1e9,
       false,
       false,
       {},
       "All-in price per chip, with its share of the rack and network."},
      [](const Scenario& s, const Defaults& d) -> ParameterValue {
        return s.economics.chip_capex_usd.value_or(defaultOf(d, "economics.chip_capex_usd", 0));
      },
      [](Scenario& s, const ParameterValue& v) { s.economics.chip_capex_usd = numberOf(v); },
      [](const Scenario& s) { return s.economics.chip_capex_usd.has_value(); });
}

}  // namespace decodescope::scenario
