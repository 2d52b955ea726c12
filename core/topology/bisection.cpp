#include "topology/bisection.h"

#include <algorithm>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <limits>

namespace decodescope::topology {

namespace {

using Side = std::vector<std::uint8_t>;
using FlowGraph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                     boost::no_property, std::uint32_t, std::uint32_t>;

/// The graph with a source and a sink, built once; capacities of the terminal arcs change with the cut. Both
/// directions of a link are each other's reverse, which this algorithm allows.
class CutSolver {
 public:
  explicit CutSolver(const TopologyView& view) : view_(view) {
    const auto n = static_cast<std::uint32_t>(view.nodes.size());
    source_ = n;
    sink_ = n + 1;
    std::vector<Arc> arcs;
    for (const TopologyLink& link : view.links) {
      if (link.capacity_bytes_per_s > 0)
        addPair(arcs, link.from.value, link.to.value, link.capacity_bytes_per_s);
    }
    first_terminal_ = arcs.size();
    for (std::uint32_t c = 0; c < view.chip_count; ++c) {
      addPair(arcs, source_, c, 0);
      addPair(arcs, c, sink_, 0);
    }
    freeze(arcs, n + 2);
  }

  double cut(const Side& side) {
    std::vector<double> capacity = capacity_, residual(capacity_.size());
    for (std::uint32_t c = 0; c < view_.chip_count; ++c) {
      const bool is_source = side[c] != 0;
      // Enough for all that a chip can send: terminals never limit.
      capacity[position_[first_terminal_ + 4 * c]] = is_source ? incident_[c] : 0;
      capacity[position_[first_terminal_ + 4 * c + 2]] = is_source ? 0 : incident_[c];
    }
    std::vector<boost::default_color_type> color(boost::num_vertices(graph_));
    std::vector<long> distance(boost::num_vertices(graph_));
    std::vector<FlowGraph::edge_descriptor> predecessor(boost::num_vertices(graph_));
    const auto edge_index = boost::get(boost::edge_index, graph_);
    const auto vertex_index = boost::get(boost::vertex_index, graph_);
    return boost::boykov_kolmogorov_max_flow(
        graph_, boost::make_iterator_property_map(capacity.begin(), edge_index),
        boost::make_iterator_property_map(residual.begin(), edge_index),
        boost::make_iterator_property_map(reverse_.begin(), edge_index),
        boost::make_iterator_property_map(predecessor.begin(), vertex_index),
        boost::make_iterator_property_map(color.begin(), vertex_index),
        boost::make_iterator_property_map(distance.begin(), vertex_index), vertex_index, source_, sink_);
  }

 private:
  struct Arc {
    std::uint32_t from = 0, to = 0;
    double capacity_bytes_per_s = 0;
  };

  static void addPair(std::vector<Arc>& arcs, std::uint32_t a, std::uint32_t b, double capacity_bytes_per_s) {
    arcs.push_back({a, b, capacity_bytes_per_s});
    arcs.push_back({b, a, capacity_bytes_per_s});
  }

  /// Sorts the arcs by their start, as a compressed graph wants them, and remembers where each went.
  void freeze(const std::vector<Arc>& arcs, std::uint32_t vertices) {
    std::vector<std::uint32_t> begin(vertices + 1, 0);
    for (const Arc& arc : arcs) ++begin[arc.from + 1];
    for (std::size_t v = 1; v < begin.size(); ++v) begin[v] += begin[v - 1];
    position_.resize(arcs.size());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges(arcs.size());
    capacity_.resize(arcs.size());
    incident_.assign(view_.chip_count, 0);
    for (std::size_t a = 0; a < arcs.size(); ++a) {
      const std::uint32_t at = begin[arcs[a].from]++;
      position_[a] = at;
      edges[at] = {arcs[a].from, arcs[a].to};
      capacity_[at] = arcs[a].capacity_bytes_per_s;
      if (arcs[a].from < view_.chip_count) incident_[arcs[a].from] += arcs[a].capacity_bytes_per_s;
    }
    graph_ = FlowGraph(boost::edges_are_sorted, edges.begin(), edges.end(), vertices);
    std::vector<FlowGraph::edge_descriptor> by_position(edges.size());
    for (auto [edge, end] = boost::edges(graph_); edge != end; ++edge)
      by_position[boost::get(boost::edge_index, graph_, *edge)] = *edge;
    reverse_.resize(edges.size());
    for (std::size_t a = 0; a < arcs.size(); ++a) reverse_[position_[a]] = by_position[position_[a ^ 1U]];
  }

  const TopologyView& view_;
  FlowGraph graph_;
  std::vector<double> capacity_, incident_;
  std::vector<std::uint32_t> position_;
  std::vector<FlowGraph::edge_descriptor> reverse_;
  std::size_t first_terminal_ = 0;
  std::uint32_t source_ = 0, sink_ = 0;
};

/// Chips c with (c / block) even; empty when that is no balanced half.
Side blocks(std::uint32_t chips, std::uint32_t block) {
  Side side(chips);
  std::uint32_t in = 0;
  for (std::uint32_t c = 0; c < chips; ++c) in += side[c] = (c / block) % 2 == 0 ? 1 : 0;
  return in == chips / 2 || in == (chips + 1) / 2 ? side : Side{};
}

/// Every other number of the domains on one side.
Side byParity(const TopologyView& view, std::uint32_t TopologyNode::*of) {
  Side side(view.chip_count);
  std::uint32_t in = 0;
  for (std::uint32_t c = 0; c < view.chip_count; ++c) in += side[c] = view.nodes[c].*of % 2 == 0 ? 1 : 0;
  return in == view.chip_count / 2 || in == (view.chip_count + 1) / 2 ? side : Side{};
}

std::vector<Side> structuredHalves(const TopologyView& view) {
  const std::uint32_t chips = view.chip_count;
  constexpr std::size_t kLargeGraph = 60'000;
  std::vector<Side> halves;
  const auto add = [&halves](Side side) {
    if (!side.empty() && std::find(halves.begin(), halves.end(), side) == halves.end())
      halves.push_back(std::move(side));
  };
  add(blocks(chips, (chips + 1) / 2));
  add(blocks(chips, 1));
  add(byParity(view, &TopologyNode::group));
  add(byParity(view, &TopologyNode::domain));
  for (std::uint32_t block = 2; view.links.size() <= kLargeGraph && block <= chips / 2; ++block) {
    if (chips % (2 * block) == 0) add(blocks(chips, block));
  }
  return halves;
}

}  // namespace

double cutBytesPerS(const TopologyView& view, const Side& side) {
  return CutSolver(view).cut(side);
}

double exhaustiveBisectionBytesPerS(const TopologyView& view) {
  const std::uint32_t chips = view.chip_count;
  if (chips < 2) return 0;
  CutSolver solver(view);
  double best_bytes_per_s = std::numeric_limits<double>::infinity();
  // The last chip is always on the far side: halves and their complements cut the same.
  Side side(chips, 0);
  std::fill(side.begin(), side.begin() + chips / 2, std::uint8_t{1});
  std::sort(side.begin(), side.end());
  do {
    if (chips % 2 == 1 || side[0] == 0) best_bytes_per_s = std::min(best_bytes_per_s, solver.cut(side));
  } while (std::next_permutation(side.begin(), side.end()));
  return best_bytes_per_s;
}

double bisectionBytesPerS(const TopologyView& view) {
  if (view.chip_count < 2) return 0;
  if (view.chip_count <= kExhaustiveChips) return exhaustiveBisectionBytesPerS(view);
  CutSolver solver(view);
  double best_bytes_per_s = std::numeric_limits<double>::infinity();
  for (const Side& side : structuredHalves(view))
    best_bytes_per_s = std::min(best_bytes_per_s, solver.cut(side));
  return best_bytes_per_s;
}

}  // namespace decodescope::topology
