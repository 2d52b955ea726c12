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
  SourceTable sources;
};

}  // namespace decodescope
