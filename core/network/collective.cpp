#include "network/collective.h"

#include "network/collective_forms.h"

#include <algorithm>

namespace decodescope::network {

std::string_view collectiveId(Collective kind) {
  switch (kind) {
    case Collective::AllReduce:
      return "all_reduce";
    case Collective::AllGather:
      return "all_gather";
    case Collective::ReduceScatter:
      return "reduce_scatter";
    case Collective::AllToAll:
      return "all_to_all";
    case Collective::MoeDispatch:
      return "moe_dispatch";
    case Collective::MoeCombine:
      return "moe_combine";
    case Collective::SendRecv:
      return "send_recv";
  }
  return "";
}

Expected<CollectiveModel> CollectiveModel::make(const Catalog& catalog, const ChipSpec& chip,
                                                const SystemSpec& system, const EngineSpec& engine,
                                                double scale_out_bytes_per_s, std::string_view exclude_chip) {
  auto loaded = loadCollectives(catalog, chip, system, engine, scale_out_bytes_per_s, exclude_chip);
  if (!loaded) return Unexpected(loaded.error());
  CollectiveModel model;
  model.constants_ = std::move(loaded->constants);
  model.provenance_ = std::move(loaded->provenance);
  return model;
}

CollectiveCost CollectiveModel::cost(Collective kind, GroupShape group, double bytes) const {
  if (group.size <= 1) return {0, 0, "none", 0};
  group.per_domain = std::clamp(group.per_domain, 1, group.size);
  return group.domains() <= 1 ? forms::withinDomain(*constants_, kind, group.size, bytes)
                              : forms::acrossDomains(*constants_, kind, group, bytes);
}

CollectiveCost CollectiveModel::moeExchange(Collective kind, GroupShape group, double tokens_per_rank,
                                            double hidden, double top_k, double bytes_per_element) const {
  if (group.size <= 1) return {0, 0, "none", 0};
  group.per_domain = std::clamp(group.per_domain, 1, group.size);
  return forms::expertExchange(*constants_, kind, group,
                               {tokens_per_rank, top_k, hidden * bytes_per_element});
}

}  // namespace decodescope::network
