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
});

}  // namespace

std::span<const Field<EngineSpec>> engineFields() {
  return kFields;
}

}  // namespace decodescope::catalog
