#include "topology/scale_out.h"

#include "base/text_distance.h"
#include "topology/placement.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <vector>

namespace decodescope::topology {

namespace {

/// 64-port switches: half the ports down. Larger machines get a third level; spines and cores then count as
/// switches with as many ports as they need (modular chassis).
constexpr int kPortsDown = 32, kPorts = 64;
/// InfiniBand, 64 bytes end to end: 2.8 us below one leaf, 3.7 us across leaves (DeepSeek, "Insights into
/// DeepSeek-V3", arXiv 2505.09343): 1.4 us per chip link, 0.45 us per link between switches.
constexpr double kChipLinkLatency_s = 1.4e-6, kTrunkLatency_s = 0.45e-6;

/// Adds switches and their links to the view.
class FabricBuilder {
 public:
  FabricBuilder(TopologyView& view, double nic_bytes_per_s, double oversubscription)
      : view_(view), nic_bytes_per_s_(nic_bytes_per_s), oversubscription_(oversubscription) {}

  std::vector<NodeId> addSwitches(int count, int tier, int planes) {
    std::vector<NodeId> added;
    for (int i = 0; i < count; ++i) {
      TopologyNode node;
      node.kind = NodeKind::Switch;
      node.tier = static_cast<std::uint8_t>(tier);
      node.plane = static_cast<std::uint16_t>(i % planes);
      node.group = static_cast<std::uint32_t>(i / planes);
      view_.nodes.push_back(node);
      added.push_back(NodeId{static_cast<std::uint32_t>(view_.nodes.size() - 1)});
    }
    standing_.insert(standing_.end(), added.begin(), added.end());
    return added;
  }

  void connectChip(NodeId chip, NodeId leaf) {
    view_.links.push_back({chip, leaf, 1, nic_bytes_per_s_, kChipLinkLatency_s, LinkClass::ScaleOut});
  }

  /// Every lower switch to every upper one; each lower switch gets `up_bytes_per_s` in all.
  void connectAll(const std::vector<NodeId>& lower, const std::vector<NodeId>& upper,
                  const std::vector<double>& up_bytes_per_s) {
    for (std::size_t l = 0; l < lower.size(); ++l) {
      const double bundle_bytes_per_s = up_bytes_per_s[l] / static_cast<double>(upper.size());
      for (const NodeId above : upper) trunk(lower[l], above, bundle_bytes_per_s);
    }
  }

  void trunk(NodeId a, NodeId b, double bytes_per_s) {
    const auto cables =
        static_cast<std::uint32_t>(std::max(1.0, std::ceil(bytes_per_s / nic_bytes_per_s_ - 1e-9)));
    view_.links.push_back({a, b, cables, bytes_per_s, kTrunkLatency_s, LinkClass::ScaleOut});
  }

  [[nodiscard]] double nicBytesPerS() const { return nic_bytes_per_s_; }
  [[nodiscard]] double oversubscription() const { return oversubscription_; }
  [[nodiscard]] TopologyView& view() { return view_; }
  void stand() { placeSwitchRacks(view_, standing_, 1, 0, "network"); }

 private:
  TopologyView& view_;
  double nic_bytes_per_s_, oversubscription_;
  std::vector<NodeId> standing_;
};

/// Bytes/s that each leaf may send up: what its chips send, over the oversubscription.
std::vector<double> uplinkRates(const FabricBuilder& fabric, const std::vector<int>& chips_below) {
  std::vector<double> rates_bytes_per_s;
  for (const int chips : chips_below)
    rates_bytes_per_s.push_back(chips * fabric.nicBytesPerS() / fabric.oversubscription());
  return rates_bytes_per_s;
}

/// Position of every tray that has chips, among those.
std::vector<int> chipTrayOrdinals(const TopologyView& view) {
  std::vector<int> ordinal(view.trays.size(), 0);
  int next = 0;
  for (std::size_t t = 0; t < view.trays.size(); ++t) {
    const TopologyTray& tray = view.trays[t];
    const bool has_chips = !tray.nodes.empty() && view.nodes[tray.nodes.front().value].kind == NodeKind::Chip;
    ordinal[t] = next;
    if (has_chips) ++next;
  }
  return ordinal;
}

int chipsIn(const TopologyView& view, const TopologyTray& tray) {
  return static_cast<int>(std::count_if(tray.nodes.begin(), tray.nodes.end(), [&](NodeId n) {
    return view.nodes[n.value].kind == NodeKind::Chip;
  }));
}

/// Spines for two levels: the leaves' uplinks on 64-port switches.
int spinesFor(int leaves) {
  return std::clamp((leaves + 1) / 2, 1, kPortsDown);
}

/// Leaf (unit, rail) joins chip `rail` of 32 trays. Up to 64 leaves share spines; more get spines per rail
/// and cores above them (NVIDIA DGX SuperPOD reference architecture, 1 to 16 scalable units).
void addRails(FabricBuilder& fabric) {
  TopologyView& view = fabric.view();
  const std::vector<int> ordinal = chipTrayOrdinals(view);
  int rails = 1, nodes = 0;
  for (std::size_t t = 0; t < view.trays.size(); ++t) {
    const int chips = chipsIn(view, view.trays[t]);
    rails = std::max(rails, chips);
    if (chips > 0) nodes = std::max(nodes, ordinal[t] + 1);
  }
  const int units = (nodes + kPortsDown - 1) / kPortsDown, leaf_count = units * rails;
  const std::vector<NodeId> leaves = fabric.addSwitches(leaf_count, kLeafTier, rails);
  std::vector<int> below(leaves.size(), 0);
  for (std::uint32_t c = 0; c < view.chip_count; ++c) {
    const TopologyNode chip = view.nodes[c];
    const int unit = ordinal[chip.tray.value] / kPortsDown;
    const auto leaf = static_cast<std::size_t>(unit * rails + chip.slot);
    fabric.connectChip(NodeId{c}, leaves[leaf]);
    ++below[leaf];
  }
  const std::vector<double> up_bytes_per_s = uplinkRates(fabric, below);
  if (leaf_count <= kPorts) {
    fabric.connectAll(leaves, fabric.addSwitches(spinesFor(leaf_count), kSpineTier, 1), up_bytes_per_s);
    return;
  }
  const int spines_per_rail = std::min(units, kPortsDown);
  std::vector<NodeId> spines;
  std::vector<double> spine_up_bytes_per_s;
  for (int rail = 0; rail < rails; ++rail) {
    const std::vector<NodeId> of_rail = fabric.addSwitches(spines_per_rail, kSpineTier, 1);
    std::vector<NodeId> rail_leaves;
    std::vector<double> rail_up_bytes_per_s;
    double sum_bytes_per_s = 0;
    for (int unit = 0; unit < units; ++unit) {
      const auto leaf = static_cast<std::size_t>(unit * rails + rail);
      rail_leaves.push_back(leaves[leaf]);
      rail_up_bytes_per_s.push_back(up_bytes_per_s[leaf]);
      sum_bytes_per_s += up_bytes_per_s[leaf];
    }
    for (const NodeId spine : of_rail) view.nodes[spine.value].plane = static_cast<std::uint16_t>(rail);
    fabric.connectAll(rail_leaves, of_rail, rail_up_bytes_per_s);
    spines.insert(spines.end(), of_rail.begin(), of_rail.end());
    spine_up_bytes_per_s.insert(spine_up_bytes_per_s.end(), of_rail.size(),
                                sum_bytes_per_s / spines_per_rail);
  }
  fabric.connectAll(spines, fabric.addSwitches(kPortsDown, kCoreTier, 1), spine_up_bytes_per_s);
}

/// Leaves of 32 chips in the order of their trays, all spines above all leaves.
void addLeafSpine(FabricBuilder& fabric) {
  const auto chips = static_cast<int>(fabric.view().chip_count);
  const int leaf_count = (chips + kPortsDown - 1) / kPortsDown;
  const std::vector<NodeId> leaves = fabric.addSwitches(leaf_count, kLeafTier, 1);
  std::vector<int> below(leaves.size(), 0);
  for (int c = 0; c < chips; ++c) {
    const auto leaf = static_cast<std::size_t>(c / kPortsDown);
    fabric.connectChip(NodeId{static_cast<std::uint32_t>(c)}, leaves[leaf]);
    ++below[leaf];
  }
  fabric.connectAll(leaves, fabric.addSwitches(spinesFor(leaf_count), kSpineTier, 1),
                    uplinkRates(fabric, below));
}

/// One router per domain; routers on a ring, or on the squarest two-dimensional torus that holds them all.
void addTorusOfDomains(FabricBuilder& fabric, int domains) {
  TopologyView& view = fabric.view();
  const std::vector<NodeId> routers = fabric.addSwitches(domains, kLeafTier, 1);
  std::vector<int> below(routers.size(), 0);
  for (std::uint32_t c = 0; c < view.chip_count; ++c) {
    const std::uint32_t domain = view.nodes[c].domain;
    fabric.connectChip(NodeId{c}, routers[domain]);
    ++below[domain];
  }
  int width = static_cast<int>(std::sqrt(static_cast<double>(domains)));
  while (domains % width != 0) --width;
  const int height = domains / width;
  const int degree = (width > 2 ? 2 : width - 1) + (height > 2 ? 2 : height - 1);
  const double link_bytes_per_s = *std::max_element(below.begin(), below.end()) * fabric.nicBytesPerS() /
                                  fabric.oversubscription() / degree;
  const auto at = [&](int x, int y) {
    return routers[static_cast<std::size_t>((y % height) * width + x % width)];
  };
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      if (width > 2 || x + 1 < width) fabric.trunk(at(x, y), at(x + 1, y), link_bytes_per_s);
      if (height > 2 || y + 1 < height) fabric.trunk(at(x, y), at(x, y + 1), link_bytes_per_s);
    }
  }
}

Error fabricError(const Fabric& fabric, std::string message, std::string remedy) {
  return {ErrorCode::BadInput, "", "fabric.kind", fabric.kind, std::move(message), std::move(remedy)};
}

}  // namespace

Expected<void> addScaleOut(TopologyView& view, const Fabric& fabric, double nic_bytes_per_s, int domains) {
  constexpr std::string_view kKinds[] = {"rail", "leaf-spine", "torus", "none"};
  if (!(nic_bytes_per_s > 0) || !std::isfinite(nic_bytes_per_s))
    return Unexpected(Error{ErrorCode::BadInput, "", "fabric.gb_per_s_per_chip",
                            fmt::format("{}", fabric.gb_per_s_per_chip),
                            "the system has no network between its scale-up domains", "give a rate above 0"});
  if (!(fabric.oversubscription > 0) || !std::isfinite(fabric.oversubscription))
    return Unexpected(Error{ErrorCode::BadInput, "", "fabric.oversubscription",
                            fmt::format("{}", fabric.oversubscription), "must be above 0",
                            "1 is non-blocking"});
  FabricBuilder builder(view, nic_bytes_per_s, fabric.oversubscription);
  if (fabric.kind == "none") {
    return Unexpected(fabricError(fabric,
                                  fmt::format("{} chips need {} scale-up domains with a network between them",
                                              view.chip_count, domains),
                                  "choose rail, leaf-spine or torus, or fewer chips"));
  }
  if (fabric.kind == "rail") {
    addRails(builder);
  } else if (fabric.kind == "leaf-spine") {
    addLeafSpine(builder);
  } else if (fabric.kind == "torus") {
    addTorusOfDomains(builder, domains);
  } else {
    const std::string hint = didYouMean(fabric.kind, kKinds);
    return Unexpected(fabricError(fabric, "no such kind of fabric",
                                  hint.empty() ? "rail, leaf-spine, torus or none" : hint));
  }
  builder.stand();
  return {};
}

}  // namespace decodescope::topology
