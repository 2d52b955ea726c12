#include "topology/distances.h"

#include "topology/graph_bgl.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <span>

namespace decodescope::topology {

namespace {

using EdgeList = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// The graph with classes of equal vertices merged.
struct Quotient {
  EdgeList edges;                    ///< both directions
  std::vector<std::uint64_t> chips;  ///< chips in each class
  std::uint64_t twin_pairs = 0, isolated_pairs = 0;
};

/// Sorted list of neighbours of every vertex, each once.
std::vector<std::vector<std::uint32_t>> neighbourLists(const TopologyView& view) {
  std::vector<std::vector<std::uint32_t>> lists(view.nodes.size());
  for (const TopologyLink& link : view.links) {
    if (link.capacity_bytes_per_s <= 0) continue;
    lists[link.from.value].push_back(link.to.value);
    lists[link.to.value].push_back(link.from.value);
  }
  for (auto& list : lists) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return lists;
}

/// Merges chips with chips, others with others, that have the same neighbours. Two of one class are 2 hops
/// apart.
Quotient mergeTwins(const TopologyView& view) {
  const auto lists = neighbourLists(view);
  std::map<std::pair<bool, std::vector<std::uint32_t>>, std::uint32_t> classes;
  std::vector<std::uint32_t> class_of(lists.size()), representative;
  Quotient out;
  for (std::uint32_t n = 0; n < lists.size(); ++n) {
    const bool is_chip = n < view.chip_count;
    const auto [found, is_new] =
        classes.try_emplace({is_chip, lists[n]}, static_cast<std::uint32_t>(representative.size()));
    class_of[n] = found->second;
    if (is_new) {
      representative.push_back(n);
      out.chips.push_back(0);
    }
    out.chips[found->second] += is_chip ? 1 : 0;
  }
  for (std::uint32_t c = 0; c < representative.size(); ++c) {
    const std::vector<std::uint32_t>& list = lists[representative[c]];
    const std::uint64_t pairs = out.chips[c] * (out.chips[c] - (out.chips[c] > 0 ? 1 : 0));
    (list.empty() ? out.isolated_pairs : out.twin_pairs) += pairs;
    std::vector<std::uint32_t> targets;
    for (const std::uint32_t n : list) targets.push_back(class_of[n]);
    std::sort(targets.begin(), targets.end());
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    for (const std::uint32_t target : targets) out.edges.emplace_back(c, target);
  }
  return out;
}

constexpr std::size_t kWords = 4;
using Bits = std::array<std::uint64_t, kWords>;  ///< one bit per source of a batch
constexpr std::size_t kBatch = kWords * 64;

/// Breadth-first search from up to 256 sources at once: a bit per source says who has been here.
class BatchSearch {
 public:
  BatchSearch(const CsrGraph& graph, const std::vector<std::uint64_t>& chips)
      : graph_(graph), chips_(chips), seen_(chips.size()), frontier_(chips.size()), next_(chips.size()) {}

  void run(std::span<const std::uint32_t> sources) {
    std::fill(seen_.begin(), seen_.end(), Bits{});
    std::fill(frontier_.begin(), frontier_.end(), Bits{});
    for (std::size_t i = 0; i < sources.size(); ++i) {
      frontier_[sources[i]][i / 64] |= std::uint64_t{1} << (i % 64);
      seen_[sources[i]] = frontier_[sources[i]];
    }
    for (int hops = 1; expand(sources, hops); ++hops) {
    }
  }

  std::uint64_t pairs = 0, hop_sum = 0;
  int diameter = 0;

 private:
  bool expand(std::span<const std::uint32_t> sources, int hops) {
    bool any = false;
    for (std::uint32_t v = 0; v < chips_.size(); ++v) {
      Bits reached{};
      for (auto [edge, end] = boost::out_edges(v, graph_); edge != end; ++edge) {
        const Bits& from = frontier_[boost::target(*edge, graph_)];
        for (std::size_t w = 0; w < kWords; ++w) reached[w] |= from[w];
      }
      for (std::size_t w = 0; w < kWords; ++w) {
        reached[w] &= ~seen_[v][w];
        seen_[v][w] |= reached[w];
        any = any || reached[w] != 0;
      }
      next_[v] = reached;
      if (chips_[v] > 0) count(sources, reached, chips_[v], hops);
    }
    frontier_.swap(next_);
    return any;
  }

  void count(std::span<const std::uint32_t> sources, const Bits& reached, std::uint64_t weight, int hops) {
    for (std::size_t w = 0; w < kWords; ++w) {
      for (std::uint64_t bits = reached[w]; bits != 0; bits &= bits - 1) {
        const std::size_t i = w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        const std::uint64_t found = weight * chips_[sources[i]];
        pairs += found;
        hop_sum += found * static_cast<std::uint64_t>(hops);
        diameter = std::max(diameter, hops);
      }
    }
  }

  const CsrGraph& graph_;
  const std::vector<std::uint64_t>& chips_;
  std::vector<Bits> seen_, frontier_, next_;
};

}  // namespace

Distances chipDistances(const TopologyView& view) {
  const Quotient quotient = mergeTwins(view);
  const CsrGraph graph = makeCsrGraph(static_cast<std::uint32_t>(quotient.chips.size()), quotient.edges);
  std::vector<std::uint32_t> sources;
  for (std::uint32_t c = 0; c < quotient.chips.size(); ++c) {
    if (quotient.chips[c] > 0) sources.push_back(c);
  }
  BatchSearch search(graph, quotient.chips);
  for (std::size_t from = 0; from < sources.size(); from += kBatch)
    search.run(std::span(sources).subspan(from, std::min(kBatch, sources.size() - from)));

  Distances out;
  const std::uint64_t chips = view.chip_count, all = chips * (chips - (chips > 0 ? 1 : 0));
  const std::uint64_t reached = search.pairs + quotient.twin_pairs;
  out.diameter = std::max(search.diameter, quotient.twin_pairs > 0 ? 2 : 0);
  out.unreachable_pairs = all - reached;
  if (reached > 0)
    out.average =
        static_cast<double>(search.hop_sum + 2 * quotient.twin_pairs) / static_cast<double>(reached);
  return out;
}

}  // namespace decodescope::topology
