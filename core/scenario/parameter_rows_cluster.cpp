#include "scenario/override_fields.h"
#include "scenario/parameter_rows.h"

#include <algorithm>

namespace decodescope::scenario {
namespace {

ParallelDegrees& degreesOf(Scenario& s) {
  return s.parallel ? *s.parallel : s.parallel.emplace();
}
bool isPlanned(const Scenario& s) {
  return s.parallel.has_value();
}

template <int ParallelDegrees::*Degree>
ParameterRow degreeRow(std::string_view path, std::string_view label, std::string_view help) {
  return {{path,
           label,
           "Cluster",
           "chips",
           ParameterScale::Log2,
           1,
           256,
           1,
           1e6,
           true,
           false,
           {1, 2, 4, 8, 16, 32, 64, 72, 128, 256},
           help},
          [](const Scenario& s, const Defaults&) -> ParameterValue {
            return static_cast<double>(s.parallel.value_or(ParallelDegrees{}).*Degree);
          },
          [](Scenario& s, const ParameterValue& v) { degreesOf(s).*Degree = static_cast<int>(numberOf(v)); },
          isPlanned};
}

/// A value of the catalog that the scenario may replace: the override, or what the catalog says.
ParameterValue overriddenOr(const Scenario& s, const Defaults& defaults, std::string_view entry,
                            std::string_view field) {
  for (const CatalogOverride& o : s.overrides) {
    if (o.entry == entry && o.field == field) return o.value;
  }
  std::string path(entry);
  path += '.';
  path += field;
  return defaultOf(defaults, path, 0);
}

void override(Scenario& s, std::string_view entry, std::string_view field, double value) {
  for (CatalogOverride& o : s.overrides) {
    if (o.entry != entry || o.field != field) continue;
    o.value = value;
    return;
  }
  s.overrides.push_back({std::string(entry), std::string(field), value});
  sortOverrides(s.overrides);
}

bool isOverridden(const Scenario& s, std::string_view entry, std::string_view field) {
  return std::any_of(s.overrides.begin(), s.overrides.end(),
                     [&](const CatalogOverride& o) { return o.entry == entry && o.field == field; });
}

/// What belonged to the old machine does not carry over to the new one.
void changeSystem(Scenario& s, const std::string& system) {
  if (s.system == system) return;
  s.system = system;
  std::erase_if(s.overrides, [](const CatalogOverride& o) { return o.entry != "model"; });
  s.faults.clear();
  const Physical old = s.physical;
  s.physical = {};
  s.physical.ambient_c = old.ambient_c;
  s.physical.dew_point_c = old.dew_point_c;
  s.physical.clock_limit_ratio = old.clock_limit_ratio;
  s.economics.chip_capex_usd.reset();
}

void addPlanRows(std::vector<ParameterRow>& rows) {
  addRow(
      rows,
      choice(
          "parallel", "Parallel plan", "Cluster",
          "Automatic takes the best legal plan for tokens per second per chip within the token time target."),
      [](const Scenario& s, const Defaults&) -> ParameterValue {
        return std::string(s.parallel ? "fixed" : "auto");
      },
      [](Scenario& s, const ParameterValue& v) {
        if (textOf(v) == "auto")
          s.parallel.reset();
        else
          degreesOf(s);
      },
      isPlanned, {{"auto", "Automatic", "best legal plan"}, {"fixed", "Fixed", "degrees below"}});
  rows.push_back(degreeRow<&ParallelDegrees::tp>("parallel.tp", "Tensor parallel",
                                                 "Chips that share every layer's matrices."));
  rows.push_back(degreeRow<&ParallelDegrees::pp>("parallel.pp", "Pipeline parallel",
                                                 "Stages that each hold a part of the layers."));
  rows.push_back(degreeRow<&ParallelDegrees::ep>(
      "parallel.ep", "Expert parallel", "Chips over which experts are spread, within tensor x data."));
  rows.push_back(degreeRow<&ParallelDegrees::dp>("parallel.dp", "Data parallel",
                                                 "Groups with their own sequences that share experts."));
  rows.push_back(degreeRow<&ParallelDegrees::cp>("parallel.cp", "Context parallel",
                                                 "Chips over which one sequence's KV cache is split."));
  addRow(
      rows,
      choice("parallel.attention", "Attention sharding", "Cluster",
             "Tensor splits heads over the group, data gives every chip its own sequences."),
      [](const Scenario& s, const Defaults&) -> ParameterValue {
        return std::string(
            s.parallel.value_or(ParallelDegrees{}).attention == AttentionSharding::Data ? "dp" : "tp");
      },
      [](Scenario& s, const ParameterValue& v) {
        degreesOf(s).attention = textOf(v) == "dp" ? AttentionSharding::Data : AttentionSharding::Tensor;
      },
      isPlanned, {{"tp", "Tensor", "heads are split"}, {"dp", "Data", "sequences are split"}});
}

void addMachineRows(std::vector<ParameterRow>& rows) {
  addRow(
      rows,
      number("system.scale_up.link_gb_per_s", "Link bandwidth", "Cluster", "GB/s", ParameterScale::Log10,
             {10, 500}, {0.001, 1e6},
             "Of one scale-up link, per direction; the chip's total follows in proportion."),
      [](const Scenario& s, const Defaults& d) {
        return overriddenOr(s, d, "system", "scale_up.link_gb_per_s");
      },
      [](Scenario& s, const ParameterValue& v) {
        override(s, "system", "scale_up.link_gb_per_s", numberOf(v));
      },
      [](const Scenario& s) { return isOverridden(s, "system", "scale_up.link_gb_per_s"); });
  addRow(
      rows,
      number("system.scale_up.link_latency_us", "Link latency", "Cluster", "us", ParameterScale::Log10,
             {0.05, 5}, {0, 1e5}, "Of one hop of the scale-up network."),
      [](const Scenario& s, const Defaults& d) {
        return overriddenOr(s, d, "system", "scale_up.link_latency_us");
      },
      [](Scenario& s, const ParameterValue& v) {
        override(s, "system", "scale_up.link_latency_us", numberOf(v));
      },
      [](const Scenario& s) { return isOverridden(s, "system", "scale_up.link_latency_us"); });
  addRow(
      rows,
      number("chip.memory_gb", "Memory per chip", "Cluster", "GB", ParameterScale::Log10, {16, 1000},
             {0.1, 1e6}, "HBM capacity, 1e9 bytes."),
      [](const Scenario& s, const Defaults& d) { return overriddenOr(s, d, "chip", "memory_gb"); },
      [](Scenario& s, const ParameterValue& v) { override(s, "chip", "memory_gb", numberOf(v)); },
      [](const Scenario& s) { return isOverridden(s, "chip", "memory_gb"); });
  addRow(
      rows,
      number("chip.memory_bandwidth_gb_per_s", "Memory bandwidth", "Cluster", "GB/s", ParameterScale::Log10,
             {500, 40000}, {1, 1e7}, "HBM bandwidth of one chip, as on its datasheet."),
      [](const Scenario& s, const Defaults& d) {
        return overriddenOr(s, d, "chip", "memory_bandwidth_gb_per_s");
      },
      [](Scenario& s, const ParameterValue& v) {
        override(s, "chip", "memory_bandwidth_gb_per_s", numberOf(v));
      },
      [](const Scenario& s) { return isOverridden(s, "chip", "memory_bandwidth_gb_per_s"); });
}

}  // namespace

void addClusterRows(std::vector<ParameterRow>& rows) {
  addRow(
      rows,
      choice("system", "System", "Cluster", "The machine: chip, scale-up network, rack and cooling.", kBasic),
      [](const Scenario& s, const Defaults&) -> ParameterValue { return s.system; },
      [](Scenario& s, const ParameterValue& v) { changeSystem(s, textOf(v)); });
  addPlanRows(rows);
  addRow(
      rows, choice("fabric.kind", "Fabric", "Cluster", "Network between scale-up domains."),
      [](const Scenario& s, const Defaults&) -> ParameterValue { return s.fabric.kind; },
      [](Scenario& s, const ParameterValue& v) { s.fabric.kind = textOf(v); }, nullptr,
      {{"rail", "Rail-optimised", "a switch per position in the node"},
       {"leaf-spine", "Leaf and spine", "two tiers"},
       {"torus", "Torus", "neighbours only"},
       {"none", "None", "one scale-up domain only"}});
  addRow(
      rows,
      number("fabric.gb_per_s_per_chip", "Fabric bandwidth", "Cluster", "GB/s", ParameterScale::Log10,
             {3, 400}, {0, 1e5}, "Scale-out bandwidth of one chip, per direction; 0 takes the system's own."),
      [](const Scenario& s, const Defaults& d) -> ParameterValue {
        return s.fabric.gb_per_s_per_chip > 0 ? s.fabric.gb_per_s_per_chip
                                              : defaultOf(d, "fabric.gb_per_s_per_chip", 0);
      },
      [](Scenario& s, const ParameterValue& v) { s.fabric.gb_per_s_per_chip = numberOf(v); },
      [](const Scenario& s) { return s.fabric.gb_per_s_per_chip > 0; });
  addNumber<&Scenario::fabric, &Fabric::oversubscription>(
      rows, number("fabric.oversubscription", "Oversubscription", "Cluster", "", ParameterScale::Linear,
                   {1, 8}, {1, 1000}, "Bandwidth into the first tier of the fabric over that out of it."));
  addMachineRows(rows);
  addRow(
      rows,
      number("jitter", "Jitter", "Cluster", "", ParameterScale::Switch, {0, 1}, {0, 1},
             "Noise of kernels, collectives, hosts and experts, and spread between chips.", kIntegral),
      [](const Scenario& s, const Defaults&) -> ParameterValue { return s.jitter ? 1.0 : 0.0; },
      [](Scenario& s, const ParameterValue& v) { s.jitter = numberOf(v) > 0.5; });
  addRow(
      rows,
      number("seed", "Seed", "Cluster", "", ParameterScale::Linear, {1, 100}, {0, 9007199254740992.0},
             "Of all randomness: the same scenario and seed give the same bits.", kIntegral),
      [](const Scenario& s, const Defaults&) -> ParameterValue { return static_cast<double>(s.seed); },
      [](Scenario& s, const ParameterValue& v) { s.seed = static_cast<std::uint64_t>(numberOf(v)); });
}

}  // namespace decodescope::scenario
