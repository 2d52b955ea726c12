// Where everything of a machine stands on the canvas: pixels of the fitted picture, which the camera then
// pans and zooms. Positions follow the real machine (racks, trays, slots, torus coordinates) and nothing
// else, so they never move.
#pragma once

#include "scene/draw_list.h"
#include "scene/link_loads.h"

#include <decodescope/topology_view.h>

#include <cstdint>
#include <string>
#include <vector>

namespace decodescope::scene {

/// Elevation: racks seen from the front. Cluster: groups around the switches that join them. Lattice: torus.
/// Ring: a few chips wired each to each.
enum class Arrangement : std::uint8_t { Elevation, Cluster, Lattice, Ring };

/// A row of a rack. Adjacent power shelves share one row.
struct TrayBox {
  TrayId tray;
  TrayKind kind = TrayKind::Compute;
  Rect rect;
  std::string label;                  ///< "04", "S1", "power ×4"
  std::uint32_t bundle = UINT32_MAX;  ///< links that leave the tray, in tray_bundles
};

struct RackBox {
  RackId rack;
  Rect rect;
  Rect switch_block;  ///< rows of its switch trays; empty without
  std::string title;
};

/// A scale-up domain, a tier-1 group, a rack or a slice of a torus.
struct GroupBox {
  std::string title;  ///< "G06"
  Rect rect, header, chips, strip;
  bool above = true;  ///< above the band of upper switches
  std::vector<NodeId> chip_nodes, switch_nodes;
  RackId rack;  ///< set when the group is a rack
};

/// The switches of one plane (or rail) of the upper tier.
struct PlaneBox {
  std::string title;  ///< "P12", "R3"
  Rect rect;
  std::vector<NodeId> switches;
};

struct MachineLayout {
  Arrangement arrangement = Arrangement::Elevation;
  Rect area;
  std::vector<Rect> node_rects;  ///< by node; width 0: not drawn by itself
  float chip_px = 0;             ///< geometric mean of a chip tile's sides
  std::vector<TrayBox> trays;
  std::vector<RackBox> racks;
  std::vector<GroupBox> groups;
  std::vector<PlaneBox> planes;
  Rect band;            ///< of the planes
  float cables_px = 0;  ///< between the band and the nearest groups
  std::string summary;  ///< "16 groups × 36 chips, 18 planes, two tiers: 20,736 links, 12,960 bundles"

  BundleIndex tray_bundles;         ///< by TrayBox::bundle
  BundleIndex group_plane_bundles;  ///< group * planes + plane
  BundleIndex plane_bundles;        ///< above the planes: leaf to spine
  BundleIndex slice_bundles;        ///< lattice in slices: slice to next slice
  bool sliced = false;              ///< lattice drawn slice by slice
};

/// `area` is what the machine may fill, `zoom` the size of text and gaps.
[[nodiscard]] MachineLayout layoutMachine(const TopologyView& topology, Rect area, float zoom);

// The parts of layoutMachine, by arrangement.
void layoutElevation(const TopologyView& topology, float zoom, MachineLayout& layout);
void layoutCluster(const TopologyView& topology, float zoom, MachineLayout& layout);
void layoutLattice(const TopologyView& topology, float zoom, MachineLayout& layout);
void layoutRing(const TopologyView& topology, float zoom, MachineLayout& layout);

/// Cells of `nodes` in `columns` columns inside `box`, `gap` apart across and `gap_y` (default the same)
/// down; returns the cell size.
Point placeGrid(const std::vector<NodeId>& nodes, int columns, Rect box, float gap, MachineLayout& layout,
                float gap_y = -1);
/// Chips of a tray, switches of a tray.
[[nodiscard]] std::vector<NodeId> nodesOfKind(const TopologyView& topology, TrayId tray, NodeKind kind);

}  // namespace decodescope::scene
