#include "scenario/parameter_rows.h"

namespace decodescope::scenario {
namespace {

template <std::optional<double> Physical::*Value>
void addOptional(std::vector<ParameterRow>& rows, ParameterDescriptor descriptor) {
  // The path is needed to look the system's value up; each instance serves one member, hence one path.
  static const std::string path(descriptor.path);
  addRow(
      rows, std::move(descriptor),
      [](const Scenario& s, const Defaults& d) -> ParameterValue {
        return (s.physical.*Value).value_or(defaultOf(d, path, 0));
      },
      [](Scenario& s, const ParameterValue& v) { s.physical.*Value = numberOf(v); },
      [](const Scenario& s) { return (s.physical.*Value).has_value(); });
}

}  // namespace

void addPhysicalRows(std::vector<ParameterRow>& rows) {
  addRow(
      rows,
      choice("physical.cooling", "Cooling", "Physical",
             "Automatic cools the system as it was built; the other way is simulated and reported as a "
             "violation."),
      [](const Scenario& s, const Defaults&) -> ParameterValue { return s.physical.cooling; },
      [](Scenario& s, const ParameterValue& v) { s.physical.cooling = textOf(v); },
      [](const Scenario& s) { return !s.physical.cooling.empty(); },
      {{"", "Automatic", "as the system was built"},
       {"air", "Air", "fans"},
       {"liquid", "Liquid", "cold plates"}});
  addOptional<&Physical::rack_power_cap_kw>(
      rows, number("physical.rack_power_cap_kw", "Rack power cap", "Physical", "kW", ParameterScale::Linear,
                   {5, 250}, {0.1, 10000}, "Most that one rack may draw; chips share it and slow down at it.",
                   kBasic));
  addOptional<&Physical::chip_power_cap_w>(
      rows, number("physical.chip_power_cap_w", "Chip power cap", "Physical", "W", ParameterScale::Linear,
                   {200, 2000}, {1, 100000}, "Most that one chip may draw."));
  addOptional<&Physical::supply_c>(
      rows, number("physical.supply_c", "Supply temperature", "Physical", "C", ParameterScale::Linear,
                   {15, 60}, {-20, 90}, "Of the coolant into the rack, or of the air into the chassis."));
  addOptional<&Physical::flow_l_per_min_per_chip>(
      rows, number("physical.flow_l_per_min_per_chip", "Coolant flow", "Physical", "L/min",
                   ParameterScale::Linear, {0.2, 6}, {0, 1000}, "Per chip; liquid cooling only."));
  addOptional<&Physical::airflow_ratio>(
      rows,
      number("physical.airflow_ratio", "Airflow", "Physical", "", ParameterScale::Linear, {0.2, 1}, {0.01, 2},
             "Share of the chassis maximum; air cooling only. Fan power grows with its cube."));
  addNumber<&Scenario::physical, &Physical::ambient_c>(
      rows, number("physical.ambient_c", "Outdoor temperature", "Physical", "C", ParameterScale::Linear,
                   {-10, 45}, {-60, 70}, "Decides whether heat leaves freely or by a chiller."));
  addNumber<&Scenario::physical, &Physical::dew_point_c>(
      rows, number("physical.dew_point_c", "Dew point", "Physical", "C", ParameterScale::Linear, {0, 30},
                   {-60, 60}, "Of the room; coolant must stay 2 K above it."));
  addNumber<&Scenario::physical, &Physical::clock_limit_ratio>(
      rows, number("physical.clock_limit_ratio", "Clock limit", "Physical", "", ParameterScale::Linear,
                   {0.3, 1}, {0.1, 1}, "Highest clock as a share of the nominal one."));
}

void addCostRows(std::vector<ParameterRow>& rows) {
  addNumber<&Scenario::economics, &Economics::usd_per_kwh>(
      rows, number("economics.usd_per_kwh", "Electricity", "Cost", "$/kWh", ParameterScale::Log10,
                   {0.02, 0.5}, {0, 100}, "Price of energy."));
  addNumber<&Scenario::economics, &Economics::hosting_usd_per_kw_month>(
      rows,
      number("economics.hosting_usd_per_kw_month", "Hosting", "Cost", "$/kW/month", ParameterScale::Linear,
             {0, 400}, {0, 100000}, "Space, cooling and power delivery, energy apart."));
  addNumber<&Scenario::economics, &Economics::years>(
      rows, number("economics.years", "Depreciation", "Cost", "years", ParameterScale::Linear, {1, 10},
                   {0.1, 100}, "Over which hardware is paid off."));
  addNumber<&Scenario::economics, &Economics::interest_ratio>(
      rows, number("economics.interest_ratio", "Interest", "Cost", "per year", ParameterScale::Linear,
                   {0, 0.2}, {0, 10}, "Yearly cost of capital as a share."));
  addNumber<&Scenario::economics, &Economics::utilization>(
      rows, number("economics.utilization", "Utilization", "Cost", "", ParameterScale::Linear, {0.05, 1},
                   {0.001, 1}, "Share of its life that the cluster serves at this load."));
  addRow(
      rows,
      number("economics.chip_capex_usd", "Capital per chip", "Cost", "$", ParameterScale::Log10,
             {5000, 200000}, {0, 1e9}, "All-in price per chip, with its share of the rack and network."),
      [](const Scenario& s, const Defaults& d) -> ParameterValue {
        return s.economics.chip_capex_usd.value_or(defaultOf(d, "economics.chip_capex_usd", 0));
      },
      [](Scenario& s, const ParameterValue& v) { s.economics.chip_capex_usd = numberOf(v); },
      [](const Scenario& s) { return s.economics.chip_capex_usd.has_value(); });
}

}  // namespace decodescope::scenario
