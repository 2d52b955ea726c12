#include "decode/specs.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <span>
#include <string>

namespace decodescope::decode {
namespace {

/// One number of an entry that scenarios may override; `scale` turns the unit of the name into SI.
template <class Spec>
struct Field {
  std::string_view name;
  double Spec::*real = nullptr;
  int Spec::*whole = nullptr;
  double scale = 1;
};

constexpr std::array kChipFields{
    Field<ChipSpec>{"bf16_tflop_per_s", &ChipSpec::bf16_flop_per_s, nullptr, 1e12},
    Field<ChipSpec>{"fp8_tflop_per_s", &ChipSpec::fp8_flop_per_s, nullptr, 1e12},
    Field<ChipSpec>{"fp4_tflop_per_s", &ChipSpec::fp4_flop_per_s, nullptr, 1e12},
    Field<ChipSpec>{"int8_tflop_per_s", &ChipSpec::int8_flop_per_s, nullptr, 1e12},
    Field<ChipSpec>{"memory_gb", &ChipSpec::memory_bytes, nullptr, 1e9},
    Field<ChipSpec>{"memory_bandwidth_gb_per_s", &ChipSpec::memory_bandwidth_bytes_per_s, nullptr, 1e9},
    Field<ChipSpec>{"scale_up_gb_per_s", &ChipSpec::scale_up_bytes_per_s, nullptr, 1e9},
    Field<ChipSpec>{"scale_out_gb_per_s", &ChipSpec::scale_out_bytes_per_s, nullptr, 1e9},
    Field<ChipSpec>{"tdp_w", &ChipSpec::tdp_w, nullptr, 1},
    Field<ChipSpec>{"price_usd", &ChipSpec::price_usd, nullptr, 1},
};
constexpr std::array kSystemFields{
    Field<SystemSpec>{"link_gb_per_s", nullptr, nullptr, 1e9},
    Field<SystemSpec>{"chips", nullptr, &SystemSpec::chips, 1},
    Field<SystemSpec>{"rack_power_max_kw", &SystemSpec::rack_power_max_w, nullptr, 1e3},
    Field<SystemSpec>{"nic_gb_per_s_per_chip", &SystemSpec::nic_bytes_per_s_per_chip, nullptr, 1e9},
    Field<SystemSpec>{"price_usd", &SystemSpec::price_usd, nullptr, 1},
};
constexpr std::array kModelFields{
    Field<ModelSpec>{"layers", nullptr, &ModelSpec::layers, 1},
    Field<ModelSpec>{"hidden", nullptr, &ModelSpec::hidden, 1},
    Field<ModelSpec>{"heads", nullptr, &ModelSpec::heads, 1},
    Field<ModelSpec>{"kv_heads", nullptr, &ModelSpec::kv_heads, 1},
    Field<ModelSpec>{"head_dim", nullptr, &ModelSpec::head_dim, 1},
    Field<ModelSpec>{"window", nullptr, &ModelSpec::window, 1},
    Field<ModelSpec>{"intermediate", nullptr, &ModelSpec::intermediate, 1},
    Field<ModelSpec>{"vocab", nullptr, &ModelSpec::vocab, 1},
};

template <class Spec, std::size_t N>
bool assign(Spec& spec, const std::array<Field<Spec>, N>& fields, const CatalogOverride& o) {
  for (const auto& f : fields) {
    if (f.name != o.field) continue;
    if (f.real) spec.*f.real = o.value * f.scale;
    if (f.whole) spec.*f.whole = static_cast<int>(o.value);
    return true;
  }
  return false;
}

bool apply(Specs& specs, const CatalogOverride& o) {
  if (o.entry == "chip") return assign(specs.chip, kChipFields, o);
  if (o.entry == "model") {
    const int layers = specs.model.layers;
    if (!assign(specs.model, kModelFields, o)) return false;
    // Whole-model layer counts by kind follow the new depth in proportion.
    if (specs.model.layers != layers && layers > 0) {
      const auto scaled = [&](int n) {
        return static_cast<int>(static_cast<long>(n) * specs.model.layers / layers);
      };
      specs.model.layers_local = scaled(specs.model.layers_local);
      specs.model.layers_linear = scaled(specs.model.layers_linear);
      specs.model.layers_full = specs.model.layers - specs.model.layers_local - specs.model.layers_linear;
    }
    return true;
  }
  if (o.entry == "system") {
    if (!assign(specs.system, kSystemFields, o)) return false;
    // A faster or slower link is felt by the graph and by the chip's total alike.
    if (o.field == "link_gb_per_s" && specs.system.graph.link_bytes_per_s > 0) {
      specs.chip.scale_up_bytes_per_s *= o.value * 1e9 / specs.system.graph.link_bytes_per_s;
      specs.system.graph.link_bytes_per_s = o.value * 1e9;
    }
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
