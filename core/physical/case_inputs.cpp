#include "physical/case_inputs.h"

#include "base/units.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>

namespace decodescope::physical {

using case_range::kFlow;
using case_range::kNotNegative;
using case_range::kTemperature_c;
using case_range::Range;
using decodescope::json::Object;

namespace {

/// What a format's math costs, and where its rate stands in an activity. Wider spellings map to the format
/// computed in.
struct Format {
  std::string_view name;
  double Activity::*rate;
  double ChipSpec::*peak;
};
constexpr std::array<Format, 8> kFormats{{
    {"bf16", &Activity::bf16_flop_per_s, &ChipSpec::bf16_flop_per_s},
    {"fp16", &Activity::bf16_flop_per_s, &ChipSpec::bf16_flop_per_s},
    {"fp8", &Activity::fp8_flop_per_s, &ChipSpec::fp8_flop_per_s},
    {"fp8_block", &Activity::fp8_flop_per_s, &ChipSpec::fp8_flop_per_s},
    {"int8", &Activity::fp8_flop_per_s, &ChipSpec::int8_flop_per_s},
    {"fp4", &Activity::fp4_flop_per_s, &ChipSpec::fp4_flop_per_s},
    {"nvfp4", &Activity::fp4_flop_per_s, &ChipSpec::fp4_flop_per_s},
    {"mxfp4", &Activity::fp4_flop_per_s, &ChipSpec::fp4_flop_per_s},
}};

}  // namespace

ChipSpec chipOf(Case& c) {
  c.in.require("chip", "give the id of a chip of the catalog");
  const std::string id = c.in.text("chip", "");
  if (!c.ok()) return {};
  const auto chip = c.catalog.chip(id);
  if (chip) return **chip;
  c.in.fail("chip", chip.error().message, chip.error().remedy);
  return {};
}

ChipPowerConstants constantsOf(Case& c, const ChipSpec& chip) {
  if (!c.ok()) return {};
  return c.take(chipPowerConstants(c.constants, chip), "chip");
}

Activity activityOf(Case& c) {
  Activity activity;
  activity.duty_ratio = c.in.number("duty", 1, Range{0, 1});
  const double hbm_tb_per_s = c.in.number("hbm_tb_per_s", 0, kNotNegative);
  activity.hbm_bytes_per_s = hbm_tb_per_s * kTera;
  activity.operand_bytes_per_s = c.in.number("operand_tb_per_s", hbm_tb_per_s, kNotNegative) * kTera;
  activity.link_bytes_per_s = c.in.number("link_tb_per_s", 0, kNotNegative) * kTera;
  Object math = c.in.object("pflop_per_s");
  for (const Format& format : kFormats)
    activity.*format.rate += math.number(format.name, 0, kNotNegative) * kPeta;
  math.warnUnknownKeys();
  return activity;
}

Activity gemmOf(Case& c, const ChipSpec& chip) {
  const std::string dtype = c.in.text("dtype", "bf16");
  const double efficiency = c.in.number("efficiency", 1, Range{0, 1});
  // Traffic of a large product, a tenth of the HBM rate of an H100 to B200.
  constexpr double kGemmTraffic_tb_per_s = 0.8;
  const double hbm_tb_per_s = c.in.number("hbm_tb_per_s_at_full_clock", kGemmTraffic_tb_per_s, kNotNegative);
  Activity activity;
  activity.hbm_bytes_per_s = hbm_tb_per_s * kTera;
  activity.operand_bytes_per_s =
      c.in.number("operand_tb_per_s_at_full_clock", hbm_tb_per_s, kNotNegative) * kTera;
  const auto format =
      std::find_if(kFormats.begin(), kFormats.end(), [&](const Format& f) { return f.name == dtype; });
  if (format == kFormats.end()) {
    c.in.fail("dtype", "is not a known number format", "use bf16, fp8, int8 or fp4");
  } else if (c.ok() && !(chip.*format->peak > 0)) {
    c.in.fail("dtype", "the chip has no peak rate for it", "use a format that the chip computes in");
  } else {
    activity.*format->rate = efficiency * chip.*format->peak;
  }
  return activity;
}

double gemmFlopPerS(const ChipPowerConstants& chip, const Activity& at_nominal, double clock_ratio) {
  const Activity at = scaledToClock(chip, at_nominal, clock_ratio);
  return at.bf16_flop_per_s + at.fp8_flop_per_s + at.fp4_flop_per_s;
}

CoolingSetup plateOf(Case& c, const ChipSpec* chip) {
  const double supply_c = c.in.number("supply_c", 25, kTemperature_c);
  const double flow = c.in.number("flow_l_per_min", 1.6, kFlow);
  if (!c.ok()) return {};
  if (chip != nullptr && !c.in.has("plate")) {
    SystemSpec any;
    any.cooling = "liquid";
    return c.take(coolingSetup(c.constants, *chip, any, true, supply_c, flow, 0), "chip");
  }
  return c.take(plateSetup(c.constants, c.in.text("plate", "GB200"), supply_c, flow), "plate");
}

CoolingSetup chassisOf(Case& c, const ChipSpec& chip) {
  const double inlet_c = c.in.number("inlet_c", 25, kTemperature_c);
  const double airflow = c.in.number("airflow_ratio", 1, Range{0.01, 2});
  if (!c.ok()) return {};
  if (c.in.has("chassis"))
    return c.take(chassisSetup(c.constants, c.in.text("chassis", ""), inlet_c, airflow), "chassis");
  SystemSpec any;
  any.cooling = "air";
  return c.take(coolingSetup(c.constants, chip, any, false, inlet_c, 0, airflow), "chip");
}

std::string_view limitName(ClockLimit limit) {
  if (limit == ClockLimit::Power) return "power";
  return limit == ClockLimit::Thermal ? "thermal" : "none";
}

}  // namespace decodescope::physical
