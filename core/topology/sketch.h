// A graph before it stands in racks: what a builder makes.
#pragma once

#include <decodescope/topology_view.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace decodescope::topology {

/// Chips are added first, then switches and CPUs, so that node i is chip i.
struct Sketch {
  std::string name;
  TopologyLayout layout = TopologyLayout::Racks;
  std::array<std::uint16_t, 3> torus_dims{1, 1, 1};
  std::uint32_t chip_count = 0;
  double latency_s = 0;  ///< given to every link that connect() adds
  std::vector<TopologyNode> nodes;
  std::vector<TopologyLink> links;

  NodeId addChip(std::uint32_t group = 0, std::array<std::uint16_t, 3> coordinate = {});
  NodeId addSwitch(int tier, int plane, std::uint32_t group = 0);
  NodeId addCpu(std::uint32_t group);
  /// A bundle of `cables`, each of `cable_bytes_per_s` per direction; none when `cables` is 0.
  void connect(NodeId from, NodeId to, int cables, double cable_bytes_per_s,
               LinkClass link_class = LinkClass::ScaleUp);
};

/// Fills node_link_begin and node_links from the links.
void indexLinks(TopologyView&);

}  // namespace decodescope::topology
