// The parameter descriptor table: one row makes a slider, a spin box, a --set path, a sweep axis, a JSON key
// and a line of documentation. Rows live in core/scenario/parameter_table.cpp.
#pragma once

#include <decodescope/catalog_listing.h>
#include <decodescope/expected.h>
#include <decodescope/scenario.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace decodescope {

enum class ParameterScale { Linear, Log2, Log10, Choice, Switch };

/// A number, or the text of a choice.
using ParameterValue = std::variant<double, std::string>;

struct ParameterDescriptor {
  std::string_view path;     ///< dotted path as in --set and in the JSON, "workload.context_tokens"
  std::string_view label;    ///< "Context length"
  std::string_view section;  ///< Workload, Model, Cluster, Physical, Cost
  std::string_view unit;     ///< display unit, "tokens"; empty for choices
  ParameterScale scale = ParameterScale::Linear;
  double soft_min = 0, soft_max = 1;  ///< what the slider spans
  double hard_min = 0, hard_max = 1;  ///< what may be typed
  bool integral = false;
  bool basic = false;         ///< shown before "All" is asked for
  std::vector<double> stops;  ///< values the slider snaps to, may be empty
  std::string_view help;      ///< one sentence
};

/// All parameters, in the order of the control panel.
[[nodiscard]] std::span<const ParameterDescriptor> parameterTable();
[[nodiscard]] const ParameterDescriptor* findParameter(std::string_view path);

/// The choices of a Choice parameter, with the catalog's entries where it names them.
[[nodiscard]] std::vector<CatalogItem> parameterChoices(const ParameterDescriptor&, const CatalogListing&);

/// Current value in the descriptor's unit. Values that the scenario leaves to the system are resolved by the
/// listing.
[[nodiscard]] ParameterValue parameterValue(const Scenario&, const ParameterDescriptor&,
                                            const CatalogListing&);
/// Whether the scenario states the value itself, rather than leaving it to the catalog.
[[nodiscard]] bool isParameterSet(const Scenario&, const ParameterDescriptor&);

/// The scenario with one value changed; fails when it lies outside the hard range or is no legal choice.
[[nodiscard]] Expected<Scenario> withParameter(const Scenario&, const ParameterDescriptor&,
                                               const ParameterValue&, const CatalogListing&);

}  // namespace decodescope
