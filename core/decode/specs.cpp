#include "decode/specs.h"

#include "catalog/field.h"

#include <fmt/format.h>
#include <span>
#include <string>
#include <variant>

namespace decodescope::decode {
namespace {

template <class Spec>
bool assign(Spec& spec, std::span<const catalog::Field<Spec>> fields, const CatalogOverride& o) {
  for (const auto& f : fields) {
    if (f.key != o.field) continue;
    const catalog::Slot slot = f.slot(spec);
    if (double* const* real = std::get_if<double*>(&slot)) {
      **real = o.value * f.to_si;
    } else if (int* const* whole = std::get_if<int*>(&slot)) {
      **whole = static_cast<int>(o.value * f.to_si);
    } else if (bool* const* flag = std::get_if<bool*>(&slot)) {
      **flag = o.value != 0;
    } else {
      return false;
    }
    return true;
  }
  return false;
}

/// Layer counts by kind follow a new depth in proportion.
void followDepth(ModelSpec& model, int layers_before) {
  if (model.layers == layers_before || layers_before <= 0) return;
  const auto scaled = [&](int n) {
    return static_cast<int>(static_cast<long>(n) * model.layers / layers_before);
  };
  model.layers_local = scaled(model.layers_local);
  model.layers_linear = scaled(model.layers_linear);
  model.layers_full = model.layers - model.layers_local - model.layers_linear;
}

/// A faster or slower link is felt by the graph and by the chip's own total alike.
void followLink(Specs& specs, const ScaleUpGraph& before) {
  const ScaleUpGraph& graph = specs.system.graph;
  if (before.link_bytes_per_s > 0)
    specs.chip.scale_up_bytes_per_s *= graph.link_bytes_per_s / before.link_bytes_per_s;
  if (before.link_latency_s > 0)
    specs.chip.scale_up_latency_s *= graph.link_latency_s / before.link_latency_s;
}

bool apply(Specs& specs, const CatalogOverride& o) {
  if (o.entry == "chip") return assign(specs.chip, catalog::chipFields(), o);
  if (o.entry == "model") {
    const int layers = specs.model.layers;
    if (!assign(specs.model, catalog::modelFields(), o)) return false;
    if (o.field == "layers") followDepth(specs.model, layers);
    return true;
  }
  if (o.entry == "system") {
    const ScaleUpGraph before = specs.system.graph;
    if (!assign(specs.system, catalog::systemFields(), o)) return false;
    followLink(specs, before);
    return true;
  }
  return false;
}

}  // namespace

Expected<Specs> resolveSpecs(const Catalog& catalog, const Scenario& scenario) {
  Specs specs;
  const auto model = catalog.model(scenario.model);
  if (!model) return Unexpected(model.error());
  const auto system = catalog.system(scenario.system);
  if (!system) return Unexpected(system.error());
  const auto chip = catalog.chip((*system)->chip);
  if (!chip) return Unexpected(chip.error());
  const auto engine = catalog.engine(scenario.serving.engine);
  if (!engine) return Unexpected(engine.error());
  specs = {**model, **chip, **system, **engine};
  for (const CatalogOverride& o : scenario.overrides) {
    if (apply(specs, o)) continue;
    return Unexpected(Error{ErrorCode::BadInput, "", o.entry + "." + o.field, fmt::format("{}", o.value),
                            "no such number can be overridden", "see the parameter list"});
  }
  return specs;
}

Expected<Dtype> parseDtype(std::string_view id, std::string_view field) {
  for (const Dtype d : {Dtype::Bf16, Dtype::Fp8, Dtype::Fp8Dynamic, Dtype::Fp8Block, Dtype::Int8,
                        Dtype::Mxfp4, Dtype::Nvfp4}) {
    if (id == dtypeId(d)) return d;
  }
  if (id == "fp4") return Dtype::Nvfp4;
  if (id == "fp16") return Dtype::Bf16;
  return Unexpected(Error{ErrorCode::BadInput, "", std::string(field), std::string(id),
                          "is not a number format", "bf16, fp8, fp8_block, int8, mxfp4 or nvfp4"});
}

}  // namespace decodescope::decode
