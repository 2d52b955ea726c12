// Rows of the parameter table with their accessors: what reads, writes and judges one value of a scenario.
#pragma once

#include <decodescope/parameters.h>

#include <map>
#include <string>
#include <vector>

namespace decodescope::scenario {

/// Values that the scenario's system brings, by parameter path; may be empty.
using Defaults = std::map<std::string, double, std::less<>>;

struct ParameterRow {
  ParameterDescriptor descriptor;
  ParameterValue (*get)(const Scenario&, const Defaults&) = nullptr;
  void (*set)(Scenario&, const ParameterValue&) = nullptr;
  /// Null: the scenario always states it.
  bool (*is_set)(const Scenario&) = nullptr;
  /// Legal texts of a Choice that the catalog does not name.
  std::vector<CatalogItem> choices{};
};

/// Appends one row.
void addRow(std::vector<ParameterRow>& rows, ParameterDescriptor,
            ParameterValue (*get)(const Scenario&, const Defaults&),
            void (*set)(Scenario&, const ParameterValue&), bool (*is_set)(const Scenario&) = nullptr,
            std::vector<CatalogItem> choices = {});
void addFirstRows(std::vector<ParameterRow>&);
void addWorkloadRows(std::vector<ParameterRow>&);
void addModelRows(std::vector<ParameterRow>&);
void addClusterRows(std::vector<ParameterRow>&);
void addPhysicalRows(std::vector<ParameterRow>&);
void addCostRows(std::vector<ParameterRow>&);

[[nodiscard]] const std::vector<ParameterRow>& parameterRows();
[[nodiscard]] const ParameterRow* findRow(std::string_view path);

[[nodiscard]] inline double numberOf(const ParameterValue& value) {
  const double* number = std::get_if<double>(&value);
  return number == nullptr ? 0 : *number;
}
[[nodiscard]] inline const std::string& textOf(const ParameterValue& value) {
  static const std::string none;
  const std::string* text = std::get_if<std::string>(&value);
  return text == nullptr ? none : *text;
}
[[nodiscard]] double defaultOf(const Defaults&, std::string_view path, double fallback);

/// Mean context of a decoding sequence: all of the prompt and, over its life, half of its output.
[[nodiscard]] double meanContextTokens(const Workload&);
/// Sets prompt (and, only when the context is too short for it, output) so that the mean context is `tokens`.
void setMeanContextTokens(Workload&, double tokens);

/// Sets without asking the catalog whether an id exists.
[[nodiscard]] Expected<Scenario> setParameter(const Scenario&, const ParameterRow&, const ParameterValue&);

}  // namespace decodescope::scenario
