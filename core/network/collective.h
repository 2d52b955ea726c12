// What one collective costs, by the algorithm that a serving engine would choose.
#pragma once

#include "catalog/catalog.h"

#include <decodescope/expected.h>

#include <memory>
#include <string>
#include <string_view>

namespace decodescope::network {

enum class Collective { AllReduce, AllGather, ReduceScatter, AllToAll, MoeDispatch, MoeCombine, SendRecv };
[[nodiscard]] std::string_view collectiveId(Collective);  ///< all_reduce all_gather ... as in CSV rows

/// Where the members of a group stand: `size` ranks, `per_domain` of them in each scale-up domain.
struct GroupShape {
  int size = 1;
  int per_domain = 1;
  [[nodiscard]] int domains() const { return per_domain > 0 ? (size + per_domain - 1) / per_domain : 1; }
};

struct CollectiveCost {
  double latency_s = 0;        ///< part that does not depend on bytes
  double transfer_s = 0;       ///< part that does, at the effective bandwidth
  std::string_view algorithm;  ///< one-shot two-shot nvls ring torus-ring hierarchical deepep-ll ...
  double wire_bytes_per_rank =
      0;  ///< out of one rank, one direction, scale-up and NIC together, for link loads and power
  [[nodiscard]] double total_s() const { return latency_s + transfer_s; }
};

/// Collective costs for one chip in one system, as one serving engine runs them. Constants resolved once;
/// pure after.
class CollectiveModel {
 public:
  /// `scale_out_bytes_per_s` is per chip and direction; 0 takes the system's NIC.
  [[nodiscard]] static Expected<CollectiveModel> make(const Catalog&, const ChipSpec&, const SystemSpec&,
                                                      const EngineSpec&, double scale_out_bytes_per_s = 0,
                                                      std::string_view exclude_chip = {});

  /// `bytes`: all-reduce the buffer; all-gather the output; reduce-scatter the input; all-to-all the send
  /// buffer per rank; send-recv the message.
  [[nodiscard]] CollectiveCost cost(Collective, GroupShape, double bytes) const;
  /// Expert-parallel dispatch or combine of `tokens_per_rank` tokens, each to top_k of the experts spread
  /// over the group.
  [[nodiscard]] CollectiveCost moeExchange(Collective, GroupShape, double tokens_per_rank, double hidden,
                                           double top_k, double bytes_per_element) const;
  [[nodiscard]] const std::string& provenance() const { return provenance_; }

  /// For single algorithms, core/network/collective_forms.h.
  struct Constants;
  [[nodiscard]] const Constants& constants() const { return *constants_; }

 private:
  CollectiveModel() = default;
  std::shared_ptr<const Constants> constants_;
  std::string provenance_;
};

}  // namespace decodescope::network
