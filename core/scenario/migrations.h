// Old scenario files are brought to the newest schema before they are read.
#pragma once

#include <decodescope/expected.h>

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

namespace decodescope::scenario {

/// Turns a document of schema `from` into one of schema `from + 1`.
struct Migration {
  int from;
  void (*apply)(nlohmann::json& document);
};
/// Those that ship; empty while schema 1 is the only one that was ever written.
[[nodiscard]] std::span<const Migration> migrations();

/// Applies what lies between the document's schema and `newest`, in order. Newer than `newest`:
/// ErrorCode::TooNew.
[[nodiscard]] Expected<void> migrate(nlohmann::json& document, const std::string& file, int newest,
                                     std::span<const Migration>);

}  // namespace decodescope::scenario
