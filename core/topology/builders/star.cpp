#include "topology/builders/builders.h"

namespace decodescope::topology {

Sketch buildStar(const StarShape& shape, double latency_s) {
  Sketch sketch;
  sketch.latency_s = latency_s;
  const int planes = static_cast<int>(shape.planes.size());
  for (int c = 0; c < shape.chips; ++c) sketch.addChip();
  const std::uint32_t first_switch = sketch.chip_count;
  for (int p = 0; p < planes; ++p) sketch.addSwitch(1, p);
  sketch.links.reserve(static_cast<std::size_t>(shape.chips) * shape.planes.size());
  for (std::uint32_t c = 0; c < sketch.chip_count; ++c) {
    for (std::uint32_t p = 0; p < shape.planes.size(); ++p)
      sketch.connect(NodeId{c}, NodeId{first_switch + p}, shape.planes[p], shape.link_bytes_per_s);
  }
  return sketch;
}

}  // namespace decodescope::topology
