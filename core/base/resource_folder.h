// Where the files that ship with the program are.
#pragma once

#include <filesystem>
#include <string_view>

namespace decodescope {

/// Folder of a kind of resource ("catalog", "scenarios", "schema"): in the source tree that the program was
/// built from, or where it is installed, found from the program's own place upwards; last, the tree it was
/// compiled in. Empty: nowhere.
[[nodiscard]] std::filesystem::path resourceFolder(std::string_view kind);

}  // namespace decodescope
