#include "scenario/override_fields.h"

#include "base/text_distance.h"
#include "catalog/field.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace decodescope::scenario {
namespace {

struct Known {
  std::string_view key;
  json::Range range;
};

template <class Spec>
std::vector<Known> numericFields(std::span<const catalog::Field<Spec>> fields) {
  std::vector<Known> out;
  Spec scratch;
  for (const catalog::Field<Spec>& field : fields) {
    const catalog::Slot slot = field.slot(scratch);
    if (std::holds_alternative<double*>(slot) || std::holds_alternative<int*>(slot))
      out.push_back({field.key, field.range});
  }
  return out;
}

std::vector<Known> knownFields(std::string_view entry) {
  if (entry == "model") return numericFields(catalog::modelFields());
  if (entry == "system") return numericFields(catalog::systemFields());
  return numericFields(catalog::chipFields());
}

void readField(json::Reading& reading, std::string_view entry, const std::string& field,
               const nlohmann::json& value, const std::vector<Known>& known,
               std::vector<CatalogOverride>& out) {
  std::string pointer = "/";
  pointer += entry;
  pointer += '/';
  pointer += field;
  std::replace(pointer.begin(), pointer.end(), '.', '/');
  const auto it = std::find_if(known.begin(), known.end(), [&](const Known& k) { return k.key == field; });
  if (it == known.end()) {
    const std::string hint = didYouMean(field, overridableFields(entry));
    reading.fail(pointer, json::shown(value), "is no number of the catalog that can be replaced",
                 hint.empty() ? "see the fields with: decodescope-cli catalog" : hint);
    return;
  }
  if (const auto number = json::readNumber(reading, value, pointer, it->range)) {
    out.push_back({std::string(entry), field, *number});
  }
}

void walk(json::Reading& reading, std::string_view entry, const std::string& prefix,
          const nlohmann::json& object, const std::vector<Known>& known, std::vector<CatalogOverride>& out) {
  for (const auto& [key, value] : object.items()) {
    if (prefix.empty() && key == "base") continue;
    std::string field = prefix;
    field += key;
    if (value.is_object())
      walk(reading, entry, field + ".", value, known, out);
    else
      readField(reading, entry, field, value, known, out);
  }
}

}  // namespace

std::vector<std::string_view> overridableFields(std::string_view entry) {
  std::vector<std::string_view> out;
  for (const Known& k : knownFields(entry)) out.push_back(k.key);
  return out;
}

void readOverrides(json::Reading& reading, std::string_view entry, const nlohmann::json& object,
                   std::vector<CatalogOverride>& out) {
  walk(reading, entry, "", object, knownFields(entry), out);
}

void sortOverrides(std::vector<CatalogOverride>& overrides) {
  const auto rank = [](const CatalogOverride& o) {
    return o.entry == "model" ? 0 : o.entry == "system" ? 1 : 2;
  };
  std::sort(overrides.begin(), overrides.end(), [&](const CatalogOverride& a, const CatalogOverride& b) {
    return rank(a) != rank(b) ? rank(a) < rank(b) : a.field < b.field;
  });
}

}  // namespace decodescope::scenario
