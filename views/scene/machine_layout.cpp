#include "scene/machine_layout.h"

#include "scene/number_text.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace decodescope::scene {
namespace {

Arrangement arrangementOf(const TopologyView& topology) {
  std::set<std::uint32_t> domains, groups;
  bool upper_tier = false;
  for (const TopologyNode& node : topology.nodes) {
    if (node.kind == NodeKind::Switch && node.tier >= 2) upper_tier = true;
    if (node.kind != NodeKind::Chip) continue;
    domains.insert(node.domain);
    groups.insert(node.group);
  }
  if (domains.size() > 1) return Arrangement::Cluster;
  if (topology.layout == TopologyLayout::Torus2d || topology.layout == TopologyLayout::Torus3d) {
    return Arrangement::Lattice;
  }
  if (topology.layout == TopologyLayout::Mesh && topology.chip_count <= 64) return Arrangement::Ring;
  if (upper_tier && (groups.size() > 1 || topology.racks.size() > 1)) return Arrangement::Cluster;
  return topology.racks.empty() ? Arrangement::Cluster : Arrangement::Elevation;
}

float meanChipSize(const TopologyView& topology, const MachineLayout& layout) {
  for (std::uint32_t chip = 0; chip < topology.chip_count && chip < layout.node_rects.size(); ++chip) {
    const Rect& rect = layout.node_rects[chip];
    if (rect.width > 0) return std::sqrt(rect.width * rect.height);
  }
  return 0;
}

std::string linkCountText(const TopologyView& topology) {
  std::int64_t cables = 0;
  for (const TopologyLink& link : topology.links) cables += link.multiplicity;
  const auto bundles = static_cast<std::int64_t>(topology.links.size());
  std::string text = countText(cables) + (cables == 1 ? " link" : " links");
  if (cables != bundles) text += ", " + countText(bundles) + " bundles";
  return text;
}

}  // namespace

Point placeGrid(const std::vector<NodeId>& nodes, int columns, Rect box, float gap, MachineLayout& layout,
                float gap_y_wanted) {
  if (nodes.empty() || columns < 1) return {};
  const int rows = (static_cast<int>(nodes.size()) + columns - 1) / columns;
  const float width = box.width / static_cast<float>(columns), height = box.height / static_cast<float>(rows);
  const float gap_x = std::min(gap, width * 0.3f),
              gap_y = std::min(gap_y_wanted < 0 ? gap : gap_y_wanted, height * 0.3f);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto column = static_cast<float>(static_cast<int>(i) % columns);
    const auto row = static_cast<float>(static_cast<int>(i) / columns);
    layout.node_rects[nodes[i].value] = {box.x + column * width + gap_x / 2, box.y + row * height + gap_y / 2,
                                         width - gap_x, height - gap_y};
  }
  return {width, height};
}

std::vector<NodeId> nodesOfKind(const TopologyView& topology, TrayId tray, NodeKind kind) {
  std::vector<NodeId> nodes;
  if (!tray.isValid() || tray.value >= topology.trays.size()) return nodes;
  for (const NodeId node : topology.trays[tray.value].nodes) {
    if (topology.nodes[node.value].kind == kind) nodes.push_back(node);
  }
  return nodes;
}

MachineLayout layoutMachine(const TopologyView& topology, Rect area, float zoom) {
  MachineLayout layout;
  layout.area = area;
  layout.arrangement = arrangementOf(topology);
  layout.node_rects.resize(topology.nodes.size());
  switch (layout.arrangement) {
    case Arrangement::Elevation:
      layoutElevation(topology, zoom, layout);
      break;
    case Arrangement::Cluster:
      layoutCluster(topology, zoom, layout);
      break;
    case Arrangement::Lattice:
      layoutLattice(topology, zoom, layout);
      break;
    case Arrangement::Ring:
      layoutRing(topology, zoom, layout);
      break;
  }
  layout.summary += (layout.summary.empty() ? "" : ": ") + linkCountText(topology);
  layout.chip_px = meanChipSize(topology, layout);
  return layout;
}

}  // namespace decodescope::scene
