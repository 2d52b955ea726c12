// Racks seen from the front, trays in their real order. Heights follow kinds rather than exact units, so that
// compute trays get the room that their numbers need.
#include "scene/machine_layout.h"
#include "scene/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace decodescope::scene {
namespace {

struct Row {
  TrayId tray;
  TrayKind kind = TrayKind::Compute;
  std::string label;
  float weight = 1;
};

constexpr float kReadableRow_px = 13;

float weightOf(const TopologyTray& tray) {
  switch (tray.kind) {
    case TrayKind::Compute:
      return tray.height_units <= 2 ? 1.0f : 0.9f * static_cast<float>(tray.height_units);
    case TrayKind::Switch:
      return tray.height_units <= 1 ? 0.84f : 0.84f * static_cast<float>(tray.height_units);
    case TrayKind::Power:
    case TrayKind::Management:
      break;
  }
  return 0.66f;
}

std::string labelOf(const TopologyTray& tray, int repeats) {
  const std::string times = repeats > 1 ? fmt::format(" ×{}", repeats) : "";
  switch (tray.kind) {
    case TrayKind::Compute:
      return paddedText(tray.number, 2);
    case TrayKind::Switch:
      return fmt::format("S{}", tray.number);
    case TrayKind::Power:
      return "power" + times;
    case TrayKind::Management:
      return "mgmt" + times;
  }
  return {};
}

std::vector<Row> rowsOf(const TopologyView& topology, const TopologyRack& rack) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < rack.trays.size();) {
    const TopologyTray& tray = topology.trays[rack.trays[i].value];
    const bool merges = tray.kind == TrayKind::Power || tray.kind == TrayKind::Management;
    std::size_t end = i + 1;
    while (merges && end < rack.trays.size() && topology.trays[rack.trays[end].value].kind == tray.kind)
      ++end;
    rows.push_back({rack.trays[i], tray.kind, labelOf(tray, static_cast<int>(end - i)), weightOf(tray)});
    i = end;
  }
  return rows;
}

float gapBefore(const std::vector<Row>& rows, std::size_t i) {
  return i > 0 && rows[i].kind != rows[i - 1].kind ? 0.3f : 0.0f;
}

// A chassis: chips in two rows that face the switches between them.
void placeChassis(const std::vector<NodeId>& chips, const std::vector<NodeId>& switches, Rect inner,
                  float zoom, MachineLayout& layout) {
  const auto half = chips.begin() + static_cast<std::ptrdiff_t>((chips.size() + 1) / 2);
  const int columns = static_cast<int>(half - chips.begin());
  const float strip = switches.empty() ? 0 : std::min(inner.height * 0.1f, 26 * zoom);
  const float gap = switches.empty() ? inner.height * 0.02f : inner.height * 0.2f;
  const float row = (inner.height - strip - 2 * gap) / 2;
  placeGrid({chips.begin(), half}, columns, {inner.x, inner.y, inner.width, row}, 10 * zoom, layout);
  placeGrid(switches, std::max(1, static_cast<int>(switches.size())),
            {inner.x, inner.y + row + gap, inner.width, strip}, 24 * zoom, layout);
  placeGrid({half, chips.end()}, columns, {inner.x, inner.bottom() - row, inner.width, row}, 10 * zoom,
            layout);
}

// Tiles of chips left to right, two boards per tray.
void placeTray(const TopologyView& topology, TrayBox& box, float zoom, MachineLayout& layout) {
  const std::vector<NodeId> chips = nodesOfKind(topology, box.tray, NodeKind::Chip);
  const std::vector<NodeId> switches = nodesOfKind(topology, box.tray, NodeKind::Switch);
  const float label_width = std::min(46 * zoom, box.rect.width * 0.12f);
  const float percent_width = std::min(58 * zoom, box.rect.width * 0.14f);
  Rect inner{box.rect.x + label_width, box.rect.y + 1, box.rect.width - label_width - percent_width,
             box.rect.height - 2};
  if (chips.empty()) {
    placeGrid(switches, static_cast<int>(std::max<std::size_t>(1, switches.size())), inner, 10 * zoom, layout,
              1);
    return;
  }
  const int count = static_cast<int>(chips.size());
  const bool tall = inner.height > inner.width / static_cast<float>(count) && count > 4;
  if (tall || !switches.empty()) {
    const float inset = tall ? inner.height * 0.03f : 0;
    placeChassis(chips, switches, {inner.x, inner.y + inset, inner.width, inner.height - 2 * inset}, zoom,
                 layout);
    return;
  }
  if (count % 2 != 0 || count < 4) {
    placeGrid(chips, count, inner, 3 * zoom, layout);
    return;
  }
  const float board_gap = std::min(22 * zoom, inner.width * 0.06f), half = (inner.width - board_gap) / 2;
  const auto middle = chips.begin() + count / 2;
  placeGrid({chips.begin(), middle}, count / 2, {inner.x, inner.y, half, inner.height}, 3 * zoom, layout);
  placeGrid({middle, chips.end()}, count / 2, {inner.x + half + board_gap, inner.y, half, inner.height},
            3 * zoom, layout);
}

float weightOf(const std::vector<Row>& rows) {
  float weights = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) weights += rows[i].weight + gapBefore(rows, i);
  return weights;
}

void placeRack(const TopologyView& topology, RackBox& box, float zoom, MachineLayout& layout) {
  std::vector<Row> rows = rowsOf(topology, topology.racks[box.rack.value]);
  const float padding = 6 * zoom;
  float weights = weightOf(rows);
  if (weights * kReadableRow_px * zoom > box.rect.height - 2 * padding) {
    // On a small canvas compute trays keep readable numbers at the cost of everything else.
    for (Row& row : rows)
      row.weight *= row.kind == TrayKind::Compute ? 1.0f : row.kind == TrayKind::Switch ? 0.6f : 0.35f;
    weights = weightOf(rows);
  }
  const float pitch =
      weights > 0 ? std::min((box.rect.height - 2 * padding) / weights, (rows.size() < 4 ? 62 : 46) * zoom)
                  : 0;
  // A rack that is not full keeps its height: the free units show.
  float y = box.rect.y + padding;
  box.rect.height = std::min(box.rect.height, weights * pitch + 2 * padding);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    y += gapBefore(rows, i) * pitch;
    const float height = rows[i].weight * pitch;
    TrayBox tray{rows[i].tray,
                 rows[i].kind,
                 {box.rect.x + padding, y, box.rect.width - 2 * padding, height - 1},
                 rows[i].label};
    placeTray(topology, tray, zoom, layout);
    if (tray.kind == TrayKind::Switch) {
      if (box.switch_block.width <= 0) box.switch_block = tray.rect;
      box.switch_block.height = tray.rect.bottom() - box.switch_block.y;
    }
    layout.trays.push_back(std::move(tray));
    y += height;
  }
}

// Links that leave a compute tray, one bundle per tray.
void bundleTrays(const TopologyView& topology, MachineLayout& layout) {
  std::vector<std::uint32_t> bundle_of_tray(topology.trays.size(), UINT32_MAX);
  std::uint32_t count = 0;
  for (TrayBox& box : layout.trays) {
    if (box.kind == TrayKind::Compute) bundle_of_tray[box.tray.value] = box.bundle = count++;
  }
  const auto trayOf = [&](NodeId node) { return topology.nodes[node.value].tray; };
  std::vector<std::uint32_t> bundle_of(topology.links.size(), UINT32_MAX);
  for (std::size_t i = 0; i < topology.links.size(); ++i) {
    const TrayId from = trayOf(topology.links[i].from), to = trayOf(topology.links[i].to);
    const bool from_compute = from.isValid() && bundle_of_tray[from.value] != UINT32_MAX;
    const TrayId tray = from_compute ? from : to;
    if (tray.isValid()) bundle_of[i] = bundle_of_tray[tray.value];
  }
  layout.tray_bundles = BundleIndex(bundle_of, count, topology);
}

std::string summaryOf(const TopologyView& topology) {
  const auto racks = topology.racks.size();
  std::size_t trays = 0;
  for (const TopologyTray& tray : topology.trays) trays += tray.kind == TrayKind::Compute ? 1 : 0;
  return (racks > 1 ? std::to_string(racks) + " racks, " : "") + std::to_string(trays) +
         (trays == 1 ? " tray × " : " trays × ") +
         std::to_string(topology.chip_count / std::max<std::size_t>(1, trays)) + " chips";
}

}  // namespace

void layoutElevation(const TopologyView& topology, float zoom, MachineLayout& layout) {
  const Rect area = layout.area;
  const auto count = static_cast<float>(topology.racks.size());
  // Room on both sides for links; between racks for the cables that join them.
  const float share = count == 1 ? (topology.trays.size() < 4 ? 0.6f : 0.46f) : 0.62f / count;
  const float width =
      std::min(std::max(area.width * share, std::min(280 * zoom, area.width * 0.6f)), 700 * zoom);
  const float gap = count > 1 ? (area.width * 0.74f - count * width) / (count - 1) : 0;
  const float left = area.x + (area.width - count * width - (count - 1) * gap) * 0.5f;
  for (std::uint32_t rack = 0; rack < topology.racks.size(); ++rack) {
    RackBox box{RackId{rack},
                {left + static_cast<float>(rack) * (width + gap), area.y, width, area.height},
                {},
                topology.racks[rack].label};
    placeRack(topology, box, zoom, layout);
    layout.racks.push_back(std::move(box));
  }
  bundleTrays(topology, layout);
  layout.summary = summaryOf(topology);
}

}  // namespace decodescope::scene
