#include "scenario/resolved_specs.h"

#include "base/text_distance.h"
#include "catalog/field.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace decodescope::scenario {
namespace {

template <class Spec>
Expected<void> apply(Spec& spec, std::span<const catalog::Field<Spec>> fields,
                     const CatalogOverride& change) {
  const auto it =
      std::find_if(fields.begin(), fields.end(), [&](const auto& f) { return f.key == change.field; });
  const std::string path = change.entry + "." + change.field;
  if (it == fields.end()) {
    std::vector<std::string_view> keys;
    for (const auto& field : fields) keys.push_back(field.key);
    return Unexpected(Error{ErrorCode::BadInput, "", path, fmt::format("{}", change.value),
                            "is no number of the catalog", didYouMean(change.field, keys)});
  }
  const catalog::Slot slot = it->slot(spec);
  if (auto* const* real = std::get_if<double*>(&slot))
    **real = change.value * it->to_si;
  else if (auto* const* whole = std::get_if<int*>(&slot))
    **whole = static_cast<int>(change.value);
  else
    return Unexpected(Error{ErrorCode::BadInput, "", path, fmt::format("{}", change.value),
                            "is not a number in the catalog", "it cannot be replaced"});
  spec.sources[std::string(it->name)] = Source{"set in the scenario", "", true, Confidence::High, ""};
  return {};
}

/// Keeps the mix of attention kinds when the number of layers changes.
void rescaleLayers(ModelSpec& m, int old_layers) {
  if (m.layers_full + m.layers_local + m.layers_linear == m.layers) return;
  const double ratio = static_cast<double>(m.layers) / old_layers;
  m.layers_local = static_cast<int>(std::lround(m.layers_local * ratio));
  m.layers_linear = static_cast<int>(std::lround(m.layers_linear * ratio));
  m.layers_full = std::max(0, m.layers - m.layers_local - m.layers_linear);
}

}  // namespace

Expected<ResolvedSpecs> resolveSpecs(const Catalog& catalog, const Scenario& scenario) {
  const auto model = catalog.model(scenario.model);
  if (!model) return Unexpected(model.error());
  const auto system = catalog.system(scenario.system);
  if (!system) return Unexpected(system.error());
  const auto chip = catalog.chip((*system)->chip);
  if (!chip) return Unexpected(chip.error());
  ResolvedSpecs specs{**model, **system, **chip};
  for (const CatalogOverride& change : scenario.overrides) {
    Expected<void> done;
    if (change.entry == "model")
      done = apply(specs.model, catalog::modelFields(), change);
    else if (change.entry == "system")
      done = apply(specs.system, catalog::systemFields(), change);
    else
      done = apply(specs.chip, catalog::chipFields(), change);
    if (!done) return Unexpected(done.error());
  }
  rescaleLayers(specs.model, (*model)->layers);
  const double link_ratio = specs.system.graph.link_bytes_per_s / (*system)->graph.link_bytes_per_s;
  if (link_ratio != 1) {
    specs.chip.scale_up_bytes_per_s *= link_ratio;
    for (double& axis : specs.system.graph.axis_link_bytes_per_s) axis *= link_ratio;
  }
  return specs;
}

}  // namespace decodescope::scenario
