// Bytes that a collective puts on every directed link, per byte of payload. Linear, so cached per plan and
// scaled.
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

/// All groups run the collective at once. The result is bytes per directed link per byte of
/// wire_bytes_per_rank (see CollectiveCost), which each rank sends
/// - to all peers equally: all-to-all, one-shot, two-shot, in-switch reduction (every chip's links carry the
/// same);
/// - to the next of its group: ring, host-ring; send-recv goes from groups[g][i] to groups[g][i + 1];
/// - over the neighbours that are in its group: torus-ring of a reduction or gather;
/// - to its peers in the domain and to the ranks of equal position in the next one: hierarchical, in the
/// ratio of
///   (g - 1) / g to (d - 1) / (d g); deepep-normal in that of distinct local to distinct remote targets.
/// Routing: a star stripes over its planes; a whole torus by dimension order, ties half each way; all else,
/// and machines with dead links, by shortest paths, per hop split by multiplicity. Several scale-up domains
/// cross the scale-out fabric. Chips that no path joins exchange nothing.
[[nodiscard]] UnitLoad unitLoad(const TopologyView&, Collective, std::string_view algorithm,
                                std::span<const std::vector<ChipId>> groups);

}  // namespace decodescope::network
