// Builds a Catalog from folders: merges documents, reads entries through the field tables, checks what refers
// to what.
#pragma once

#include "catalog/catalog.h"

#include <nlohmann/json_fwd.hpp>

namespace decodescope {

class CatalogLoader {
 public:
  explicit CatalogLoader(Warnings* warnings) : warnings_(warnings) {}
  [[nodiscard]] Expected<std::shared_ptr<const Catalog>> load(std::span<const std::filesystem::path> folders);

 private:
  Expected<void> mergeFolder(const std::filesystem::path& folder, bool complete, nlohmann::json& documents);
  Expected<void> readEntries(const nlohmann::json& documents);
  Expected<void> checkReferences() const;
  [[nodiscard]] std::string fileOf(std::string_view kind, std::string_view id) const;

  Warnings* warnings_;
  std::shared_ptr<Catalog> catalog_;
  std::map<std::string, std::string> files_;  ///< "chips/h100-sxm" to the file that the entry came from
};

}  // namespace decodescope
