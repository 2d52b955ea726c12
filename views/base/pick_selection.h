// Picks of a scene and selections of the program, one into the other.
#pragma once

#include "base/snapshot_view.h"
#include "scene/picking.h"

namespace decodescope::views {

/// Kinds that no other view knows give None, and 0 the other way.
[[nodiscard]] Selection selectionOf(scene::PickId pick);
[[nodiscard]] scene::PickId pickOf(const Selection& selection);

}  // namespace decodescope::views
