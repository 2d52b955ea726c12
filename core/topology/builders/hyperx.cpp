#include "topology/builders/builders.h"

namespace decodescope::topology {

Sketch buildHyperx(const HyperxShape& shape) {
  Sketch sketch;
  int routers = 1;
  for (const int size : shape.sizes) routers *= size;
  for (int c = 0; c < routers * shape.hosts; ++c) sketch.addChip(static_cast<std::uint32_t>(c / shape.hosts));
  const std::uint32_t first = sketch.chip_count;
  for (int r = 0; r < routers; ++r) sketch.addSwitch(1, 0, static_cast<std::uint32_t>(r));
  for (std::uint32_t c = 0; c < first; ++c)
    sketch.connect(NodeId{c}, NodeId{first + sketch.nodes[c].group}, 1, shape.link_bytes_per_s);
  int stride = 1;
  for (const int size : shape.sizes) {
    for (int r = 0; r < routers; ++r) {
      const int at = r / stride % size;
      for (int other = at + 1; other < size; ++other)
        sketch.connect(NodeId{first + static_cast<std::uint32_t>(r)},
                       NodeId{first + static_cast<std::uint32_t>(r + (other - at) * stride)},
                       shape.links_per_pair, shape.link_bytes_per_s, LinkClass::InterSwitch);
    }
    stride *= size;
  }
  return sketch;
}

}  // namespace decodescope::topology
