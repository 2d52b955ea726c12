#include "catalog/catalog.h"

#include "base/text_distance.h"
#include "base/units.h"
#include "catalog/listing.h"
#include "catalog/loader.h"

#include <fmt/format.h>
#include <algorithm>
#include <nlohmann/json.hpp>

namespace decodescope {
namespace {

template <class Spec>
bool matches(const Spec& spec, std::string_view id) {
  return spec.id == id || std::find(spec.aliases.begin(), spec.aliases.end(), id) != spec.aliases.end();
}

template <class Spec>
Expected<const Spec*> findEntry(std::span<const Spec> entries, std::string_view id, const char* kind) {
  const auto it = std::find_if(entries.begin(), entries.end(), [&](const Spec& s) { return matches(s, id); });
  if (it != entries.end()) return &*it;
  std::vector<std::string_view> ids;
  for (const Spec& s : entries) {
    ids.push_back(s.id);
    ids.insert(ids.end(), s.aliases.begin(), s.aliases.end());
  }
  std::string remedy = didYouMean(id, ids, 3);
  if (remedy.empty()) remedy = fmt::format("list them with: decodescope-cli catalog {}s", kind);
  return Unexpected(Error{ErrorCode::NotFound, "", kind, std::string(id),
                          fmt::format("is no {} of the catalog", kind), std::move(remedy)});
}

}  // namespace

Expected<std::shared_ptr<const Catalog>> Catalog::load(std::span<const std::filesystem::path> folders,
                                                       Warnings* warnings) {
  return CatalogLoader(warnings).load(folders);
}

Expected<const ChipSpec*> Catalog::chip(std::string_view id) const {
  return findEntry(chips(), id, "chip");
}
Expected<const SystemSpec*> Catalog::system(std::string_view id) const {
  return findEntry(systems(), id, "system");
}
Expected<const ModelSpec*> Catalog::model(std::string_view id) const {
  return findEntry(models(), id, "model");
}
Expected<const EngineSpec*> Catalog::engine(std::string_view id) const {
  return findEntry(engines(), id, "engine");
}

const nlohmann::json& Catalog::document(std::string_view name) const {
  static const nlohmann::json none = nlohmann::json::object();
  const auto it = documents_->find(name);
  return it == documents_->end() ? none : *it;
}

CatalogListing Catalog::listing() const {
  return catalog::makeListing(*this);
}

}  // namespace decodescope
