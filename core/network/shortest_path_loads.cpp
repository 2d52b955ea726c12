#include "network/domain_loads.h"

#include <algorithm>
#include <unordered_map>

namespace decodescope::network {

namespace {

constexpr int kUnreached = -1;

struct Arc {
  std::uint32_t to = 0;
  double multiplicity = 0;
  std::size_t directed = 0;
  [[nodiscard]] bool leadsLike(const Arc& other) const {
    return to == other.to && multiplicity == other.multiplicity;
  }
};

/// The living links of a domain between nodes numbered from 0, chips first.
class LocalGraph {
 public:
  LocalGraph(const TopologyView& view, const Domain& domain) : chips(domain.chips.size()) {
    for (const std::uint32_t chip : domain.chips) number(chip);
    std::vector<std::pair<std::uint32_t, Arc>> arcs;
    arcs.reserve(2 * domain.links.size());
    for (const std::uint32_t id : domain.links) {
      const TopologyLink& link = view.links[id];
      if (link.capacity_bytes_per_s <= 0) continue;
      const std::uint32_t a = number(link.from.value), b = number(link.to.value);
      const double cables = link.multiplicity;
      arcs.push_back({a, {b, cables, directedIndex(LinkId{id}, Direction::Forward)}});
      arcs.push_back({b, {a, cables, directedIndex(LinkId{id}, Direction::Backward)}});
    }
    freeze(arcs);
  }

  [[nodiscard]] std::size_t size() const { return begin_.size() - 1; }
  [[nodiscard]] std::span<const Arc> out(std::uint32_t node) const {
    return std::span(arcs_).subspan(begin_[node], begin_[node + 1] - begin_[node]);
  }
  [[nodiscard]] std::uint32_t local(std::uint32_t node) const { return local_.at(node); }

  std::size_t chips = 0;

 private:
  std::uint32_t number(std::uint32_t node) {
    return local_.try_emplace(node, static_cast<std::uint32_t>(local_.size())).first->second;
  }

  void freeze(const std::vector<std::pair<std::uint32_t, Arc>>& arcs) {
    begin_.assign(local_.size() + 1, 0);
    for (const auto& [from, arc] : arcs) ++begin_[from + 1];
    for (std::size_t n = 1; n < begin_.size(); ++n) begin_[n] += begin_[n - 1];
    arcs_.resize(arcs.size());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (const auto& [from, arc] : arcs) arcs_[next[from]++] = arc;
    for (std::uint32_t n = 0; n < size(); ++n)
      std::sort(arcs_.begin() + begin_[n], arcs_.begin() + begin_[n + 1],
                [](const Arc& a, const Arc& b) { return a.to < b.to; });
  }

  std::unordered_map<std::uint32_t, std::uint32_t> local_;
  std::vector<std::uint32_t> begin_;
  std::vector<Arc> arcs_;
};

/// Chips with the same neighbours by the same number of cables: the same way leads to all of them.
struct ChipClasses {
  explicit ChipClasses(const LocalGraph& graph) : of(graph.chips) {
    std::unordered_map<std::size_t, std::vector<std::uint32_t>> by_hash;
    for (std::uint32_t chip = 0; chip < graph.chips; ++chip) {
      std::size_t hash = 0;
      for (const Arc& arc : graph.out(chip))
        hash = (hash ^ arc.to) * 0x9E3779B97F4A7C15U + static_cast<std::size_t>(arc.multiplicity);
      std::vector<std::uint32_t>& candidates = by_hash[hash];
      const auto same = std::find_if(candidates.begin(), candidates.end(), [&](std::uint32_t c) {
        const auto a = graph.out(chip), b = graph.out(members[c].front());
        return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [](const Arc& x, const Arc& y) { return x.leadsLike(y); });
      });
      if (same == candidates.end()) {
        of[chip] = static_cast<std::uint32_t>(members.size());
        candidates.push_back(of[chip]);
        members.push_back({chip});
      } else {
        of[chip] = *same;
        members[*same].push_back(chip);
      }
    }
  }

  std::vector<std::uint32_t> of;
  std::vector<std::vector<std::uint32_t>> members;
};

/// What each class of destinations gets from whom, filled for one class at a time.
class Demand {
 public:
  Demand(const LocalGraph& graph, const ChipClasses& classes, const Traffic& traffic) : classes_(classes) {
    received.assign(graph.chips, 0);
    by_class_.resize(classes.members.size());
    for (const Exchange& exchange : traffic.exchanges) {
      Local local{{}, exchange.per_pair};
      for (const std::uint32_t chip : exchange.members) local.members.push_back(graph.local(chip));
      addCounts(local);
      for (const std::uint32_t chip : local.members)
        received[chip] += exchange.per_pair * static_cast<double>(local.members.size() - 1);
      exchanges_.push_back(std::move(local));
    }
    for (const Pair& pair : traffic.pairs) {
      const std::uint32_t from = graph.local(pair.from), to = graph.local(pair.to);
      if (from == to) continue;
      by_class_[classes.of[to]].pairs.emplace_back(from, pair.amount);
      received[to] += pair.amount;
    }
  }

  /// Adds to `sent` by local node; false when nobody sends to the class.
  bool fill(std::uint32_t target_class, std::vector<double>& sent) const {
    const ForClass& to = by_class_[target_class];
    for (const auto& [e, count] : to.exchanges) {
      const Local& exchange = exchanges_[e];
      for (const std::uint32_t chip : exchange.members)
        sent[chip] += exchange.per_pair * (count - (classes_.of[chip] == target_class ? 1 : 0));
    }
    for (const auto& [from, amount] : to.pairs) sent[from] += amount;
    return !to.exchanges.empty() || !to.pairs.empty();
  }

  std::vector<double> received;  ///< by chip

 private:
  struct Local {
    std::vector<std::uint32_t> members;
    double per_pair = 0;
  };
  struct ForClass {
    std::vector<std::pair<std::size_t, double>> exchanges;  ///< and how many of its members are in the class
    std::vector<std::pair<std::uint32_t, double>> pairs;
  };

  void addCounts(const Local& exchange) {
    for (const std::uint32_t chip : exchange.members) {
      auto& list = by_class_[classes_.of[chip]].exchanges;
      if (list.empty() || list.back().first != exchanges_.size()) list.emplace_back(exchanges_.size(), 0);
      list.back().second += 1;
    }
  }

  const ChipClasses& classes_;
  std::vector<Local> exchanges_;
  std::vector<ForClass> by_class_;
};

/// Searches from a class of destinations, then sends everything down the distances.
class Router {
 public:
  Router(const LocalGraph& graph, std::span<double> load)
      : graph_(graph), load_(load), distance_(graph.size()), flow_(graph.size()) {}

  std::vector<double>& flow() {
    std::fill(flow_.begin(), flow_.end(), 0);
    return flow_;
  }

  void route(const std::vector<std::uint32_t>& targets, const std::vector<double>& received) {
    search(targets.front());
    double all = 0;
    for (const std::uint32_t target : targets) all += received[target];
    for (std::size_t i = order_.size(); i-- > 0;) {
      const std::uint32_t node = order_[i];
      if (flow_[node] == 0) continue;
      distance_[node] == 1 ? deliver(node, targets, received, all) : forward(node);
    }
  }

 private:
  /// Distances to the class: 1 for the neighbours of its members, which are the same for all of them.
  void search(std::uint32_t representative) {
    std::fill(distance_.begin(), distance_.end(), kUnreached);
    order_.clear();
    for (const Arc& arc : graph_.out(representative)) reach(arc.to, 1);
    for (std::size_t head = 0; head < order_.size(); ++head) {
      const std::uint32_t node = order_[head];
      for (const Arc& arc : graph_.out(node)) reach(arc.to, distance_[node] + 1);
    }
  }
  void reach(std::uint32_t node, int distance) {
    if (distance_[node] != kUnreached) return;
    distance_[node] = distance;
    order_.push_back(node);
  }

  void forward(std::uint32_t node) {
    double cables = 0;
    for (const Arc& arc : graph_.out(node)) cables += isNext(node, arc) ? arc.multiplicity : 0;
    for (const Arc& arc : graph_.out(node)) {
      if (!isNext(node, arc)) continue;
      const double amount = flow_[node] * arc.multiplicity / cables;
      load_[arc.directed] += amount;
      flow_[arc.to] += amount;
    }
  }
  [[nodiscard]] bool isNext(std::uint32_t node, const Arc& arc) const {
    return distance_[arc.to] == distance_[node] - 1;
  }

  void deliver(std::uint32_t node, const std::vector<std::uint32_t>& targets,
               const std::vector<double>& received, double all) {
    const auto arcs = graph_.out(node);
    auto arc = arcs.begin();
    // Both lists are sorted by chip.
    for (const std::uint32_t target : targets) {
      while (arc->to != target) ++arc;
      load_[arc->directed] += flow_[node] * received[target] / all;
    }
  }

  const LocalGraph& graph_;
  std::span<double> load_;
  std::vector<int> distance_;
  std::vector<std::uint32_t> order_;
  std::vector<double> flow_;
};

}  // namespace

void addShortestPathLoad(const TopologyView& view, const Domain& domain, std::span<double> load) {
  const LocalGraph graph(view, domain);
  const ChipClasses classes(graph);
  const Demand demand(graph, classes, domain.traffic);
  Router router(graph, load);
  for (std::uint32_t c = 0; c < classes.members.size(); ++c) {
    if (demand.fill(c, router.flow())) router.route(classes.members[c], demand.received);
  }
}

}  // namespace decodescope::network
