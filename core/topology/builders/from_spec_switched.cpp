// Graphs whose chips are joined by switches.
#include "base/units.h"
#include "topology/builders/builders.h"
#include "topology/builders/from_spec.h"

namespace decodescope::topology {

namespace {

constexpr int kMaxChips = 1'000'000, kMaxSwitches = 100'000, kMaxLinks = 100'000;
constexpr int kNvl36x2Chips = 72, kCloudmatrixChips = 384;
constexpr double kCloudmatrixNpuLinkBytesPerS = 56 * kGiga;

/// Whole numbers by name, the first failure kept: each builder needs several.
class Reader {
 public:
  Reader(const SpecParameters& spec, std::span<const std::string_view> keys) : spec_(spec) {
    keep(spec.allowOnly(keys, false));
  }
  int integer(std::string_view key, int maximum, int minimum = 1) {
    return keep(spec_.integer(key, minimum, maximum));
  }
  int integerOr(std::string_view key, int fallback, int maximum) {
    return keep(spec_.integerOr(key, fallback, 1, maximum));
  }
  std::vector<int> planes(std::string_view key) { return keep(spec_.planes(key)); }
  double rateOr(std::string_view key, double fallback_bytes_per_s) {
    return keep(spec_.gigabytesPerSOr(key, fallback_bytes_per_s));
  }
  /// Products of counts as double, so that nothing overflows before it is judged.
  Expected<void> finish(double vertices, double bundles) {
    if (failed_) return Unexpected(error_);
    return spec_.checkSize(vertices, bundles);
  }

 private:
  void keep(const Expected<void>& result) {
    if (!result && !failed_) fail(result.error());
  }
  template <class T>
  T keep(Expected<T> result) {
    if (result) return *std::move(result);
    if (!failed_) fail(result.error());
    return T{};
  }
  void fail(const Error& error) {
    failed_ = true;
    error_ = error;
  }

  const SpecParameters& spec_;
  bool failed_ = false;
  Error error_;
};

double product(int a, double b) {
  return static_cast<double>(a) * b;
}

}  // namespace

Expected<Sketch> starFromSpec(const SpecParameters& spec) {
  constexpr std::string_view kKeys[] = {"n", "planes"};
  Reader read(spec, kKeys);
  StarShape shape{read.integer("n", kMaxChips, 2), read.planes("planes"), spec.linkBytesPerS()};
  const auto planes = static_cast<double>(shape.planes.size());
  if (auto ok = read.finish(shape.chips + planes, shape.chips * planes); !ok) return Unexpected(ok.error());
  return buildStar(shape);
}

Expected<Sketch> twoTierFromSpec(const SpecParameters& spec) {
  constexpr std::string_view kKeys[] = {"groups", "chips", "planes", "l2", "links"};
  Reader read(spec, kKeys);
  TwoTierShape shape;
  shape.groups = read.integer("groups", kMaxChips);
  shape.chips_per_group = read.integer("chips", kMaxChips);
  shape.planes = read.planes("planes");
  shape.l2_switches_per_plane = read.integer("l2", kMaxSwitches);
  shape.links_per_pair = read.integer("links", kMaxLinks);
  shape.link_bytes_per_s = spec.linkBytesPerS();
  const auto planes = static_cast<double>(shape.planes.size());
  const double chips = product(shape.groups, shape.chips_per_group), l1 = shape.groups * planes;
  const double l2 = planes * shape.l2_switches_per_plane;
  if (auto ok = read.finish(chips + l1 + l2, chips * planes + l1 * shape.l2_switches_per_plane); !ok)
    return Unexpected(ok.error());
  if (chips < 2) return Unexpected(spec.error("groups", "", "there are fewer than two chips"));
  return buildTwoTier(shape);
}

Expected<Sketch> nvl36x2FromSpec(const SpecParameters& spec) {
  if (auto ok = spec.allowOnly({}, false); !ok) return Unexpected(ok.error());
  return buildNvl36x2(kNvl36x2Chips, spec.linkBytesPerS());
}

Expected<Sketch> cloudmatrixFromSpec(const SpecParameters& spec) {
  if (auto ok = spec.allowOnly({}, false); !ok) return Unexpected(ok.error());
  const bool has_rate = spec.text().find('@') != std::string::npos;
  return buildCloudmatrix384(kCloudmatrixChips,
                             has_rate ? spec.linkBytesPerS() : kCloudmatrixNpuLinkBytesPerS);
}

Expected<Sketch> fatTreeFromSpec(const SpecParameters& spec) {
  constexpr std::string_view kKeys[] = {"k"};
  constexpr int kMaxPorts = 128;
  Reader read(spec, kKeys);
  const int k = read.integer("k", kMaxPorts, 2);
  if (auto ok = read.finish(1, 1); !ok) return Unexpected(ok.error());
  if (k % 2 != 0)
    return Unexpected(spec.error("k", spec.value("k"), "switches need an even number of ports"));
  return buildFatTree(k, spec.linkBytesPerS());
}

Expected<Sketch> leafSpineFromSpec(const SpecParameters& spec) {
  constexpr std::string_view kKeys[] = {"leaves", "hosts", "spines", "links", "spine_gb"};
  Reader read(spec, kKeys);
  LeafSpineShape shape;
  shape.leaves = read.integer("leaves", kMaxSwitches);
  shape.hosts_per_leaf = read.integer("hosts", kMaxChips);
  shape.spines = read.integer("spines", kMaxSwitches);
  shape.links_per_pair = read.integer("links", kMaxLinks);
  shape.link_bytes_per_s = spec.linkBytesPerS();
  shape.spine_link_bytes_per_s = read.rateOr("spine_gb", shape.link_bytes_per_s);
  const double hosts = product(shape.leaves, shape.hosts_per_leaf),
               trunks = product(shape.leaves, shape.spines);
  if (auto ok = read.finish(hosts + shape.leaves + shape.spines, hosts + trunks); !ok)
    return Unexpected(ok.error());
  if (hosts < 2) return Unexpected(spec.error("hosts", "", "there are fewer than two hosts"));
  return buildLeafSpine(shape);
}

Expected<Sketch> railFromSpec(const SpecParameters& spec) {
  constexpr std::string_view kKeys[] = {"nodes", "rails", "spines", "links", "units", "star", "star_gb"};
  Reader read(spec, kKeys);
  RailShape shape;
  shape.nodes_per_unit = read.integer("nodes", kMaxChips);
  shape.rails = read.integer("rails", kMaxChips);
  shape.spines = read.integer("spines", kMaxSwitches);
  shape.links_per_pair = read.integer("links", kMaxLinks);
  shape.units = read.integerOr("units", 1, kMaxSwitches);
  shape.link_bytes_per_s = spec.linkBytesPerS();
  if (spec.has("star")) shape.node_planes = read.planes("star");
  shape.node_link_bytes_per_s = read.rateOr("star_gb", shape.link_bytes_per_s);
  const double nodes = product(shape.units, shape.nodes_per_unit), leaves = product(shape.units, shape.rails);
  const auto planes = static_cast<double>(shape.node_planes.size());
  if (auto ok = read.finish(nodes * (shape.rails + planes) + leaves + shape.spines,
                            nodes * shape.rails * (1 + planes) + leaves * shape.spines);
      !ok)
    return Unexpected(ok.error());
  if (nodes * shape.rails < 2) return Unexpected(spec.error("nodes", "", "there are fewer than two chips"));
  return buildRail(shape);
}

Expected<Sketch> dragonflyFromSpec(const SpecParameters& spec) {
  constexpr std::string_view kKeys[] = {"a", "p", "h"};
  constexpr int kMaxPerRouter = 1024;
  Reader read(spec, kKeys);
  DragonflyShape shape{read.integer("a", kMaxPerRouter), read.integer("p", kMaxPerRouter),
                       read.integer("h", kMaxPerRouter), spec.linkBytesPerS()};
  const double routers = product(shape.routers_per_group, shape.groups());
  const double degree = shape.hosts_per_router + 0.5 * (shape.routers_per_group - 1 + shape.global_links);
  if (auto ok = read.finish(routers * (1 + shape.hosts_per_router), routers * degree); !ok)
    return Unexpected(ok.error());
  return buildDragonfly(shape);
}

Expected<Sketch> starDomain(const SystemSpec& system, int chips) {
  return buildStar({chips, system.graph.planes, system.graph.link_bytes_per_s}, system.graph.link_latency_s);
}

Expected<Sketch> twoTierDomain(const SystemSpec& system, int chips) {
  const ScaleUpGraph& graph = system.graph;
  TwoTierShape shape;
  shape.groups = graph.groups;
  shape.chips_per_group = graph.chips_per_group;
  shape.planes = graph.planes;
  shape.l2_switches_per_plane = graph.l2_switches_per_plane;
  shape.links_per_pair = graph.links_per_pair;
  shape.link_bytes_per_s = graph.link_bytes_per_s;
  shape.chips = chips;
  return buildTwoTier(shape, graph.link_latency_s);
}

Expected<Sketch> nvl36x2Domain(const SystemSpec& system, int chips) {
  return buildNvl36x2(chips, system.graph.link_bytes_per_s, system.graph.link_latency_s);
}

Expected<Sketch> cloudmatrixDomain(const SystemSpec& system, int chips) {
  return buildCloudmatrix384(chips, system.graph.link_bytes_per_s, system.graph.link_latency_s);
}

}  // namespace decodescope::topology
