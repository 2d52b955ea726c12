#include "network/scale_out_loads.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace decodescope::network {

namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

/// Directed bundles between two switches, or classes of switches, which carry the same each.
struct Trunk {
  std::uint32_t to = 0;
  double multiplicity = 0;
  std::vector<std::size_t> directed;
};

/// Where every chip joins the network, and the network of switches behind it. Switches above the leaves that
/// have the same neighbours by the same number of cables share all traffic equally, so one stands for all of
/// them.
class Fabric {
 public:
  explicit Fabric(const TopologyView& view) : leaf_of(view.chip_count, kNone), nic(view.chip_count, kNone) {
    std::vector<std::uint32_t> trunks;
    for (std::uint32_t id = 0; id < view.links.size(); ++id) {
      const TopologyLink& link = view.links[id];
      if (link.link_class != LinkClass::ScaleOut || link.capacity_bytes_per_s <= 0) continue;
      if (link.from.value < view.chip_count) {
        nic[link.from.value] = id;
        const std::uint32_t leaf = leaf_index_.try_emplace(link.to.value, leaves()).first->second;
        leaf_of[link.from.value] = leaf;
      } else {
        trunks.push_back(id);
      }
    }
    mergeSwitches(view, trunks);
  }

  [[nodiscard]] std::uint32_t leaves() const { return static_cast<std::uint32_t>(leaf_index_.size()); }
  [[nodiscard]] std::size_t size() const { return out_.size(); }
  [[nodiscard]] const std::vector<Trunk>& out(std::uint32_t node) const { return out_[node]; }

  std::vector<std::uint32_t> leaf_of, nic;  ///< by chip

 private:
  using Neighbours = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  ///< switch and cables

  void mergeSwitches(const TopologyView& view, const std::vector<std::uint32_t>& trunks) {
    std::unordered_map<std::uint32_t, Neighbours> neighbours;
    for (const std::uint32_t id : trunks) {
      const TopologyLink& link = view.links[id];
      neighbours[link.from.value].emplace_back(link.to.value, link.multiplicity);
      neighbours[link.to.value].emplace_back(link.from.value, link.multiplicity);
    }
    std::map<Neighbours, std::uint32_t> classes;
    std::unordered_map<std::uint32_t, std::uint32_t> class_of = leaf_index_;
    std::uint32_t next = leaves();
    for (auto& [node, list] : neighbours) {
      if (leaf_index_.contains(node)) continue;
      std::sort(list.begin(), list.end());
      const auto [found, is_new] = classes.try_emplace(list, next);
      if (is_new) ++next;
      class_of[node] = found->second;
    }
    out_.resize(next);
    for (const std::uint32_t id : trunks) {
      const TopologyLink& link = view.links[id];
      const std::uint32_t a = class_of.at(link.from.value), b = class_of.at(link.to.value);
      addTrunk(a, b, link.multiplicity, directedIndex(LinkId{id}, Direction::Forward));
      addTrunk(b, a, link.multiplicity, directedIndex(LinkId{id}, Direction::Backward));
    }
  }

  void addTrunk(std::uint32_t from, std::uint32_t to, std::uint32_t cables, std::size_t directed) {
    // Between two classes all bundles are alike; the few distinct ones are found from the back.
    std::vector<Trunk>& list = out_[from];
    const auto same =
        std::find_if(list.rbegin(), list.rend(), [to](const Trunk& trunk) { return trunk.to == to; });
    Trunk& trunk = same == list.rend() ? list.emplace_back(Trunk{to, 0, {}}) : *same;
    trunk.multiplicity += cables;
    trunk.directed.push_back(directed);
  }

  std::unordered_map<std::uint32_t, std::uint32_t> leaf_index_;
  std::vector<std::vector<Trunk>> out_;
};

/// Members of an exchange counted by leaf, and by domain and leaf.
struct LeafCounts {
  double per_pair = 0;
  std::vector<std::pair<std::uint32_t, double>> by_leaf;
  std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, double>>> by_domain;
};

void bump(std::vector<std::pair<std::uint32_t, double>>& counts, std::uint32_t leaf) {
  const auto found =
      std::find_if(counts.rbegin(), counts.rend(), [leaf](const auto& entry) { return entry.first == leaf; });
  if (found == counts.rend()) {
    counts.emplace_back(leaf, 1);
  } else {
    found->second += 1;
  }
}

/// Bytes from leaf to leaf, one destination at a time, and the load of every chip's own link on the way.
class LeafDemand {
 public:
  LeafDemand(const TopologyView& view, const Fabric& fabric, const Traffic& traffic, std::span<double> load)
      : exchanges_of_(fabric.leaves()), pairs_of_(fabric.leaves()) {
    for (const Exchange& exchange : traffic.exchanges) addExchange(view, fabric, exchange, load);
    for (const Pair& pair : traffic.pairs) {
      if (view.nodes[pair.from].domain == view.nodes[pair.to].domain || !isJoined(fabric, pair.from, pair.to))
        continue;
      pairs_of_[fabric.leaf_of[pair.to]].emplace_back(fabric.leaf_of[pair.from], pair.amount);
      addNicLoad(fabric, pair.from, pair.amount, Direction::Forward, load);
      addNicLoad(fabric, pair.to, pair.amount, Direction::Backward, load);
    }
  }

  /// Adds to `sent` by leaf; false when nothing is sent to the leaf.
  bool fill(std::uint32_t target, std::vector<double>& sent) const {
    for (const auto& [e, count] : exchanges_of_[target]) {
      const LeafCounts& exchange = exchanges_[e];
      for (const auto& [leaf, members] : exchange.by_leaf) sent[leaf] += exchange.per_pair * members * count;
      for (const auto& [domain, cells] : exchange.by_domain) {
        const auto here =
            std::find_if(cells.begin(), cells.end(), [&](const auto& cell) { return cell.first == target; });
        if (here == cells.end()) continue;
        for (const auto& [leaf, members] : cells) sent[leaf] -= exchange.per_pair * members * here->second;
      }
    }
    for (const auto& [leaf, amount] : pairs_of_[target]) sent[leaf] += amount;
    return !exchanges_of_[target].empty() || !pairs_of_[target].empty();
  }

 private:
  static bool isJoined(const Fabric& fabric, std::uint32_t a, std::uint32_t b) {
    return fabric.leaf_of[a] != kNone && fabric.leaf_of[b] != kNone;
  }
  static void addNicLoad(const Fabric& fabric, std::uint32_t chip, double amount, Direction direction,
                         std::span<double> load) {
    load[directedIndex(LinkId{fabric.nic[chip]}, direction)] += amount;
  }

  void addExchange(const TopologyView& view, const Fabric& fabric, const Exchange& exchange,
                   std::span<double> load) {
    LeafCounts counts;
    counts.per_pair = exchange.per_pair;
    std::map<std::uint32_t, double> in_domain;
    std::vector<double> on_leaf(fabric.leaves(), 0);
    double members = 0;
    for (const std::uint32_t chip : exchange.members) {
      if (fabric.leaf_of[chip] == kNone) continue;
      on_leaf[fabric.leaf_of[chip]] += 1;
      bump(counts.by_domain[view.nodes[chip].domain], fabric.leaf_of[chip]);
      in_domain[view.nodes[chip].domain] += 1;
      members += 1;
    }
    if (in_domain.size() < 2) return;
    for (std::uint32_t leaf = 0; leaf < on_leaf.size(); ++leaf) {
      if (on_leaf[leaf] == 0) continue;
      counts.by_leaf.emplace_back(leaf, on_leaf[leaf]);
      exchanges_of_[leaf].emplace_back(exchanges_.size(), on_leaf[leaf]);
    }
    for (const std::uint32_t chip : exchange.members) {
      if (fabric.leaf_of[chip] == kNone) continue;
      const double outside = exchange.per_pair * (members - in_domain[view.nodes[chip].domain]);
      addNicLoad(fabric, chip, outside, Direction::Forward, load);
      addNicLoad(fabric, chip, outside, Direction::Backward, load);
    }
    exchanges_.push_back(std::move(counts));
  }

  std::vector<LeafCounts> exchanges_;
  std::vector<std::vector<std::pair<std::size_t, double>>>
      exchanges_of_;  ///< by leaf: exchange and members there
  std::vector<std::vector<std::pair<std::uint32_t, double>>> pairs_of_;  ///< by destination leaf
};

/// Sends what is to reach one leaf down the distances to it.
class LeafRouter {
 public:
  LeafRouter(const Fabric& fabric, std::span<double> load)
      : fabric_(fabric), load_(load), flow(fabric.size()), distance_(fabric.size()) {}

  void route(std::uint32_t target) {
    search(target);
    for (std::size_t i = order_.size(); i-- > 1;) {
      const std::uint32_t node = order_[i];
      if (flow[node] != 0) forward(node);
    }
  }

 private:
  void search(std::uint32_t target) {
    std::fill(distance_.begin(), distance_.end(), -1);
    order_.assign(1, target);
    distance_[target] = 0;
    for (std::size_t head = 0; head < order_.size(); ++head) {
      for (const Trunk& trunk : fabric_.out(order_[head])) {
        if (distance_[trunk.to] >= 0) continue;
        distance_[trunk.to] = distance_[order_[head]] + 1;
        order_.push_back(trunk.to);
      }
    }
  }

  void forward(std::uint32_t node) {
    double cables = 0;
    for (const Trunk& trunk : fabric_.out(node)) cables += isNext(node, trunk) ? trunk.multiplicity : 0;
    for (const Trunk& trunk : fabric_.out(node)) {
      if (!isNext(node, trunk)) continue;
      const double amount = flow[node] * trunk.multiplicity / cables;
      const double each = amount / static_cast<double>(trunk.directed.size());
      for (const std::size_t directed : trunk.directed) load_[directed] += each;
      flow[trunk.to] += amount;
    }
  }
  [[nodiscard]] bool isNext(std::uint32_t node, const Trunk& trunk) const {
    return distance_[trunk.to] == distance_[node] - 1;
  }

  const Fabric& fabric_;
  std::span<double> load_;

 public:
  std::vector<double> flow;  ///< to be sent on, by switch; zero before each route

 private:
  std::vector<int> distance_;
  std::vector<std::uint32_t> order_;
};

}  // namespace

void addScaleOutLoad(const TopologyView& view, const Traffic& traffic, std::span<double> load) {
  const Fabric fabric(view);
  if (fabric.leaves() == 0) return;
  const LeafDemand demand(view, fabric, traffic, load);
  LeafRouter router(fabric, load);
  for (std::uint32_t leaf = 0; leaf < fabric.leaves(); ++leaf) {
    std::fill(router.flow.begin(), router.flow.end(), 0);
    if (demand.fill(leaf, router.flow)) router.route(leaf);
  }
}

}  // namespace decodescope::network
