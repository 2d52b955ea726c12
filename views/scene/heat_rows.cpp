#include "scene/heat_rows.h"

#include "scene/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace decodescope::scene {
namespace {

constexpr std::size_t kMostRows = 256;

std::vector<std::uint32_t> chipsOf(const TopologyView& topology, const TopologyTray& tray) {
  std::vector<std::uint32_t> chips;
  for (const NodeId node : tray.nodes) {
    if (node.value < topology.chip_count) chips.push_back(node.value);
  }
  return chips;
}

std::vector<HeatRow> rowsByTray(const TopologyView& topology) {
  std::vector<HeatRow> rows;
  for (std::uint32_t i = 0; i < topology.trays.size(); ++i) {
    const TopologyTray& tray = topology.trays[i];
    HeatRow row{{}, chipsOf(topology, tray), TrayId{i}, tray.rack};
    if (row.chips.empty()) continue;
    row.label = topology.racks.size() > 1 ? fmt::format("R{} {:02}", tray.rack.value + 1, tray.number)
                                          : fmt::format("{:02}", tray.number);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<HeatRow> rowsByRack(const TopologyView& topology) {
  std::vector<HeatRow> rows(topology.racks.size());
  for (std::uint32_t i = 0; i < rows.size(); ++i)
    rows[i].label = fmt::format("R{}", i + 1), rows[i].rack = RackId{i};
  for (const TopologyTray& tray : topology.trays) {
    const std::vector<std::uint32_t> chips = chipsOf(topology, tray);
    if (tray.rack.value < rows.size())
      rows[tray.rack.value].chips.insert(rows[tray.rack.value].chips.end(), chips.begin(), chips.end());
  }
  std::erase_if(rows, [](const HeatRow& row) { return row.chips.empty(); });
  return rows;
}

// Machines that stand in no racks: as many chips per row as keep the map readable.
std::vector<HeatRow> rowsByNumber(const TopologyView& topology) {
  std::vector<HeatRow> rows;
  const std::uint32_t per_row = std::max<std::uint32_t>(1, (topology.chip_count + kMostRows - 1) / kMostRows);
  for (std::uint32_t first = 0; first < topology.chip_count; first += per_row) {
    HeatRow row{per_row == 1 ? fmt::format("{}", first + 1) : fmt::format("{}+", first + 1), {}, {}, {}};
    for (std::uint32_t chip = first; chip < std::min(first + per_row, topology.chip_count); ++chip)
      row.chips.push_back(chip);
    rows.push_back(std::move(row));
  }
  return rows;
}

HeatBlock gridBlock(std::string label, const std::vector<std::uint32_t>& chips) {
  const int columns = std::max(1, static_cast<int>(std::ceil(std::sqrt(static_cast<double>(chips.size())))));
  return {std::move(label), columns, chips};
}

std::vector<HeatBlock> blocksByRack(const TopologyView& topology) {
  std::vector<HeatBlock> blocks;
  for (std::uint32_t rack = 0; rack < topology.racks.size(); ++rack) {
    std::vector<std::vector<std::uint32_t>> trays;
    std::size_t widest = 0;
    for (const TrayId id : topology.racks[rack].trays) {
      std::vector<std::uint32_t> chips = chipsOf(topology, topology.trays[id.value]);
      if (chips.empty()) continue;
      widest = std::max(widest, chips.size());
      trays.push_back(std::move(chips));
    }
    if (trays.empty()) continue;
    HeatBlock block{
        topology.racks.size() > 1 ? fmt::format("R{}", rack + 1) : "", static_cast<int>(widest), {}};
    for (std::vector<std::uint32_t>& chips : trays) {
      chips.resize(widest, UINT32_MAX);
      block.chips.insert(block.chips.end(), chips.begin(), chips.end());
    }
    if (trays.size() == 1 && widest > 4) block = gridBlock(block.label, block.chips);
    blocks.push_back(std::move(block));
  }
  return blocks;
}

std::vector<HeatBlock> blocksBySlice(const TopologyView& topology) {
  const auto dims = topology.torus_dims;
  std::vector<HeatBlock> blocks(std::max<std::size_t>(1, dims[2]));
  for (std::size_t z = 0; z < blocks.size(); ++z) {
    blocks[z].label = blocks.size() > 1 ? fmt::format("z{}", z) : "";
    blocks[z].columns = std::max<int>(1, dims[0]);
    blocks[z].chips.assign(static_cast<std::size_t>(dims[0]) * dims[1], UINT32_MAX);
  }
  for (std::uint32_t chip = 0; chip < topology.chip_count; ++chip) {
    const auto& at = topology.nodes[chip].coordinate;
    const std::size_t cell = static_cast<std::size_t>(at[1]) * dims[0] + at[0];
    if (at[2] < blocks.size() && cell < blocks[at[2]].chips.size()) blocks[at[2]].chips[cell] = chip;
  }
  return blocks;
}

}  // namespace

std::vector<HeatRow> heatRows(const TopologyView& topology) {
  std::vector<HeatRow> rows = rowsByTray(topology);
  // One chassis is one tray: then every chip has a row of its own.
  if (rows.size() < 2 && topology.chip_count <= kMostRows) return rowsByNumber(topology);
  if (rows.size() > kMostRows && topology.racks.size() > 1) rows = rowsByRack(topology);
  return rows.empty() || rows.size() > 2 * kMostRows ? rowsByNumber(topology) : rows;
}

std::vector<HeatBlock> heatBlocks(const TopologyView& topology) {
  const bool torus = topology.layout == TopologyLayout::Torus2d || topology.layout == TopologyLayout::Torus3d;
  const std::size_t cells =
      static_cast<std::size_t>(topology.torus_dims[0]) * topology.torus_dims[1] * topology.torus_dims[2];
  if (torus && cells == topology.chip_count) return blocksBySlice(topology);
  std::vector<HeatBlock> blocks = blocksByRack(topology);
  if (!blocks.empty()) return blocks;
  std::vector<std::uint32_t> all(topology.chip_count);
  for (std::uint32_t chip = 0; chip < topology.chip_count; ++chip) all[chip] = chip;
  return {gridBlock("", all)};
}

}  // namespace decodescope::scene
