// Groups of chips above and below the switches that join them.
#include "scene/machine_layout.h"
#include "scene/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace decodescope::scene {
namespace {

constexpr std::size_t kMostDomainGroups = 160;  // beyond that, racks stand for their domains
constexpr std::size_t kMostPlanes = 48;

struct Tally {
  std::size_t domains = 0, groups = 0;
};

Tally tally(const TopologyView& topology) {
  std::map<std::uint32_t, int> domains, groups;
  for (std::uint32_t chip = 0; chip < topology.chip_count; ++chip) {
    ++domains[topology.nodes[chip].domain];
    ++groups[topology.nodes[chip].group];
  }
  return {domains.size(), groups.size()};
}

RackId rackOf(const TopologyView& topology, const TopologyNode& node) {
  return node.tray.isValid() ? topology.trays[node.tray.value].rack : RackId{};
}

enum class Grouping : std::uint8_t { Domain, Group, Rack };

Grouping groupingOf(const TopologyView& topology) {
  const Tally count = tally(topology);
  if (count.domains == 1) return count.groups > 1 ? Grouping::Group : Grouping::Rack;
  return count.domains > kMostDomainGroups && topology.racks.size() > 1 ? Grouping::Rack : Grouping::Domain;
}

std::uint32_t keyOf(const TopologyView& topology, const TopologyNode& node, Grouping grouping) {
  switch (grouping) {
    case Grouping::Domain:
      return node.domain;
    case Grouping::Group:
      return node.group;
    case Grouping::Rack:
      break;
  }
  const RackId rack = rackOf(topology, node);
  return rack.isValid() ? rack.value : 0;
}

// The lowest tier above the groups: scale-up tier 2, else scale-out leaves.
int upperTier(const TopologyView& topology, Grouping grouping) {
  int tier = 255;
  for (const TopologyNode& node : topology.nodes) {
    if (node.kind != NodeKind::Switch || node.tier < 2) continue;
    if (grouping == Grouping::Domain && node.tier < 10) continue;
    tier = std::min<int>(tier, node.tier);
  }
  return tier;
}

void collectGroups(const TopologyView& topology, Grouping grouping, int upper_tier, MachineLayout& layout,
                   std::vector<std::uint32_t>& group_of) {
  std::map<std::uint32_t, std::uint32_t> index;
  for (std::uint32_t chip = 0; chip < topology.chip_count; ++chip)
    index.emplace(keyOf(topology, topology.nodes[chip], grouping), 0);
  std::uint32_t next = 0;
  for (auto& [key, position] : index) position = next++;
  layout.groups.resize(index.size());
  group_of.assign(topology.nodes.size(), UINT32_MAX);
  for (std::uint32_t i = 0; i < topology.nodes.size(); ++i) {
    const TopologyNode& node = topology.nodes[i];
    if (node.kind == NodeKind::Cpu || (node.kind == NodeKind::Switch && node.tier >= upper_tier)) continue;
    const auto found = index.find(keyOf(topology, node, grouping));
    if (found == index.end()) continue;
    group_of[i] = found->second;
    GroupBox& group = layout.groups[found->second];
    (node.kind == NodeKind::Chip ? group.chip_nodes : group.switch_nodes).push_back(NodeId{i});
    if (grouping == Grouping::Rack) group.rack = rackOf(topology, node);
  }
  const int digits = static_cast<int>(std::to_string(layout.groups.size()).size());
  const char* letter = grouping == Grouping::Rack ? "R" : grouping == Grouping::Domain ? "D" : "G";
  for (std::uint32_t i = 0; i < layout.groups.size(); ++i)
    layout.groups[i].title = fmt::format("{}{:0{}}", letter, i + 1, std::max(2, digits));
}

void collectPlanes(const TopologyView& topology, int upper_tier, MachineLayout& layout,
                   std::vector<std::uint32_t>& plane_of) {
  std::map<std::uint32_t, std::vector<NodeId>> planes;
  for (std::uint32_t i = 0; i < topology.nodes.size(); ++i) {
    const TopologyNode& node = topology.nodes[i];
    if (node.kind == NodeKind::Switch && node.tier == upper_tier) planes[node.plane].push_back(NodeId{i});
  }
  // One plane only: its switches stand for themselves.
  if (planes.size() == 1 && planes.begin()->second.size() > 1 &&
      planes.begin()->second.size() <= kMostPlanes) {
    const std::vector<NodeId> switches = planes.begin()->second;
    planes.clear();
    for (std::uint32_t i = 0; i < switches.size(); ++i) planes[i] = {switches[i]};
  }
  plane_of.assign(topology.nodes.size(), UINT32_MAX);
  for (auto& [key, switches] : planes) {
    const auto index = static_cast<std::uint32_t>(layout.planes.size());
    for (const NodeId node : switches) plane_of[node.value] = index;
    layout.planes.push_back(
        {fmt::format("{}{}", upper_tier >= 11 ? "N" : "P", index + 1), {}, std::move(switches)});
  }
}

void bundleUplinks(const TopologyView& topology, const std::vector<std::uint32_t>& group_of,
                   const std::vector<std::uint32_t>& plane_of, MachineLayout& layout) {
  const auto planes = static_cast<std::uint32_t>(layout.planes.size());
  std::vector<std::uint32_t> uplink(topology.links.size(), UINT32_MAX),
      above(topology.links.size(), UINT32_MAX);
  for (std::size_t i = 0; i < topology.links.size(); ++i) {
    std::uint32_t a = topology.links[i].from.value, b = topology.links[i].to.value;
    if (plane_of[a] != UINT32_MAX) std::swap(a, b);
    if (plane_of[b] == UINT32_MAX) continue;
    if (group_of[a] != UINT32_MAX)
      uplink[i] = group_of[a] * planes + plane_of[b];
    else
      above[i] = plane_of[b];
  }
  layout.group_plane_bundles =
      BundleIndex(uplink, static_cast<std::uint32_t>(layout.groups.size()) * planes, topology);
  layout.plane_bundles = BundleIndex(above, planes, topology);
}

// Columns of chips inside a group: one row per tray, or two rows for a single chassis.
int chipColumns(const TopologyView& topology, const GroupBox& group) {
  const auto count = static_cast<int>(group.chip_nodes.size());
  if (count == 0) return 1;
  const TrayId first = topology.nodes[group.chip_nodes.front().value].tray;
  int in_first_tray = 0;
  for (const NodeId chip : group.chip_nodes)
    in_first_tray += topology.nodes[chip.value].tray == first ? 1 : 0;
  if (in_first_tray < count) return in_first_tray;
  return std::max(1, static_cast<int>(std::ceil(std::sqrt(2.0 * count))));
}

struct Grid {
  int columns = 1, rows = 1, above = 1;
};

// The split into rows that makes chips largest, tiles about twice as wide as tall.
Grid chooseGrid(int groups, int chip_columns, int chip_rows, Rect area, float band, float zoom) {
  Grid best;
  float best_score = -1;
  for (int rows = 1; rows <= 24; ++rows) {
    if (rows > 1 && rows % 2 != 0) continue;
    const int columns = (groups + rows - 1) / rows;
    const float width = area.width / static_cast<float>(columns) / static_cast<float>(chip_columns);
    const float cell = (area.height - band) / static_cast<float>(rows);
    const float height = (cell - (cell > 70 * zoom ? 36 : 12) * zoom) / static_cast<float>(chip_rows);
    const float score = std::min(width / 2, height);
    if (score > best_score) best_score = score, best = {columns, rows, (rows + 1) / 2};
  }
  return best;
}

void placeGroup(const TopologyView& topology, GroupBox& group, Rect cell, float zoom, MachineLayout& layout) {
  const float gap = std::min(10 * zoom, cell.width * 0.06f);
  group.rect = {cell.x + gap / 2, cell.y, cell.width - gap, cell.height};
  const float header = cell.height > 70 * zoom ? 18 * zoom : 0;
  const float strip = group.switch_nodes.empty() ? 0 : std::min(9 * zoom, cell.height * 0.08f);
  const float padding = std::min(5 * zoom, cell.width * 0.04f);
  const float left = group.rect.x + padding, width = group.rect.width - 2 * padding;
  const float top = group.rect.y, bottom = group.rect.bottom();
  const float strip_gap = strip > 0 ? strip * 0.8f : 0;
  if (group.above) {
    group.header = {left, top, width, header};
    group.strip = {left, bottom - strip, width, strip};
    group.chips = {left, top + header + padding / 2, width,
                   group.strip.y - strip_gap - top - header - padding};
  } else {
    group.header = {left, bottom - header, width, header};
    group.strip = {left, top, width, strip};
    group.chips = {left, top + strip + strip_gap + padding / 2, width,
                   group.header.y - top - strip - strip_gap - padding};
  }
  placeGrid(group.chip_nodes, chipColumns(topology, group), group.chips, 2 * zoom, layout);
  placeGrid(group.switch_nodes, std::max(1, static_cast<int>(group.switch_nodes.size())), group.strip,
            1.5f * zoom, layout);
}

void placePlanes(float zoom, MachineLayout& layout) {
  if (layout.planes.empty()) return;
  const float inner = layout.band.width - 12 * zoom;
  const float pitch = std::min(inner / static_cast<float>(layout.planes.size()), 120 * zoom);
  const float gap = std::min(7 * zoom, pitch * 0.15f);
  const float left =
      layout.band.x + (layout.band.width - pitch * static_cast<float>(layout.planes.size())) / 2;
  for (std::size_t i = 0; i < layout.planes.size(); ++i) {
    layout.planes[i].rect = {left + pitch * static_cast<float>(i) + gap / 2,
                             layout.band.y + (layout.band.height - 20 * zoom - 31 * zoom) * 0.7f, pitch - gap,
                             30 * zoom};
  }
}

void placeGroups(const TopologyView& topology, float zoom, MachineLayout& layout) {
  const Rect area = layout.area;
  const int count = static_cast<int>(layout.groups.size());
  const int chip_columns = chipColumns(topology, layout.groups.front());
  const int chip_rows = (static_cast<int>(layout.groups.front().chip_nodes.size()) + chip_columns - 1) /
                        std::max(1, chip_columns);
  const bool has_band = !layout.planes.empty();
  const float band = has_band ? (area.height > 360 * zoom ? 66 : 50) * zoom : 0,
              cables = has_band ? std::min(76 * zoom, area.height * 0.13f) : 10 * zoom;
  const Grid grid = chooseGrid(count, chip_columns, chip_rows, area, band + 2 * cables, zoom);
  const int below = grid.rows - grid.above;
  const float free = area.height - band - (below > 0 ? 2 : 1) * cables;
  const float row_gap = std::min(12 * zoom, free * 0.02f);
  const float height =
      std::min(free / static_cast<float>(grid.rows), area.width / static_cast<float>(grid.columns) * 3.2f);
  const float used = height * static_cast<float>(grid.rows) + band + (below > 0 ? 2 : 1) * cables;
  const float top = area.y + std::max(0.0f, (area.height - used) / 2);
  const float band_top = top + static_cast<float>(grid.above) * height + cables;
  layout.band = {area.x, band_top, area.width, band};
  layout.cables_px = cables + row_gap / 2;
  const float width = std::min(area.width / static_cast<float>(grid.columns), height * 4);
  const float left = area.x + (area.width - width * static_cast<float>(grid.columns)) / 2;
  for (int i = 0; i < count; ++i) {
    GroupBox& group = layout.groups[static_cast<std::size_t>(i)];
    const int row = i / grid.columns, column = i % grid.columns;
    group.above = row < grid.above;
    const float y = group.above ? top + static_cast<float>(row) * height
                                : band_top + band + cables + static_cast<float>(row - grid.above) * height;
    placeGroup(topology, group,
               {left + static_cast<float>(column) * width, y + row_gap / 2, width, height - row_gap}, zoom,
               layout);
  }
}

std::string summaryOf(const MachineLayout& layout, Grouping grouping) {
  const char* name = grouping == Grouping::Rack     ? " racks × "
                     : grouping == Grouping::Domain ? " domains × "
                                                    : " groups × ";
  std::string text = std::to_string(layout.groups.size()) + name +
                     std::to_string(layout.groups.front().chip_nodes.size()) + " chips";
  if (!layout.planes.empty())
    text += ", " + std::to_string(layout.planes.size()) +
            (layout.planes.front().switches.size() > 1 ? " planes" : " upper switches");
  return text;
}

}  // namespace

void layoutCluster(const TopologyView& topology, float zoom, MachineLayout& layout) {
  const Grouping grouping = groupingOf(topology);
  const int upper_tier = upperTier(topology, grouping);
  std::vector<std::uint32_t> group_of, plane_of;
  collectGroups(topology, grouping, upper_tier, layout, group_of);
  if (layout.groups.empty()) return;
  collectPlanes(topology, upper_tier, layout, plane_of);
  bundleUplinks(topology, group_of, plane_of, layout);
  placeGroups(topology, zoom, layout);
  placePlanes(zoom, layout);
  layout.summary = summaryOf(layout, grouping);
}

}  // namespace decodescope::scene
