#include "network/flow_solver.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>

namespace decodescope::network {

namespace {

constexpr double kMergeWindow_s = 1e-12;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Which flows cross each edge: the transpose of the routes, built once and used for every allocation.
class Incidence {
 public:
  Incidence(const FlowRoutes& routes, std::size_t edge_count) : begin_(edge_count + 1, 0) {
    for (const std::uint32_t edge : routes.edges) ++begin_[edge + 1];
    for (std::size_t e = 1; e < begin_.size(); ++e) begin_[e] += begin_[e - 1];
    flows_.resize(routes.edges.size());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (std::uint32_t f = 0; f < routes.size(); ++f) {
      for (std::uint32_t i = routes.begin[f]; i < routes.begin[f + 1]; ++i)
        flows_[next[routes.edges[i]]++] = f;
    }
  }
  [[nodiscard]] std::span<const std::uint32_t> flowsOn(std::uint32_t edge) const {
    return std::span(flows_).subspan(begin_[edge], begin_[edge + 1] - begin_[edge]);
  }

 private:
  std::vector<std::uint32_t> begin_, flows_;
};

/// Progressive filling. Shares of edges only grow while flows freeze, so an entry of the heap that is out of
/// date is put back with its present share when it comes up.
class Filling {
 public:
  Filling(const FlowRoutes& routes, std::span<const double> capacity_bytes_per_s)
      : routes_(routes), capacity_(capacity_bytes_per_s), incidence_(routes, capacity_bytes_per_s.size()) {}

  void allocate(std::span<const std::uint8_t> active, std::vector<double>& rates_bytes_per_s) {
    start(active, rates_bytes_per_s);
    while (!heap_.empty()) {
      const auto [share, edge] = heap_.top();
      heap_.pop();
      if (flow_count_[edge] == 0) continue;
      if (!routes_.share.empty()) sumWeightsAfresh(edge);
      const double current = shareOf(edge);
      if (current > share) {
        heap_.emplace(current, edge);
      } else {
        freezeFlowsOn(edge, current, rates_bytes_per_s);
      }
    }
  }

 private:
  using Entry = std::pair<double, std::uint32_t>;

  [[nodiscard]] double weight(std::uint32_t entry) const {
    return routes_.share.empty() ? 1 : routes_.share[entry];
  }
  [[nodiscard]] double shareOf(std::uint32_t edge) const {
    return std::max(0.0, remaining_[edge]) / weight_sum_[edge];
  }

  void start(std::span<const std::uint8_t> active, std::vector<double>& rates_bytes_per_s) {
    remaining_.assign(capacity_.begin(), capacity_.end());
    weight_sum_.assign(capacity_.size(), 0);
    flow_count_.assign(capacity_.size(), 0);
    frozen_.assign(routes_.size(), 0);
    rates_bytes_per_s.assign(routes_.size(), 0);
    for (std::uint32_t f = 0; f < routes_.size(); ++f) {
      if (!active.empty() && active[f] == 0) {
        frozen_[f] = 1;
        continue;
      }
      bool is_limited = false;
      for (std::uint32_t i = routes_.begin[f]; i < routes_.begin[f + 1]; ++i) {
        if (weight(i) <= 0) continue;
        is_limited = true;
        weight_sum_[routes_.edges[i]] += weight(i);
        ++flow_count_[routes_.edges[i]];
      }
      // Nothing on the way limits it.
      if (!is_limited) rates_bytes_per_s[f] = kInfinity;
    }
    std::vector<Entry> entries;
    for (std::uint32_t e = 0; e < capacity_.size(); ++e) {
      if (flow_count_[e] > 0) entries.emplace_back(shareOf(e), e);
    }
    heap_ = decltype(heap_)(std::greater<>{}, std::move(entries));
  }

  /// Fractions do not subtract exactly as whole flows do.
  void sumWeightsAfresh(std::uint32_t edge) {
    double sum = 0;
    std::uint32_t last = UINT32_MAX;
    for (const std::uint32_t f : incidence_.flowsOn(edge)) {
      if (frozen_[f] != 0 || f == last) continue;
      last = f;
      for (std::uint32_t i = routes_.begin[f]; i < routes_.begin[f + 1]; ++i) {
        if (routes_.edges[i] == edge && weight(i) > 0) sum += weight(i);
      }
    }
    weight_sum_[edge] = sum;
  }

  void freezeFlowsOn(std::uint32_t edge, double rate_bytes_per_s, std::vector<double>& rates_bytes_per_s) {
    for (const std::uint32_t f : incidence_.flowsOn(edge)) {
      if (frozen_[f] != 0) continue;
      if (!crosses(f, edge)) continue;
      frozen_[f] = 1;
      rates_bytes_per_s[f] = rate_bytes_per_s;
      for (std::uint32_t i = routes_.begin[f]; i < routes_.begin[f + 1]; ++i) {
        if (weight(i) <= 0) continue;
        const std::uint32_t e = routes_.edges[i];
        remaining_[e] -= weight(i) * rate_bytes_per_s;
        weight_sum_[e] -= weight(i);
        --flow_count_[e];
      }
    }
  }

  /// A route may list an edge with a share of zero.
  [[nodiscard]] bool crosses(std::uint32_t flow, std::uint32_t edge) const {
    if (routes_.share.empty()) return true;
    for (std::uint32_t i = routes_.begin[flow]; i < routes_.begin[flow + 1]; ++i) {
      if (routes_.edges[i] == edge && routes_.share[i] > 0) return true;
    }
    return false;
  }

  const FlowRoutes& routes_;
  std::span<const double> capacity_;
  Incidence incidence_;
  std::vector<double> remaining_, weight_sum_;
  std::vector<std::uint32_t> flow_count_;
  std::vector<std::uint8_t> frozen_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap_;
};

}  // namespace

void FlowRoutes::append(std::span<const std::uint32_t> route) {
  edges.insert(edges.end(), route.begin(), route.end());
  if (!share.empty()) share.insert(share.end(), route.size(), 1.0);
  begin.push_back(static_cast<std::uint32_t>(edges.size()));
}

std::vector<double> maxMinRates(const FlowRoutes& routes, std::span<const double> capacity_bytes_per_s,
                                std::span<const std::uint8_t> active) {
  std::vector<double> rates_bytes_per_s;
  Filling(routes, capacity_bytes_per_s).allocate(active, rates_bytes_per_s);
  return rates_bytes_per_s;
}

std::vector<double> completionTimes(const FlowRoutes& routes, std::span<const double> bytes,
                                    std::span<const double> capacity_bytes_per_s) {
  Filling filling(routes, capacity_bytes_per_s);
  std::vector<double> remaining_bytes(bytes.begin(), bytes.end()), finish_s(bytes.size(), kInfinity),
      rates_bytes_per_s;
  std::vector<std::uint8_t> active(bytes.size(), 1);
  std::size_t alive = 0;
  for (std::size_t f = 0; f < bytes.size(); ++f) {
    if (bytes[f] <= 0) {
      finish_s[f] = 0;
      active[f] = 0;
    } else {
      ++alive;
    }
  }
  double now_s = 0;
  while (alive > 0) {
    filling.allocate(active, rates_bytes_per_s);
    double step_s = kInfinity;
    for (std::size_t f = 0; f < bytes.size(); ++f) {
      if (active[f] != 0 && rates_bytes_per_s[f] > 0)
        step_s = std::min(step_s, remaining_bytes[f] / rates_bytes_per_s[f]);
    }
    if (step_s == kInfinity) break;  // the rest is cut off
    for (std::size_t f = 0; f < bytes.size(); ++f) {
      if (active[f] == 0 || rates_bytes_per_s[f] <= 0) continue;
      const double left_s = remaining_bytes[f] / rates_bytes_per_s[f];
      if (left_s <= step_s + kMergeWindow_s) {
        finish_s[f] = now_s + left_s;
        active[f] = 0;
        --alive;
      } else {
        remaining_bytes[f] -= rates_bytes_per_s[f] * step_s;
      }
    }
    now_s += step_s;
  }
  return finish_s;
}

}  // namespace decodescope::network
