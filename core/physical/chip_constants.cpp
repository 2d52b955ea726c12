// Power constants of a chip: its own, those of the same silicon, or by the rule of "derived" in
// physical.json.
#include "base/numeric.h"
#include "base/units.h"
#include "physical/chip_power.h"
#include "physical/constants.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace decodescope::physical {
namespace {

void readClock(ConstantReader& in, ChipPowerConstants& chip) {
  chip.leak_per_k = in.number("clock/leak_per_k");
  chip.voltage_min = in.number("clock/voltage_min_ratio");
  chip.voltage_slope = in.number("clock/voltage_slope");
  chip.saturation_ratio = in.number("clock/saturation_ratio");
  chip.lowest_ratio = in.number("clock/lowest_ratio");
  chip.idle_ratio = in.number("clock/idle_clock_ratio");
  chip.power_filter_s = in.number("clock/power_filter_s");
  chip.sw_hysteresis_k = in.number("clock/sw_hysteresis_k");
  chip.hw_hysteresis_k = in.number("clock/hw_hysteresis_k");
  chip.hw_slowdown_ratio = in.number("clock/hw_slowdown_ratio");
  chip.integral_per_k_s = in.number("clock/integral_per_k_s");
  chip.proportional_per_k = in.number("clock/proportional_per_k");
  chip.leak_sigma_ratio = in.number("clock/leak_sigma_ratio");
  chip.dynamic_sigma_ratio = in.number("clock/dynamic_sigma_ratio");
  chip.hbm_above_die_k = in.number("clock/hbm_above_die_k");
  chip.link_j_per_byte = in.number("links/electrical_pj_per_bit") * kPico * kBitsPerByte;
}

/// Formats that the reference lacks take the stated ratio of the next wider one.
void readEnergies(ConstantReader& in, const std::string& path, ChipPowerConstants& chip) {
  chip.hbm_j_per_byte = in.number(path + "/hbm_w_per_tb_per_s") * kPico;
  chip.operand_j_per_byte = in.number(path + "/operand_w_per_tb_per_s") * kPico;
  chip.bf16_j_per_flop = in.number(path + "/bf16_pj_per_flop") * kPico;
  const auto fp8 = in.optionalNumber(path + "/fp8_pj_per_flop");
  chip.fp8_j_per_flop = fp8 ? *fp8 * kPico : chip.bf16_j_per_flop * in.number("derived/fp8_over_bf16");
  const auto fp4 = in.optionalNumber(path + "/fp4_pj_per_flop");
  chip.fp4_j_per_flop = fp4 ? *fp4 * kPico : chip.fp8_j_per_flop * in.number("derived/fp4_over_fp8");
}

void readOwn(ConstantReader& in, const std::string& path, ChipPowerConstants& chip) {
  chip.base_w = in.number(path + "/base_w");
  chip.leak_w_at_60c = in.number(path + "/leak_w_at_60c");
  chip.active_w = in.number(path + "/active_w");
  chip.context_w = in.number(path + "/context_w");
  chip.nominal_clock_hz = in.number(path + "/nominal_clock_mhz") * kMega;
  readEnergies(in, path, chip);
}

void readLimits(ConstantReader& in, const std::string& path, ChipPowerConstants& chip) {
  chip.throttle_c = in.optionalNumber(path + "/throttle_c").value_or(chip.throttle_c);
  chip.hw_slowdown_c = in.optionalNumber(path + "/hw_slowdown_c").value_or(chip.hw_slowdown_c);
  chip.shutdown_c = in.optionalNumber(path + "/shutdown_c").value_or(chip.shutdown_c);
}

/// The chip's own figures where the catalog has all of them, else the assumption; in ascending order.
void deriveLimits(ConstantReader& in, const ChipSpec& spec, ChipPowerConstants& chip) {
  readLimits(in, "derived", chip);
  if (spec.max_operating_c > 0 && spec.shutdown_c > 0) {
    chip.throttle_c = spec.max_operating_c;
    chip.shutdown_c = std::max(spec.shutdown_c, spec.max_operating_c);
    const double between = 0.5 * (chip.throttle_c + chip.shutdown_c);
    chip.hw_slowdown_c =
        spec.throttle_c > spec.max_operating_c ? std::min(spec.throttle_c, chip.shutdown_c) : between;
  }
}

/// A generation that multiplies a format's peak within its TDP class has cut that format's energy in
/// proportion.
void applyNarrowPeaks(const ChipSpec& spec, ChipPowerConstants& chip) {
  if (spec.fp8_flop_per_s > 0)
    chip.fp8_j_per_flop *= std::min(1.0, 2 * spec.bf16_flop_per_s / spec.fp8_flop_per_s);
  if (spec.fp4_flop_per_s > 0)
    chip.fp4_j_per_flop *= std::min(1.0, 4 * spec.bf16_flop_per_s / spec.fp4_flop_per_s);
}

void scaleOnChip(ChipPowerConstants& chip, double ratio) {
  chip.operand_j_per_byte *= ratio;
  chip.bf16_j_per_flop *= ratio;
  chip.fp8_j_per_flop *= ratio;
  chip.fp4_j_per_flop *= ratio;
}

/// Parts that run their peak within TDP: on-chip energies such that base + leakage + peak + half the HBM rate
/// is TDP.
void fitToTdp(ConstantReader& in, const ChipSpec& spec, ChipPowerConstants& chip) {
  chip.hbm_j_per_byte = in.number("derived/sustained_hbm_w_per_tb_per_s") * kPico;
  const double hbm_bytes_per_s = in.number("derived/design_hbm_ratio") * spec.memory_bandwidth_bytes_per_s;
  const double on_chip_w =
      chip.active_w + hbm_bytes_per_s * chip.operand_j_per_byte + spec.bf16_flop_per_s * chip.bf16_j_per_flop;
  const double left_w = chip.tdp_w - chip.base_w - chip.leak_w_at_60c - hbm_bytes_per_s * chip.hbm_j_per_byte;
  // A tenth of the TDP at least, where the catalog's idle power leaves no room.
  const double ratio = std::max(left_w, 0.1 * chip.tdp_w) / on_chip_w;
  chip.active_w *= ratio;
  scaleOnChip(chip, ratio);
}

void derive(ConstantReader& in, const ChipSpec& spec, ChipPowerConstants& chip) {
  const nlohmann::json* reference = in.find("derived/reference_chip");
  const std::string reference_id =
      reference != nullptr && reference->is_string() ? reference->get<std::string>() : "";
  readEnergies(in, "chips/" + reference_id, chip);
  const bool known_vendor = in.find("derived/context_w/" + spec.vendor) != nullptr;
  chip.context_w = in.number("derived/context_w/" + (known_vendor ? spec.vendor : std::string("other")));
  chip.leak_w_at_60c = in.number("derived/leak_ratio_of_tdp") * chip.tdp_w;
  chip.active_w =
      std::min(in.number("derived/active_most_w"), in.number("derived/active_ratio_of_tdp") * chip.tdp_w);
  const double leak_idle_w = leakage_w(chip, in.number("derived/idle_junction_c"), chip.idle_ratio);
  chip.base_w = std::max(in.number("derived/base_least_ratio_of_tdp") * chip.tdp_w,
                         spec.idle_w + chip.context_w - leak_idle_w);
  chip.nominal_clock_hz = in.number("derived/nominal_clock_mhz") * kMega;
  if (in.lists("derived/gddr_chips", spec.id))
    chip.hbm_j_per_byte = in.number("derived/gddr_w_per_tb_per_s") * kPico;
  if (spec.launch_year >= in.number("derived/node_year")) {
    const double ratio = in.number("derived/node_energy_ratio");
    chip.hbm_j_per_byte *= ratio;
    scaleOnChip(chip, ratio);
  }
  if (in.lists("derived/sustained_vendors", spec.vendor)) fitToTdp(in, spec, chip);
  deriveLimits(in, spec, chip);
}

}  // namespace

Expected<ChipPowerConstants> chipPowerConstants(const nlohmann::json& physical, const ChipSpec& spec) {
  if (auto site = siteConstants(physical); !site) return Unexpected(site.error());
  ConstantReader in(physical);
  ChipPowerConstants chip;
  readClock(in, chip);
  chip.tdp_w = spec.tdp_w;
  const nlohmann::json* like = in.find("like/" + spec.id + "/chip");
  const std::string source = like != nullptr && like->is_string() ? like->get<std::string>() : spec.id;
  if (in.find("chips/" + source) != nullptr) {
    readOwn(in, "chips/" + source, chip);
    readLimits(in, "chips/" + source, chip);
    readLimits(in, "like/" + spec.id, chip);
    const double core_ratio = in.optionalNumber("like/" + spec.id + "/core_ratio").value_or(1);
    chip.leak_w_at_60c *= core_ratio;
    chip.active_w *= core_ratio;
    chip.provenance =
        source == spec.id ? "own constants, see physical.json" : "constants of " + source + ", own TDP";
  } else {
    derive(in, spec, chip);
    chip.derived = true;
    chip.provenance = "derived from TDP, idle power and generation by the rule in physical.json";
  }
  applyNarrowPeaks(spec, chip);
  if (!in.ok()) return Unexpected(in.error());
  if (!(chip.tdp_w > 0)) {
    return Unexpected(Error{ErrorCode::BadInput, "chips.json", spec.id + "/tdp_w", "",
                            "chip power needs a TDP above 0", "give the chip's TDP in watts"});
  }
  return chip;
}

Expected<ChipPowerConstants> chipPowerConstants(const Catalog& catalog, const ChipSpec& spec) {
  return chipPowerConstants(catalog.document("physical"), spec);
}

}  // namespace decodescope::physical
