#include "base/resource_folder.h"

#include <system_error>

namespace decodescope {
namespace {

constexpr int kLevelsUp = 8;  ///< deepest build folder below the source tree

}  // namespace

std::filesystem::path resourceFolder(std::string_view kind) {
  std::error_code ignored;
  std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  for (int level = 0; level < kLevelsUp && !folder.empty(); ++level) {
    for (const char* place : {"resources", "share/decodescope"}) {
      const auto candidate = folder / place / kind;
      if (std::filesystem::is_directory(candidate, ignored)) return candidate;
    }
    if (folder == folder.parent_path()) break;
    folder = folder.parent_path();
  }
#ifdef DECODESCOPE_RESOURCE_DIR
  const auto compiled = std::filesystem::path(DECODESCOPE_RESOURCE_DIR) / kind;
  if (std::filesystem::is_directory(compiled, ignored)) return compiled;
#endif
  return {};
}

}  // namespace decodescope
