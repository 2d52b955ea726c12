#include "base/units.h"
#include "catalog/field.h"

#include <array>

namespace decodescope::catalog {
namespace {

using S = SystemSpec;
constexpr json::Range kRatio{0, 1};
constexpr json::Range kCelsius{-20, 90, "C"};
constexpr json::Range kTrays{0, 10000, "", true};

constexpr auto kFields = std::to_array<Field<S>>({
    {"name", "name", [](S& s) -> Slot { return &s.name; }, 1, {}, true},
    {"chip", "chip", [](S& s) -> Slot { return &s.chip; }, 1, {}, true},
    {"year", "year", [](S& s) -> Slot { return &s.year; }, 1, {1990, 2100, "", true}},
    {"chips", "chips", [](S& s) -> Slot { return &s.chips; }, 1, {1, 1e6, "chips", true}, true},
    {"modelled", "modelled", [](S& s) -> Slot { return &s.modelled; }},
    {"scale_up.builder", "graph.builder", [](S& s) -> Slot { return &s.graph.builder; }, 1, {}, true},
    {"scale_up.groups", "graph.groups", [](S& s) -> Slot { return &s.graph.groups; }, 1, {1, 1e6, "", true}},
    {"scale_up.chips_per_group",
     "graph.chips_per_group",
     [](S& s) -> Slot { return &s.graph.chips_per_group; },
     1,
     {1, 1e6, "", true}},
    {"scale_up.l2_switches_per_plane",
     "graph.l2_switches_per_plane",
     [](S& s) -> Slot { return &s.graph.l2_switches_per_plane; },
     1,
     {0, 1e5, "", true}},
    {"scale_up.links_per_pair",
     "graph.links_per_pair",
     [](S& s) -> Slot { return &s.graph.links_per_pair; },
     1,
     {1, 1e4, "", true}},
    {"scale_up.link_gb_per_s", "graph.link_bytes_per_s",
     [](S& s) -> Slot { return &s.graph.link_bytes_per_s; }, kGiga, json::kPositive, true},
    {"scale_up.link_latency_us", "graph.link_latency_s", [](S& s) -> Slot { return &s.graph.link_latency_s; },
     kMicro},
    {"layout.racks", "layout.racks", [](S& s) -> Slot { return &s.layout.racks; }, 1, {1, 1e5, "", true}},
    {"layout.switch_racks", "layout.switch_racks", [](S& s) -> Slot { return &s.layout.switch_racks; }, 1,
     kTrays},
    {"layout.compute_trays", "layout.compute_trays", [](S& s) -> Slot { return &s.layout.compute_trays; }, 1,
     kTrays},
    {"layout.chips_per_tray",
     "layout.chips_per_tray",
     [](S& s) -> Slot { return &s.layout.chips_per_tray; },
     1,
     {1, 1e4, "", true}},
    {"layout.cpus_per_tray", "layout.cpus_per_tray", [](S& s) -> Slot { return &s.layout.cpus_per_tray; }, 1,
     kTrays},
    {"layout.switch_trays", "layout.switch_trays", [](S& s) -> Slot { return &s.layout.switch_trays; }, 1,
     kTrays},
    {"layout.power_shelves", "layout.power_shelves", [](S& s) -> Slot { return &s.layout.power_shelves; }, 1,
     kTrays},
    {"layout.units",
     "layout.units",
     [](S& s) -> Slot { return &s.layout.units; },
     1,
     {1, 1000, "rack units", true}},
    {"layout.tray_units",
     "layout.tray_units",
     [](S& s) -> Slot { return &s.layout.tray_units; },
     1,
     {1, 1000, "rack units", true}},
    {"layout.order", "layout.order", [](S& s) -> Slot { return &s.layout.order; }},
    {"cooling", "cooling", [](S& s) -> Slot { return &s.cooling; }, 1, {}, true},
    {"rack_power_max_kw", "rack_power_max_w", [](S& s) -> Slot { return &s.rack_power_max_w; }, kKilo},
    {"rack_power_typical_kw", "rack_power_typical_w", [](S& s) -> Slot { return &s.rack_power_typical_w; },
     kKilo},
    {"switch_power_kw", "switch_power_w", [](S& s) -> Slot { return &s.switch_power_w; }, kKilo},
    {"cpu_power_w", "cpu_power_w", [](S& s) -> Slot { return &s.cpu_power_w; }},
    {"optics_power_kw", "optics_power_w", [](S& s) -> Slot { return &s.optics_power_w; }, kKilo},
    {"liquid_heat_ratio", "liquid_heat_ratio", [](S& s) -> Slot { return &s.liquid_heat_ratio; }, 1, kRatio},
    {"supply_c", "supply_c", [](S& s) -> Slot { return &s.supply_c; }, 1, kCelsius},
    {"supply_max_c", "supply_max_c", [](S& s) -> Slot { return &s.supply_max_c; }, 1, kCelsius},
    {"flow_l_per_min_per_chip",
     "flow_l_per_min_per_chip",
     [](S& s) -> Slot { return &s.flow_l_per_min_per_chip; },
     1,
     {0, 1000, "L/min"}},
    {"weight_kg", "weight_kg", [](S& s) -> Slot { return &s.weight_kg; }},
    {"nic_gb_per_s_per_chip", "nic_bytes_per_s_per_chip",
     [](S& s) -> Slot { return &s.nic_bytes_per_s_per_chip; }, kGiga},
    {"price_usd", "price_usd", [](S& s) -> Slot { return &s.price_usd; }},
    {"interconnect_capex_share", "interconnect_capex_share",
     [](S& s) -> Slot { return &s.interconnect_capex_share; }, 1, kRatio},
    {"copper_span_m", "copper_span_m", [](S& s) -> Slot { return &s.copper_span_m; }},
});

}  // namespace

std::span<const Field<SystemSpec>> systemFields() {
  return kFields;
}

}  // namespace decodescope::catalog
