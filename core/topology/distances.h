// Distances between chips, by breadth-first search on the built graph.
#pragma once

#include <decodescope/topology_view.h>

#include <cstdint>

namespace decodescope::topology {

struct Distances {
  int diameter = 0;
  double average = 0;  ///< hops, over ordered pairs of different chips; 0 with fewer than two
  std::uint64_t unreachable_pairs = 0;
};

/// Links without capacity do not exist. Vertices with the same neighbours (planes of a star, chips of a
/// group) have the same distances to all others, so one of each such class is searched and counted with the
/// size of its class.
[[nodiscard]] Distances chipDistances(const TopologyView&);

}  // namespace decodescope::topology
