// Same scenario, seed and commands: the same bits, however the run was cut, shown or recorded.
#include "engine/jitter.h"
#include "engine/recorder.h"
#include "engine/step_cache.h"
#include "engine_support.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

using namespace decodescope;
using namespace decodescope::testing;
using engine::Engine;

namespace {

constexpr TimeNs kRun = 3000000000;

Scenario noisy(Scenario s) {
  s.jitter = true;
  s.workload.output.distribution = TokenLength::Distribution::Lognormal;
  s.workload.output.sigma = 0.7;
  return s;
}

void compareRuns(const Engine& a, const Engine& b) {
  QCOMPARE(QString::fromStdString(a.fingerprint().text()), QString::fromStdString(b.fingerprint().text()));
  const engine::RunSummary x = a.summary(), y = b.summary();
  QCOMPARE(x.output_tokens, y.output_tokens);
  QCOMPARE(x.iterations, y.iterations);
  // To the bit.
  const double left[] = {x.tpot_s,     x.step_time_s, x.energy_j,
                         x.heat_out_j, x.max_chip_c,  x.breakdown_s.total_s()};
  const double right[] = {y.tpot_s,     y.step_time_s, y.energy_j,
                          y.heat_out_j, y.max_chip_c,  y.breakdown_s.total_s()};
  QVERIFY(std::memcmp(left, right, sizeof left) == 0);
}

}  // namespace

class TstEngineDeterminism : public QObject {
  Q_OBJECT

 private slots:
  void run_twice_isTheSame_data();
  void run_twice_isTheSame();
  void run_cutAnywhere_isTheSame();
  void run_eventByEvent_isTheSame();
  void run_shownOften_isTheSame();
  void run_otherSeed_differs();
  void run_withoutJitter_ignoresTheSeed();
  void jitter_off_changesNothing();
  void jitter_on_keepsTheMeanWait();
  void jitter_moreMembers_haveALongerTail();
  void stepCache_history_doesNotChangeResults();
  void stepCache_betweenNodes_isCloseToTheModel();
  void contextNodes_areAFixedGrid();
  void recording_replays_toTheSameFingerprint();
  void recording_broken_isALocatedError_data();
  void recording_broken_isALocatedError();
};

void TstEngineDeterminism::run_twice_isTheSame_data() {
  QTest::addColumn<bool>("experts");
  QTest::addColumn<bool>("jitter");
  for (const bool experts : {false, true}) {
    for (const bool jitter : {false, true}) {
      QTest::addRow("%s, jitter %s", experts ? "experts" : "dense", jitter ? "on" : "off")
          << experts << jitter;
    }
  }
}

void TstEngineDeterminism::run_twice_isTheSame() {
  QFETCH(bool, experts);
  QFETCH(bool, jitter);
  Scenario s = experts ? expertsInLockstep() : denseOnHgx();
  if (jitter) s = noisy(s);
  const auto a = start(s), b = start(s);
  a->advanceUntil(kRun);
  b->advanceUntil(kRun);
  QVERIFY(a->token() > 50);
  compareRuns(*a, *b);
}

void TstEngineDeterminism::run_cutAnywhere_isTheSame() {
  const Scenario s = noisy(denseOnHgx());
  const auto whole = start(s), cut = start(s);
  whole->advanceUntil(kRun);
  TimeNs step = 1;
  while (cut->now() < kRun) {
    cut->advanceUntil(std::min(cut->now() + step, kRun));
    step = step * 7 % 9999991 + 1;
  }
  compareRuns(*whole, *cut);
}

void TstEngineDeterminism::run_eventByEvent_isTheSame() {
  const Scenario s = noisy(expertsInLockstep());
  const auto whole = start(s), stepped = start(s);
  whole->advanceUntil(kRun);
  while (stepped->events() < whole->events()) stepped->stepEvent();
  compareRuns(*whole, *stepped);
}

void TstEngineDeterminism::run_shownOften_isTheSame() {
  const Scenario s = noisy(denseOnHgx());
  const auto quiet = start(s), shown = start(s);
  quiet->advanceTokens(120);
  for (int i = 0; i < 120; ++i) {
    shown->advanceTokens(1);
    (void)shown->snapshot(i % 3 == 0);
    if (i % 7 == 0) (void)shown->summary();
  }
  compareRuns(*quiet, *shown);
}

void TstEngineDeterminism::run_otherSeed_differs() {
  Scenario s = noisy(denseOnHgx());
  const auto a = start(s);
  s.seed = 2;
  const auto b = start(s);
  a->advanceTokens(100);
  b->advanceTokens(100);
  QVERIFY(!(a->fingerprint() == b->fingerprint()));
}

void TstEngineDeterminism::run_withoutJitter_ignoresTheSeed() {
  Scenario s = denseOnHgx();
  const auto a = start(s);
  s.seed = 99;
  const auto b = start(s);
  a->advanceTokens(300);
  b->advanceTokens(300);
  compareRuns(*a, *b);
}

void TstEngineDeterminism::jitter_off_changesNothing() {
  const auto engine = start(denseOnHgx());
  const decode::StepModel& model = *engine->predictor().stepModel();
  const engine::Jitter off(model, false, 1);
  decode::StepInput in;
  in.sequences = in.busiest_group_sequences = 64;
  in.context_tokens = 1000;
  const decode::StepResult before = model.evaluate(in);
  decode::StepResult after = before;
  off.apply(off.draw(0, 1), in, after);
  QVERIFY(std::memcmp(&before, &after, sizeof before) == 0);
}

void TstEngineDeterminism::jitter_on_keepsTheMeanWait() {
  Scenario s = denseOnHgx();
  s.jitter = true;
  const auto engine = start(s);
  const decode::StepModel& model = *engine->predictor().stepModel();
  const engine::Jitter jitter(model, true, 1);
  double wait = 0, host = 0;
  constexpr int kDraws = 20000;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const auto draw = jitter.draw(0, i);
    QVERIFY(draw.wait_factor > 0 && draw.host_factor >= 0.5);
    wait += draw.wait_factor;
    host += draw.host_factor;
  }
  QVERIFY(std::fabs(wait / kDraws - 1) < 0.02);
  QVERIFY(std::fabs(host / kDraws - 1) < 0.02);
}

// What the slowest of more members adds grows, in the mean and at the 99th percentile.
void TstEngineDeterminism::jitter_moreMembers_haveALongerTail() {
  std::vector<double> p99_s;
  for (const int tp : {2, 8}) {
    Scenario s = denseOnHgx();
    s.jitter = true;
    s.chips = tp;
    s.workload.concurrency = 8;
    s.parallel = ParallelDegrees{tp, 1, 1, 1, 1, AttentionSharding::Tensor};
    const auto engine = start(s);
    const decode::StepModel& model = *engine->predictor().stepModel();
    const engine::Jitter jitter(model, true, 1);
    decode::StepInput in;
    in.sequences = in.busiest_group_sequences = 8;
    in.context_tokens = 1000;
    std::vector<double> waits;
    for (std::uint64_t i = 0; i < 4000; ++i) {
      decode::StepResult r = model.evaluate(in);
      const double kernels_s = r.breakdown_s[StepPart::WeightsHbm];
      jitter.apply(jitter.draw(0, i), in, r);
      waits.push_back(r.breakdown_s[StepPart::Wait] / kernels_s);
    }
    std::ranges::sort(waits);
    p99_s.push_back(waits[waits.size() * 99 / 100]);
  }
  QVERIFY(p99_s[1] > 1.2 * p99_s[0]);
}

void TstEngineDeterminism::stepCache_history_doesNotChangeResults() {
  const auto engine = start(expertsInLockstep());
  const auto& model = engine->predictor().stepModel();
  engine::StepCache fresh(model), used(model);
  decode::StepInput in;
  for (int i = 0; i < 9000; ++i) {
    in.sequences = 1 + i % 300;
    in.busiest_group_sequences = in.sequences / 64;
    in.context_tokens = 100 + 17 * i;
    (void)used.evaluate(in);
  }
  for (int i = 0; i < 50; ++i) {
    in.sequences = 200 + i;
    in.busiest_group_sequences = 5;
    in.context_tokens = 5000.25 + 777 * i;
    in.prefill_tokens = i % 2 == 0 ? 0 : 1000;
    in.prefill_past_tokens = 100 * i;
    const decode::StepResult a = fresh.evaluate(in), b = used.evaluate(in);
    QVERIFY(std::memcmp(&a, &b, sizeof a) == 0);
  }
}

void TstEngineDeterminism::stepCache_betweenNodes_isCloseToTheModel() {
  for (const Scenario& s : {denseOnHgx(), expertsInLockstep()}) {
    const auto engine = start(s);
    const auto& model = engine->predictor().stepModel();
    engine::StepCache cache(model);
    decode::StepInput in;
    in.sequences = 64;
    in.busiest_group_sequences = std::ceil(64.0 / model->plan().attentionGroups());
    for (in.context_tokens = 37; in.context_tokens < 200000; in.context_tokens *= 1.137) {
      const double exact_s = model->evaluate(in).step_s;
      const decode::StepResult cached = cache.evaluate(in);
      QVERIFY2(std::fabs(cached.step_s / exact_s - 1) < 2e-3, qPrintable(QString::number(in.context_tokens)));
      QVERIFY(std::fabs(cached.breakdown_s.total_s() - cached.step_s) <= 1e-12 * cached.step_s);
    }
  }
}

void TstEngineDeterminism::contextNodes_areAFixedGrid() {
  QCOMPARE(engine::contextNodeBelow(0.5), 1.0);
  QCOMPARE(engine::contextNodeBelow(63.9), 63.0);
  QCOMPARE(engine::contextNodeBelow(65.0), 64.0);  // spacing 2 from 64
  QCOMPARE(engine::contextNodeAfter(64.0), 66.0);
  QCOMPARE(engine::contextNodeBelow(1055.0), 1024.0);
  QCOMPARE(engine::contextNodeAfter(1024.0), 1056.0);
  for (double node = 1; node < 1e6;) {
    const double next = engine::contextNodeAfter(node);
    QCOMPARE(engine::contextNodeBelow(next - 0.001), node);
    QCOMPARE(engine::contextNodeBelow(next), next);
    QVERIFY(next / node <= 2);
    node = next;
  }
}

void TstEngineDeterminism::recording_replays_toTheSameFingerprint() {
  Scenario s = noisy(denseOnHgx());
  const auto engine = start(s);
  engine::Recorder recorder(s);
  engine->advanceUntil(700000123);
  s.physical.supply_c = 33;
  recorder.setScenario(*engine, s, 1);
  QVERIFY(engine->setScenario(s, 1).has_value());
  engine->stepToken();
  const Fault fault{"link", linkLabel(*engine->snapshot()->topology, LinkId{0}), 0.25, 0};
  recorder.inject(*engine, fault);
  engine->inject(fault);
  engine->stepLayer();
  s.workload.concurrency = 40;
  recorder.setScenario(*engine, s, 2);
  QVERIFY(engine->setScenario(s, 2).has_value());
  engine->advanceUntil(2000000000);
  const std::string log = recorder.text(*engine);
  const auto again = engine::replay(catalog(), log, "log.json");
  QVERIFY2(again.has_value(), again ? "" : again.error().text().c_str());
  QVERIFY(again->matches());
  compareRuns(*engine, *again->engine);
}

void TstEngineDeterminism::recording_broken_isALocatedError_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::newRow("empty") << QByteArray();
  QTest::newRow("truncated") << QByteArray("{\"format\": \"decodescope-recording\", \"start\": {");
  QTest::newRow("another format") << QByteArray("{\"format\": \"decodescope-scenario\"}");
  QTest::newRow("incomplete") << QByteArray("{\"format\": \"decodescope-recording\", \"schema\": 1}");
  QTest::newRow("bad start") << QByteArray(
      "{\"format\": \"decodescope-recording\", \"start\": 7, \"end\": {}}");
}

void TstEngineDeterminism::recording_broken_isALocatedError() {
  QFETCH(QByteArray, text);
  const auto replayed = engine::replay(catalog(), text.toStdString(), "log.json");
  QVERIFY(!replayed.has_value());
  QVERIFY(QByteArray::fromStdString(replayed.error().text()).contains("log.json"));
}

QTEST_GUILESS_MAIN(TstEngineDeterminism)
#include "tst_engine_determinism.moc"
