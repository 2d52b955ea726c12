#include "fixture.h"

#include <decodescope/snapshot.h>

namespace decodescope::physical {

namespace {

constexpr std::uint8_t bits(ThrottleReason reason) {
  return static_cast<std::uint8_t>(reason);
}

/// A large matrix product on a chip: everything goes with the clock.
Activity gemm(double peak_pflop_per_s) {
  Activity activity = rates(0.8, peak_pflop_per_s);
  return activity;
}

Activity decode() {
  Activity activity = rates(4.24, 0.053);
  activity.math_share = 0.05;
  activity.memory_share = 0.85;
  return activity;
}

/// One chip under its controller, as the engine steps it.
struct Bench {
  ChipPowerConstants chip;
  CoolingSetup cooling;
  ClockLimits limits;
  Activity work;
  ClockState clock{};
  ThermalState heat{30, 30};
  double hottest_c = 0, power_w = 0;

  void run(double seconds, double tick_s) {
    const ThermalStep step(cooling.path, tick_s);
    for (double t = 0; t < seconds; t += tick_s) {
      power_w = chipPowerNow_w(chip, clock, work, heat.die_c);
      step.advance(heat, power_w, reservoir_c(cooling, 0, power_w));
      controlClock(clock, chip, limits, work, heat, tick_s);
      hottest_c = std::max(hottest_c, heat.die_c);
    }
  }
};

}  // namespace

class ClocksTest : public QObject {
  Q_OBJECT

 private slots:
  void cappedGemm_data();
  void cappedGemm();
  void throttleOnset_data();
  void throttleOnset();
  void decodeOnLiquid();
  void onsetSupply();
  void lockstep();
  void powerCapsOnH100();
  void capBelowDecodeDoesNothing();
  void limitsHold();
  void lowerCapNeverFaster();
  void hotterNeverFaster();
  void bothOverloadsAgree();
  void clockLockIsNoThrottle();
  void runawayIsReported();
  void controllerAgreesWithSteadyPoint_data();
  void controllerAgreesWithSteadyPoint();
  void controllerAgreesOnAnything();
  void powerFilterLetsABurstPass();
  void capReleasesWhenWorkShrinks();
  void hardwareSlowdownHasHysteresis();
  void shutdownStays();
  void tickIsDeterministic();
};

// Independent implementation. Measured B200 at 1000 W: 1072 to 1222 MHz, 1.27 to 1.33 PFLOP/s.
void ClocksTest::cappedGemm_data() {
  QTest::addColumn<QString>("id");
  QTest::addColumn<double>("pflop");
  QTest::addColumn<double>("cap_w");
  QTest::addColumn<double>("junction_c");
  QTest::addColumn<double>("clock");
  QTest::newRow("B200 1000 W") << "b200-sxm" << 2.25 << 1000.0 << 55.0 << 0.5876;
  QTest::newRow("H100 700 W 60 C") << "h100-sxm" << 0.989 << 700.0 << 60.0 << 0.7086;
  QTest::newRow("H100 700 W 85 C") << "h100-sxm" << 0.989 << 700.0 << 85.0 << 0.6613;
}

void ClocksTest::cappedGemm() {
  QFETCH(QString, id);
  QFETCH(double, pflop);
  QFETCH(double, cap_w);
  QFETCH(double, junction_c);
  QFETCH(double, clock);
  const ChipPowerConstants c = power(qPrintable(id));
  const double x = clockWithinPower(c, gemm(pflop), junction_c, cap_w, 1);
  NEAR(x, clock, 1e-3);
  NEAR(chipPower_w(c, scaledToClock(c, gemm(pflop), x), junction_c, x), cap_w, 1e-3);
  if (id == "b200-sxm") NEAR(x * c.nominal_clock_hz / 1e6, 1154.6, 2);
}

// GB200 bf16 GEMM of 2.5 PFLOP/s, 1.6 L/min, 1200 W: power binds up to 50 C of coolant, 88 degrees from 55
// on.
void ClocksTest::throttleOnset_data() {
  QTest::addColumn<double>("supply_c");
  QTest::addColumn<double>("clock");
  QTest::addColumn<double>("watts");
  QTest::addColumn<bool>("thermal");
  QTest::newRow("25") << 25.0 << 0.624 << 1200.0 << false;
  QTest::newRow("45") << 45.0 << 0.604 << 1200.0 << false;
  QTest::newRow("50") << 50.0 << 0.598 << 1200.0 << false;
  QTest::newRow("55") << 55.0 << 0.564 << 1112.0 << true;
  QTest::newRow("60") << 60.0 << 0.469 << 943.0 << true;
}

void ClocksTest::throttleOnset() {
  QFETCH(double, supply_c);
  QFETCH(double, clock);
  QFETCH(double, watts);
  QFETCH(bool, thermal);
  const SteadyPoint point = steadyPoint(power("gb200"), plate(supply_c, 1.6), {1200, 1}, gemm(2.5));
  NEAR(point.clock_ratio, clock, 0.005);
  NEAR(point.power_w, watts, 2);
  QCOMPARE(point.limited_by, thermal ? ClockLimit::Thermal : ClockLimit::Power);
  if (thermal) NEAR(point.junction_c, 88, 0.01);
}

// 4.24 TB/s at 25, 45, 60 C of coolant: 48.9 C 805 W, 70.9 C 872 W, 88.5 C 959 W when nothing limits.
void ClocksTest::decodeOnLiquid() {
  const Activity work = rates(4.24, 0.053);
  const double expected[3][3] = {{25, 48.9, 805}, {45, 70.9, 872}, {60, 88.5, 959}};
  for (const auto& [supply_c, junction_c, watts] : expected) {
    const SteadyPoint point = settle(power("gb200"), plate(supply_c, 1.6), work, 1);
    NEAR(point.junction_c, junction_c, 0.2);
    NEAR(point.power_w, watts, 2);
  }
}

// 88 - 1200 (0.025 + 0.5 / 106.83) = 52.38; 1400 W parts at the same flow 46.4.
void ClocksTest::onsetSupply() {
  NEAR(throttleOnsetSupply_c(power("gb200"), plate(25, 1.6), 1200), 52.38, 0.01);
  NEAR(throttleOnsetSupply_c(power("gb200"), plate(25, 1.6), 1400), 46.45, 0.02);
  QVERIFY(throttleOnsetSupply_c(power("gb200"), plate(25, 1.0), 1200) < 45);
}

// Memory 10 ms, collective 2 ms: a member at 0.8 of its clock costs nothing, at 0.5 it costs 10 x 0.6 / 0.5;
// math of 20 ms 25.
void ClocksTest::lockstep() {
  const ChipPowerConstants c = power("h100-sxm");
  NEAR(workTime_s(c, 10, 3, 0.8) + 2, 12.0, 1e-12);
  NEAR(workTime_s(c, 10, 3, 0.5) + 2, 14.0, 1e-12);
  NEAR(workTime_s(c, 10, 20, 0.8) + 2, 27.0, 1e-12);
  PROPERTY("a slower member never speeds a group", [&c] {
    const double memory_s = *between(0, 20), math_s = *between(0, 20), x = *between(0.1, 0.99);
    RC_ASSERT(workTime_s(c, memory_s, math_s, x) >= workTime_s(c, memory_s, math_s, x + 0.01));
  });
}

// GEMM against the 700 W cap: 600 W -9.3 %, 500 W -20 %, 400 W -39 %.
void ClocksTest::powerCapsOnH100() {
  const ChipPowerConstants c = power("h100-sxm");
  const auto clock = [&](double cap_w) { return clockWithinPower(c, gemm(0.989), 60, cap_w, 1); };
  NEAR(clock(600) / clock(700), 1 - 0.093, 0.02);
  NEAR(clock(500) / clock(700), 1 - 0.20, 0.03);
  NEAR(clock(400) / clock(700), 1 - 0.39, 0.04);
}

// H200 decode never meets a cap between 280 and 700 W when its own draw is below (arXiv 2605.11999).
void ClocksTest::capBelowDecodeDoesNothing() {
  Activity low = rates(0.5, 0.01);
  low.duty_ratio = 0.2;
  low.math_share = 0.05;
  low.memory_share = 0.2;
  for (const double cap_w : {280.0, 400.0, 700.0}) {
    const SteadyPoint point = steadyPoint(power("h200-sxm"), chassis("HGX-H100", 25, 0.8), {cap_w, 1}, low);
    QCOMPARE(point.clock_ratio, 1.0);
    QCOMPARE(point.limited_by, ClockLimit::None);
  }
}

void ClocksTest::limitsHold() {
  PROPERTY("the steady point keeps both limits, and one of them binds when the clock is lowered", [] {
    const ChipPowerConstants c = power("gb200");
    const CoolingSetup setup = plate(*between(15, 65), *between(0.4, 3));
    const double cap_w = *between(500, 1400);
    const SteadyPoint point = steadyPoint(c, setup, {cap_w, 1}, gemm(*between(0.1, 2.5)));
    RC_ASSERT(point.clock_ratio <= 1);
    if (point.clock_ratio <= c.lowest_ratio * 1.0001) return;
    RC_ASSERT(point.power_w <= cap_w * (1 + 1e-6));
    RC_ASSERT(point.junction_c <= c.throttle_c + 1e-4);
    if (point.clock_ratio < 1) {
      RC_ASSERT(nearRatio(point.power_w, cap_w, 1e-5) || near(point.junction_c, c.throttle_c, 1e-3));
    }
  });
}

void ClocksTest::lowerCapNeverFaster() {
  PROPERTY("cap", [] {
    const Activity work = gemm(*between(0.1, 2.5));
    const CoolingSetup setup = plate(*between(15, 65), *between(0.4, 3));
    const double cap_w = *between(300, 1400);
    RC_ASSERT(steadyPoint(power("gb200"), setup, {cap_w, 1}, work).clock_ratio >=
              steadyPoint(power("gb200"), setup, {cap_w - 20, 1}, work).clock_ratio - 1e-9);
  });
}

void ClocksTest::hotterNeverFaster() {
  PROPERTY("supply", [] {
    const Activity work = gemm(*between(0.1, 2.5));
    const double supply_c = *between(15, 65), flow = *between(0.4, 3);
    const SteadyPoint cool = steadyPoint(power("gb200"), plate(supply_c, flow), {1200, 1}, work);
    const SteadyPoint warm = steadyPoint(power("gb200"), plate(supply_c + 2, flow), {1200, 1}, work);
    const SteadyPoint behind = steadyPoint(power("gb200"), plate(supply_c, flow), {1200, 1}, work, 200);
    RC_ASSERT(warm.clock_ratio <= cool.clock_ratio + 1e-9);
    RC_ASSERT(warm.junction_c >= cool.junction_c - 1e-4);
    RC_ASSERT(behind.clock_ratio <= cool.clock_ratio + 1e-9);
  });
}

void ClocksTest::bothOverloadsAgree() {
  PROPERTY("function and shares", [] {
    const ChipPowerConstants c = power("gb200");
    Activity work = rates(*between(0, 8), *between(0, 2.5));
    work.math_share = *between(0, 1);
    work.memory_share = *between(0, 1) * (1 - work.math_share);
    const CoolingSetup setup = plate(*between(15, 65), *between(0.4, 3));
    const ClockLimits limits{*between(400, 1400), *between(0.3, 1)};
    const SteadyPoint a = steadyPoint(c, setup, limits, work);
    const SteadyPoint b = steadyPoint(c, setup, limits, [&](double x) { return scaledToClock(c, work, x); });
    RC_ASSERT(a.clock_ratio == b.clock_ratio && a.junction_c == b.junction_c && a.limited_by == b.limited_by);
  });
}

void ClocksTest::clockLockIsNoThrottle() {
  const SteadyPoint point = steadyPoint(power("gb200"), plate(25, 1.6), {1200, 0.7}, decode());
  QCOMPARE(point.clock_ratio, 0.7);
  QCOMPARE(point.limited_by, ClockLimit::None);
}

void ClocksTest::runawayIsReported() {
  CoolingSetup none = plate(60, 1.6);
  none.path.r2_k_per_w = 5;
  const SteadyPoint point = steadyPoint(power("gb200"), none, {1200, 1}, gemm(2.5));
  QVERIFY(point.runaway);
  QCOMPARE(point.limited_by, ClockLimit::Thermal);
}

void ClocksTest::controllerAgreesWithSteadyPoint_data() {
  QTest::addColumn<double>("supply_c");
  QTest::addColumn<double>("flow");
  QTest::addColumn<double>("pflop");
  QTest::addColumn<double>("tick_s");
  QTest::addColumn<int>("reason");
  const int power_bit = bits(ThrottleReason::PowerCap), thermal_bit = bits(ThrottleReason::SwThermal);
  QTest::newRow("power, 50 ms") << 40.0 << 1.6 << 2.5 << 0.05 << power_bit;
  QTest::newRow("power, 1 s") << 40.0 << 1.6 << 2.5 << 1.0 << power_bit;
  QTest::newRow("thermal, 10 ms") << 60.0 << 1.6 << 2.5 << 0.01 << thermal_bit;
  QTest::newRow("thermal, 50 ms") << 60.0 << 1.6 << 2.5 << 0.05 << thermal_bit;
  QTest::newRow("thermal, 100 ms") << 55.0 << 1.0 << 2.5 << 0.1 << thermal_bit;
  QTest::newRow("thermal, 1 s") << 60.0 << 1.6 << 2.5 << 1.0 << thermal_bit;
  QTest::newRow("nothing") << 25.0 << 1.6 << 0.05 << 0.05 << 0;
}

void ClocksTest::controllerAgreesWithSteadyPoint() {
  QFETCH(double, supply_c);
  QFETCH(double, flow);
  QFETCH(double, pflop);
  QFETCH(double, tick_s);
  QFETCH(int, reason);
  Bench bench{power("gb200"), plate(supply_c, flow), {1200, 1}, gemm(pflop)};
  bench.run(1500, tick_s);
  const SteadyPoint expected = steadyPoint(bench.chip, bench.cooling, bench.limits, bench.work);
  QVERIFY2(nearRatio(bench.clock.clock_ratio, expected.clock_ratio, 0.01),
           qPrintable(QString("%1 against %2").arg(bench.clock.clock_ratio).arg(expected.clock_ratio)));
  NEAR(bench.heat.die_c, expected.junction_c, 0.5);
  QCOMPARE(int(bench.clock.reasons), reason);
  if (tick_s < 0.2)
    QVERIFY2(bench.hottest_c < bench.chip.hw_slowdown_c, qPrintable(QString::number(bench.hottest_c)));
}

void ClocksTest::controllerAgreesOnAnything() {
  PROPERTY("long run of the controller is the steady point within 1 %", [] {
    const bool air = *rc::gen::arbitrary<bool>();
    const ChipPowerConstants c = power(air ? "h100-sxm" : "gb200");
    const CoolingSetup setup = air ? chassis("HGX-H100", *between(15, 45), *between(0.3, 1))
                                   : plate(*between(15, 62), *between(0.6, 3));
    Activity work = rates(*between(0, 3), *between(0, 1) * (air ? 0.989 : 2.5));
    work.math_share = *between(0.2, 1);
    work.memory_share = *between(0, 1) * (1 - work.math_share);
    Bench bench{c, setup, {*between(0.5, 1) * c.tdp_w, 1}, work};
    const SteadyPoint expected = steadyPoint(c, setup, bench.limits, work);
    if (expected.runaway || expected.clock_ratio < 0.15) return;
    bench.run(1500, 0.05);
    RC_ASSERT(!bench.clock.shut_down);
    RC_ASSERT(nearRatio(bench.clock.clock_ratio, expected.clock_ratio, 0.01));
    RC_ASSERT(near(bench.heat.die_c, expected.junction_c, 0.5));
  });
}

// Tau 100 ms: from 0 the filtered power of a 2000 W burst passes 1200 W after 0.1 ln(2000 / 800) = 92 ms.
void ClocksTest::powerFilterLetsABurstPass() {
  Bench bench{power("gb200"), plate(25, 1.6), {1200, 1}, gemm(2.5)};
  bench.run(0.02, 0.01);
  QCOMPARE(bench.clock.clock_ratio, 1.0);
  QCOMPARE(int(bench.clock.reasons), 0);
  bench.run(0.3, 0.01);
  QVERIFY(bench.clock.clock_ratio < 0.7);
  QCOMPARE(int(bench.clock.reasons), int(bits(ThrottleReason::PowerCap)));
}

void ClocksTest::capReleasesWhenWorkShrinks() {
  Bench bench{power("gb200"), plate(25, 1.6), {1200, 1}, gemm(2.5)};
  bench.run(5, 0.05);
  QVERIFY(bench.clock.power_capped);
  bench.work = decode();
  bench.run(1, 0.05);
  QVERIFY(!bench.clock.power_capped);
  QCOMPARE(bench.clock.clock_ratio, 1.0);
}

// GB200: slowdown at 91, until 86.
void ClocksTest::hardwareSlowdownHasHysteresis() {
  const ChipPowerConstants c = power("gb200");
  ClockState clock;
  const auto at = [&](double die_c) {
    controlClock(clock, c, {0, 1}, decode(), {die_c, die_c}, 0.05);
    return clock.hw_slowdown;
  };
  QVERIFY(!at(90.9));
  QVERIFY(at(91));
  QVERIFY(clock.clock_ratio <= 0.5);
  QVERIFY((clock.reasons & bits(ThrottleReason::HwThermal)) != 0);
  QVERIFY((clock.reasons & bits(ThrottleReason::HwSlowdown)) != 0);
  QVERIFY(at(86.1));
  QVERIFY(!at(85.9));
}

void ClocksTest::shutdownStays() {
  const ChipPowerConstants c = power("gb200");
  ClockState clock;
  controlClock(clock, c, {0, 1}, decode(), {93, 90}, 0.05);
  QVERIFY(clock.shut_down);
  QCOMPARE(clock.clock_ratio, 0.0);
  QCOMPARE(chipPowerNow_w(c, clock, decode(), 93), 0.0);
  controlClock(clock, c, {0, 1}, decode(), {30, 30}, 0.05);
  QVERIFY(clock.shut_down);
}

void ClocksTest::tickIsDeterministic() {
  Bench a{power("gb200"), plate(58, 1.2), {1100, 1}, gemm(2.5)}, b = a;
  a.run(50, 0.05);
  b.run(50, 0.05);
  QCOMPARE(a.clock.clock_ratio, b.clock.clock_ratio);
  QCOMPARE(a.heat.die_c, b.heat.die_c);
}

}  // namespace decodescope::physical

QTEST_GUILESS_MAIN(decodescope::physical::ClocksTest)
#include "tst_clocks.moc"
