#include "catalog/describe.h"

#include "catalog/entry_reader.h"
#include "catalog/field.h"

#include <nlohmann/json.hpp>

namespace decodescope::catalog {
namespace {

/// The entry as its file has it.
const nlohmann::json& rawEntry(const Catalog& catalog, std::string_view kind, std::string_view id) {
  static const nlohmann::json none = nlohmann::json::object();
  for (const nlohmann::json& entry : catalog.document(kind)) {
    if (entry["id"] == id) return entry;
  }
  return none;
}

/// The node of a dotted key, or null.
const nlohmann::json* nodeAt(const nlohmann::json& entry, std::string_view key) {
  const nlohmann::json* node = &entry;
  while (node->is_object() && !key.empty()) {
    const auto dot = key.find('.');
    const auto it = node->find(key.substr(0, dot));
    if (it == node->end()) return nullptr;
    node = &*it;
    key = dot == std::string_view::npos ? std::string_view{} : key.substr(dot + 1);
  }
  return node;
}

std::vector<Alternative> alternativesOf(const nlohmann::json* node, double to_si) {
  std::vector<Alternative> out;
  if (node == nullptr || !node->is_object() || !node->contains("alternatives")) return out;
  for (const nlohmann::json& item : (*node)["alternatives"]) {
    if (!item.is_object() || !item.contains("value") || !item["value"].is_number()) continue;
    json::Reading ignored("");
    EntryReader reader(ignored, item, "");
    out.push_back({item["value"].get<double>() * to_si, reader.leaf("value").source});
  }
  return out;
}

template <class Spec>
DescribedEntry describeSpec(const Catalog& catalog, std::string kind, Spec spec,
                            std::span<const Field<Spec>> fields) {
  DescribedEntry out{std::move(kind), spec.id, spec.name, {}};
  const nlohmann::json& raw = rawEntry(catalog, out.kind + "s", spec.id);
  for (const Field<Spec>& field : fields) {
    const auto source = spec.sources.find(field.name);
    if (source == spec.sources.end() || field.name == "name") continue;
    DescribedValue row;
    row.name = field.name;
    row.source = source->second;
    const Slot slot = field.slot(spec);
    if (auto* const* real = std::get_if<double*>(&slot)) {
      row.value = **real;
    } else if (auto* const* count = std::get_if<int*>(&slot)) {
      row.value = static_cast<double>(**count);
      row.whole = true;
    } else if (auto* const* flag = std::get_if<bool*>(&slot)) {
      row.value = **flag;
    } else {
      row.value = **std::get_if<std::string*>(&slot);
    }
    row.alternatives = alternativesOf(nodeAt(raw, field.key), field.to_si);
    out.values.push_back(std::move(row));
  }
  return out;
}

template <class Spec>
Expected<DescribedEntry> describeFound(const Catalog& catalog, const char* kind,
                                       const Expected<const Spec*>& found,
                                       std::span<const Field<Spec>> fields) {
  if (!found) return Unexpected(found.error());
  return describeSpec(catalog, kind, **found, fields);
}

}  // namespace

Expected<DescribedEntry> describe(const Catalog& catalog, EntryKind kind, std::string_view id) {
  switch (kind) {
    case EntryKind::Chip:
      return describeFound(catalog, "chip", catalog.chip(id), chipFields());
    case EntryKind::System:
      return describeFound(catalog, "system", catalog.system(id), systemFields());
    case EntryKind::Model:
      return describeFound(catalog, "model", catalog.model(id), modelFields());
    case EntryKind::Engine:
      return describeFound(catalog, "engine", catalog.engine(id), engineFields());
  }
  return Unexpected(Error{ErrorCode::NotFound, "", "", std::string(id), "is no entry", ""});
}

}  // namespace decodescope::catalog
