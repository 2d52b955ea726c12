// Faults put in by the user, as reduced capacities.
#pragma once

#include <decodescope/expected.h>
#include <decodescope/scenario.h>
#include <decodescope/topology_view.h>

#include <span>

namespace decodescope::topology {

/// "link" takes a link's label; "switch" a switch's, and reduces all its links; "chip-link" a chip's, and
/// reduces its first scale-up link, or the label of the link itself. Kinds that belong to other modules are
/// left alone.
[[nodiscard]] Expected<void> applyFaults(TopologyView&, std::span<const Fault>);

}  // namespace decodescope::topology
