#include "scenario/migrations.h"

#include "base/json_reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace decodescope::scenario {

std::span<const Migration> migrations() {
  return {};
}

Expected<void> migrate(nlohmann::json& document, const std::string& file, int newest,
                       std::span<const Migration> steps) {
  json::Reading reading(file);
  json::Object root(reading, document, "");
  int schema = root.integer("schema", 1, {0, 1e6, "", true});
  if (!reading.ok()) return Unexpected(reading.error());
  if (schema > newest) {
    return Unexpected(Error{ErrorCode::TooNew, file, "/schema", fmt::format("{}", schema),
                            fmt::format("is newer than this program reads (schema {})", newest),
                            "update Decodescope"});
  }
  for (; schema < newest; ++schema) {
    const Migration* next = nullptr;
    for (const Migration& step : steps) {
      if (step.from == schema) next = &step;
    }
    if (next == nullptr) {
      return Unexpected(Error{ErrorCode::BadInput, file, "/schema", fmt::format("{}", schema),
                              "is no schema that was ever released", fmt::format("write {}", newest)});
    }
    next->apply(document);
    document["schema"] = schema + 1;
  }
  return {};
}

}  // namespace decodescope::scenario
