// The model, system and chip of a scenario with the scenario's own numbers in place of the catalog's.
#pragma once

#include "catalog/catalog.h"

#include <decodescope/expected.h>
#include <decodescope/scenario.h>

namespace decodescope::scenario {

struct ResolvedSpecs {
  ModelSpec model;
  SystemSpec system;
  ChipSpec chip;
};
/// Unknown ids and fields are errors. Another link rate of the system scales the chip's total in proportion,
/// another number of layers keeps the mix of attention kinds, and an overridden value's source says so.
[[nodiscard]] Expected<ResolvedSpecs> resolveSpecs(const Catalog&, const Scenario&);

}  // namespace decodescope::scenario
