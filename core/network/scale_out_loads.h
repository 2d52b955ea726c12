// Routing between scale-up domains.
#pragma once

#include "network/traffic.h"

#include <decodescope/topology_view.h>

#include <span>

namespace decodescope::network {

/// Adds what crosses domains: each chip sends over its own NIC, leaves pass it on by shortest paths, per hop
/// and equal cost, split by multiplicity. Chips never relay. Traffic between chips of one domain is left out.
void addScaleOutLoad(const TopologyView&, const Traffic&, std::span<double> load);

}  // namespace decodescope::network
