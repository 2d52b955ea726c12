#include "topology/builders/builders.h"

namespace decodescope::topology {

Sketch buildTwoTier(const TwoTierShape& shape, double latency_s) {
  Sketch sketch;
  sketch.latency_s = latency_s;
  const int chips = shape.chips > 0 ? shape.chips : shape.groups * shape.chips_per_group;
  const int groups = (chips + shape.chips_per_group - 1) / shape.chips_per_group;
  const auto planes = static_cast<std::uint32_t>(shape.planes.size());
  for (int c = 0; c < chips; ++c) sketch.addChip(static_cast<std::uint32_t>(c / shape.chips_per_group));
  const std::uint32_t l1 = sketch.chip_count;
  for (int g = 0; g < groups; ++g) {
    for (std::uint32_t p = 0; p < planes; ++p)
      sketch.addSwitch(1, static_cast<int>(p), static_cast<std::uint32_t>(g));
  }
  for (std::uint32_t c = 0; c < l1; ++c) {
    const std::uint32_t first = l1 + sketch.nodes[c].group * planes;
    for (std::uint32_t p = 0; p < planes; ++p)
      sketch.connect(NodeId{c}, NodeId{first + p}, shape.planes[p], shape.link_bytes_per_s);
  }
  if (groups < 2) return sketch;
  for (std::uint32_t p = 0; p < planes; ++p) {
    for (int s = 0; s < shape.l2_switches_per_plane; ++s) {
      const NodeId l2 = sketch.addSwitch(2, static_cast<int>(p));
      for (std::uint32_t g = 0; g < static_cast<std::uint32_t>(groups); ++g)
        sketch.connect(NodeId{l1 + g * planes + p}, l2, shape.links_per_pair, shape.link_bytes_per_s,
                       LinkClass::InterSwitch);
    }
  }
  return sketch;
}

}  // namespace decodescope::topology
