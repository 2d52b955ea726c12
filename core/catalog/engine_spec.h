// A serving engine: its memory rule, its kernels and collectives by name, and its costs on the host.
#pragma once

#include "catalog/source.h"

#include <string>
#include <vector>

namespace decodescope {

struct EngineSpec {
  std::string id, name;                   ///< vllm sglang trtllm jetstream ...
  std::vector<std::string> aliases;       ///< other ids of the same entry
  double memory_utilization_ratio = 0.9;  ///< share of HBM the engine claims
  double reserve_bytes = 0;               ///< context, communication buffers, graphs
  double activation_bytes_per_token = 0;  ///< per hidden element and prefill token: times hidden and chunk
  std::string attention_kernels;          ///< key in kernels.json: sglang trtllm
  std::string all_reduce;                 ///< key in collectives.json: trtllm vllm sglang
  double launch_overlap_s = 0;            ///< hidden per kernel by programmatic dependent launch
  double host_s_per_step = 0;             ///< scheduler and sampling not hidden by the GPU
  double host_s_per_sequence = 0;
  double host_s_per_rank = 0;  ///< for each tensor rank beyond the first: workers told by the driver
  // How a generation of the engine runs its kernels:
  double launch_overlap_sm100_s = 0;   ///< as launch_overlap_s, on Blackwell; 0: the same
  double launch_gap_s = 0;             ///< added to each kernel that is launched one by one, not from a graph
  double expert_list_ratio = 1;        ///< share paid of the grouped GEMM's cost per local expert
  double expert_list_sm100_ratio = 1;  ///< likewise on Blackwell
  double gemm_peak_ratio = 0;  ///< most of the matrix peak that projections reach; 0: as the kernels do
  double fp4_tile_rows = 0;    ///< least rows that 4-bit kernels on Blackwell compute; 0: those of the tables
  double fp4_rate_gain = 1;    ///< their matrix rate over that of the tables
  double fp4_expert_fixed_ratio = 1;     ///< fixed time of 4-bit expert kernels over that of the tables
  bool groups_queries = true;            ///< decode attention reads a KV head once for all its query heads
  bool overlaps_shared_experts = false;  ///< on a second stream beside the routed ones
  int max_batch = 0;                     ///< default limit of running sequences; 0: by memory
  SourceTable sources;
};

}  // namespace decodescope
