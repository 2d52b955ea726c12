#include "network/traffic.h"

#include <algorithm>
#include <cmath>

namespace decodescope::network {

namespace {

using Members = std::vector<std::uint32_t>;

void addExchange(Traffic& traffic, const Members& members, double sent) {
  if (members.size() < 2) return;
  traffic.exchanges.push_back({members, sent / static_cast<double>(members.size() - 1)});
}

void addRing(Traffic& traffic, const Members& members, double sent) {
  if (members.size() < 2) return;
  for (std::size_t i = 0; i < members.size(); ++i)
    traffic.pairs.push_back({members[i], members[(i + 1) % members.size()], sent});
}

void addChain(Traffic& traffic, const Members& members) {
  for (std::size_t i = 0; i + 1 < members.size(); ++i)
    traffic.pairs.push_back({members[i], members[i + 1], 1});
}

/// Members by scale-up domain, domains in the order in which they appear.
std::vector<Members> byDomain(const TopologyView& view, const Members& members) {
  std::vector<Members> out;
  std::vector<std::uint32_t> domains;
  for (const std::uint32_t chip : members) {
    const std::uint32_t domain = view.nodes[chip].domain;
    std::size_t at = domains.size();
    while (at > 0 && domains[at - 1] != domain) --at;
    if (at == 0) {
      domains.push_back(domain);
      out.emplace_back();
      at = domains.size();
    }
    out[at - 1].push_back(chip);
  }
  return out;
}

/// Share of a rank's bytes that leaves its domain, g ranks in each of d domains.
double shareAcrossDomains(std::string_view algorithm, double g, double d) {
  if (algorithm == "deepep-normal") {
    // One copy to each distinct remote domain against one to each distinct local rank: t (1 - (1 - 1/t)^k) of
    // t targets, top-8 routing, as the models that these kernels were written for have it.
    constexpr double kTopK = 8;
    const auto distinct = [](double targets) { return targets * (1 - std::pow(1 - 1 / targets, kTopK)); };
    const double across = distinct(d) * (1 - 1 / d), inside = g > 1 ? distinct(g) * (1 - 1 / g) : 0;
    return across / (across + inside);
  }
  // Reduce-scatter and gather inside carry (g - 1) / g of the vector, the rails (d - 1) / d of what one rank
  // holds.
  const double inside = (g - 1) / g, across = (d - 1) / (d * g);
  return across / (across + inside);
}

/// All to all inside each domain, and a ring over the ranks of equal position in different domains.
void addHierarchy(Traffic& traffic, const TopologyView& view, std::string_view algorithm,
                  const Members& members) {
  const std::vector<Members> domains = byDomain(view, members);
  if (domains.size() < 2) return addExchange(traffic, members, 1);
  const auto count = static_cast<double>(domains.size());
  const double across = shareAcrossDomains(algorithm, static_cast<double>(members.size()) / count, count);
  for (const Members& inside : domains) addExchange(traffic, inside, 1 - across);
  for (std::size_t d = 0; d < domains.size(); ++d) {
    const Members& next = domains[(d + 1) % domains.size()];
    for (std::size_t i = 0; i < domains[d].size(); ++i)
      traffic.pairs.push_back({domains[d][i], next[i % next.size()], across});
  }
}

/// Rings along all axes of the torus at once: every chip shares its bytes over the neighbours that are in the
/// group.
void addTorusRings(Traffic& traffic, const TopologyView& view, const Members& members) {
  Members sorted = members;
  std::sort(sorted.begin(), sorted.end());
  std::vector<Pair> pairs;
  for (const std::uint32_t chip : members) {
    const std::size_t first = pairs.size();
    for (std::uint32_t i = view.node_link_begin[chip]; i < view.node_link_begin[chip + 1]; ++i) {
      const TopologyLink& link = view.links[view.node_links[i].value];
      const std::uint32_t other = link.from.value == chip ? link.to.value : link.from.value;
      if (std::binary_search(sorted.begin(), sorted.end(), other)) pairs.push_back({chip, other, 0});
    }
    // No box of the torus: a ring in rank order.
    if (pairs.size() == first) return addRing(traffic, members, 1);
    for (std::size_t p = first; p < pairs.size(); ++p)
      pairs[p].amount = 1.0 / static_cast<double>(pairs.size() - first);
  }
  traffic.pairs.insert(traffic.pairs.end(), pairs.begin(), pairs.end());
}

bool isReduction(Collective kind) {
  return kind == Collective::AllReduce || kind == Collective::AllGather || kind == Collective::ReduceScatter;
}

}  // namespace

Traffic trafficOf(const TopologyView& view, Collective kind, std::string_view algorithm,
                  std::span<const std::vector<ChipId>> groups) {
  Traffic traffic;
  for (const std::vector<ChipId>& group : groups) {
    Members members;
    for (const ChipId chip : group) {
      if (chip.value < view.chip_count) members.push_back(chip.value);
    }
    if (members.size() < 2) continue;
    if (kind == Collective::SendRecv) {
      addChain(traffic, members);
    } else if (isReduction(kind) && algorithm == "torus-ring") {
      addTorusRings(traffic, view, members);
    } else if (algorithm == "ring" || algorithm == "host-ring") {
      addRing(traffic, members, 1);
    } else if ((isReduction(kind) && algorithm.starts_with("hierarchical")) || algorithm == "deepep-normal") {
      addHierarchy(traffic, view, algorithm, members);
    } else {
      addExchange(traffic, members, 1);
    }
  }
  return traffic;
}

}  // namespace decodescope::network
