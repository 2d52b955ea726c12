#include "analysis/sensitivity.h"

#include "catalog/field.h"
#include "scenario/overrides.h"
#include "scenario/resolved_specs.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>

namespace decodescope::analysis {
namespace {

constexpr double kMore = 1.1;
constexpr double kLess = 0.9;

/// One value to set, as for --set.
struct Change {
  std::string path;
  double from = 0, to = 0;
};
struct Resource {
  std::string_view id, label, unit;
  std::vector<Change> changes;  ///< empty: the scenario has none of it
  std::string why_none;
};

/// The number of a catalog entry in the entry's own unit.
template <class Spec>
double numberOf(const Spec& spec, std::span<const catalog::Field<Spec>> fields, std::string_view key) {
  const auto it = std::find_if(fields.begin(), fields.end(), [&](const auto& f) { return f.key == key; });
  if (it == fields.end()) return 0;
  Spec copy = spec;
  const catalog::Slot slot = it->slot(copy);
  double* const* real = std::get_if<double*>(&slot);
  return real != nullptr ? **real / it->to_si : 0;
}

class Resources {
 public:
  Resources(const Predictor& predictor, const scenario::ResolvedSpecs& specs)
      : s_(predictor.scenario()), specs_(specs), throttle_c_(predictor.chipPower().throttle_c) {}

  [[nodiscard]] std::vector<Resource> all() const {
    std::vector<Resource> out{math(),
                              hbm("hbm_bandwidth", "HBM bandwidth", "GB/s", "memory_bandwidth_gb_per_s"),
                              hbm("hbm_capacity", "HBM capacity", "GB", "memory_gb"),
                              linkBandwidth(),
                              linkLatency(),
                              scaleOut()};
    out.push_back(physical("chip_power_cap", "Power cap of a chip", "W", "chip_power_cap_w",
                           s_.physical.chip_power_cap_w, "no cap is set"));
    out.push_back(physical("rack_power_cap", "Power cap of a rack", "kW", "rack_power_cap_kw",
                           s_.physical.rack_power_cap_kw, "the system has no rack of its own"));
    const bool liquid = s_.physical.cooling == "liquid";
    out.push_back(liquid
                      ? physical("coolant_flow", "Coolant flow per chip", "L/min", "flow_l_per_min_per_chip",
                                 s_.physical.flow_l_per_min_per_chip, "no flow is known")
                      : airflow());
    out.push_back(supply(liquid));
    return out;
  }

 private:
  [[nodiscard]] Change chip(std::string_view key, double ratio) const {
    const double now = numberOf(specs_.chip, catalog::chipFields(), key);
    return {fmt::format("chip.{}", key), now, now * ratio};
  }
  [[nodiscard]] Change system(std::string_view key, double ratio) const {
    const double now = numberOf(specs_.system, catalog::systemFields(), key);
    return {fmt::format("system.{}", key), now, now * ratio};
  }
  static void keepPositive(Resource& r) {
    std::erase_if(r.changes, [](const Change& c) { return !(c.from > 0); });
  }

  [[nodiscard]] Resource math() const {
    Resource r{"flops", "Arithmetic, all number formats", "TFLOP/s in bf16", {}, ""};
    for (const char* key : {"bf16_tflop_per_s", "fp8_tflop_per_s", "int8_top_per_s", "fp4_tflop_per_s"})
      r.changes.push_back(chip(key, kMore));
    keepPositive(r);
    return r;
  }
  [[nodiscard]] Resource hbm(std::string_view id, std::string_view label, std::string_view unit,
                             std::string_view key) const {
    return {id, label, unit, {chip(key, kMore)}, ""};
  }
  [[nodiscard]] Resource linkBandwidth() const {
    Resource r{"link_bandwidth", "Scale-up link bandwidth", "GB/s per link", {}, "chips are not joined"};
    r.changes.push_back(system("scale_up.link_gb_per_s", kMore));
    keepPositive(r);
    return r;
  }
  [[nodiscard]] Resource linkLatency() const {
    Resource r{"link_latency", "Scale-up link latency", "us", {}, ""};
    r.changes.push_back(system("scale_up.link_latency_us", kLess));
    r.why_none = "the latency of this wiring is part of measured constants, not a parameter";
    keepPositive(r);
    return r;
  }
  [[nodiscard]] Resource scaleOut() const {
    Resource r{"scale_out_bandwidth", "Scale-out bandwidth of a chip", "GB/s", {}, ""};
    r.why_none = "all chips share one scale-up domain";
    if (s_.chips <= specs_.system.chips) return r;
    double now = s_.fabric.gb_per_s_per_chip;
    if (!(now > 0)) now = specs_.system.nic_bytes_per_s_per_chip / 1e9;
    if (!(now > 0)) now = specs_.chip.scale_out_bytes_per_s / 1e9;
    r.changes.push_back({"fabric.gb_per_s_per_chip", now, now * kMore});
    keepPositive(r);
    return r;
  }
  [[nodiscard]] Resource physical(std::string_view id, std::string_view label, std::string_view unit,
                                  std::string_view key, const std::optional<double>& now,
                                  std::string why_none) const {
    Resource r{id, label, unit, {}, std::move(why_none)};
    if (now && *now > 0) r.changes.push_back({fmt::format("physical.{}", key), *now, *now * kMore});
    return r;
  }
  [[nodiscard]] Resource airflow() const {
    Resource r{"airflow", "Airflow", "of the chassis maximum", {}, "the fans run at full speed already"};
    const double now = s_.physical.airflow_ratio.value_or(1);
    if (now < 1) r.changes.push_back({"physical.airflow_ratio", now, std::min(1.0, now * kMore)});
    return r;
  }
  /// 10 % of the way from where throttling begins to the supply.
  [[nodiscard]] Resource supply(bool liquid) const {
    Resource r{"supply_temperature", liquid ? "Cooler coolant supply" : "Cooler air inlet", "C", {}, ""};
    r.why_none = "no supply temperature is known";
    if (s_.physical.supply_c) {
      const double now = *s_.physical.supply_c;
      r.changes.push_back({"physical.supply_c", now, now - (kMore - 1) * std::max(0.0, throttle_c_ - now)});
    }
    return r;
  }

  const Scenario& s_;
  const scenario::ResolvedSpecs& specs_;
  double throttle_c_;
};

std::string assignment(const Change& change) {
  return fmt::format("{}={}", change.path, change.to);
}

Expected<Scenario> withChanges(const Scenario& base, const std::vector<Change>& changes) {
  Scenario out = base;
  for (const Change& c : changes) {
    auto changed = scenario::applySet(out, assignment(c));
    if (!changed) return changed;
    out = *std::move(changed);
  }
  return out;
}

std::vector<double> changeRatios(const Prediction& before, const Prediction& after) {
  std::vector<double> out;
  for (const HeadlineMetric& metric : headlineMetrics()) {
    const double was = metric.value(before);
    out.push_back(was != 0 ? metric.value(after) / was - 1 : 0);
  }
  return out;
}

/// Whether the model listens to this latency at all: ten times as much must not go unnoticed.
bool isHeard(const std::shared_ptr<const Catalog>& catalog, const Scenario& base, const Prediction& at_base,
             Change change) {
  change.to = 10 * change.from;
  const auto worse = withChanges(base, {change});
  if (!worse) return true;
  const auto prediction = predict(catalog, *worse, {false, false});
  return !prediction || prediction->tpot_s != at_base.tpot_s ||
         at_base.breakdown_s[StepPart::Collectives] == 0;
}

Expected<std::optional<ResourceGain>> gain(const std::shared_ptr<const Catalog>& catalog,
                                           const Scenario& base, const Prediction& at_base,
                                           const Resource& resource) {
  if (resource.changes.empty()) return std::nullopt;
  if (resource.id == "link_latency" && !isHeard(catalog, base, at_base, resource.changes.front()))
    return std::nullopt;
  const auto scenario = withChanges(base, resource.changes);
  if (!scenario) return Unexpected(scenario.error());
  auto prediction = predict(catalog, *scenario, {false, false});
  if (!prediction) return Unexpected(prediction.error());
  ResourceGain out;
  out.id = resource.id;
  out.label = resource.label;
  out.change = fmt::format("{:.4g} to {:.4g} {}", resource.changes.front().from, resource.changes.front().to,
                           resource.unit);
  for (const Change& c : resource.changes) out.assignments.push_back(assignment(c));
  out.change_ratio = changeRatios(at_base, *prediction);
  out.prediction = *std::move(prediction);
  return out;
}

}  // namespace

double gainOf(const ResourceGain& gain, Objective objective) {
  const double ratio = gain.change_ratio[objectiveIndex(objective)];
  return objectiveMetric(objective).higher_is_better ? ratio : -ratio;
}

Expected<Sensitivity> sensitivity(const std::shared_ptr<const Catalog>& catalog, const Scenario& scenario,
                                  Objective objective) {
  const auto predictor = Predictor::make(catalog, scenario);
  if (!predictor) return Unexpected(predictor.error());
  Sensitivity out;
  out.objective = objective;
  Scenario base = (*predictor)->scenario();
  out.base = (*predictor)->predict(base, {false, false});
  if (!out.base.feasible) return out;
  base.parallel = out.base.plan.degrees;
  const auto specs = scenario::resolveSpecs(*catalog, base);
  if (!specs) return Unexpected(specs.error());
  for (const Resource& resource : Resources(**predictor, *specs).all()) {
    auto gained = gain(catalog, base, out.base, resource);
    if (!gained) return Unexpected(gained.error());
    if (*gained)
      out.gains.push_back(**std::move(gained));
    else
      out.skipped.push_back(fmt::format("{}: {}", resource.label, resource.why_none));
  }
  std::stable_sort(out.gains.begin(), out.gains.end(), [&](const ResourceGain& a, const ResourceGain& b) {
    return gainOf(a, objective) > gainOf(b, objective);
  });
  return out;
}

}  // namespace decodescope::analysis
