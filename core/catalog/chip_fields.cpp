#include "base/units.h"
#include "catalog/field.h"

#include <array>

namespace decodescope::catalog {
namespace {

using C = ChipSpec;
constexpr json::Range kCelsius{0, 200, "C"};

constexpr auto kFields = std::to_array<Field<C>>({
    {"name", "name", [](C& c) -> Slot { return &c.name; }, 1, {}, true},
    {"vendor", "vendor", [](C& c) -> Slot { return &c.vendor; }},
    {"family", "family", [](C& c) -> Slot { return &c.family; }, 1, {}, true},
    {"launch_year", "launch_year", [](C& c) -> Slot { return &c.launch_year; }, 1, {1990, 2100, "", true}},
    {"bf16_tflop_per_s", "bf16_flop_per_s", [](C& c) -> Slot { return &c.bf16_flop_per_s; }, kTera,
     json::kPositive, true},
    {"fp8_tflop_per_s", "fp8_flop_per_s", [](C& c) -> Slot { return &c.fp8_flop_per_s; }, kTera},
    {"int8_top_per_s", "int8_flop_per_s", [](C& c) -> Slot { return &c.int8_flop_per_s; }, kTera},
    {"fp4_tflop_per_s", "fp4_flop_per_s", [](C& c) -> Slot { return &c.fp4_flop_per_s; }, kTera},
    {"memory_gb", "memory_bytes", [](C& c) -> Slot { return &c.memory_bytes; }, kGiga, json::kPositive, true},
    {"memory_bandwidth_gb_per_s", "memory_bandwidth_bytes_per_s",
     [](C& c) -> Slot { return &c.memory_bandwidth_bytes_per_s; }, kGiga, json::kPositive, true},
    {"l2_mb", "l2_bytes", [](C& c) -> Slot { return &c.l2_bytes; }, kMega},
    {"sm_count", "sm_count", [](C& c) -> Slot { return &c.sm_count; }, 1, {1, 1e6, "", true}, true},
    {"tdp_w", "tdp_w", [](C& c) -> Slot { return &c.tdp_w; }, 1, {1, 1e5, "W"}, true},
    {"idle_w", "idle_w", [](C& c) -> Slot { return &c.idle_w; }, 1, {0, 1e5, "W"}},
    {"max_operating_c", "max_operating_c", [](C& c) -> Slot { return &c.max_operating_c; }, 1, kCelsius},
    {"throttle_c", "throttle_c", [](C& c) -> Slot { return &c.throttle_c; }, 1, kCelsius},
    {"shutdown_c", "shutdown_c", [](C& c) -> Slot { return &c.shutdown_c; }, 1, kCelsius},
    {"hbm_max_c", "hbm_max_c", [](C& c) -> Slot { return &c.hbm_max_c; }, 1, kCelsius},
    {"scale_up_gb_per_s", "scale_up_bytes_per_s", [](C& c) -> Slot { return &c.scale_up_bytes_per_s; },
     kGiga},
    {"scale_up_links", "scale_up_links", [](C& c) -> Slot { return &c.scale_up_links; }, 1, json::kCount},
    {"scale_up_latency_us", "scale_up_latency_s", [](C& c) -> Slot { return &c.scale_up_latency_s; }, kMicro},
    {"scale_out_gb_per_s", "scale_out_bytes_per_s", [](C& c) -> Slot { return &c.scale_out_bytes_per_s; },
     kGiga},
    {"host_gb_per_s", "host_bytes_per_s", [](C& c) -> Slot { return &c.host_bytes_per_s; }, kGiga},
    {"max_scale_up_domain_chips",
     "max_scale_up_domain",
     [](C& c) -> Slot { return &c.max_scale_up_domain; },
     1,
     {1, 1e6, "chips", true}},
    {"cooling", "cooling", [](C& c) -> Slot { return &c.cooling; }},
    {"price_usd", "price_usd", [](C& c) -> Slot { return &c.price_usd; }},
    {"usd_per_hour", "usd_per_hour", [](C& c) -> Slot { return &c.usd_per_hour; }},
    {"all_in_kw", "all_in_kw", [](C& c) -> Slot { return &c.all_in_kw; }},
});

}  // namespace

std::span<const Field<ChipSpec>> chipFields() {
  return kFields;
}

}  // namespace decodescope::catalog
