#include "base/json_document.h"
#include "base/resource_folder.h"
#include "base/text_distance.h"
#include "scenario/scenario_json.h"

#include <fmt/format.h>
#include <algorithm>

namespace decodescope::scenario {
namespace {

constexpr std::string_view kSuffix = ".decodescope.json";

/// What was named exists, or looks like a path rather than an id.
bool isPath(const std::string& name) {
  std::error_code ignored;
  return std::filesystem::exists(name, ignored) || name.find('/') != std::string::npos ||
         name.ends_with(".json");
}

Error unknownScenario(const std::string& name, const std::vector<ShippedScenario>& shipped) {
  std::vector<std::string_view> ids;
  for (const ShippedScenario& s : shipped) ids.push_back(s.id);
  std::string remedy = didYouMean(name, ids, 3);
  if (remedy.empty()) remedy = fmt::format("name a file, or one of: {}", fmt::join(ids, ", "));
  return Error{ErrorCode::NotFound, "", "scenario", name, "is neither a file nor a shipped scenario",
               std::move(remedy)};
}

}  // namespace

std::vector<ShippedScenario> shippedScenarios() {
  std::vector<ShippedScenario> out;
  std::error_code failure;
  for (const auto& item : std::filesystem::directory_iterator(resourceFolder("scenarios"), failure)) {
    const std::string name = item.path().filename().string();
    if (name.ends_with(kSuffix)) out.push_back({name.substr(0, name.size() - kSuffix.size()), item.path()});
  }
  std::sort(out.begin(), out.end(),
            [](const ShippedScenario& a, const ShippedScenario& b) { return a.id < b.id; });
  return out;
}

Expected<Scenario> loadScenario(const std::string& name, Warnings* warnings) {
  std::filesystem::path file = name;
  if (name != "-" && !isPath(name)) {
    const auto shipped = shippedScenarios();
    const auto it =
        std::find_if(shipped.begin(), shipped.end(), [&](const ShippedScenario& s) { return s.id == name; });
    if (it == shipped.end()) return Unexpected(unknownScenario(name, shipped));
    file = it->file;
  }
  const auto text = json::readText(file);
  if (!text) return Unexpected(text.error());
  return readScenario(*text, name == "-" ? "standard input" : file.string(), warnings);
}

}  // namespace decodescope::scenario
