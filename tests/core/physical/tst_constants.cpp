// Every constant of physical.json shows in a value that follows from it by hand.
#include "fixture.h"

#include "physical/cases.h"
#include "physical/facility.h"

#include <decodescope/snapshot.h>

#include <nlohmann/json.hpp>

namespace decodescope::physical {

namespace {

const SiteConstants& site() {
  static const SiteConstants kSite = siteConstants(catalog());
  return kSite;
}

/// A made-up accelerator without constants of its own.
ChipSpec unknownChip(const char* vendor, double tdp_w, double idle_w) {
  ChipSpec spec;
  spec.id = "unheard-of";
  spec.vendor = vendor;
  spec.launch_year = 2024;
  spec.tdp_w = tdp_w;
  spec.idle_w = idle_w;
  spec.bf16_flop_per_s = 400e12;
  spec.memory_bandwidth_bytes_per_s = 2e12;
  return spec;
}
ChipPowerConstants constants(const ChipSpec& spec) {
  return chipPowerConstants(catalog(), spec).value();
}

CoolingSetup cooling(const ChipSpec& spec, const SystemSpec& system, bool liquid) {
  return coolingSetup(catalog(), spec, system, liquid, 25, 0, 1).value();
}

Violation withLimit(const Deployability& d, double limit) {
  for (const Violation& v : d.violations) {
    if (std::abs(v.limit - limit) < 1e-6 * limit) return v;
  }
  return {};
}

Deployability deploy(const SystemSpec& system, double rack_w, double die_c = 60, double supply_c = 30) {
  return deployability(site(), Scenario{}, system, chip(system.chip.c_str()), system.chips, rack_w, die_c, 88,
                       builtFor(system, true), supply_c);
}

}  // namespace

class ConstantsTest : public QObject {
  Q_OBJECT

 private slots:
  void a100();
  void contexts();
  void narrowFormats();
  void sameSilicon();
  void boostRule();
  void sustainedRule();
  void rubin();
  void powerFilter();
  void softwareController();
  void airSinks();
  void plates();
  void rackParts();
  void shelvesAndBusbars();
  void limits();
  void facilityThresholds();
  void links();
  void interconnectShare();
};

// 45 + 50 + 60 + 1 TB/s (45 + 55) + 0.1 PFLOP/s 950.
void ConstantsTest::a100() {
  const ChipPowerConstants c = power("a100-80g");
  NEAR(chipPower_w(c, rates(1, 0.1), 60, 1), 350, 1e-9);
  Activity copy;
  copy.duty_ratio = 0;
  copy.hbm_bytes_per_s = 1e12;
  NEAR(chipPower_w(c, copy, 60, 1), 45 + 50 + 45, 1e-9);
  NEAR(c.base_w, 45, 1e-9);
  NEAR(c.leak_w_at_60c, 50, 1e-9);
  NEAR(c.nominal_clock_hz, 1.41e9, 1);
  QCOMPARE(power("a100-40g").base_w, 45.0);
}

void ConstantsTest::contexts() {
  for (const char* id : {"a100-80g", "h100-sxm", "b200-sxm"}) {
    NEAR(idlePower_w(power(id), 30, true) - idlePower_w(power(id), 30, false), 26, 1e-9);
  }
}

// 0.95 x 0.55 and 0.55 of that where only bf16 is given; Blackwell Ultra: fp4 at 6 times bf16 costs 4/6 of
// 0.29.
void ConstantsTest::narrowFormats() {
  NEAR(power("b200-sxm").fp4_j_per_flop * 1e12, 0.29, 1e-9);
  NEAR(power("a100-80g").fp8_j_per_flop * 1e12, 0.5225, 1e-9);
  NEAR(power("a100-80g").fp4_j_per_flop * 1e12, 0.5225 * 0.55, 1e-9);
  NEAR(power("gb300").fp4_j_per_flop * 1e12, 0.29 * 4 / 6, 1e-9);
}

void ConstantsTest::sameSilicon() {
  NEAR(power("h20-sxm").leak_w_at_60c, 105 * 0.59, 1e-9);
  NEAR(power("h20-sxm").active_w, 59, 1e-9);
  for (const char* id : {"gh200", "gh200-144"}) {
    const ChipPowerConstants c = power(id);
    QCOMPARE(c.throttle_c, 86.0);
    QCOMPARE(c.hw_slowdown_c, 88.0);
    QCOMPARE(c.shutdown_c, 94.0);
  }
}

// Leakage 12.5 %, active 15 % of TDP up to 100 W, base: idle + context less leakage at 30 C (exp(-0.75) x
// 0.72), or 5 % of TDP.
void ConstantsTest::boostRule() {
  const ChipPowerConstants c = constants(unknownChip("NVIDIA", 400, 60));
  QVERIFY(c.derived);
  NEAR(c.leak_w_at_60c, 50, 1e-9);
  NEAR(c.active_w, 60, 1e-9);
  NEAR(c.base_w, 60 + 26 - 50 * std::exp(-0.75) * 0.72, 1e-9);
  NEAR(constants(unknownChip("Acme", 400, 60)).base_w, 60 - 50 * std::exp(-0.75) * 0.72, 1e-9);
  NEAR(constants(unknownChip("AMD", 400, 60)).base_w, 60 + 51 - 50 * std::exp(-0.75) * 0.72, 1e-9);
  NEAR(constants(unknownChip("Acme", 400, 5)).base_w, 20, 1e-9);
  QCOMPARE(constants(unknownChip("Acme", 2000, 5)).active_w, 100.0);
  QCOMPARE(c.nominal_clock_hz, 1.8e9);
  QCOMPARE(c.throttle_c, 88.0);
  QCOMPARE(c.hw_slowdown_c, 91.0);
  QCOMPARE(c.shutdown_c, 93.0);
  NEAR(power("l40s").hbm_j_per_byte * 1e12, 60, 1e-9);
}

// 400 W, base 60 - 17.0 = 43.0, leakage 50, 1 TB/s of HBM at 28: 279 W are left for 60 + 1 x 55 + 0.4 x 950 =
// 495 W.
void ConstantsTest::sustainedRule() {
  const ChipPowerConstants c = constants(unknownChip("Google", 400, 60));
  const double base_w = 60 - 50 * std::exp(-0.75) * 0.72;
  const double ratio = (400 - base_w - 50 - 28) / 495;
  NEAR(c.hbm_j_per_byte * 1e12, 28, 1e-9);
  NEAR(c.bf16_j_per_flop * 1e12, 0.95 * ratio, 1e-9);
  NEAR(c.operand_j_per_byte * 1e12, 55 * ratio, 1e-9);
  NEAR(c.active_w, 60 * ratio, 1e-9);
  NEAR(chipPower_w(c, rates(1, 0.4), 60, 1), 400, 1e-6);
}

void ConstantsTest::rubin() {
  ChipSpec spec = unknownChip("NVIDIA", 400, 60);
  spec.launch_year = 2026;
  NEAR(constants(spec).bf16_j_per_flop * 1e12, 0.95 * 0.8, 1e-9);
  NEAR(constants(spec).hbm_j_per_byte * 1e12, 45 * 0.8, 1e-9);
  spec.launch_year = 2025;
  NEAR(constants(spec).bf16_j_per_flop * 1e12, 0.95, 1e-9);
}

// Constant 2 P_cap against the cap: the filter passes it after 0.1 s ln 2 = 69.3 ms.
void ConstantsTest::powerFilter() {
  const ChipPowerConstants c = power("gb200");
  Activity work = rates(0.8, 2.5);
  const double cap_w = chipPower_w(c, work, 60, 1) / 2;
  ClockState clock;
  int ticks = 0;
  for (; ticks < 1000 && !clock.power_capped; ++ticks)
    controlClock(clock, c, {cap_w, 1}, work, {60, 50}, 1e-3);
  NEAR(ticks * 1.0, 70, 1.01);
}

// 0.02 per K and s, an eighth of it within 3 K below the limit; 0.16 per K of change.
void ConstantsTest::softwareController() {
  const ChipPowerConstants c = power("gb200");
  const Activity work = rates(0.8, 2.5);
  const auto change = [&](double before_c, double now_c) {
    ClockState clock;
    clock.clock_ratio = clock.thermal_ratio = 0.4;
    clock.sw_thermal = true;
    clock.previous_die_c = before_c;
    controlClock(clock, c, {0, 1}, work, {now_c, 60}, 0.05);
    return clock.thermal_ratio - 0.4;
  };
  NEAR(change(90, 90), -0.02 * 0.05 * 2, 1e-12);
  NEAR(change(86, 86), 0.02 * 0.05 * 2 / 8, 1e-12);
  NEAR(change(84, 84), 0.02 * 0.05 * 4, 1e-12);
  NEAR(change(84.6, 84.6), 0.02 * 0.05 * 3.4, 1e-12);
  NEAR(change(88, 88.1), -0.02 * 0.05 * 0.1 - 0.16 * 0.1, 1e-12);
}

void ConstantsTest::airSinks() {
  const CoolingSetup h100 = cooling(chip("h100-sxm"), systemOf("dgx-h100"), false);
  const CoolingSetup b200 = cooling(chip("b200-sxm"), systemOf("dgx-b200"), false);
  QCOMPARE(h100.chips_in_series, 2);
  QCOMPARE(b200.chips_in_series, 2);
  NEAR(h100.path.c1_j_per_k, 60, 1e-9);
  NEAR(h100.path.c2_j_per_k, 1400, 1e-9);
  NEAR(b200.path.c1_j_per_k, 80, 1e-9);
  NEAR(b200.path.c2_j_per_k, 2500, 1e-9);
  // 400 W on the rule of the 700 W sink: resistances up, masses and air down by 7/4.
  const CoolingSetup a100 = cooling(chip("a100-80g"), systemOf("dgx-a100"), false);
  NEAR(a100.path.total_k_per_w(), 0.050 * 700 / 400, 1e-9);
  NEAR(a100.path.c2_j_per_k, 1400 * 400.0 / 700, 1e-9);
  NEAR(a100.branch_w_per_k, h100.branch_w_per_k * 400 / 700, 1e-9);
  // Half a rack unit per chip instead of one.
  const CoolingSetup squeezed = cooling(chip("gh200-144"), systemOf("gh200-nvl32"), false);
  NEAR(squeezed.path.r2_k_per_w, 0.030 / 0.5, 1e-9);
}

void ConstantsTest::plates() {
  const CoolingSetup h100 = plate(30, 2, "H100");
  NEAR(h100.path.r2_k_per_w, 0.014 / std::sqrt(2.0), 1e-9);
  NEAR(h100.path.c1_j_per_k, 60, 1e-9);
  NEAR(h100.path.c2_j_per_k, 140, 1e-9);
  NEAR(plate(30, 2).path.c2_j_per_k, 160, 1e-9);
  // 910 W is nearer to 700 than to 1200 by ratio, and beyond the 900 W that the plate was quoted for.
  SystemSpec any;
  any.cooling = "liquid";
  NEAR(cooling(unknownChip("Acme", 910, 60), any, true).path.r1_k_per_w, 0.018 * 900 / 910, 1e-9);
  NEAR(site().stored_coolant_j_per_k, 800, 1e-9);
}

void ConstantsTest::rackParts() {
  SystemSpec nvl72 = systemOf("gb200-nvl72");
  nvl72.rack_power_max_w = 0;
  const RackPower rack = rackPower(catalog(), nvl72, 1000, 72, true);
  NEAR(rack.nics_w, 72 * 50 * 0.44, 1e-6);
  NEAR(rack.fans_w, 72 * 1200 * 0.02, 1e-6);
  NEAR(rack.overhead_w, 72 * (1200 * 0.10 + 1000 * 0.05), 1e-6);
  SystemSpec dgx = systemOf("dgx-h100");
  dgx.rack_power_max_w = 0;
  NEAR(rackPower(catalog(), dgx, 500, 8, false).fans_w, 8 * 700 * 0.286, 1e-6);
  NEAR(liquidHeatRatio(site().rack, dgx, true), 0.87, 1e-12);
  NEAR(liquidHeatRatio(site().rack, nvl72, true), nvl72.liquid_heat_ratio, 1e-12);
  QCOMPARE(liquidHeatRatio(site().rack, nvl72, false), 0.0);
}

void ConstantsTest::shelvesAndBusbars() {
  SystemSpec system = systemOf("gb200-nvl72");
  system.layout.power_shelves = 4;
  system.rack_power_max_w = 60e3;
  QCOMPARE(withLimit(deploy(system, 120e3), 99e3).rule, std::string("power"));
  system = systemOf("gb200-nvl72");
  QVERIFY(withLimit(deploy(system, 140e3), 132e3).message.find("2.59 kA on a 54 V busbar") !=
          std::string::npos);
  system.rack_power_max_w = 310e3;
  QVERIFY(withLimit(deploy(system, 400e3), 310e3).message.find("0.50 kA on a 800 V busbar") !=
          std::string::npos);
  system.rack_power_max_w = 290e3;
  QVERIFY(withLimit(deploy(system, 400e3), 290e3).message.find("54 V") != std::string::npos);
  const auto bar = computeCases(
      catalog(), nlohmann::json::parse(R"([{"kind":"busbar","inputs":{"power_kw":132,"voltage_v":54}}])"),
      "x");
  NEAR(bar->at("cases")[0]["computed"]["loss_w"].get<double>(), 119.5, 0.1);
}

void ConstantsTest::limits() {
  SystemSpec system = systemOf("gb200-nvl72");
  // 10 K to the limit of 83 over the 63 K above 20: the tightest of a half-loaded rack.
  NEAR(deploy(system, 50e3, 73).smallest_margin_ratio, 10.0 / 63, 1e-9);
  NEAR(deploy(system, 50e3, 60, 18).smallest_margin_ratio, 1.0 / 20, 1e-9);
  system.liquid_heat_ratio = 1;
  QCOMPARE(withLimit(deploy(system, 1.4e6), 1368e3).rule, std::string("heat"));
  system.copper_span_m = 3.5;
  QVERIFY(withLimit(deploy(system, 50e3), 2).message.find("1.5 m without") != std::string::npos);
  system.year = 2022;
  QCOMPARE(withLimit(deploy(system, 50e3), 3).rule, std::string("copper"));
}

void ConstantsTest::facilityThresholds() {
  const auto rejection = [](double approach_k) {
    return facilityPower(site().facility, 97.5e3, 1, 30, 30 - approach_k).liquid_rejection_w;
  };
  NEAR(rejection(10), 1200, 1e-6);
  NEAR(rejection(9.9), 100e3 / 6, 1e-6);
}

void ConstantsTest::links() {
  const LinkConstants& links = site().links;
  NEAR(links.electrical_j_per_bit * 1e12, 6, 1e-9);
  NEAR(power("h100-sxm").link_j_per_byte, 8 * links.electrical_j_per_bit, 1e-18);
  // Optics instead of copper in an NVL72: "about 20 kW"; linear modules 30 % less, co-packaged half.
  const double pluggable_w = linkEnds_w(72, 900e9, links.pluggable_j_per_bit);
  NEAR(pluggable_w, 19.7e3, 50);
  NEAR(pluggable_w * links.lpo_ratio, 0.7 * 19.7e3, 50);
  NEAR(linkEnds_w(72, 900e9, links.copackaged_j_per_bit), pluggable_w / 2, 1e-6);
  NEAR(links.active_copper_j_per_bit * 1e12, 3, 1e-9);
}

void ConstantsTest::interconnectShare() {
  SystemSpec system = systemOf("dgx-h100");
  system.interconnect_capex_share = 0;
  QCOMPARE(costRate(catalog(), Economics{}, system, chip("h100-sxm"), 1, 1.2).interconnect_capex_share, 0.13);
  system.interconnect_capex_share = 0.2;
  QCOMPARE(costRate(catalog(), Economics{}, system, chip("h100-sxm"), 1, 1.2).interconnect_capex_share, 0.2);
}

}  // namespace decodescope::physical

QTEST_GUILESS_MAIN(decodescope::physical::ConstantsTest)
#include "tst_constants.moc"
