#include "topology/builders/builders.h"

namespace decodescope::topology {

namespace {

constexpr int kLeafTier = 11, kSpineTier = 12;

/// The switch star inside every node: its own kind of edge on the same chips.
void addNodeStars(Sketch& sketch, const RailShape& shape, int nodes) {
  for (int n = 0; n < nodes; ++n) {
    for (std::size_t p = 0; p < shape.node_planes.size(); ++p) {
      const NodeId plane = sketch.addSwitch(1, static_cast<int>(p), static_cast<std::uint32_t>(n));
      sketch.nodes.back().domain = static_cast<std::uint32_t>(n);
      for (int r = 0; r < shape.rails; ++r)
        sketch.connect(NodeId{static_cast<std::uint32_t>(n * shape.rails + r)}, plane, shape.node_planes[p],
                       shape.node_link_bytes_per_s);
    }
  }
}

}  // namespace

Sketch buildRail(const RailShape& shape) {
  Sketch sketch;
  const int nodes = shape.units * shape.nodes_per_unit;
  for (int c = 0; c < nodes * shape.rails; ++c) {
    sketch.addChip(static_cast<std::uint32_t>(c / shape.rails));
    // Without stars every chip is alone with its NIC.
    const int chips_per_domain = shape.node_planes.empty() ? 1 : shape.rails;
    sketch.nodes.back().domain = static_cast<std::uint32_t>(c / chips_per_domain);
  }
  addNodeStars(sketch, shape, nodes);
  std::vector<NodeId> leaves, spines;
  for (int l = 0; l < shape.units * shape.rails; ++l)
    leaves.push_back(
        sketch.addSwitch(kLeafTier, l % shape.rails, static_cast<std::uint32_t>(l / shape.rails)));
  for (int s = 0; s < shape.spines; ++s) spines.push_back(sketch.addSwitch(kSpineTier, s));
  for (int c = 0; c < nodes * shape.rails; ++c) {
    const int unit = c / (shape.rails * shape.nodes_per_unit);
    sketch.connect(NodeId{static_cast<std::uint32_t>(c)},
                   leaves[static_cast<std::size_t>(unit * shape.rails + c % shape.rails)], 1,
                   shape.link_bytes_per_s, LinkClass::ScaleOut);
  }
  for (const NodeId leaf : leaves) {
    for (const NodeId spine : spines)
      sketch.connect(leaf, spine, shape.links_per_pair, shape.link_bytes_per_s, LinkClass::ScaleOut);
  }
  return sketch;
}

}  // namespace decodescope::topology
