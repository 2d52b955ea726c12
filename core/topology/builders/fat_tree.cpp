#include "topology/builders/builders.h"

namespace decodescope::topology {

Sketch buildFatTree(int ports, double link_bytes_per_s) {
  Sketch sketch;
  const int half = ports / 2;
  const int edges = ports * half;  // k pods of k/2
  for (int h = 0; h < edges * half; ++h) sketch.addChip(static_cast<std::uint32_t>(h / half));
  std::vector<NodeId> edge, aggregation, core;
  for (int e = 0; e < edges; ++e)
    edge.push_back(sketch.addSwitch(1, e % half, static_cast<std::uint32_t>(e)));
  for (int a = 0; a < edges; ++a)
    aggregation.push_back(sketch.addSwitch(2, a % half, static_cast<std::uint32_t>(a / half)));
  for (int c = 0; c < half * half; ++c) core.push_back(sketch.addSwitch(3, c));
  const auto at = [](const std::vector<NodeId>& nodes, int i) { return nodes[static_cast<std::size_t>(i)]; };
  for (int h = 0; h < edges * half; ++h)
    sketch.connect(NodeId{static_cast<std::uint32_t>(h)}, at(edge, h / half), 1, link_bytes_per_s);
  for (int e = 0; e < edges; ++e) {
    const int pod = e / half;
    for (int a = 0; a < half; ++a)
      sketch.connect(at(edge, e), at(aggregation, pod * half + a), 1, link_bytes_per_s,
                     LinkClass::InterSwitch);
  }
  // Aggregation switch a of every pod reaches the same k/2 cores.
  for (int a = 0; a < edges; ++a) {
    for (int c = 0; c < half; ++c)
      sketch.connect(at(aggregation, a), at(core, (a % half) * half + c), 1, link_bytes_per_s,
                     LinkClass::InterSwitch);
  }
  return sketch;
}

}  // namespace decodescope::topology
