// Rows of the parameter table with their accessors: what reads, writes and judges one value of a scenario.
#pragma once

#include <decodescope/parameters.h>

#include <map>
#include <string>
#include <type_traits>
#include <utility>
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

[[nodiscard]] inline double numberOf(const ParameterValue& value) {
  const double* number = std::get_if<double>(&value);
  return number == nullptr ? 0 : *number;
}
[[nodiscard]] inline const std::string& textOf(const ParameterValue& value) {
  static const std::string none;
  const std::string* text = std::get_if<std::string>(&value);
  return text == nullptr ? none : *text;
}

struct Bounds {
  double min = 0, max = 1;
};
inline constexpr unsigned kIntegral = 1, kBasic = 2;
/// What a slider and a spin box show.
[[nodiscard]] ParameterDescriptor number(std::string_view path, std::string_view label,
                                         std::string_view section, std::string_view unit, ParameterScale,
                                         Bounds soft, Bounds hard, std::string_view help, unsigned flags = 0,
                                         std::vector<double> stops = {});
/// What a list of texts shows.
[[nodiscard]] ParameterDescriptor choice(std::string_view path, std::string_view label,
                                         std::string_view section, std::string_view help, unsigned flags = 0);

/// Appends one row.
void addRow(std::vector<ParameterRow>& rows, ParameterDescriptor,
            ParameterValue (*get)(const Scenario&, const Defaults&),
            void (*set)(Scenario&, const ParameterValue&), bool (*is_set)(const Scenario&) = nullptr,
            std::vector<CatalogItem> choices = {});
/// A number that is a member of a part of the scenario: addNumber<&Scenario::workload,
/// &Workload::slo_tpot_ms>.
template <auto Part, auto Member>
void addNumber(std::vector<ParameterRow>& rows, ParameterDescriptor descriptor) {
  addRow(
      rows, std::move(descriptor),
      [](const Scenario& s, const Defaults&) -> ParameterValue {
        return static_cast<double>((s.*Part).*Member);
      },
      [](Scenario& s, const ParameterValue& v) {
        auto& place = (s.*Part).*Member;
        place = static_cast<std::remove_reference_t<decltype(place)>>(numberOf(v));
      });
}

void addFirstRows(std::vector<ParameterRow>&);
void addWorkloadRows(std::vector<ParameterRow>&);
void addModelRows(std::vector<ParameterRow>&);
void addClusterRows(std::vector<ParameterRow>&);
void addPhysicalRows(std::vector<ParameterRow>&);
void addCostRows(std::vector<ParameterRow>&);

[[nodiscard]] const std::vector<ParameterRow>& parameterRows();
[[nodiscard]] const ParameterRow* findRow(std::string_view path);

[[nodiscard]] double defaultOf(const Defaults&, std::string_view path, double fallback);

/// Mean context of a decoding sequence: all of the prompt and, over its life, half of its output.
[[nodiscard]] double meanContextTokens(const Workload&);
/// Sets prompt (and, only when the context is too short for it, output) so that the mean context is `tokens`.
void setMeanContextTokens(Workload&, double tokens);

/// Sets without asking the catalog whether an id exists.
[[nodiscard]] Expected<Scenario> setParameter(const Scenario&, const ParameterRow&, const ParameterValue&);

}  // namespace decodescope::scenario
