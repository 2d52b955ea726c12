// The network between scale-up domains.
#pragma once

#include <decodescope/expected.h>
#include <decodescope/scenario.h>
#include <decodescope/topology_view.h>

namespace decodescope::topology {

/// Scale-out switches by tier, as TopologyNode.tier has them.
inline constexpr int kLeafTier = 11, kSpineTier = 12, kCoreTier = 13;

/// Joins the chips, which stand in their trays already, by leaves, spines and cores in racks of their own.
/// `nic_bytes_per_s` is per chip and direction.
[[nodiscard]] Expected<void> addScaleOut(TopologyView&, const Fabric&, double nic_bytes_per_s, int domains);

}  // namespace decodescope::topology
