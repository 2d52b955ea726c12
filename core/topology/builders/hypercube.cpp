#include "topology/builders/builders.h"

namespace decodescope::topology {

Sketch buildHypercube(int dimensions, double link_bytes_per_s) {
  Sketch sketch;
  const std::uint32_t chips = 1U << static_cast<unsigned>(dimensions);
  for (std::uint32_t c = 0; c < chips; ++c) sketch.addChip();
  for (std::uint32_t c = 0; c < chips; ++c) {
    for (std::uint32_t bit = 1; bit < chips; bit <<= 1U) {
      if ((c & bit) == 0) sketch.connect(NodeId{c}, NodeId{c | bit}, 1, link_bytes_per_s);
    }
  }
  return sketch;
}

}  // namespace decodescope::topology
