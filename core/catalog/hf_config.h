// Fields of a Hugging Face config.json, remembering which were used.
#pragma once

#include "base/json_reader.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace decodescope::catalog {

class HfConfig {
 public:
  HfConfig(json::Reading& reading, const nlohmann::json& config);

  /// Model family as the config names it: "llama", "deepseek_v3", ...
  [[nodiscard]] const std::string& type() const { return type_; }
  [[nodiscard]] bool is(std::string_view family) const { return type_.find(family) != std::string::npos; }

  [[nodiscard]] bool has(std::string_view key);
  [[nodiscard]] int integer(std::string_view key, int fallback = 0);
  /// The first of several spellings that is there.
  [[nodiscard]] int integerOf(std::initializer_list<std::string_view> keys, int fallback = 0);
  [[nodiscard]] bool flag(std::string_view key, bool fallback);
  [[nodiscard]] std::string text(std::string_view key);
  /// Null when absent.
  [[nodiscard]] const nlohmann::json* raw(std::string_view key);
  void require(std::string_view key);
  /// Records what the config does not say.
  void assume(std::string note) { assumed_.push_back(std::move(note)); }

  [[nodiscard]] std::vector<std::string> unmapped() const;
  [[nodiscard]] std::vector<std::string> ignored() const;
  [[nodiscard]] const std::vector<std::string>& assumed() const { return assumed_; }
  [[nodiscard]] json::Reading& reading() { return *reading_; }

 private:
  json::Reading* reading_;
  const nlohmann::json* outer_;   ///< the file
  const nlohmann::json* config_;  ///< the text model in it
  std::string prefix_;            ///< "text_config." of a multimodal model
  std::string type_;
  std::vector<std::string> used_, assumed_;
};

}  // namespace decodescope::catalog
