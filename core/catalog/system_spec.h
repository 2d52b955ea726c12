// A rack, node or pod that can be bought: how many chips, how they are joined, where they stand, how they are
// cooled.
#pragma once

#include "catalog/source.h"

#include <array>
#include <string>
#include <vector>

namespace decodescope {

/// Which builder makes the scale-up graph (core/topology/registry.cpp).
struct ScaleUpGraph {
  std::string builder;      ///< star two-tier nvl36x2 full-mesh torus cloudmatrix384 fat-tree
  std::vector<int> planes;  ///< star: links to each switch plane
  int groups = 1, chips_per_group = 0, l2_switches_per_plane = 0, links_per_pair = 1;  ///< two-tier
  std::array<int, 3> torus_dims{1, 1, 1};
  std::array<bool, 3> torus_wrap{true, true, true};
  std::array<double, 3> axis_link_bytes_per_s{};  ///< torus whose axes differ; 0: link_bytes_per_s
  double link_bytes_per_s = 0;                    ///< per link and direction
  double link_latency_s = 0;                      ///< per hop
};

/// Where one scale-up domain stands. Trays are counted per rack; every rack of the domain is alike.
struct SystemLayout {
  int racks = 1;         ///< racks with chips
  int switch_racks = 0;  ///< further racks that hold only switches of the second tier
  int compute_trays = 1, chips_per_tray = 8, cpus_per_tray = 2, switch_trays = 0, power_shelves = 0;
  int units = 48, tray_units = 1;  ///< height of the rack and of a compute tray
  /// Trays from the top, such as "blank:2 power:4 management:2 compute:10 switch:9 compute:8 power:4
  /// blank:9". Compute trays are tray_units high, others 1; blank leaves units empty. The heights add up to
  /// `units`.
  std::string order;
};

struct SystemSpec {
  std::string id, name, chip;
  std::vector<std::string> aliases;  ///< other ids that name the same machine, such as hgx-h100
  int year = 0;
  int chips = 8;          ///< of one scale-up domain
  bool modelled = false;  ///< our own construction, not a product
  ScaleUpGraph graph;
  SystemLayout layout;
  std::string cooling;                                    ///< air or liquid
  double rack_power_max_w = 0, rack_power_typical_w = 0;  ///< of one rack
  double switch_power_w = 0;                              ///< all scale-up switches of one domain
  double cpu_power_w = 0;                                 ///< host share of one chip at load
  double optics_power_w = 0;                              ///< of one domain
  double liquid_heat_ratio = 0;                           ///< share of rack heat that the coolant takes
  double supply_c = 25, supply_max_c = 45;
  double flow_l_per_min_per_chip = 0;
  double weight_kg = 0;
  double nic_bytes_per_s_per_chip = 0;
  double price_usd = 0;  ///< of one domain
  double interconnect_capex_share = 0;
  double copper_span_m = 0;  ///< longest scale-up cable, 0 on one board
  SourceTable sources;
};

}  // namespace decodescope
