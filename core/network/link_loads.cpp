#include "network/link_loads.h"

#include "network/domain_loads.h"
#include "network/scale_out_loads.h"

#include <algorithm>

namespace decodescope::network {

namespace {

std::size_t domainCount(const TopologyView& view) {
  std::uint32_t last = 0;
  for (std::uint32_t c = 0; c < view.chip_count; ++c) last = std::max(last, view.nodes[c].domain);
  return last + 1;
}

/// Splits an exchange by domain; members are grouped with one pass over them.
void splitExchange(const TopologyView& view, const Exchange& exchange, std::vector<Domain>& domains) {
  std::vector<std::uint32_t> touched;
  for (const std::uint32_t chip : exchange.members) {
    std::vector<Exchange>& list = domains[view.nodes[chip].domain].traffic.exchanges;
    // An open exchange is marked by a per_pair of zero until all members are in.
    if (list.empty() || list.back().per_pair != 0) {
      list.push_back({{}, 0});
      touched.push_back(view.nodes[chip].domain);
    }
    list.back().members.push_back(chip);
  }
  for (const std::uint32_t domain : touched) {
    std::vector<Exchange>& list = domains[domain].traffic.exchanges;
    list.back().per_pair = exchange.per_pair;
    if (list.back().members.size() < 2) list.pop_back();
  }
}

std::vector<Domain> splitByDomain(const TopologyView& view, const Traffic& traffic) {
  std::vector<Domain> domains(domainCount(view));
  for (const Exchange& exchange : traffic.exchanges) splitExchange(view, exchange, domains);
  for (const Pair& pair : traffic.pairs) {
    if (view.nodes[pair.from].domain == view.nodes[pair.to].domain)
      domains[view.nodes[pair.from].domain].traffic.pairs.push_back(pair);
  }
  for (std::uint32_t c = 0; c < view.chip_count; ++c) domains[view.nodes[c].domain].chips.push_back(c);
  for (std::uint32_t id = 0; id < view.links.size(); ++id) {
    const TopologyLink& link = view.links[id];
    if (link.link_class == LinkClass::ScaleOut) continue;
    Domain& domain = domains[view.nodes[link.from.value].domain];
    if (!domain.traffic.exchanges.empty() || !domain.traffic.pairs.empty()) domain.links.push_back(id);
  }
  return domains;
}

UnitLoad compress(const std::vector<double>& load) {
  UnitLoad out;
  const auto used =
      static_cast<std::size_t>(std::count_if(load.begin(), load.end(), [](double v) { return v != 0; }));
  out.directed.reserve(used);
  out.bytes_per_byte.reserve(used);
  for (std::uint32_t e = 0; e < load.size(); ++e) {
    if (load[e] == 0) continue;
    out.directed.push_back(e);
    out.bytes_per_byte.push_back(load[e]);
  }
  return out;
}

}  // namespace

UnitLoad unitLoad(const TopologyView& view, Collective kind, std::string_view algorithm,
                  std::span<const std::vector<ChipId>> groups) {
  const Traffic traffic = trafficOf(view, kind, algorithm, groups);
  std::vector<double> load(2 * view.links.size(), 0);
  for (const Domain& domain : splitByDomain(view, traffic)) {
    if (domain.links.empty()) continue;
    if (addStarLoad(view, domain, load) || addTorusLoad(view, domain, load)) continue;
    addShortestPathLoad(view, domain, load);
  }
  addScaleOutLoad(view, traffic, load);
  return compress(load);
}

}  // namespace decodescope::network
