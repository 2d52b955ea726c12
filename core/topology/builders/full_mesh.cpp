#include "topology/builders/builders.h"

namespace decodescope::topology {

Sketch buildFullMesh(int chips, double link_bytes_per_s, double latency_s) {
  Sketch sketch;
  sketch.latency_s = latency_s;
  sketch.layout = TopologyLayout::Mesh;
  for (int c = 0; c < chips; ++c) sketch.addChip();
  for (std::uint32_t a = 0; a < sketch.chip_count; ++a) {
    for (std::uint32_t b = a + 1; b < sketch.chip_count; ++b)
      sketch.connect(NodeId{a}, NodeId{b}, 1, link_bytes_per_s);
  }
  return sketch;
}

}  // namespace decodescope::topology
