// Scenario files: JSON in and out. Keys: resources/schema/scenario.schema.json.
#pragma once

#include <decodescope/expected.h>
#include <decodescope/scenario.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace decodescope::scenario {

inline constexpr int kSchema = 1;  ///< newest that this program reads and the one it writes

/// Reads a scenario; `file` stands in messages. Errors name the field by JSON pointer and nothing is clamped.
/// Unknown keys are kept, written back on save, and warned about with the nearest known name. A newer schema
/// is ErrorCode::TooNew.
[[nodiscard]] Expected<Scenario> readScenario(std::string_view text, const std::string& file,
                                              Warnings* warnings = nullptr);
/// Pretty JSON in a fixed order; reading and writing it again changes no byte.
[[nodiscard]] std::string writeScenario(const Scenario&);

/// A file, "-" for standard input, or the id of a shipped scenario.
[[nodiscard]] Expected<Scenario> loadScenario(const std::string& file_or_id_or_dash,
                                              Warnings* warnings = nullptr);

/// A scenario that ships with the program.
struct ShippedScenario {
  std::string id;  ///< file name without ".decodescope.json"
  std::filesystem::path file;
};
/// In order of id.
[[nodiscard]] std::vector<ShippedScenario> shippedScenarios();

}  // namespace decodescope::scenario
