// Names of nodes and links as people read them off the machine.
#include <decodescope/topology_view.h>

#include <fmt/format.h>
#include <algorithm>

namespace decodescope {

namespace {

const char* noun(const TopologyNode& node) {
  switch (node.kind) {
    case NodeKind::Chip:
      return "Chip";
    case NodeKind::Cpu:
      return "CPU";
    case NodeKind::Switch:
      break;
  }
  switch (node.tier) {
    case 11:
      return "Leaf";
    case 12:
      return "Spine";
    case 13:
      return "Core";
    default:
      return "Switch";
  }
}

std::string coordinateLabel(const TopologyView& view, const TopologyNode& node) {
  const bool has_pods = view.nodes[view.chip_count - 1].domain > 0;
  const std::string pod = has_pods ? fmt::format("P{} ", node.domain + 1) : "";
  const auto [x, y, z] = node.coordinate;
  if (view.layout == TopologyLayout::Torus3d) return fmt::format("{}({},{},{})", pod, x, y, z);
  return fmt::format("{}({},{})", pod, x, y);
}

/// Position from 1 among the nodes of the same kind in the tray.
int positionAmongKind(const TopologyView& view, const TopologyTray& tray, NodeId id) {
  int position = 0;
  for (const NodeId other : tray.nodes) {
    if (view.nodes[other.value].kind == view.nodes[id.value].kind) ++position;
    if (other == id) break;
  }
  return position;
}

}  // namespace

std::string nodeLabel(const TopologyView& view, NodeId id) {
  if (id.value >= view.nodes.size()) return "";
  const TopologyNode& node = view.nodes[id.value];
  const bool is_torus = view.layout == TopologyLayout::Torus2d || view.layout == TopologyLayout::Torus3d;
  if (is_torus && node.kind == NodeKind::Chip) return fmt::format("Chip {}", coordinateLabel(view, node));
  if (!node.tray.isValid()) return fmt::format("{} {}", noun(node), id.value + 1);
  const TopologyTray& tray = view.trays[node.tray.value];
  const std::string rack = view.racks.size() > 1 ? fmt::format("R{} ", tray.rack.value + 1) : "";
  const int position = positionAmongKind(view, tray, id);
  if (node.kind == NodeKind::Switch)
    return fmt::format("{} {}S{}.{}", noun(node), rack, tray.number, position);
  return fmt::format("{} {}{:02}.{}", noun(node), rack, tray.number, position);
}

std::string linkLabel(const TopologyView& view, LinkId id) {
  if (id.value >= view.links.size()) return "";
  const TopologyLink& link = view.links[id.value];
  return nodeLabel(view, link.from) + " - " + nodeLabel(view, link.to);
}

}  // namespace decodescope
