// The catalog: chips, systems, models, serving engines and calibrated constants, read from JSON.
#pragma once

#include "catalog/chip_spec.h"
#include "catalog/engine_spec.h"
#include "catalog/model_spec.h"
#include "catalog/system_spec.h"

#include <decodescope/catalog_listing.h>
#include <decodescope/expected.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace decodescope {

/// Immutable after loading; share it as shared_ptr<const Catalog>.
class Catalog {
 public:
  /// Reads {chips,systems,models,engines,kernels,collectives,physical}.json of `folders` in order; entries of
  /// later folders replace or add to earlier ones by id. The first folder must have all files. Errors name
  /// file and field.
  [[nodiscard]] static Expected<std::shared_ptr<const Catalog>> load(
      std::span<const std::filesystem::path> folders, Warnings* warnings = nullptr);
  /// $DECODESCOPE_CATALOG, else beside the program, else the installed place, else the source tree; then the
  /// user's folder ($XDG_DATA_HOME or ~/.local/share, decodescope/catalog) when it exists.
  [[nodiscard]] static std::vector<std::filesystem::path> defaultFolders();

  [[nodiscard]] std::span<const ChipSpec> chips() const { return chips_; }
  [[nodiscard]] std::span<const SystemSpec> systems() const { return systems_; }
  [[nodiscard]] std::span<const ModelSpec> models() const { return models_; }
  [[nodiscard]] std::span<const EngineSpec> engines() const { return engines_; }

  /// The error lists the nearest known ids.
  [[nodiscard]] Expected<const ChipSpec*> chip(std::string_view id) const;
  [[nodiscard]] Expected<const SystemSpec*> system(std::string_view id) const;
  [[nodiscard]] Expected<const ModelSpec*> model(std::string_view id) const;
  [[nodiscard]] Expected<const EngineSpec*> engine(std::string_view id) const;

  /// Merged documents of constants: "kernels", "collectives", "physical". Typed by the modules that use them.
  [[nodiscard]] const nlohmann::json& document(std::string_view name) const;

  [[nodiscard]] CatalogListing listing() const;
  /// FNV-1a 64 over the merged documents, hexadecimal: printed with every result.
  [[nodiscard]] const std::string& hash() const { return hash_; }

 private:
  Catalog() = default;
  friend class CatalogLoader;
  std::vector<ChipSpec> chips_;
  std::vector<SystemSpec> systems_;
  std::vector<ModelSpec> models_;
  std::vector<EngineSpec> engines_;
  std::shared_ptr<const nlohmann::json> documents_;
  std::string hash_;
};

}  // namespace decodescope
