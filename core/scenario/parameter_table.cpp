// The parameter descriptor table behind <decodescope/parameters.h>.
#include "base/text_distance.h"
#include "scenario/parameter_rows.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace decodescope {
namespace scenario {
namespace {

bool namesCatalog(std::string_view path) {
  return path == "model" || path == "system" || path == "serving.engine";
}

Error parameterError(const ParameterDescriptor& p, std::string value, std::string message,
                     std::string remedy) {
  return Error{ErrorCode::BadInput, "", std::string(p.path), std::move(value), std::move(message),
               std::move(remedy)};
}

std::string rangeText(const ParameterDescriptor& p) {
  return fmt::format("choose {} from {} to {}{}{}", p.integral ? "a whole number" : "a number", p.hard_min,
                     p.hard_max, p.unit.empty() ? "" : " ", p.unit);
}

Expected<void> checkNumber(const ParameterDescriptor& p, const ParameterValue& value) {
  const double* number = std::get_if<double>(&value);
  if (number == nullptr) return Unexpected(parameterError(p, textOf(value), "is not a number", rangeText(p)));
  const std::string shown = fmt::format("{}", *number);
  if (!std::isfinite(*number) || *number < p.hard_min || *number > p.hard_max) {
    return Unexpected(parameterError(p, shown, "is out of range", rangeText(p)));
  }
  if (p.integral && *number != std::floor(*number))
    return Unexpected(parameterError(p, shown, "is not a whole number", rangeText(p)));
  return {};
}

Expected<void> checkChoice(const ParameterDescriptor& p, const ParameterValue& value,
                           const std::vector<CatalogItem>& choices) {
  const std::string* text = std::get_if<std::string>(&value);
  std::vector<std::string_view> ids;
  for (const CatalogItem& item : choices) ids.push_back(item.id);
  if (text != nullptr && std::find(ids.begin(), ids.end(), *text) != ids.end()) return {};
  const std::string shown = text != nullptr ? *text : fmt::format("{}", numberOf(value));
  std::string remedy = didYouMean(shown, ids, 3);
  if (remedy.empty() && ids.size() <= 8) remedy = fmt::format("choose one of: {}", fmt::join(ids, ", "));
  return Unexpected(
      parameterError(p, shown, "is not a known choice",
                     remedy.empty() ? "see the catalog for those there are" : std::move(remedy)));
}

}  // namespace

ParameterDescriptor number(std::string_view path, std::string_view label, std::string_view section,
                           std::string_view unit, ParameterScale scale, Bounds soft, Bounds hard,
                           std::string_view help, unsigned flags, std::vector<double> stops) {
  return {path,
          label,
          section,
          unit,
          scale,
          soft.min,
          soft.max,
          hard.min,
          hard.max,
          (flags & kIntegral) != 0,
          (flags & kBasic) != 0,
          std::move(stops),
          help};
}

ParameterDescriptor choice(std::string_view path, std::string_view label, std::string_view section,
                           std::string_view help, unsigned flags) {
  return number(path, label, section, "", ParameterScale::Choice, {}, {}, help, flags | kIntegral);
}

void addRow(std::vector<ParameterRow>& rows, ParameterDescriptor descriptor,
            ParameterValue (*get)(const Scenario&, const Defaults&),
            void (*set)(Scenario&, const ParameterValue&), bool (*is_set)(const Scenario&),
            std::vector<CatalogItem> choices) {
  ParameterRow row;
  row.descriptor = std::move(descriptor);
  row.get = get;
  row.set = set;
  row.is_set = is_set;
  row.choices = std::move(choices);
  rows.push_back(std::move(row));
}

const std::vector<ParameterRow>& parameterRows() {
  static const std::vector<ParameterRow> rows = [] {
    std::vector<ParameterRow> all;
    addFirstRows(all);
    addWorkloadRows(all);
    addModelRows(all);
    addClusterRows(all);
    addPhysicalRows(all);
    addCostRows(all);
    return all;
  }();
  return rows;
}

const ParameterRow* findRow(std::string_view path) {
  static const auto index = [] {
    std::map<std::string_view, const ParameterRow*> map;
    for (const ParameterRow& row : parameterRows()) map.emplace(row.descriptor.path, &row);
    return map;
  }();
  const auto it = index.find(path);
  return it == index.end() ? nullptr : it->second;
}

double defaultOf(const Defaults& defaults, std::string_view path, double fallback) {
  const auto it = defaults.find(path);
  return it == defaults.end() ? fallback : it->second;
}

Expected<Scenario> setParameter(const Scenario& scenario, const ParameterRow& row,
                                const ParameterValue& value) {
  const ParameterDescriptor& p = row.descriptor;
  if (p.scale == ParameterScale::Choice) {
    const bool free_text =
        namesCatalog(p.path) && std::holds_alternative<std::string>(value) && !textOf(value).empty();
    if (!free_text) {
      if (auto legal = checkChoice(p, value, row.choices); !legal) return Unexpected(legal.error());
    }
  } else if (auto legal = checkNumber(p, value); !legal) {
    return Unexpected(legal.error());
  }
  Scenario changed = scenario;
  row.set(changed, value);
  return changed;
}

}  // namespace scenario

std::span<const ParameterDescriptor> parameterTable() {
  static const std::vector<ParameterDescriptor> table = [] {
    std::vector<ParameterDescriptor> all;
    for (const scenario::ParameterRow& row : scenario::parameterRows()) all.push_back(row.descriptor);
    return all;
  }();
  return table;
}

const ParameterDescriptor* findParameter(std::string_view path) {
  const scenario::ParameterRow* row = scenario::findRow(path);
  return row == nullptr ? nullptr : &row->descriptor;
}

std::vector<CatalogItem> parameterChoices(const ParameterDescriptor& p, const CatalogListing& listing) {
  if (p.path == "model") return listing.models;
  if (p.path == "system") return listing.systems;
  if (p.path == "serving.engine") return listing.engines;
  const scenario::ParameterRow* row = scenario::findRow(p.path);
  return row == nullptr ? std::vector<CatalogItem>{} : row->choices;
}

ParameterValue parameterValue(const Scenario& s, const ParameterDescriptor& p,
                              const CatalogListing& listing) {
  static const scenario::Defaults none;
  const auto defaults = listing.system_defaults.find(s.system);
  return scenario::findRow(p.path)->get(s,
                                        defaults == listing.system_defaults.end() ? none : defaults->second);
}

bool isParameterSet(const Scenario& s, const ParameterDescriptor& p) {
  const scenario::ParameterRow* row = scenario::findRow(p.path);
  return row->is_set == nullptr || row->is_set(s);
}

Expected<Scenario> withParameter(const Scenario& s, const ParameterDescriptor& p, const ParameterValue& value,
                                 const CatalogListing& listing) {
  const scenario::ParameterRow& row = *scenario::findRow(p.path);
  if (p.scale == ParameterScale::Choice && scenario::namesCatalog(p.path)) {
    const auto choices = parameterChoices(p, listing);
    if (auto legal = scenario::checkChoice(p, value, choices); !legal) return Unexpected(legal.error());
  }
  auto changed = scenario::setParameter(s, row, value);
  if (!changed || p.path != "system" || s.system == changed->system) return changed;
  // A whole old machine becomes a whole new one; a part or a multiple keeps its number of chips.
  const auto chips = [&](const std::string& system) {
    const auto defaults = listing.system_defaults.find(system);
    return defaults == listing.system_defaults.end() ? 0.0
                                                     : scenario::defaultOf(defaults->second, "chips", 0);
  };
  if (chips(s.system) == s.chips && chips(changed->system) > 0) {
    changed->chips = static_cast<int>(chips(changed->system));
    if (changed->chips != s.chips) changed->parallel.reset();
  }
  return changed;
}

}  // namespace decodescope
