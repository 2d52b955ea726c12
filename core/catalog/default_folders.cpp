#include "base/resource_folder.h"
#include "catalog/catalog.h"

#include <cstdlib>

namespace decodescope {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::filesystem::path userFolder() {
  if (const std::string data = environment("XDG_DATA_HOME"); !data.empty())
    return std::filesystem::path(data) / "decodescope" / "catalog";
  if (const std::string home = environment("HOME"); !home.empty()) {
    return std::filesystem::path(home) / ".local" / "share" / "decodescope" / "catalog";
  }
  return {};
}

}  // namespace

std::vector<std::filesystem::path> Catalog::defaultFolders() {
  std::vector<std::filesystem::path> folders;
  const std::string chosen = environment("DECODESCOPE_CATALOG");
  const std::filesystem::path shipped =
      chosen.empty() ? resourceFolder("catalog") : std::filesystem::path(chosen);
  if (!shipped.empty()) folders.push_back(shipped);
  std::error_code ignored;
  const auto user = userFolder();
  if (!folders.empty() && !user.empty() && std::filesystem::is_directory(user, ignored))
    folders.push_back(user);
  return folders;
}

}  // namespace decodescope
