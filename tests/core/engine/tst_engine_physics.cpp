// Power, heat and clocks in the running engine: books balance, heat throttles, the hottest chip holds its
// group.
#include "engine_support.h"

#include <QtTest>
#include <algorithm>
#include <cmath>

using namespace decodescope;
using namespace decodescope::testing;

namespace {

double imbalance(const engine::RunSummary& run) {
  return std::fabs(run.energy_j - run.heat_out_j - run.heat_stored_j) / run.energy_j;
}

float hottest(const Snapshot& s) {
  return *std::ranges::max_element(s.chip_temperature_c);
}
float slowest(const Snapshot& s) {
  return *std::ranges::min_element(s.chip_clock_ratio);
}

}  // namespace

class TstEnginePhysics : public QObject {
  Q_OBJECT

 private slots:
  void heat_in_equalsOutAndStored_data();
  void heat_in_equalsOutAndStored();
  void heat_afterChanges_stillBalances();
  void breakdown_everyIteration_sumsToItsDuration();
  void start_closedLoop_isThermallySteady();
  void hotSupply_throttles_andCoolsAgainWithHysteresis();
  void supply_hotter_neverFaster();
  void tray_withLittleFlow_slowsItsWholeReplica();
  void longIteration_isStretchedByTicksWithin();
  void chips_withJitter_differ();
  void rearChips_inAir_areHotter();
  void shutdown_haltsWithAReason();
};

void TstEnginePhysics::heat_in_equalsOutAndStored_data() {
  QTest::addColumn<bool>("experts");
  QTest::addColumn<bool>("jitter");
  QTest::newRow("air") << false << false;
  QTest::newRow("air, jitter") << false << true;
  QTest::newRow("liquid") << true << false;
  QTest::newRow("liquid, jitter") << true << true;
}

void TstEnginePhysics::heat_in_equalsOutAndStored() {
  QFETCH(bool, experts);
  QFETCH(bool, jitter);
  Scenario s = experts ? expertsInLockstep() : denseOnHgx();
  s.jitter = jitter;
  const auto engine = start(s);
  engine->advanceUntil(20000000000);
  const engine::RunSummary run = engine->summary();
  QVERIFY(run.energy_j > 1000);
  QVERIFY2(imbalance(run) < 1e-9, qPrintable(QString::number(imbalance(run))));
}

void TstEnginePhysics::heat_afterChanges_stillBalances() {
  Scenario s = expertsInLockstep();
  const auto engine = start(s);
  std::uint64_t revision = 0;
  for (const double supply_c : {45.0, 20.0, 58.0}) {
    s.physical.supply_c = supply_c;
    s.physical.flow_l_per_min_per_chip = 1 + supply_c / 100;
    QVERIFY(engine->setScenario(s, ++revision).has_value());
    engine->advanceUntil(engine->now() + 2345678901);
    QVERIFY2(imbalance(engine->summary()) < 1e-9, qPrintable(QString::number(imbalance(engine->summary()))));
  }
}

void TstEnginePhysics::breakdown_everyIteration_sumsToItsDuration() {
  Scenario s = denseOnHgx();
  s.jitter = true;
  s.physical.supply_c = 60;  // throttles, so that iterations are stretched within
  const auto engine = start(s);
  engine->advanceTokens(500);
  const auto snapshot = engine->snapshot();
  QCOMPARE(snapshot->recent.size(), std::size_t{500});
  for (const TokenRecord& record : snapshot->recent) {
    double sum_s = 0;
    for (const float part_s : record.part_s) sum_s += static_cast<double>(part_s);
    QVERIFY(std::fabs(sum_s - static_cast<double>(record.duration_ns) * 1e-9) < 1e-6 * sum_s + 3e-9);
  }
  const engine::RunSummary run = engine->summary();
  QVERIFY(std::fabs(run.breakdown_s.total_s() / run.step_time_s - 1) < 1e-6);
}

void TstEnginePhysics::start_closedLoop_isThermallySteady() {
  for (const Scenario& s : {denseOnHgx(), expertsInLockstep()}) {
    const auto engine = start(s);
    const float before = hottest(*engine->snapshot());
    engine->advanceUntil(120000000000);
    const auto after = engine->snapshot();
    QVERIFY2(
        std::fabs(hottest(*after) - before) < 1.5F,
        qPrintable(
            QString("%1 to %2").arg(static_cast<double>(before)).arg(static_cast<double>(hottest(*after)))));
    QVERIFY(std::fabs(static_cast<double>(hottest(*after)) - after->prediction->thermal.max_chip_c) < 4);
  }
}

void TstEnginePhysics::hotSupply_throttles_andCoolsAgainWithHysteresis() {
  Scenario s = expertsInLockstep();
  s.workload.mode = WorkloadMode::Static;
  s.workload.context_tokens = 32768;
  s.workload.concurrency = 1024;
  s.precision.weights = "fp8";
  const auto engine = start(s);
  engine->advanceUntil(5000000000);
  (void)engine->snapshot();
  const double cool_s = engine->summary().itl.p50_s;
  QCOMPARE(slowest(*engine->snapshot()), 1.0F);

  s.physical.supply_c = 66;
  QVERIFY(engine->setScenario(s, 1).has_value());
  engine->advanceUntil(90000000000);
  const auto hot = engine->snapshot();
  QVERIFY(slowest(*hot) < 1.0F);
  const double limit_c = hot->prediction->thermal.limit_c;
  QVERIFY2(
      static_cast<double>(hottest(*hot)) < limit_c + 2 && static_cast<double>(hottest(*hot)) > limit_c - 4,
      qPrintable(QString::number(static_cast<double>(hottest(*hot)))));
  QVERIFY(hot->breakdown_s[StepPart::Throttle] > 0);
  QVERIFY(hot->tpot.p50_s > cool_s);
  const bool announced =
      std::ranges::any_of(hot->events, [](const EngineEvent& e) { return e.kind == EventKind::ThrottleOn; });
  QVERIFY(announced);

  s.physical.supply_c = 30;
  QVERIFY(engine->setScenario(s, 2).has_value());
  engine->advanceUntil(engine->now() + 60000000000);
  const auto again = engine->snapshot();
  QCOMPARE(slowest(*again), 1.0F);
  const bool released = std::ranges::any_of(
      again->events, [](const EngineEvent& e) { return e.kind == EventKind::ThrottleOff; });
  QVERIFY(released);
}

void TstEnginePhysics::supply_hotter_neverFaster() {
  double fastest = 1e300;
  for (const double supply_c : {25.0, 45.0, 60.0, 66.0, 70.0}) {
    Scenario s = expertsInLockstep();
    s.physical.supply_c = supply_c;
    const auto engine = start(s);
    engine->advanceUntil(20000000000);
    const double tokens_per_s = engine->summary().output_tokens_per_s;
    QVERIFY2(tokens_per_s <= fastest * (1 + 1e-3), qPrintable(QString::number(supply_c)));
    fastest = tokens_per_s;
  }
}

void TstEnginePhysics::tray_withLittleFlow_slowsItsWholeReplica() {
  Scenario s = expertsInLockstep();
  const auto engine = start(s);
  engine->advanceUntil(10000000000);
  const double before_s = engine->snapshot()->tpot.mean_s;
  const std::string chip = nodeLabel(*engine->snapshot()->topology, NodeId{0});
  engine->inject({"flow", chip, 0.12, 0});
  engine->advanceUntil(60000000000);
  const auto after = engine->snapshot();
  // The chips of that tray are at their limit, those elsewhere are cool and at full clock, and all of them
  // wait.
  QVERIFY(after->chip_clock_ratio[0] < 1.0F);
  QCOMPARE(after->chip_clock_ratio[40], 1.0F);
  QVERIFY(after->chip_temperature_c[0] > after->chip_temperature_c[40] + 10);
  QVERIFY(after->recent.back().clock_ratio < 1.0F);
  QVERIFY(after->tpot.mean_s > before_s);
  QVERIFY(after->breakdown_s[StepPart::Throttle] > 0);
}

// One iteration lasts several control ticks; the clock falls in the middle of it, so it ends later than it
// would have.
void TstEnginePhysics::longIteration_isStretchedByTicksWithin() {
  Scenario s = denseOnHgx();
  s.serving.chunk_tokens = 65536;
  s.workload.prompt.mean_tokens = 65536;
  s.workload.output.mean_tokens = 64;
  s.workload.concurrency = 2;
  s.physical.chip_power_cap_w = 350;
  const auto engine = start(s);
  engine->advanceTokens(200);
  const auto snapshot = engine->snapshot();
  const auto longest = std::ranges::max_element(snapshot->recent, {}, &TokenRecord::duration_ns);
  QVERIFY(longest->duration_ns > 5 * 50000000LL);
  QVERIFY(longest->part_s[static_cast<std::size_t>(StepPart::Throttle)] > 0.0F);
  QVERIFY(imbalance(engine->summary()) < 1e-9);
}

void TstEnginePhysics::chips_withJitter_differ() {
  Scenario s = expertsInLockstep();
  const auto even = start(s);
  s.jitter = true;
  const auto spread = start(s);
  even->advanceUntil(10000000000);
  spread->advanceUntil(10000000000);
  const auto a = even->snapshot(), b = spread->snapshot();
  const auto [low_a, high_a] = std::ranges::minmax_element(a->chip_power_w);
  const auto [low_b, high_b] = std::ranges::minmax_element(b->chip_power_w);
  QVERIFY(*high_a - *low_a < 0.5F);
  // Energies with sigma 1.5 %, leakage 6 %: the spread of 64 chips is some four sigmas of about 2 %.
  QVERIFY(*high_b / *low_b > 1.03F && *high_b / *low_b < 1.25F);
}

void TstEnginePhysics::rearChips_inAir_areHotter() {
  const auto engine = start(denseOnHgx());
  engine->advanceUntil(1000000000);
  const auto snapshot = engine->snapshot();
  QCOMPARE(snapshot->chip_temperature_c.size(), std::size_t{8});
  for (std::size_t lane = 0; lane < 4; ++lane) {
    QVERIFY(snapshot->chip_temperature_c[2 * lane + 1] > snapshot->chip_temperature_c[2 * lane] + 1);
  }
}

void TstEnginePhysics::shutdown_haltsWithAReason() {
  Scenario s = expertsInLockstep();
  const auto engine = start(s);
  s.physical.supply_c = 95;
  QVERIFY(engine->setScenario(s, 1).has_value());
  engine->advanceUntil(300000000000);
  QVERIFY(engine->isHalted());
  QVERIFY(!engine->snapshot()->halt_reason.empty());
}

QTEST_GUILESS_MAIN(TstEnginePhysics)
#include "tst_engine_physics.moc"
