#include "base/units.h"
#include "catalog/field.h"

#include <array>

namespace decodescope::catalog {
namespace {

using E = EngineSpec;

constexpr auto kFields = std::to_array<Field<E>>({
    {"name", "name", [](E& e) -> Slot { return &e.name; }, 1, {}, true},
    {"memory_utilization_ratio",
     "memory_utilization_ratio",
     [](E& e) -> Slot { return &e.memory_utilization_ratio; },
     1,
     {0.01, 1},
     true},
    {"reserve_gb", "reserve_bytes", [](E& e) -> Slot { return &e.reserve_bytes; }, kGiga},
    {"activation_bytes_per_token_per_hidden", "activation_bytes_per_token",
     [](E& e) -> Slot { return &e.activation_bytes_per_token; }},
    {"attention_kernels",
     "attention_kernels",
     [](E& e) -> Slot { return &e.attention_kernels; },
     1,
     {},
     true},
    {"all_reduce", "all_reduce", [](E& e) -> Slot { return &e.all_reduce; }, 1, {}, true},
    {"launch_overlap_us", "launch_overlap_s", [](E& e) -> Slot { return &e.launch_overlap_s; }, kMicro},
    {"host_us_per_step", "host_s_per_step", [](E& e) -> Slot { return &e.host_s_per_step; }, kMicro},
    {"host_us_per_sequence", "host_s_per_sequence", [](E& e) -> Slot { return &e.host_s_per_sequence; },
     kMicro},
    {"host_us_per_rank", "host_s_per_rank", [](E& e) -> Slot { return &e.host_s_per_rank; }, kMicro},
    {"launch_overlap_sm100_us", "launch_overlap_sm100_s",
     [](E& e) -> Slot { return &e.launch_overlap_sm100_s; }, kMicro},
    {"launch_gap_us", "launch_gap_s", [](E& e) -> Slot { return &e.launch_gap_s; }, kMicro},
    {"expert_list_ratio", "expert_list_ratio", [](E& e) -> Slot { return &e.expert_list_ratio; }, 1, {0, 1}},
    {"expert_list_sm100_ratio",
     "expert_list_sm100_ratio",
     [](E& e) -> Slot { return &e.expert_list_sm100_ratio; },
     1,
     {0, 1}},
    {"gemm_peak_ratio", "gemm_peak_ratio", [](E& e) -> Slot { return &e.gemm_peak_ratio; }, 1, {0.001, 1}},
    {"fp4_tile_rows", "fp4_tile_rows", [](E& e) -> Slot { return &e.fp4_tile_rows; }, 1, {0, 128, "tokens"}},
    {"fp4_rate_gain", "fp4_rate_gain", [](E& e) -> Slot { return &e.fp4_rate_gain; }, 1, {0.1, 10}},
    {"fp4_expert_fixed_ratio",
     "fp4_expert_fixed_ratio",
     [](E& e) -> Slot { return &e.fp4_expert_fixed_ratio; },
     1,
     {0, 1}},
    {"groups_queries", "groups_queries", [](E& e) -> Slot { return &e.groups_queries; }},
    {"overlaps_shared_experts", "overlaps_shared_experts",
     [](E& e) -> Slot { return &e.overlaps_shared_experts; }},
    {"max_batch", "max_batch", [](E& e) -> Slot { return &e.max_batch; }, 1, json::kCount},
});

}  // namespace

std::span<const Field<EngineSpec>> engineFields() {
  return kFields;
}

}  // namespace decodescope::catalog
