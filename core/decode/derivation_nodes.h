// Short makers of derivation nodes, shared by the step's tree and the predictor's.
#pragma once

#include "catalog/source.h"

#include <decodescope/derivation.h>

#include <string>
#include <string_view>
#include <vector>

namespace decodescope::decode {

/// "1.234 ms", "3.35 TB/s": a value of an SI unit with a metric prefix.
[[nodiscard]] std::string quantityText(double value, const std::string& unit);

[[nodiscard]] Derivation leaf(std::string id, std::string label, double value, std::string unit, SourceKind,
                              std::string source, std::string parameter_path = {});
/// A value of a catalog entry, with the source and confidence that the entry states for the field.
[[nodiscard]] Derivation catalogLeaf(std::string id, std::string label, double value, std::string unit,
                                     const std::string& entry, const SourceTable& sources,
                                     std::string_view field, std::string parameter_path = {});
/// A node whose value is what its children give; with_numbers is written from them.
[[nodiscard]] Derivation combined(std::string id, std::string label, std::string unit, Combine,
                                  std::string formula, std::vector<Derivation> children, double exponent = 1);
/// Sets `share` of every Sum descendant to its part of the root.
void setShares(Derivation& root);

}  // namespace decodescope::decode
