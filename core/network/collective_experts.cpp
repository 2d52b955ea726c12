// Dispatch and combine of mixture-of-experts layers.
#include "network/collective_forms.h"

#include <algorithm>
#include <cmath>

namespace decodescope::network::forms {

double distinctTargets(const ExpertTraffic& traffic, double targets) {
  if (traffic.balanced) return std::min(traffic.top_k, targets);
  return targets * (1 - std::pow(1 - 1 / targets, traffic.top_k));
}

CollectiveCost deepEpLowLatency(const DeepEpPhase& phase, const Constants& c, GroupShape group,
                                const ExpertTraffic& traffic) {
  // Every copy travels on its own; inside a node over NVLink, beyond it over the NIC, which hides the NVLink
  // part.
  const double volume = traffic.tokens * traffic.top_k * traffic.row_bytes;
  const double ranks = group.size;
  if (group.domains() <= 1) {
    const double wire = volume * (ranks - 1) / ranks;
    return {phase.low_latency_s, wire / phase.low_latency_bytes_per_s, "deepep-ll", wire};
  }
  const double remote = volume * (1 - group.per_domain / ranks);
  return {phase.low_latency_s + phase.octave_s * std::log2(2.0 * group.domains()),
          remote / (c.scale_out.bytes_per_s * phase.low_latency_nic_ratio), "deepep-ll",
          volume * (ranks - 1) / ranks};
}

CollectiveCost deepEpNormal(const DeepEpPhase& phase, const Constants& c, GroupShape group,
                            const ExpertTraffic& traffic) {
  // One copy per distinct rank of the node, or per distinct remote node with forwarding over NVLink behind
  // it.
  const double row_volume = traffic.tokens * traffic.row_bytes;
  const double ramp = traffic.tokens / (traffic.tokens + phase.ramp_tokens);
  const double g = group.per_domain;
  const double local =
      distinctTargets(traffic, std::min<double>(group.size, g)) * (1 - 1 / std::min<double>(group.size, g));
  if (group.domains() <= 1) {
    return {phase.normal_s, phase.ramp_s * ramp + row_volume * local / phase.normal_bytes_per_s,
            "deepep-normal", row_volume * local};
  }
  const double domains = group.domains();
  const double remote = distinctTargets(traffic, domains) * (1 - 1 / domains);
  const double nic = c.scale_out.bytes_per_s;
  return {
      phase.normal_s + phase.node_s * domains,
      phase.nodes_ramp_s * ramp + row_volume * (remote / phase.normal_nic_ratio + phase.forward_ratio) / nic,
      "deepep-normal", row_volume * (remote + local)};
}

CollectiveCost domainExchange(const DomainExchange& c, std::string_view algorithm, double g,
                              const ExpertTraffic& traffic) {
  const double octave = std::log2(g);
  const double wire = traffic.tokens * traffic.row_bytes * distinctTargets(traffic, g) * (1 - 1 / g);
  return {c.fixed_s + c.octave_s * octave,
          traffic.tokens * c.token_s + wire * (1 + c.octave_ratio * octave) / c.bytes_per_s, algorithm, wire};
}

CollectiveCost expertExchange(const Constants& c, Collective kind, GroupShape group,
                              const ExpertTraffic& traffic) {
  const bool combine = kind == Collective::MoeCombine;
  if (c.domain_exchange_by_engine && c.domain && group.domains() <= 1) {
    return domainExchange(combine ? c.domain->one_sided_combine : c.domain->one_sided_dispatch,
                          "nvlink-one-sided", group.size, traffic);
  }
  const auto& phase = combine ? c.deepep_combine : c.deepep_dispatch;
  if (phase)
    return cheaper(deepEpLowLatency(*phase, c, group, traffic), deepEpNormal(*phase, c, group, traffic));
  const double volume = traffic.tokens * traffic.top_k * traffic.row_bytes;
  return group.domains() <= 1 ? withinDomain(c, kind, group.size, volume)
                              : acrossDomains(c, kind, group, volume);
}

}  // namespace decodescope::network::forms
