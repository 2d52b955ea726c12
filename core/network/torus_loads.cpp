#include "network/domain_loads.h"

#include <algorithm>
#include <array>
#include <limits>

namespace decodescope::network {

namespace {

using Dims = std::array<int, 3>;

constexpr std::size_t kNoArc = std::numeric_limits<std::size_t>::max();

/// The arcs of a torus by place, axis and direction.
class TorusArcs {
 public:
  /// False when the domain is no whole torus with all its links alive.
  bool read(const TopologyView& view, const Domain& domain) {
    for (const std::uint32_t chip : domain.chips) {
      for (std::size_t d = 0; d < 3; ++d) dims[d] = std::max(dims[d], view.nodes[chip].coordinate[d] + 1);
    }
    const auto places = static_cast<std::size_t>(dims[0]) * static_cast<std::size_t>(dims[1]) *
                        static_cast<std::size_t>(dims[2]);
    if (places != domain.chips.size() || places < 2) return false;
    for (auto& arcs : plus_) arcs.assign(places, kNoArc);
    for (auto& arcs : minus_) arcs.assign(places, kNoArc);
    for (const std::uint32_t id : domain.links) {
      if (!addLink(view, LinkId{id})) return false;
    }
    return axesAreComplete();
  }

  [[nodiscard]] std::size_t place(const Dims& at) const {
    return static_cast<std::size_t>(at[0] + dims[0] * (at[1] + dims[1] * at[2]));
  }
  [[nodiscard]] std::size_t plus(std::size_t axis, std::size_t place_index) const {
    return plus_[axis][place_index];
  }
  [[nodiscard]] std::size_t minus(std::size_t axis, std::size_t place_index) const {
    return minus_[axis][place_index];
  }

  Dims dims{1, 1, 1};
  std::array<bool, 3> wrap{};

 private:
  bool addLink(const TopologyView& view, LinkId id) {
    const TopologyLink& link = view.links[id.value];
    const TopologyNode &a = view.nodes[link.from.value], &b = view.nodes[link.to.value];
    if (link.capacity_bytes_per_s <= 0 || a.kind != NodeKind::Chip || b.kind != NodeKind::Chip) return false;
    std::size_t axis = 3;
    for (std::size_t d = 0; d < 3; ++d) {
      if (a.coordinate[d] == b.coordinate[d]) continue;
      if (axis != 3) return false;
      axis = d;
    }
    if (axis == 3) return false;
    const int k = dims[axis], step = (b.coordinate[axis] - a.coordinate[axis] + k) % k;
    if (step != 1 && step != k - 1) return false;
    const bool forward = step == 1;
    const std::size_t low = placeOf(forward ? a : b), high = placeOf(forward ? b : a);
    plus_[axis][low] = directedIndex(id, forward ? Direction::Forward : Direction::Backward);
    minus_[axis][high] = directedIndex(id, forward ? Direction::Backward : Direction::Forward);
    return true;
  }

  [[nodiscard]] std::size_t placeOf(const TopologyNode& node) const {
    return place({node.coordinate[0], node.coordinate[1], node.coordinate[2]});
  }

  /// Every chip has its neighbour along every axis; the closing links of an axis are all there or all
  /// missing.
  bool axesAreComplete() {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::size_t closing = 0, lines = 0;
      Dims at{};
      for (at[2] = 0; at[2] < dims[2]; ++at[2]) {
        for (at[1] = 0; at[1] < dims[1]; ++at[1]) {
          for (at[0] = 0; at[0] < dims[0]; ++at[0]) {
            const bool has_next = plus_[axis][place(at)] != kNoArc;
            const bool is_last = at[axis] + 1 == dims[axis];
            if (!is_last && !has_next) return false;
            if (is_last) {
              ++lines;
              closing += has_next ? 1 : 0;
            }
          }
        }
      }
      if (closing != 0 && closing != lines) return false;
      wrap[axis] = closing == lines;
    }
    return true;
  }

  std::array<std::vector<std::size_t>, 3> plus_, minus_;
};

/// One line of the torus: flows along it, added up as differences and written out once.
class Line {
 public:
  Line(const TorusArcs& arcs, std::span<double> load) : arcs_(arcs), load_(load) {}

  void start(std::size_t axis, const Dims& through) {
    axis_ = axis;
    at_ = through;
    k_ = arcs_.dims[axis];
    plus_.assign(static_cast<std::size_t>(k_) + 1, 0);
    minus_.assign(static_cast<std::size_t>(k_) + 1, 0);
  }

  void add(int from, int to, double amount) {
    if (from == to) return;
    const int up = (to - from + k_) % k_, down = k_ - up;
    if (!arcs_.wrap[axis_]) {
      to > from ? addUp(from, up, amount) : addDown(from, down, amount);
    } else if (up == down) {
      addUp(from, up, amount / 2);
      addDown(from, down, amount / 2);
    } else {
      up < down ? addUp(from, up, amount) : addDown(from, down, amount);
    }
  }

  void finish() {
    double up = 0, down = 0;
    for (int i = 0; i < k_; ++i) {
      up += plus_[static_cast<std::size_t>(i)];
      down += minus_[static_cast<std::size_t>(i)];
      at_[axis_] = i;
      const std::size_t place = arcs_.place(at_);
      put(arcs_.plus(axis_, place), up);
      put(arcs_.minus(axis_, place), down);
    }
  }

 private:
  void put(std::size_t arc, double amount) {
    if (arc != kNoArc) load_[arc] += amount;
  }
  /// Arcs i -> i + 1 for i = from, ..., from + hops - 1, round the ring.
  void addUp(int from, int hops, double amount) { addRange(plus_, from, hops, amount); }
  /// Arcs i -> i - 1 for i = from, ..., from - hops + 1.
  void addDown(int from, int hops, double amount) {
    addRange(minus_, (from - hops + 1 + k_) % k_, hops, amount);
  }

  void addRange(std::vector<double>& differences, int begin, int count, double amount) {
    const int end = begin + count;
    differences[static_cast<std::size_t>(begin)] += amount;
    differences[static_cast<std::size_t>(std::min(end, k_))] -= amount;
    if (end > k_) {
      differences[0] += amount;
      differences[static_cast<std::size_t>(end - k_)] -= amount;
    }
  }

  const TorusArcs& arcs_;
  std::span<double> load_;
  std::vector<double> plus_, minus_;
  std::size_t axis_ = 0;
  Dims at_{};
  int k_ = 1;
};

/// Members of an exchange counted on the grid of the coordinates that they use.
class MemberGrid {
 public:
  MemberGrid(const TopologyView& view, const Exchange& exchange) {
    for (std::size_t d = 0; d < 3; ++d) {
      for (const std::uint32_t chip : exchange.members) used[d].push_back(view.nodes[chip].coordinate[d]);
      std::sort(used[d].begin(), used[d].end());
      used[d].erase(std::unique(used[d].begin(), used[d].end()), used[d].end());
    }
    xyz_.assign(size(0) * size(1) * size(2), 0);
    for (const std::uint32_t chip : exchange.members) {
      const auto& c = view.nodes[chip].coordinate;
      xyz_[index(rank(0, c[0]), rank(1, c[1]), rank(2, c[2]))] += 1;
    }
    x_.assign(size(0), 0);
    z_.assign(size(2), 0);
    xy_.assign(size(0) * size(1), 0);
    yz_.assign(size(1) * size(2), 0);
    for (std::size_t z = 0; z < size(2); ++z) {
      for (std::size_t y = 0; y < size(1); ++y) {
        for (std::size_t x = 0; x < size(0); ++x) {
          const double n = xyz_[index(x, y, z)];
          x_[x] += n;
          z_[z] += n;
          xy_[x + size(0) * y] += n;
          yz_[y + size(1) * z] += n;
        }
      }
    }
  }

  [[nodiscard]] std::size_t size(std::size_t axis) const { return used[axis].size(); }
  [[nodiscard]] double xyz(std::size_t x, std::size_t y, std::size_t z) const { return xyz_[index(x, y, z)]; }
  [[nodiscard]] double x(std::size_t i) const { return x_[i]; }
  [[nodiscard]] double z(std::size_t i) const { return z_[i]; }
  [[nodiscard]] double xy(std::size_t i, std::size_t j) const { return xy_[i + size(0) * j]; }
  [[nodiscard]] double yz(std::size_t i, std::size_t j) const { return yz_[i + size(1) * j]; }

  std::array<std::vector<int>, 3> used;

 private:
  [[nodiscard]] std::size_t index(std::size_t i, std::size_t j, std::size_t k) const {
    return i + size(0) * (j + size(1) * k);
  }
  [[nodiscard]] std::size_t rank(std::size_t axis, int coordinate) const {
    return static_cast<std::size_t>(std::lower_bound(used[axis].begin(), used[axis].end(), coordinate) -
                                    used[axis].begin());
  }
  std::vector<double> xyz_, x_, z_, xy_, yz_;
};

/// Flows along one line: from positions weighted `source` to positions weighted `sink`.
template <class Source, class Sink>
void addProduct(Line& line, std::size_t axis, const Dims& through, const std::vector<int>& positions,
                double per_pair, Source source, Sink sink) {
  line.start(axis, through);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const double from = per_pair * source(i);
    if (from == 0) continue;
    for (std::size_t j = 0; j < positions.size(); ++j) {
      if (i != j) line.add(positions[i], positions[j], from * sink(j));
    }
  }
  line.finish();
}

/// x is walked at the source's (y, z); y at the sink's x and the source's z; z at the sink's (x, y).
void addExchange(Line& line, const TopologyView& view, const Exchange& exchange) {
  const MemberGrid n(view, exchange);
  const auto& [xs, ys, zs] = n.used;
  for (std::size_t y = 0; y < ys.size(); ++y) {
    for (std::size_t z = 0; z < zs.size(); ++z) {
      if (n.yz(y, z) > 0)
        addProduct(
            line, 0, {0, ys[y], zs[z]}, xs, exchange.per_pair, [&](std::size_t i) { return n.xyz(i, y, z); },
            [&](std::size_t j) { return n.x(j); });
    }
  }
  for (std::size_t x = 0; x < xs.size(); ++x) {
    for (std::size_t z = 0; z < zs.size(); ++z)
      addProduct(
          line, 1, {xs[x], 0, zs[z]}, ys, exchange.per_pair, [&](std::size_t i) { return n.yz(i, z); },
          [&](std::size_t j) { return n.xy(x, j); });
  }
  for (std::size_t x = 0; x < xs.size(); ++x) {
    for (std::size_t y = 0; y < ys.size(); ++y) {
      if (n.xy(x, y) > 0)
        addProduct(
            line, 2, {xs[x], ys[y], 0}, zs, exchange.per_pair, [&](std::size_t i) { return n.z(i); },
            [&](std::size_t j) { return n.xyz(x, y, j); });
    }
  }
}

void addPair(Line& line, const TopologyView& view, const Pair& pair) {
  const auto &from = view.nodes[pair.from].coordinate, &to = view.nodes[pair.to].coordinate;
  Dims at{from[0], from[1], from[2]};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (from[axis] == to[axis]) continue;
    line.start(axis, at);
    line.add(from[axis], to[axis], pair.amount);
    line.finish();
    at[axis] = to[axis];
  }
}

}  // namespace

bool addTorusLoad(const TopologyView& view, const Domain& domain, std::span<double> load) {
  if (view.layout != TopologyLayout::Torus2d && view.layout != TopologyLayout::Torus3d) return false;
  TorusArcs arcs;
  if (!arcs.read(view, domain)) return false;
  Line line(arcs, load);
  for (const Exchange& exchange : domain.traffic.exchanges) addExchange(line, view, exchange);
  for (const Pair& pair : domain.traffic.pairs) addPair(line, view, pair);
  return true;
}

}  // namespace decodescope::network
