#include "scenario/overrides.h"

#include "base/text_distance.h"
#include "scenario/document.h"
#include "scenario/override_fields.h"
#include "scenario/parameter_rows.h"
#include "scenario/scenario_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace decodescope::scenario {
namespace {

using Json = nlohmann::ordered_json;

/// Keys that are not rows of the parameter table.
constexpr std::array<std::string_view, 19> kFurtherPaths{"name",
                                                         "precision.activations",
                                                         "workload.trace_file",
                                                         "faults",
                                                         "fabric",
                                                         "workload.prompt_tokens.dist",
                                                         "workload.prompt_tokens.mean",
                                                         "workload.prompt_tokens.sigma",
                                                         "workload.prompt_tokens.min",
                                                         "workload.prompt_tokens.max",
                                                         "workload.output_tokens.dist",
                                                         "workload.output_tokens.mean",
                                                         "workload.output_tokens.sigma",
                                                         "workload.output_tokens.min",
                                                         "workload.output_tokens.max",
                                                         "serving.speculation",
                                                         "model.base",
                                                         "system.base",
                                                         "format"};

Error badPath(std::string_view path, std::string value) {
  std::string remedy = didYouMean(path, scenarioPaths(), 3);
  if (remedy.empty())
    remedy = "paths are the keys of a scenario file joined by dots, such as workload.concurrency";
  return Error{ErrorCode::BadInput, "", std::string(path), std::move(value), "is no value of a scenario",
               std::move(remedy)};
}

/// JSON where the text is JSON, else the text itself; nothing is null.
Json parseValue(std::string_view text) {
  if (text.empty()) return nullptr;
  Json value = Json::parse(text.begin(), text.end(), nullptr, false);
  return value.is_discarded() ? Json(std::string(text)) : value;
}

/// A member about to get members of its own: what stands for an object in short form becomes one.
void expand(Json& value, std::string_view key) {
  if (value.is_object()) return;
  if (value.is_string() && (key == "model" || key == "system"))
    value = Json{{"base", value}};
  else if (value.is_string() && key == "fabric")
    value = Json{{"kind", value}};
  else if (value.is_number())
    value = Json{{"dist", "fixed"}, {"mean", value}};
  else
    value = Json::object();
}

void assign(Json& document, std::string_view path, Json value) {
  Json* place = &document;
  for (auto dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
    const std::string key(path.substr(0, dot));
    place = &(*place)[key];
    expand(*place, key);
    path = path.substr(dot + 1);
  }
  (*place)[std::string(path)] = std::move(value);
}

std::string pointerOf(std::string_view path) {
  std::string out(1, '/');
  out += path;
  std::replace(out.begin(), out.end(), '.', '/');
  return out;
}

/// "/workload/concurrency" as "workload.concurrency".
std::string dotted(const std::string& pointer) {
  std::string out(pointer, pointer.starts_with('/') ? 1 : 0);
  std::replace(out.begin(), out.end(), '/', '.');
  return out;
}

/// Through the file format: the document with one key changed, read again.
Expected<Scenario> setKey(const Scenario& scenario, std::string_view path, std::string_view text) {
  Json document = toDocument(scenario);
  assign(document, path, parseValue(text));
  std::string written;
  try {
    written = document.dump();
  } catch (const Json::type_error&) {  // a command line may hold any bytes
    return Unexpected(Error{ErrorCode::BadInput, "", std::string(path), "", "is not UTF-8 text",
                            "write the value in UTF-8"});
  }
  Warnings warnings;
  auto changed = readScenario(written, "", &warnings);
  if (!changed) {
    Error error = changed.error();
    error.field = dotted(error.field);
    return Unexpected(std::move(error));
  }
  for (const Error& warning : warnings) {
    if (warning.field == pointerOf(path)) return Unexpected(badPath(path, std::string(text)));
  }
  return changed;
}

/// The value of a table row from text: numbers for numbers, on and off for switches.
ParameterValue rowValue(const ParameterRow& row, std::string_view text) {
  if (row.descriptor.scale == ParameterScale::Choice) return std::string(text);
  if (row.descriptor.scale == ParameterScale::Switch) {
    if (text == "on" || text == "true") return 1.0;
    if (text == "off" || text == "false") return 0.0;
  }
  const Json value = parseValue(text);
  if (value.is_number()) return value.get<double>();
  return std::string(text);
}

}  // namespace

std::span<const std::string_view> scenarioPaths() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const ParameterDescriptor& p : parameterTable()) out.emplace_back(p.path);
    for (const std::string_view path : kFurtherPaths) out.emplace_back(path);
    for (const std::string_view entry : {"model", "system", "chip"}) {
      for (const std::string_view field : overridableFields(entry)) {
        std::string path(entry);
        path += '.';
        path += field;
        if (findRow(path) == nullptr) out.push_back(std::move(path));
      }
    }
    return out;
  }();
  static const std::vector<std::string_view> views(names.begin(), names.end());
  return views;
}

Expected<Scenario> applySet(const Scenario& scenario, std::string_view assignment) {
  const auto equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return Unexpected(Error{ErrorCode::BadInput, "", "--set", std::string(assignment),
                            "is not of the form path=value", "write, for example, workload.concurrency=64"});
  }
  const std::string_view path = assignment.substr(0, equals), text = assignment.substr(equals + 1);
  const ParameterRow* row = findRow(path);
  const bool structured = !text.empty() && (text.front() == '{' || text.front() == '[');
  if (row != nullptr && !structured && path != "seed") {
    // An empty value, or null, takes an optional value back.
    if ((text.empty() || text == "null") && row->is_set != nullptr &&
        row->descriptor.scale != ParameterScale::Choice) {
      return setKey(scenario, path, "");
    }
    return setParameter(scenario, *row, rowValue(*row, text));
  }
  const auto paths = scenarioPaths();
  const bool known = row != nullptr || std::find(paths.begin(), paths.end(), path) != paths.end();
  if (!known) return Unexpected(badPath(path, std::string(text)));
  return setKey(scenario, path, text);
}

}  // namespace decodescope::scenario
