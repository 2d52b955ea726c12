// The machine as a graph that stands in racks: immutable, shared between snapshots while unchanged.
#pragma once

#include <decodescope/ids.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace decodescope {

enum class NodeKind : std::uint8_t { Chip, Switch, Cpu };

struct TopologyNode {
  NodeKind kind = NodeKind::Chip;
  std::uint8_t tier =
      0;  ///< switches: 1 next to the chips, then 2, ...; scale-out leaf 11, spine 12, core 13
  std::uint16_t plane = 0;                    ///< switch plane or rail
  std::uint32_t domain = 0;                   ///< scale-up domain (chips and scale-up switches)
  std::uint32_t group = 0;                    ///< group inside the domain: half rack, L1 group, torus cube
  TrayId tray;                                ///< where it stands
  std::uint16_t slot = 0;                     ///< position within the tray, left to right
  std::array<std::uint16_t, 3> coordinate{};  ///< torus coordinate, or 0
};

enum class LinkClass : std::uint8_t { ScaleUp, InterSwitch, ScaleOut };

/// A bundle of `multiplicity` cables. Capacity is raw, per direction, of the whole bundle.
struct TopologyLink {
  NodeId from, to;
  std::uint32_t multiplicity = 1;
  double capacity_bytes_per_s = 0;
  double latency_s = 0;
  LinkClass link_class = LinkClass::ScaleUp;
};

enum class TrayKind : std::uint8_t { Compute, Switch, Power, Management };

struct TopologyTray {
  TrayKind kind = TrayKind::Compute;
  RackId rack;
  std::uint16_t unit = 0;  ///< rack unit of its top edge, counted from the top
  std::uint16_t height_units = 1;
  std::uint16_t number = 0;   ///< 1-based within its kind and rack
  std::vector<NodeId> nodes;  ///< left to right
};

struct TopologyRack {
  std::string label;                  ///< "Rack 1"
  std::uint16_t row = 0, column = 0;  ///< place on the floor
  std::uint16_t units = 48;
  std::vector<TrayId> trays;  ///< top to bottom
};

/// How the machine is best drawn.
enum class TopologyLayout : std::uint8_t { Racks, Torus2d, Torus3d, Mesh };

struct TopologyView {
  std::string name;  ///< "GB200 NVL72"
  TopologyLayout layout = TopologyLayout::Racks;
  std::array<std::uint16_t, 3> torus_dims{1, 1, 1};
  std::uint32_t chip_count = 0;
  std::vector<TopologyNode> nodes;
  std::vector<TopologyLink> links;
  std::vector<TopologyTray> trays;
  std::vector<TopologyRack> racks;
  /// Links at each node: node_links[node_link_begin[n] .. node_link_begin[n + 1]).
  std::vector<std::uint32_t> node_link_begin;
  std::vector<LinkId> node_links;
};

/// "Chip 04.1", "Switch S7.2", "Chip R2 04.1" in machines of several racks; torus chips by coordinate.
[[nodiscard]] std::string nodeLabel(const TopologyView&, NodeId);
/// "Chip 04.1 - Switch S7.2"
[[nodiscard]] std::string linkLabel(const TopologyView&, LinkId);

}  // namespace decodescope
