// What a view needs to know of the catalog: ids, names and the defaults that a system brings.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace decodescope {

struct CatalogItem {
  std::string id;
  std::string name;    ///< "GB200 NVL72"
  std::string detail;  ///< one line: "72 x GB200, NVLink 900 GB/s per direction, liquid"
};

struct CatalogListing {
  std::vector<CatalogItem> models, systems, chips, engines;
  /// Values that a scenario takes from its system while unset, by system id, then by parameter path.
  std::map<std::string, std::map<std::string, double, std::less<>>, std::less<>> system_defaults;
};

}  // namespace decodescope
