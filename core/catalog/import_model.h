// A Hugging Face config.json as a catalog entry.
#pragma once

#include <decodescope/expected.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace decodescope::catalog {

struct ImportedModel {
  std::string entry;  ///< JSON text of a models.json with this one entry, for the user's catalog folder
  std::vector<std::string> unmapped;  ///< fields of the config that this program does not understand
  std::vector<std::string> ignored;   ///< fields that are understood and change neither sizes nor speed
  std::vector<std::string> assumed;   ///< what the config does not say and the model family decides
};
/// `name` names the entry; `file` stands in messages and as the source.
[[nodiscard]] Expected<ImportedModel> importModel(const nlohmann::json& config, const std::string& file,
                                                  const std::string& name);

}  // namespace decodescope::catalog
