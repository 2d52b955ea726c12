#include "topology/builders/builders.h"

namespace decodescope::topology {

Sketch buildDragonfly(const DragonflyShape& shape) {
  Sketch sketch;
  const int a = shape.routers_per_group, p = shape.hosts_per_router, h = shape.global_links,
            g = shape.groups();
  for (int c = 0; c < a * p * g; ++c) sketch.addChip(static_cast<std::uint32_t>(c / (a * p)));
  const auto router = [first = sketch.chip_count, a](int group, int index) {
    return NodeId{first + static_cast<std::uint32_t>(group * a + index)};
  };
  for (int r = 0; r < a * g; ++r) sketch.addSwitch(1, r % a, static_cast<std::uint32_t>(r / a));
  for (int c = 0; c < a * p * g; ++c) {
    const int r = c / p;
    sketch.connect(NodeId{static_cast<std::uint32_t>(c)}, router(r / a, r % a), 1, shape.link_bytes_per_s);
  }
  for (int group = 0; group < g; ++group) {
    for (int i = 0; i < a; ++i) {
      for (int j = i + 1; j < a; ++j)
        sketch.connect(router(group, i), router(group, j), 1, shape.link_bytes_per_s, LinkClass::InterSwitch);
    }
  }
  // Palm-tree wiring: global port j of group G, on router j / h, goes to group G + 1 + j; there it is port
  // a*h - 1 - j.
  for (int group = 0; group < g; ++group) {
    for (int j = 0; j < a * h; ++j) {
      const int other = (group + 1 + j) % g;
      if (group < other)
        sketch.connect(router(group, j / h), router(other, (a * h - 1 - j) / h), 1, shape.link_bytes_per_s,
                       LinkClass::InterSwitch);
    }
  }
  return sketch;
}

}  // namespace decodescope::topology
