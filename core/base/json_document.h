// JSON files as documents of untrusted origin: refused by size before reading, by depth before parsing, and
// syntax errors located by line and column.
#pragma once

#include <decodescope/expected.h>

#include <cstddef>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace decodescope::json {

struct Limits {
  std::size_t max_bytes = std::size_t{16} << 20U;  ///< largest file that is read
  int max_depth = 64;                              ///< deepest nesting
};

/// The whole file; "-" is standard input. Checks the size before reading.
[[nodiscard]] Expected<std::string> readText(const std::filesystem::path&,
                                             std::size_t max_bytes = Limits{}.max_bytes);
/// `name` stands in error messages.
[[nodiscard]] Expected<nlohmann::json> parse(std::string_view text, const std::string& name, Limits = {});
[[nodiscard]] Expected<nlohmann::json> parseFile(const std::filesystem::path&, Limits = {});

}  // namespace decodescope::json
