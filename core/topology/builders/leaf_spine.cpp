#include "topology/builders/builders.h"

namespace decodescope::topology {

Sketch buildLeafSpine(const LeafSpineShape& shape) {
  Sketch sketch;
  for (int h = 0; h < shape.leaves * shape.hosts_per_leaf; ++h)
    sketch.addChip(static_cast<std::uint32_t>(h / shape.hosts_per_leaf));
  const auto chips = sketch.chip_count;
  const auto leaves = static_cast<std::uint32_t>(shape.leaves);
  for (std::uint32_t l = 0; l < leaves; ++l) sketch.addSwitch(1, 0, l);
  for (int s = 0; s < shape.spines; ++s) sketch.addSwitch(2, s);
  for (std::uint32_t h = 0; h < chips; ++h)
    sketch.connect(NodeId{h}, NodeId{chips + sketch.nodes[h].group}, 1, shape.link_bytes_per_s);
  for (std::uint32_t l = 0; l < leaves; ++l) {
    for (std::uint32_t s = 0; s < static_cast<std::uint32_t>(shape.spines); ++s)
      sketch.connect(NodeId{chips + l}, NodeId{chips + leaves + s}, shape.links_per_pair,
                     shape.spine_link_bytes_per_s, LinkClass::InterSwitch);
  }
  return sketch;
}

}  // namespace decodescope::topology
