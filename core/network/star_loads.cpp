#include "network/domain_loads.h"

namespace decodescope::network {

namespace {

/// Links come chip by chip, each chip to the same switches with the same multiplicities, all alive.
bool isUniformStar(const TopologyView& view, const Domain& domain) {
  if (domain.chips.empty() || domain.links.empty() || domain.links.size() % domain.chips.size() != 0)
    return false;
  const std::size_t planes = domain.links.size() / domain.chips.size();
  for (std::size_t i = 0; i < domain.links.size(); ++i) {
    const TopologyLink& link = view.links[domain.links[i]];
    const TopologyLink& like = view.links[domain.links[i % planes]];
    if (link.from.value != domain.chips[i / planes] || link.to != like.to ||
        link.multiplicity != like.multiplicity || link.capacity_bytes_per_s <= 0 ||
        view.nodes[link.to.value].kind != NodeKind::Switch)
      return false;
  }
  return true;
}

}  // namespace

bool addStarLoad(const TopologyView& view, const Domain& domain, std::span<double> load) {
  if (!isUniformStar(view, domain)) return false;
  const std::size_t planes = domain.links.size() / domain.chips.size();
  const std::uint32_t first = domain.chips.front();
  std::vector<double> sent(domain.chips.back() - first + 1, 0), received(sent.size(), 0);
  for (const Exchange& exchange : domain.traffic.exchanges) {
    const double sum = exchange.per_pair * static_cast<double>(exchange.members.size() - 1);
    for (const std::uint32_t chip : exchange.members) {
      sent[chip - first] += sum;
      received[chip - first] += sum;
    }
  }
  for (const Pair& pair : domain.traffic.pairs) {
    sent[pair.from - first] += pair.amount;
    received[pair.to - first] += pair.amount;
  }
  double all_links = 0;
  for (std::size_t p = 0; p < planes; ++p) all_links += view.links[domain.links[p]].multiplicity;
  for (std::size_t i = 0; i < domain.links.size(); ++i) {
    const std::uint32_t id = domain.links[i];
    const std::size_t chip = domain.chips[i / planes] - first;
    const double share = view.links[id].multiplicity / all_links;
    load[directedIndex(LinkId{id}, Direction::Forward)] += sent[chip] * share;
    load[directedIndex(LinkId{id}, Direction::Backward)] += received[chip] * share;
  }
  return true;
}

}  // namespace decodescope::network
