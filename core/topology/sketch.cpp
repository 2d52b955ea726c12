#include "topology/sketch.h"

namespace decodescope::topology {

namespace {

NodeId lastNode(const Sketch& sketch) {
  return NodeId{static_cast<std::uint32_t>(sketch.nodes.size() - 1)};
}

}  // namespace

NodeId Sketch::addChip(std::uint32_t group, std::array<std::uint16_t, 3> coordinate) {
  TopologyNode node;
  node.group = group;
  node.coordinate = coordinate;
  nodes.push_back(node);
  ++chip_count;
  return lastNode(*this);
}

NodeId Sketch::addSwitch(int tier, int plane, std::uint32_t group) {
  TopologyNode node;
  node.kind = NodeKind::Switch;
  node.tier = static_cast<std::uint8_t>(tier);
  node.plane = static_cast<std::uint16_t>(plane);
  node.group = group;
  nodes.push_back(node);
  return lastNode(*this);
}

NodeId Sketch::addCpu(std::uint32_t group) {
  TopologyNode node;
  node.kind = NodeKind::Cpu;
  node.group = group;
  nodes.push_back(node);
  return lastNode(*this);
}

void Sketch::connect(NodeId from, NodeId to, int cables, double cable_bytes_per_s, LinkClass link_class) {
  if (cables <= 0) return;
  TopologyLink link;
  link.from = from;
  link.to = to;
  link.multiplicity = static_cast<std::uint32_t>(cables);
  link.capacity_bytes_per_s = cables * cable_bytes_per_s;
  link.latency_s = latency_s;
  link.link_class = link_class;
  links.push_back(link);
}

void indexLinks(TopologyView& view) {
  std::vector<std::uint32_t>& begin = view.node_link_begin;
  begin.assign(view.nodes.size() + 1, 0);
  for (const TopologyLink& link : view.links) {
    ++begin[link.from.value + 1];
    ++begin[link.to.value + 1];
  }
  for (std::size_t n = 1; n < begin.size(); ++n) begin[n] += begin[n - 1];
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  view.node_links.resize(2 * view.links.size());
  for (std::uint32_t l = 0; l < view.links.size(); ++l) {
    view.node_links[next[view.links[l].from.value]++] = LinkId{l};
    view.node_links[next[view.links[l].to.value]++] = LinkId{l};
  }
}

}  // namespace decodescope::topology
