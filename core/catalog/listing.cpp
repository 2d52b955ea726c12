#include "catalog/listing.h"

#include "base/units.h"

#include <fmt/format.h>

namespace decodescope::catalog {
namespace {

CatalogItem item(const ChipSpec& c) {
  return {c.id, c.name,
          fmt::format("{}, {:.0f} GB at {:.2f} TB/s, {:.0f} TFLOP/s bf16, {:.0f} W", c.vendor,
                      c.memory_bytes / kGiga, c.memory_bandwidth_bytes_per_s / kTera,
                      c.bf16_flop_per_s / kTera, c.tdp_w)};
}

CatalogItem item(const SystemSpec& s, const ChipSpec& chip) {
  return {s.id, s.name,
          fmt::format("{} x {}, {:.0f} GB/s per direction, {}{}", s.chips, chip.name,
                      chip.scale_up_bytes_per_s / kGiga, s.cooling, s.modelled ? ", modelled" : "")};
}

const char* attentionText(const ModelSpec& m) {
  if (m.indexer) return "sparse MLA";
  if (m.mla) return "MLA";
  switch (m.attention) {
    case AttentionKind::Sliding:
      return "sliding window";
    case AttentionKind::SlidingMix:
      return "local and global layers";
    case AttentionKind::ChunkedMix:
      return "chunked and global layers";
    case AttentionKind::LinearMix:
      return "linear and full layers";
    case AttentionKind::SparseTopk:
      return "sparse";
    case AttentionKind::Full:
      break;
  }
  return m.kv_heads == m.heads ? "MHA" : m.kv_heads == 1 ? "MQA" : "GQA";
}

CatalogItem item(const ModelSpec& m) {
  const std::string experts =
      m.isMoe() ? fmt::format(", {} experts, {} active", m.moe->experts, m.moe->top_k) : "";
  return {m.id, m.name,
          fmt::format("{:.0f}B parameters, {} layers, {}{}", m.published_total / kGiga, m.layers,
                      attentionText(m), experts)};
}

CatalogItem item(const EngineSpec& e) {
  return {e.id, e.name,
          fmt::format("claims {:.0f} % of memory, {:.0f} us host time per step",
                      e.memory_utilization_ratio * 100, e.host_s_per_step / kMicro)};
}

/// What a scenario takes from its system and chip while it leaves them unset, by parameter path and in its
/// unit.
std::map<std::string, double, std::less<>> defaultsOf(const SystemSpec& s, const ChipSpec& chip) {
  return {{"chips", s.chips},
          {"physical.supply_c", s.supply_c},
          {"physical.flow_l_per_min_per_chip", s.flow_l_per_min_per_chip},
          {"physical.airflow_ratio", 1.0},
          {"physical.rack_power_cap_kw", s.rack_power_max_w / kKilo},
          {"physical.chip_power_cap_w", chip.tdp_w},
          {"physical.cooling_is_liquid", s.cooling == "liquid" ? 1.0 : 0.0},
          {"fabric.gb_per_s_per_chip", s.nic_bytes_per_s_per_chip / kGiga},
          {"economics.chip_capex_usd", s.price_usd > 0 ? s.price_usd / s.chips : chip.price_usd},
          {"chip.memory_gb", chip.memory_bytes / kGiga},
          {"chip.memory_bandwidth_gb_per_s", chip.memory_bandwidth_bytes_per_s / kGiga},
          {"chip.bf16_tflop_per_s", chip.bf16_flop_per_s / kTera},
          {"chip.fp8_tflop_per_s", chip.fp8_flop_per_s / kTera},
          {"chip.tdp_w", chip.tdp_w},
          {"chip.max_operating_c", chip.max_operating_c},
          {"system.scale_up.link_gb_per_s", s.graph.link_bytes_per_s / kGiga},
          {"system.scale_up.link_latency_us", s.graph.link_latency_s / kMicro}};
}

}  // namespace

CatalogListing makeListing(const Catalog& catalog) {
  CatalogListing out;
  for (const ChipSpec& c : catalog.chips()) out.chips.push_back(item(c));
  for (const ModelSpec& m : catalog.models()) out.models.push_back(item(m));
  for (const EngineSpec& e : catalog.engines()) out.engines.push_back(item(e));
  for (const SystemSpec& s : catalog.systems()) {
    const ChipSpec& chip = **catalog.chip(s.chip);
    out.systems.push_back(item(s, chip));
    const auto defaults = defaultsOf(s, chip);
    out.system_defaults[s.id] = defaults;
    for (const std::string& alias : s.aliases) out.system_defaults[alias] = defaults;
  }
  return out;
}

}  // namespace decodescope::catalog
