// What a scenario names, looked up in the catalog, with the scenario's own numbers in place.
#pragma once

#include "catalog/catalog.h"

#include <decodescope/expected.h>
#include <decodescope/scenario.h>

#include <string_view>

namespace decodescope::decode {

struct Specs {
  ModelSpec model;
  ChipSpec chip;
  SystemSpec system;
  EngineSpec engine;
};
[[nodiscard]] Expected<Specs> resolveSpecs(const Catalog&, const Scenario&);

/// "bf16" and the like to its number format.
[[nodiscard]] Expected<Dtype> parseDtype(std::string_view id, std::string_view field);

}  // namespace decodescope::decode
