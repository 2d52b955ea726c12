// What a scenario leaves open, from the catalog: number formats, cooling and caps of the system.
#include "analysis/predict.h"
#include "decode/specs.h"

namespace decodescope::analysis {
namespace {

/// The model's published format where the chip computes it, else bf16; 4-bit weights load on any chip.
std::string nativeWeights(const ModelSpec& model, const ChipSpec& chip) {
  const std::string id = model.default_weights.empty() ? "bf16" : model.default_weights;
  if (id.starts_with("fp8") && !(chip.fp8_flop_per_s > 0)) return "bf16";
  if (id == "nvfp4" && !(chip.fp4_flop_per_s > 0)) return "bf16";
  return id;
}

}  // namespace

Expected<Scenario> resolve(const Catalog& catalog, const Scenario& scenario) {
  const auto specs = decode::resolveSpecs(catalog, scenario);
  if (!specs) return Unexpected(specs.error());
  Scenario out = scenario;
  if (out.precision.weights.empty()) out.precision.weights = nativeWeights(specs->model, specs->chip);
  if (out.precision.kv.empty()) out.precision.kv = "bf16";
  if (out.precision.activations.empty()) out.precision.activations = "bf16";
  const SystemSpec& system = specs->system;
  Physical& physical = out.physical;
  if (physical.cooling.empty()) physical.cooling = system.cooling.empty() ? "air" : system.cooling;
  const bool liquid = physical.cooling == "liquid";
  constexpr double kAirInlet_c = 25;  // middle of ASHRAE's recommended 18 to 27
  if (!physical.supply_c)
    physical.supply_c =
        system.supply_c > 0 && (liquid == (system.cooling == "liquid")) ? system.supply_c : kAirInlet_c;
  constexpr double kFlow_l_per_min = 1.6;  // of one GB200 cold plate
  if (!physical.flow_l_per_min_per_chip)
    physical.flow_l_per_min_per_chip =
        system.flow_l_per_min_per_chip > 0 ? system.flow_l_per_min_per_chip : kFlow_l_per_min;
  if (!physical.airflow_ratio) physical.airflow_ratio = 1;
  if (!physical.rack_power_cap_kw && system.rack_power_max_w > 0)
    physical.rack_power_cap_kw = system.rack_power_max_w / 1e3;
  if (!physical.chip_power_cap_w) physical.chip_power_cap_w = specs->chip.tdp_w;
  return out;
}

}  // namespace decodescope::analysis
