#include "topology/bisection.h"
#include "topology/distances.h"
#include "topology/topology.h"

namespace decodescope::topology {

Facts Topology::facts() const {
  Facts facts;
  facts.vertices = static_cast<std::int64_t>(view_->nodes.size());
  facts.bundles = static_cast<std::int64_t>(view_->links.size());
  for (const TopologyLink& link : view_->links) facts.links += link.multiplicity;
  const Distances distances = chipDistances(*view_);
  facts.diameter = distances.diameter;
  facts.average_distance = distances.average;
  facts.bisection_bytes_per_s = bisectionBytesPerS(*view_);
  return facts;
}

}  // namespace decodescope::topology
