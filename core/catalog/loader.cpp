#include "catalog/loader.h"

#include "base/hash.h"
#include "base/json_document.h"
#include "base/text_distance.h"
#include "base/units.h"
#include "catalog/entry_reader.h"
#include "catalog/special_fields.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

namespace decodescope {
namespace {

constexpr std::array<const char*, 4> kEntryKinds{"chips", "systems", "models", "engines"};
constexpr std::array<const char*, 3> kConstantKinds{"kernels", "collectives", "physical"};

Error located(const std::filesystem::path& file, std::string field, std::string value, std::string message,
              std::string remedy, ErrorCode code = ErrorCode::BadInput) {
  return Error{
      code, file.string(), std::move(field), std::move(value), std::move(message), std::move(remedy)};
}

/// Reads FOLDER/KIND.json; no value when an optional file is absent.
Expected<std::optional<nlohmann::json>> readDocument(const std::filesystem::path& file, bool required) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) {
    if (!required) return std::optional<nlohmann::json>{};
    return Unexpected(located(file, "", "", "is missing from the catalog",
                              "reinstall, or set DECODESCOPE_CATALOG to a folder that has it",
                              ErrorCode::Io));
  }
  auto document = json::parseFile(file);
  if (!document) return Unexpected(document.error());
  if (!document->is_object()) {
    return Unexpected(
        located(file, "/", json::shown(*document), "is not an object", "a catalog file is { ... }"));
  }
  return std::optional<nlohmann::json>(*std::move(document));
}

std::string entryId(const nlohmann::json& entry) {
  const auto it = entry.is_object() ? entry.find("id") : entry.end();
  return it != entry.end() && it->is_string() ? it->get<std::string>() : std::string();
}

/// Entries of `array` in `file` put over those in `merged`: by id replaced, added, or built on "base".
Expected<void> mergeEntries(const nlohmann::json& array, const std::filesystem::path& file,
                            const std::string& kind, nlohmann::json& merged,
                            std::map<std::string, std::string>& files) {
  if (!array.is_array())
    return Unexpected(
        located(file, "/" + kind, json::shown(array), "is not an array", "write [ {...}, ... ]"));
  std::set<std::string> here;
  for (std::size_t i = 0; i < array.size(); ++i) {
    const std::string field = fmt::format("/{}/{}", kind, i);
    const std::string id = entryId(array[i]);
    if (id.empty())
      return Unexpected(
          located(file, field + "/id", "", "is missing", "every entry needs an id, such as \"my-chip\""));
    if (!here.insert(id).second)
      return Unexpected(located(file, field + "/id", id, "appears twice", "give each entry its own id"));
    nlohmann::json entry = array[i];
    const auto find = [&](const std::string& wanted) {
      return std::find_if(merged.begin(), merged.end(),
                          [&](const nlohmann::json& other) { return other["id"] == wanted; });
    };
    if (const auto base = entry.find("base"); base != entry.end()) {
      const auto parent = base->is_string() ? find(base->get<std::string>()) : merged.end();
      if (parent == merged.end()) {
        return Unexpected(located(file, field + "/base", json::shown(*base), "is not a known entry",
                                  "name an entry of an earlier catalog folder"));
      }
      nlohmann::json built = *parent;
      built.erase("aliases");
      built.merge_patch(entry);
      built.erase("base");
      entry = std::move(built);
    }
    if (const auto old = find(id); old != merged.end())
      *old = std::move(entry);
    else
      merged.push_back(std::move(entry));
    files[kind + "/" + id] = file.string();
  }
  return {};
}

template <class Spec>
Expected<void> readKind(const nlohmann::json& array, const std::string& kind,
                        std::span<const catalog::Field<Spec>> fields,
                        const std::map<std::string, std::string>& files, Warnings* warnings,
                        std::vector<Spec>& out) {
  for (const nlohmann::json& entry : array) {
    Spec spec;
    spec.id = entryId(entry);
    json::Reading reading(files.at(kind + "/" + spec.id), warnings);
    catalog::EntryReader reader(reading, entry, "/" + kind + "/" + spec.id);
    catalog::readFields(reader, fields, spec);
    catalog::readSpecial(reader, spec);
    reader.warnUnknownKeys();
    if (!reading.ok()) return Unexpected(reading.error());
    out.push_back(std::move(spec));
  }
  return {};
}

}  // namespace

Expected<void> CatalogLoader::mergeFolder(const std::filesystem::path& folder, bool complete,
                                          nlohmann::json& documents) {
  for (const std::string kind : kEntryKinds) {
    const auto file = folder / (kind + ".json");
    const auto document = readDocument(file, complete);
    if (!document) return Unexpected(document.error());
    if (!*document) continue;
    const auto entries = (*document)->find(kind);
    if (entries == (*document)->end())
      return Unexpected(located(file, "/" + kind, "", "is missing", "write { \"" + kind + "\": [ ... ] }"));
    if (auto merged = mergeEntries(*entries, file, kind, documents[kind], files_); !merged) return merged;
  }
  for (const std::string kind : kConstantKinds) {
    const auto document = readDocument(folder / (kind + ".json"), complete);
    if (!document) return Unexpected(document.error());
    if (*document) documents[kind].merge_patch(**document);
  }
  return {};
}

Expected<void> CatalogLoader::readEntries(const nlohmann::json& documents) {
  Catalog& c = *catalog_;
  if (auto r = readKind(documents["chips"], "chips", catalog::chipFields(), files_, warnings_, c.chips_); !r)
    return r;
  if (auto r =
          readKind(documents["systems"], "systems", catalog::systemFields(), files_, warnings_, c.systems_);
      !r)
    return r;
  if (auto r = readKind(documents["models"], "models", catalog::modelFields(), files_, warnings_, c.models_);
      !r)
    return r;
  return readKind(documents["engines"], "engines", catalog::engineFields(), files_, warnings_, c.engines_);
}

std::string CatalogLoader::fileOf(std::string_view kind, std::string_view id) const {
  return files_.at(fmt::format("{}/{}", kind, id));
}

Expected<void> CatalogLoader::checkReferences() const {
  for (const SystemSpec& system : catalog_->systems_) {
    if (catalog_->chip(system.chip)) continue;
    const Error unknown = catalog_->chip(system.chip).error();
    return Unexpected(located(fileOf("systems", system.id), "/systems/" + system.id + "/chip", system.chip,
                              unknown.message, unknown.remedy));
  }
  return {};
}

Expected<std::shared_ptr<const Catalog>> CatalogLoader::load(std::span<const std::filesystem::path> folders) {
  if (folders.empty()) {
    return Unexpected(Error{ErrorCode::Io, "", "", "", "no catalog folder was found",
                            "reinstall, or set DECODESCOPE_CATALOG to the folder with chips.json"});
  }
  catalog_ = std::shared_ptr<Catalog>(new Catalog);
  auto documents = std::make_shared<nlohmann::json>();
  for (const char* kind : kEntryKinds) (*documents)[kind] = nlohmann::json::array();
  for (const char* kind : kConstantKinds) (*documents)[kind] = nlohmann::json::object();
  for (std::size_t i = 0; i < folders.size(); ++i) {
    if (auto merged = mergeFolder(folders[i], i == 0, *documents); !merged) return Unexpected(merged.error());
  }
  if (auto entries = readEntries(*documents); !entries) return Unexpected(entries.error());
  catalog_->hash_ = hexText(fnv1a(documents->dump()));
  catalog_->documents_ = std::move(documents);
  if (auto references = checkReferences(); !references) return Unexpected(references.error());
  return std::shared_ptr<const Catalog>(std::move(catalog_));
}

}  // namespace decodescope
