// Fields of catalog entries that a scenario replaces: "model": {"base": "...", "layers": 40}.
#pragma once

#include "base/json_reader.h"

#include <decodescope/scenario.h>

#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

namespace decodescope::scenario {

/// Reads the fields of one object into overrides; nested objects become dotted fields. Unknown fields, values
/// that are not numbers and numbers out of range are errors.
void readOverrides(json::Reading&, std::string_view entry, const nlohmann::json& object,
                   std::vector<CatalogOverride>&);

/// Numeric fields of an entry kind ("model", "system", "chip").
[[nodiscard]] std::vector<std::string_view> overridableFields(std::string_view entry);

/// The order in which overrides are kept, so that equal scenarios are equal: model, system, chip, then by
/// field.
void sortOverrides(std::vector<CatalogOverride>&);

}  // namespace decodescope::scenario
