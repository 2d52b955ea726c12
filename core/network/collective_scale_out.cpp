// Collectives over several scale-up domains.
#include "kernel/smooth_maximum.h"
#include "network/collective_forms.h"

#include <algorithm>
#include <cmath>

namespace decodescope::network::forms {
namespace {

/// Share of the NIC rate that a group of this many ranks reaches on a shared fabric.
double congestion(const ScaleOutConstants& c, double ranks) {
  const double excess = ranks / c.congestion_ranks;
  return 1 / (1 + excess * excess);
}

/// The domain's links and the NICs work on different pieces at once, not perfectly.
double overlapped(const ScaleOutConstants& c, double domain_s, double nic_s) {
  return kernel::smoothMaximum(c.overlap_exponent, domain_s, nic_s, 0);
}

CollectiveCost domainAllReduce(const Constants& c, int g, double bytes) {
  if (g <= 1) return {};
  return c.kind == ScaleUpKind::Switched ? libraryAllReduce(c, g, bytes)
                                         : withinDomain(c, Collective::AllReduce, g, bytes);
}

CollectiveCost allReduce(const Constants& c, GroupShape group, double bytes) {
  const ScaleOutConstants& net = c.scale_out;
  const double g = group.per_domain, domains = group.domains(), ranks = group.size;
  const CollectiveCost inside = domainAllReduce(c, group.per_domain, bytes);
  const double nic_wire = 2 * (domains - 1) / domains * bytes / g;
  const double wire = inside.wire_bytes_per_rank + nic_wire;
  const double rate = net.bytes_per_s * congestion(net, ranks);
  const CollectiveCost ring{inside.latency_s + net.hop_s * (ranks - g),
                            overlapped(net, inside.transfer_s, nic_wire / (rate * net.nic_ratio)),
                            "hierarchical", wire};
  const CollectiveCost tree{inside.latency_s + 2 * net.octave_s * std::log2(domains),
                            inside.transfer_s + 2 * bytes / g / (rate * net.tree_nic_ratio),
                            "hierarchical-tree", wire};
  return cheaper(ring, tree);
}

/// All-gather and reduce-scatter: rails carry what other domains hold, the domain spreads it.
CollectiveCost gather(const Constants& c, Collective kind, GroupShape group, double bytes) {
  const ScaleOutConstants& net = c.scale_out;
  const double g = group.per_domain, domains = group.domains();
  const CollectiveCost inside =
      group.per_domain > 1 ? withinDomain(c, kind, group.per_domain, bytes) : CollectiveCost{};
  const double nic_wire = (domains - 1) / domains * bytes / g;
  return {inside.latency_s + net.octave_s * std::log2(domains),
          overlapped(net, inside.transfer_s,
                     nic_wire / (net.bytes_per_s * congestion(net, group.size) * net.nic_ratio)),
          "hierarchical", inside.wire_bytes_per_rank + nic_wire};
}

CollectiveCost allToAll(const Constants& c, Collective kind, GroupShape group, double bytes) {
  const ScaleOutConstants& net = c.scale_out;
  const double local_share = static_cast<double>(group.per_domain) / group.size;
  const CollectiveCost inside =
      group.per_domain > 1 ? withinDomain(c, kind, group.per_domain, bytes * local_share) : CollectiveCost{};
  const double nic_wire = bytes * (1 - local_share);
  return {inside.latency_s + net.octave_s * std::log2(group.domains()),
          overlapped(net, inside.transfer_s,
                     nic_wire / (net.bytes_per_s * congestion(net, group.size) * net.nic_ratio)),
          "hierarchical", inside.wire_bytes_per_rank + nic_wire};
}

}  // namespace

CollectiveCost acrossDomains(const Constants& c, Collective kind, GroupShape group, double bytes) {
  switch (kind) {
    case Collective::AllReduce:
      return allReduce(c, group, bytes);
    case Collective::AllGather:
    case Collective::ReduceScatter:
      return gather(c, kind, group, bytes);
    case Collective::AllToAll:
    case Collective::MoeDispatch:
    case Collective::MoeCombine:
      return allToAll(c, kind, group, bytes);
    case Collective::SendRecv:
      break;
  }
  return {c.scale_out.send_s, bytes / (c.scale_out.bytes_per_s * c.scale_out.nic_ratio), "send-recv", bytes};
}

}  // namespace decodescope::network::forms
