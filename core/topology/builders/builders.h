// The graphs that can be built, one function and one file per kind. registry.cpp lists them with their
// spelling.
#pragma once

#include "topology/sketch.h"
#include "topology/torus_shape.h"

#include <array>
#include <vector>

namespace decodescope::topology {

/// Every chip wired to every switch plane, planes[p] links each.
struct StarShape {
  int chips = 8;
  std::vector<int> planes;
  double link_bytes_per_s = 0;
};
[[nodiscard]] Sketch buildStar(const StarShape&, double latency_s = 0);

/// One link between every two chips.
[[nodiscard]] Sketch buildFullMesh(int chips, double link_bytes_per_s, double latency_s = 0);

/// An axis of two has one link, never two.
[[nodiscard]] Sketch buildTorus(const TorusShape&, std::array<double, 3> link_bytes_per_s_by_axis,
                                double latency_s = 0);

/// Three-tier fat tree of k-port switches (Al-Fares, Loukissas, Vahdat, SIGCOMM 2008).
[[nodiscard]] Sketch buildFatTree(int ports, double link_bytes_per_s);

/// Leaves with hosts under spines; `links` per pair of leaf and spine.
struct LeafSpineShape {
  int leaves = 1, hosts_per_leaf = 1, spines = 1, links_per_pair = 1;
  double link_bytes_per_s = 0, spine_link_bytes_per_s = 0;
};
[[nodiscard]] Sketch buildLeafSpine(const LeafSpineShape&);

/// Leaf (unit, rail) joins chip `rail` of every node of the unit; node_planes adds a switch star inside every
/// node.
struct RailShape {
  int units = 1, nodes_per_unit = 1, rails = 1, spines = 1, links_per_pair = 1;
  double link_bytes_per_s = 0;
  std::vector<int> node_planes;
  double node_link_bytes_per_s = 0;
};
[[nodiscard]] Sketch buildRail(const RailShape&);

/// a routers per group, p hosts and h global links per router, a*h + 1 groups (Kim, Dally, Scott, Abts, ISCA
/// 2008).
struct DragonflyShape {
  int routers_per_group = 1, hosts_per_router = 1, global_links = 1;
  double link_bytes_per_s = 0;
  [[nodiscard]] int groups() const { return routers_per_group * global_links + 1; }
};
[[nodiscard]] Sketch buildDragonfly(const DragonflyShape&);

[[nodiscard]] Sketch buildHypercube(int dimensions, double link_bytes_per_s);

/// Routers on a grid, all to all along each axis, `hosts` chips on each (Ahn et al., SC 2009).
struct HyperxShape {
  std::vector<int> sizes;
  int hosts = 1, links_per_pair = 1;
  double link_bytes_per_s = 0;
};
[[nodiscard]] Sketch buildHyperx(const HyperxShape&);

/// Groups of chips on first-level switches, one per plane; each plane has its own second-level switches.
/// `chips` may leave the last groups empty: those, and a second level with one group, are not built.
struct TwoTierShape {
  int groups = 1, chips_per_group = 1;
  std::vector<int> planes;
  int l2_switches_per_plane = 0, links_per_pair = 1;
  double link_bytes_per_s = 0;
  int chips = 0;  ///< 0: all
};
[[nodiscard]] Sketch buildTwoTier(const TwoTierShape&, double latency_s = 0);

/// Two half racks of 36 chips; switch p of one joined to switch p of the other by 36 links.
[[nodiscard]] Sketch buildNvl36x2(int chips, double link_bytes_per_s, double latency_s = 0);

/// 48 nodes of 8 NPUs and 4 CPUs, 7 first-level switches per node, 7 planes of 16 second-level switches
/// (arXiv 2506.12708).
[[nodiscard]] Sketch buildCloudmatrix384(int chips, double npu_link_bytes_per_s, double latency_s = 0);

}  // namespace decodescope::topology
