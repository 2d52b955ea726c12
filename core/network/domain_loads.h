// Routing inside one scale-up domain.
#pragma once

#include "network/traffic.h"

#include <decodescope/topology_view.h>

#include <cstdint>
#include <span>
#include <vector>

namespace decodescope::network {

/// One domain of the machine with the traffic that stays inside it.
struct Domain {
  std::vector<std::uint32_t> links;  ///< scale-up and inter-switch links
  std::vector<std::uint32_t> chips;
  Traffic traffic;
};

/// Adds to `load` (by directed link) if the domain is a star whose chips are all wired alike, else does
/// nothing and returns false. Striping follows the sender's links, so a chip's links carry its sum in the
/// ratio of their multiplicities whatever the pairs: exact.
bool addStarLoad(const TopologyView&, const Domain&, std::span<double> load);
/// The same for a whole torus: dimension order x, y, z, the shorter way round, half each way at a tie.
/// Exchanges factor into sums along lines, so that a group costs its bounding box times its length rather
/// than its pairs.
bool addTorusLoad(const TopologyView&, const Domain&, std::span<double> load);
/// Any graph: per hop, equal cost, split by multiplicity. One search per class of destinations with the same
/// neighbours. Exact where all senders spread alike over the planes or the exchange is uniform; else the last
/// hop of such a class is shared in the ratio of what its chips receive.
void addShortestPathLoad(const TopologyView&, const Domain&, std::span<double> load);

}  // namespace decodescope::network
