// Which box of a torus pod a number of chips gets.
#pragma once

#include "catalog/system_spec.h"

#include <array>

namespace decodescope::topology {

/// Grid of up to three axes; axis d closes to a ring where wrap[d] (and dims[d] > 2).
struct TorusShape {
  std::array<int, 3> dims{1, 1, 1};
  std::array<bool, 3> wrap{true, true, true};
  [[nodiscard]] int chips() const { return dims[0] * dims[1] * dims[2]; }
  friend bool operator==(const TorusShape&, const TorusShape&) = default;
};

/// The most compact box of exactly `chips` chips inside the pod: smallest sum of the axes, as the slices that
/// are sold (2x2x4, 4x4x8, 8x16, ...). A pod of a single cube (no axis above 4) fills whole axes first, as
/// its instances do. A count that fits no box of the pod becomes the most compact box of any size. An axis
/// closes where it spans the pod, or, in three dimensions, where every axis is a multiple of four: optical
/// switches join whole 4x4x4 cubes only (Google Cloud TPU documentation, "TPU v5p", slice shapes).
[[nodiscard]] TorusShape torusDimsFor(const SystemSpec&, int chips);

}  // namespace decodescope::topology
