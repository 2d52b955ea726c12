// Stands chips, switches and CPUs in trays, trays in racks, racks on the floor.
#pragma once

#include "topology/rack_plan.h"

#include <decodescope/topology_view.h>

#include <cstdint>
#include <vector>

namespace decodescope::topology {

/// Where the nodes of one scale-up domain are in the view.
struct DomainNodes {
  std::uint32_t first_chip = 0, chips = 0;
  std::uint32_t first_other = 0, others = 0;  ///< its switches and CPUs
};

/// Trays as the plan says, chips from the top and from the left; first-level switches in the switch trays of
/// the rack of their group, or in their group's compute tray where the rack has none; higher levels in racks
/// of their own.
void placeSwitchedDomains(TopologyView&, const RackPlan&, const std::vector<DomainNodes>&);
/// Racks are boxes of the torus, trays boxes inside them.
void placeTorusDomains(TopologyView&, const RackPlan&, const std::vector<DomainNodes>&);
/// Racks of switches only, `per_tray` to a tray.
void placeSwitchRacks(TopologyView&, const std::vector<NodeId>&, int per_tray, int minimum_racks,
                      const char* what);
/// Rows and columns on the floor, once all racks stand.
void arrangeFloor(TopologyView&);

}  // namespace decodescope::topology
