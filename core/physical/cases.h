// The physical model on single cases {"id", "kind", "inputs"}, as `decodescope-cli thermal` and the tests
// read them. Each kind is one row of a table that calls the functions of this module.
#pragma once

#include "catalog/catalog.h"

#include <decodescope/expected.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace decodescope::physical {

/// {"cases": [{"id", "computed"}]} for a document {"cases": [...]}, or a bare array of cases. `file` stands
/// in errors and warnings, which name the place by JSON pointer.
[[nodiscard]] Expected<nlohmann::json> computeCases(const Catalog&, const nlohmann::json& document,
                                                    const std::string& file, Warnings* warnings = nullptr);
[[nodiscard]] std::vector<std::string> caseKinds();

}  // namespace decodescope::physical
