// Constants of CollectiveModel in SI units, as its closed forms use them. Source of every number:
// collectives.json.
#pragma once

#include "network/collective.h"
#include "network/sub_torus.h"

#include <array>
#include <optional>

namespace decodescope::network {

/// One- and two-shot all-reduce kernels of a serving engine.
struct CustomAllReduce {
  double one_shot_s = 0, one_shot_octave_ratio = 0, one_shot_bytes_per_s = 0;
  double two_shot_s = 0, two_shot_octave_ratio = 0, two_shot_bytes_per_s = 0;
  double max_bytes = 0;         ///< beyond it the engine calls the library; the kernel's cost per byte grows
  double over_limit_ratio = 0;  ///< by this share
};

/// Ring collectives of a library: latency by hop, bandwidth, and the cost of changing protocol as messages
/// grow.
struct RingConstants {
  double fixed_s = 0, hop_s = 0;
  double bytes_per_s = 0;
  double protocol_s = 0;  ///< approached as bytes exceed protocol_bytes
  double small_s = 0;  ///< per hop, or once where hops do not count; approached as bytes exceed small_bytes
  double self_copy_ratio = 0;  ///< cost of copying the own share, of a byte sent
};
struct NcclConstants {
  RingConstants all_reduce, gather, all_to_all;
  double protocol_bytes = 0, small_bytes = 0, all_to_all_small_bytes = 0, hops_per_octave = 0;
};
struct NvlsConstants {
  double rank_s = 0, bytes_per_s = 0;  ///< bytes_per_s 0: the switches do not reduce
};

/// Low-latency and normal kernels of DeepEP; one set for dispatch, one for combine.
struct DeepEpPhase {
  double low_latency_s = 0, low_latency_bytes_per_s = 0, octave_s = 0, low_latency_nic_ratio = 0;
  double normal_s = 0, normal_bytes_per_s = 0, node_s = 0, normal_nic_ratio = 0, forward_ratio = 0;
  double ramp_s = 0, nodes_ramp_s = 0, ramp_tokens = 1;
};
/// All-to-all inside one large NVLink domain.
struct DomainExchange {
  double fixed_s = 0, octave_s = 0, token_s = 0, bytes_per_s = 0, octave_ratio = 0;
};
struct DomainExchanges {
  DomainExchange one_sided_dispatch, one_sided_combine;
  DomainExchange two_sided_prepare, two_sided_dispatch, two_sided_combine, two_sided_combine_low_precision;
};

struct ScaleOutConstants {
  double bytes_per_s = 0;  ///< NIC rate per chip and direction
  double hop_s = 0, octave_s = 0, send_s = 0;
  double nic_ratio = 1, tree_nic_ratio = 1, overlap_exponent = 1, congestion_ranks = 1e9;
};
struct SymmetricMemory {
  double multimem_s = 0, multimem_bytes_per_s = 0, two_shot_s = 0, two_shot_bytes_per_s = 0, zero_copy_s = 0;
};
struct Eager {
  double one_shot_s = 0, other_s = 0;
};
struct MeshConstants {
  double one_shot_s = 0, two_shot_s = 0, gather_s = 0, link_bytes_per_s = 0;
};
struct TorusConstants {
  double fixed_s = 0, hop_s = 0, link_bytes_per_s = 0;
};
struct PcieConstants {
  double fixed_s = 0, hop_s = 0, bytes_per_s = 0;
};

struct CollectiveModel::Constants {
  ScaleUpKind kind = ScaleUpKind::Switched;
  std::string engine;  ///< key of the engine's all-reduce
  double scale_up_bytes_per_s = 0;
  std::optional<CustomAllReduce> custom;
  NcclConstants nccl;
  NvlsConstants nvls;
  std::optional<DeepEpPhase> deepep_dispatch, deepep_combine;
  std::optional<DomainExchanges> domain;   ///< NVLink domains larger than one board
  bool domain_exchange_by_engine = false;  ///< the engine uses them for experts
  ScaleOutConstants scale_out;
  SymmetricMemory symmetric;
  Eager custom_eager, library_eager;
  double eager_copy_bytes_per_s = 1e30;
  double kv_transfer_s = 0, kv_transfer_nic_ratio = 1;
  MeshConstants mesh;
  TorusConstants torus;
  SubTorusTable sub_tori;
  PcieConstants pcie;
};

struct LoadedCollectives {
  std::shared_ptr<const CollectiveModel::Constants> constants;
  std::string provenance;
};
[[nodiscard]] Expected<LoadedCollectives> loadCollectives(const Catalog&, const ChipSpec&, const SystemSpec&,
                                                          const EngineSpec&, double scale_out_bytes_per_s,
                                                          std::string_view exclude_chip);

}  // namespace decodescope::network
