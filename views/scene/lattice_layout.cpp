// Torus and full mesh, by formula: chips at their coordinates. A small 3D torus is drawn in cabinet
// projection with every link; a larger one slice by slice, the links between slices bundled.
#include "scene/machine_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace decodescope::scene {
namespace {

constexpr int kMostProjected = 4;  // layers in depth that stay apart in the projection

struct Dims {
  int x = 1, y = 1, z = 1;
};

Dims dimsOf(const TopologyView& topology) {
  return {std::max<int>(1, topology.torus_dims[0]), std::max<int>(1, topology.torus_dims[1]),
          std::max<int>(1, topology.torus_dims[2])};
}

Rect tileAt(Rect pitch_box, float share) {
  const float w = pitch_box.width * share, h = pitch_box.height * share;
  return {pitch_box.x + (pitch_box.width - w) / 2, pitch_box.y + (pitch_box.height - h) / 2, w, h};
}

void placeFlat(const TopologyView& topology, Dims dims, Rect area, MachineLayout& layout) {
  const float margin_x = area.width * 0.04f, margin_y = area.height * 0.06f;
  const float w = (area.width - 2 * margin_x) / static_cast<float>(dims.x),
              h = (area.height - 2 * margin_y) / static_cast<float>(dims.y);
  for (std::uint32_t chip = 0; chip < topology.chip_count; ++chip) {
    const auto& at = topology.nodes[chip].coordinate;
    layout.node_rects[chip] = tileAt({area.x + margin_x + w * static_cast<float>(at[0]),
                                      area.y + margin_y + h * static_cast<float>(at[1]), w, h},
                                     0.62f);
  }
}

// Depth goes up and to the right inside each cell, so that rows, columns and depth lines never coincide.
void placeProjected(const TopologyView& topology, Dims dims, Rect area, MachineLayout& layout) {
  const auto depth = static_cast<float>(dims.z);
  const float cell_w = area.width * 0.94f / static_cast<float>(dims.x),
              cell_h = area.height * 0.92f / static_cast<float>(dims.y);
  const float tile_w = std::min(cell_w / (depth + 0.6f), 2.4f * cell_h / (depth + 0.8f)),
              tile_h = cell_h / (depth + 0.8f) * 0.74f;
  const float step_x = (cell_w - tile_w * 1.5f) / std::max(1.0f, depth - 1 + 0.4f),
              step_y = cell_h / (depth + 0.8f);
  for (std::uint32_t chip = 0; chip < topology.chip_count; ++chip) {
    const auto& at = topology.nodes[chip].coordinate;
    const float x =
        area.x + area.width * 0.03f + cell_w * static_cast<float>(at[0]) + step_x * static_cast<float>(at[2]);
    const float y = area.y + area.height * 0.02f + cell_h * static_cast<float>(at[1]) +
                    step_y * (depth - 0.7f - static_cast<float>(at[2]));
    layout.node_rects[chip] = {x, y, tile_w, tile_h};
  }
}

void bundleSlices(const TopologyView& topology, MachineLayout& layout) {
  const auto slices = static_cast<std::uint32_t>(layout.groups.size());
  std::vector<std::uint32_t> bundle_of(topology.links.size(), UINT32_MAX);
  for (std::size_t i = 0; i < topology.links.size(); ++i) {
    const TopologyLink& link = topology.links[i];
    if (link.from.value >= topology.chip_count || link.to.value >= topology.chip_count) continue;
    const std::uint32_t a = topology.nodes[link.from.value].coordinate[2],
                        b = topology.nodes[link.to.value].coordinate[2];
    if (a == b || slices == 0) continue;
    const std::uint32_t low = std::min(a, b), high = std::max(a, b);
    bundle_of[i] = high - low == 1 ? low : high;  // the wrap-around bundle starts at the last slice
  }
  layout.slice_bundles = BundleIndex(bundle_of, slices, topology);
}

void placeSlices(const TopologyView& topology, Dims dims, float zoom, MachineLayout& layout) {
  const Rect area = layout.area;
  int best_columns = 1;
  float best_size = 0;
  for (int columns = 1; columns <= dims.z; ++columns) {
    const int rows = (dims.z + columns - 1) / columns;
    const float size = std::min(area.width / static_cast<float>(columns * (dims.x + 1)),
                                area.height / static_cast<float>(rows * (dims.y + 2)));
    if (size > best_size) best_size = size, best_columns = columns;
  }
  const int rows = (dims.z + best_columns - 1) / best_columns;
  const float w = area.width / static_cast<float>(best_columns), h = area.height / static_cast<float>(rows);
  layout.groups.resize(static_cast<std::size_t>(dims.z));
  for (int z = 0; z < dims.z; ++z) {
    // Slices run like a snake, so that neighbours in depth are neighbours on the canvas.
    const int row = z / best_columns, along = z % best_columns,
              column = row % 2 == 0 ? along : best_columns - 1 - along;
    GroupBox& slice = layout.groups[static_cast<std::size_t>(z)];
    slice.title = fmt::format("z{}", z);
    slice.rect = {area.x + w * static_cast<float>(column) + 10 * zoom,
                  area.y + h * static_cast<float>(row) + 6 * zoom, w - 20 * zoom, h - 14 * zoom};
    slice.header = {slice.rect.x + 5 * zoom, slice.rect.y, slice.rect.width - 10 * zoom,
                    h > 70 * zoom ? 18 * zoom : 0};
    slice.chips = {slice.rect.x + 4 * zoom, slice.rect.y + slice.header.height + 2 * zoom,
                   slice.rect.width - 8 * zoom, slice.rect.height - slice.header.height - 6 * zoom};
  }
  for (std::uint32_t chip = 0; chip < topology.chip_count; ++chip) {
    const auto& at = topology.nodes[chip].coordinate;
    GroupBox& slice = layout.groups[std::min<std::size_t>(at[2], layout.groups.size() - 1)];
    slice.chip_nodes.push_back(NodeId{chip});
    const float tw = slice.chips.width / static_cast<float>(dims.x),
                th = slice.chips.height / static_cast<float>(dims.y);
    layout.node_rects[chip] = tileAt({slice.chips.x + tw * at[0], slice.chips.y + th * at[1], tw, th},
                                     tw > 12 * zoom ? 0.72f : 0.9f);
  }
  bundleSlices(topology, layout);
}

std::string dimsText(Dims dims, bool three) {
  return three ? fmt::format("torus {} × {} × {}", dims.x, dims.y, dims.z)
               : fmt::format("torus {} × {}", dims.x, dims.y);
}

}  // namespace

void layoutLattice(const TopologyView& topology, float zoom, MachineLayout& layout) {
  const Dims dims = dimsOf(topology);
  if (dims.z <= 1) {
    placeFlat(topology, dims, layout.area, layout);
  } else if (dims.z <= kMostProjected && topology.chip_count <= 256) {
    placeProjected(topology, dims, layout.area, layout);
  } else {
    layout.sliced = true;
    placeSlices(topology, dims, zoom, layout);
  }
  layout.summary = dimsText(dims, dims.z > 1);
}

void layoutRing(const TopologyView& topology, float zoom, MachineLayout& layout) {
  const Rect area = layout.area;
  const auto count = static_cast<float>(topology.chip_count);
  const float tile_w = std::clamp(area.width * 1.6f / (count + 4), 20 * zoom, 120 * zoom),
              tile_h = std::clamp(area.height * 1.7f / (count + 4), 14 * zoom, 76 * zoom);
  const float radius_x = (area.width * 0.82f - tile_w) / 2, radius_y = (area.height * 0.94f - tile_h) / 2;
  for (std::uint32_t chip = 0; chip < topology.chip_count; ++chip) {
    const float angle = 2 * std::numbers::pi_v<float> * (static_cast<float>(chip) + 0.5f) / count -
                        std::numbers::pi_v<float> / 2;
    layout.node_rects[chip] = {area.center().x + radius_x * std::cos(angle) - tile_w / 2,
                               area.center().y + radius_y * std::sin(angle) - tile_h / 2, tile_w, tile_h};
  }
  // Switches of a mixed machine stand in the middle.
  std::vector<NodeId> switches;
  for (std::uint32_t i = topology.chip_count; i < topology.nodes.size(); ++i) {
    if (topology.nodes[i].kind == NodeKind::Switch) switches.push_back(NodeId{i});
  }
  placeGrid(switches, std::max(1, static_cast<int>(switches.size())),
            {area.center().x - radius_x / 2, area.center().y - 12 * zoom, radius_x, 24 * zoom}, 8 * zoom,
            layout);
  layout.summary = std::to_string(topology.chip_count) + " chips, each wired to each";
}

}  // namespace decodescope::scene
