// The compact box of a torus that a group of a given size occupies.
#pragma once

#include <array>
#include <vector>

namespace decodescope::network {

struct SubTorus {
  std::array<int, 3> length{1, 1, 1};
  std::array<bool, 3> wraps{false, false, false};

  [[nodiscard]] int axes() const;
  /// Longest dimension-order distance, hops added over axes: k/2 on a ring, k - 1 on a line.
  [[nodiscard]] double diameterHops() const;
  /// Rate at which a chip can receive over all axes at once, in links: 2 per ring, 1 per line.
  [[nodiscard]] double receivingLinks() const;
  /// Load of the busiest link, per byte that each chip sends to all others equally.
  [[nodiscard]] double allToAllLoad() const;
};

/// Rule: of all boxes inside the pod that hold the group, the one of least volume, then of least total
/// length. An axis wraps around when it spans the pod's own axis, or, on pods of optically switched 4x4x4
/// cubes (three axes of 8 or more), when its length is a multiple of 4; else it is a line.
class SubTorusTable {
 public:
  SubTorusTable() = default;
  SubTorusTable(std::array<int, 3> pod, std::array<bool, 3> pod_wraps);
  [[nodiscard]] const SubTorus& of(int size) const;

 private:
  std::vector<SubTorus> by_size_{SubTorus{}};  ///< index: group size - 1, up to the pod
};

}  // namespace decodescope::network
