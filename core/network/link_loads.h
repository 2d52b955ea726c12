// Bytes that a collective puts on every directed link, per byte of payload. Linear, so cached per plan and scaled.
#pragma once

#include "network/collective.h"

#include <decodescope/topology_view.h>

#include <span>
#include <vector>

namespace decodescope::network {

/// Sparse load vector over directed link indices.
struct UnitLoad {
  std::vector<std::uint32_t> directed;
  std::vector<double> bytes_per_byte;
};

/// All groups run the collective at once. Each rank sends `wire_bytes_per_rank` (see CollectiveCost) split over its
/// peers as the collective does: all-to-all and direct algorithms to all peers equally, rings to the next, send-recv to
/// `groups[g][i] -> groups[g][i + 1]`. Routing: per-hop ECMP split by multiplicity; dimension order on tori; several
/// scale-up domains cross the scale-out fabric. The result is bytes per directed link per byte of wire_bytes_per_rank.
[[nodiscard]] UnitLoad unitLoad(const TopologyView&, Collective, std::string_view algorithm,
                                std::span<const std::vector<ChipId>> groups);

}  // namespace decodescope::network
