#include "topology/builders/builders.h"

namespace decodescope::topology {

Sketch buildNvl36x2(int chips, double link_bytes_per_s, double latency_s) {
  constexpr int kChipsPerRack = 36, kPlanes = 18, kTwinLinks = 36;
  // The racks alone are two groups without a second level; the twins replace it.
  Sketch sketch = buildTwoTier({.groups = 2,
                                .chips_per_group = kChipsPerRack,
                                .planes = std::vector<int>(kPlanes, 1),
                                .l2_switches_per_plane = 0,
                                .links_per_pair = 0,
                                .link_bytes_per_s = link_bytes_per_s,
                                .chips = chips},
                               latency_s);
  if (chips <= kChipsPerRack) return sketch;
  for (std::uint32_t p = 0; p < kPlanes; ++p)
    sketch.connect(NodeId{sketch.chip_count + p}, NodeId{sketch.chip_count + kPlanes + p}, kTwinLinks,
                   link_bytes_per_s, LinkClass::InterSwitch);
  return sketch;
}

}  // namespace decodescope::topology
