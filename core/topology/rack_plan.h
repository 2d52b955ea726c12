// What a rack of a system holds, top to bottom.
#pragma once

#include "catalog/system_spec.h"

#include <decodescope/expected.h>
#include <decodescope/topology_view.h>

#include <vector>

namespace decodescope::topology {

struct RackPlan {
  struct Entry {
    TrayKind kind = TrayKind::Compute;
    int unit = 0;
    int height_units = 1;
  };
  std::vector<Entry> entries;
  int units = 48;
  int chips_per_tray = 4;
  int compute_trays = 0, switch_trays = 0;
  int racks = 1;         ///< with chips, of one whole domain
  int switch_racks = 0;  ///< of one whole domain
  /// Domains of a single tray share a rack: how many.
  int domains_per_rack = 1;
  [[nodiscard]] int chipsPerRack() const { return compute_trays * chips_per_tray; }
};

/// From the catalog's layout: its order, or, when that is empty, switches between two halves of the compute
/// trays. Boxes that are a domain of their own stack up in the rack when there are several.
[[nodiscard]] Expected<RackPlan> planRack(const SystemSpec&, int domains);
/// For a graph that is no system: trays of `chips_per_tray`, 64 chips to a rack, switch trays below.
[[nodiscard]] RackPlan plainRackPlan(int chips_per_tray, int switch_trays);

}  // namespace decodescope::topology
