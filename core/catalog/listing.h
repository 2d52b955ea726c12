// The catalog as views see it.
#pragma once

#include "catalog/catalog.h"

namespace decodescope::catalog {

[[nodiscard]] CatalogListing makeListing(const Catalog&);

}  // namespace decodescope::catalog
