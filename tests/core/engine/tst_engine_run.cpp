// The engine as its user drives it: agreement with predict, steps of every size, changes, faults, and what
// cannot run.
#include "engine_support.h"

#include "engine/history.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <cmath>

Q_DECLARE_METATYPE(decodescope::Scenario)

using namespace decodescope;
using namespace decodescope::testing;

class TstEngineRun : public QObject {
  Q_OBJECT

 private slots:
  void predict_andRun_agree_data();
  void predict_andRun_agree();
  void open_belowCapacity_servesWhatArrives();
  void trace_ends_andHalts();
  void memoryTight_preemptsAndGoesOn();
  void speculation_gainsTokensPerStep();
  void disaggregated_neverStallsDecoding();
  void replicas_many_areRepresented();
  void summary_tokens_addUp();
  void stepToken_endsOnAnIteration();
  void stepLayer_walksTheLayersInOrder();
  void advance_intoAnIteration_leavesItUnderWay();
  void snapshot_arrays_matchTheMachine();
  void snapshot_timeline_coversTheStep();
  void setScenario_physical_keepsSequences();
  void setScenario_load_startsAtItsSteadyState();
  void setScenario_structure_keepsTheClock();
  void infeasible_isAResult_andMends();
  void fault_onALink_slowsCollectives();
  void fault_ofTheScenario_actsAtItsTime();
  void history_keepsKeyframesWithinBudget();
};

void TstEngineRun::predict_andRun_agree_data() {
  QTest::addColumn<Scenario>("scenario");
  const auto add = [](const char* name, const Scenario& s) { QTest::newRow(name) << s; };
  add("dense, closed loop", denseOnHgx());
  add("experts in lockstep", expertsInLockstep());
  Scenario s = denseOnHgx();
  s.workload.mode = WorkloadMode::Static;
  s.workload.context_tokens = 20000;
  add("static", s);
  s = denseOnHgx();
  s.serving.prefill = PrefillMode::None;
  s.workload.concurrency = 200;
  add("no prefill", s);
  s = expertsInLockstep();
  s.chips = 72;
  s.parallel = ParallelDegrees{8, 1, 8, 1, 1, AttentionSharding::Tensor};
  s.workload.concurrency = 9 * 64;
  s.workload.prompt.mean_tokens = 2048;
  add("nine replicas", s);
  s = expertsInLockstep();
  s.serving.speculation = Speculation{2, 0.8};
  add("speculation", s);
  s = expertsInLockstep();
  s.workload.prompt.mean_tokens = 16384;
  s.workload.output.mean_tokens = 512;
  s.workload.concurrency = 512;
  add("prompts queue for chunks", s);
  s = denseOnHgx();
  s.model = "mixtral-8x7b";
  s.system = "mi300x-8";
  s.workload.concurrency = 96;
  add("Mixtral on MI300X", s);
}

void TstEngineRun::predict_andRun_agree() {
  QFETCH(Scenario, scenario);
  const auto engine = start(scenario);
  const auto prediction = engine->snapshot()->prediction;
  QVERIFY2(prediction->feasible, engine->snapshot()->halt_reason.c_str());
  engine->advanceTokens(8000);
  const engine::RunSummary run = engine->summary();
  const double tpot = run.tpot_s / prediction->tpot_s,
               rate = run.output_tokens_per_s / prediction->output_tokens_per_s;
  const QString text = QString("TPOT %1 ms against %2, tokens/s %3 against %4")
                           .arg(run.tpot_s * 1e3)
                           .arg(prediction->tpot_s * 1e3)
                           .arg(run.output_tokens_per_s)
                           .arg(prediction->output_tokens_per_s);
  QVERIFY2(std::fabs(tpot - 1) < 0.02, qPrintable(text));
  QVERIFY2(std::fabs(rate - 1) < 0.02, qPrintable(text));
  QVERIFY2(std::fabs(run.step_time_s / prediction->step_time_s - 1) < 0.02, qPrintable(text));
}

void TstEngineRun::open_belowCapacity_servesWhatArrives() {
  Scenario s = denseOnHgx();
  s.workload.mode = WorkloadMode::Open;
  s.workload.arrivals_per_s = 4;
  const auto engine = start(s);
  engine->advanceUntil(300000000000);
  const engine::RunSummary run = engine->summary();
  QVERIFY(std::fabs(run.output_tokens_per_s / (4 * 512) - 1) < 0.08);
  QVERIFY(run.ttft.count > 1000);
  QVERIFY(run.ttft.p50_s > 0 && run.ttft.p50_s < 1);
}

void TstEngineRun::trace_ends_andHalts() {
  QTemporaryDir folder;
  QFile file(folder.filePath("t.csv"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("timestamp,prompt_tokens,output_tokens\n0,100,20\n0.5,3000,1\n9,50,40\n");
  file.close();
  Scenario s = denseOnHgx();
  s.workload.mode = WorkloadMode::Trace;
  s.workload.trace_file = file.fileName().toStdString();
  const auto engine = start(s);
  engine->advanceUntil(60000000000);
  QVERIFY(engine->isHalted());
  QVERIFY(engine->now() < 12000000000);
  const engine::RunSummary run = engine->summary();
  QCOMPARE(run.output_tokens, std::int64_t{61});
  QCOMPARE(run.requests, std::int64_t{3});
  QCOMPARE(run.ttft.count, std::int64_t{3});
  s.workload.trace_file = folder.filePath("missing.csv").toStdString();
  QVERIFY(!engine::Engine::make(catalog(), s).has_value());
}

void TstEngineRun::memoryTight_preemptsAndGoesOn() {
  Scenario s = denseOnHgx();
  s.chips = 2;
  s.parallel = ParallelDegrees{2, 1, 1, 1, 1, AttentionSharding::Tensor};
  s.workload.mode = WorkloadMode::Open;
  s.workload.arrivals_per_s = 100;  // far more than it can serve
  s.workload.prompt.mean_tokens = 512;
  s.workload.output.mean_tokens = 2048;
  const auto engine = start(s);
  engine->advanceUntil(200000000000);
  const auto snapshot = engine->snapshot();
  QVERIFY(snapshot->serving.preempted > 0);
  QVERIFY(snapshot->serving.waiting > 0);
  QVERIFY(snapshot->serving.completed > 10);
  QVERIFY(snapshot->serving.kv_blocks_used <= snapshot->serving.kv_blocks_total);
  QVERIFY(!snapshot->halted);
}

void TstEngineRun::speculation_gainsTokensPerStep() {
  Scenario s = denseOnHgx();
  const auto plain = start(s);
  s.serving.speculation = Speculation{3, 0.8};
  const auto speculative = start(s);
  plain->advanceTokens(1000);
  speculative->advanceTokens(1000);
  // 1 + 0.8 + 0.64 + 0.512 tokens a step, for the same number of sequences.
  const auto tokensPerSequenceStep = [](const engine::RunSummary& run) {
    return static_cast<double>(run.output_tokens) / static_cast<double>(run.iterations) / run.mean_sequences;
  };
  QVERIFY(std::fabs(tokensPerSequenceStep(speculative->summary()) / tokensPerSequenceStep(plain->summary()) /
                        2.952 -
                    1) < 0.03);
  QVERIFY(speculative->summary().tpot_s < plain->summary().tpot_s);
}

void TstEngineRun::disaggregated_neverStallsDecoding() {
  Scenario s = denseOnHgx();
  const auto mixed = start(s);
  s.serving.prefill = PrefillMode::Disaggregated;
  const auto apart = start(s);
  mixed->advanceTokens(2000);
  apart->advanceTokens(2000);
  QVERIFY(apart->summary().itl.p99_s < mixed->summary().itl.p99_s);
  QVERIFY(apart->summary().ttft.count > 0);
  const auto snapshot = apart->snapshot();
  for (const TokenRecord& record : snapshot->recent) QCOMPARE(record.prefill_tokens, 0.0F);
}

void TstEngineRun::replicas_many_areRepresented() {
  Scenario s = denseOnHgx();
  s.chips = 8 * 100;
  s.workload.concurrency = 6400;
  const auto many = start(s);
  many->advanceTokens(600);
  s.chips = 8;
  s.workload.concurrency = 64;
  const auto one = start(s);
  one->advanceTokens(600);
  const double per_replica = many->summary().output_tokens_per_s / 100;
  QVERIFY(std::fabs(per_replica / one->summary().output_tokens_per_s - 1) < 0.01);
  const auto snapshot = many->snapshot();
  QCOMPARE(snapshot->serving.running + snapshot->serving.prefilling + snapshot->serving.waiting,
           std::int64_t{6400});
  QCOMPARE(snapshot->chip_temperature_c.size(), std::size_t{800});
}

void TstEngineRun::summary_tokens_addUp() {
  Scenario s = denseOnHgx();
  s.serving.prefill = PrefillMode::None;  // then every token comes from a decoding sequence
  const auto engine = start(s);
  engine->advanceTokens(700);
  double tokens = 0;
  const auto snapshot = engine->snapshot();
  for (const TokenRecord& record : snapshot->recent) tokens += static_cast<double>(record.running);
  QCOMPARE(static_cast<double>(engine->summary().output_tokens), tokens);
  QCOMPARE(engine->summary().iterations, std::int64_t{700});
}

void TstEngineRun::stepToken_endsOnAnIteration() {
  const auto engine = start(denseOnHgx());
  engine->stepToken();
  QCOMPARE(engine->token(), std::int64_t{1});
  QVERIFY(engine->snapshot()->iteration_progress < 1e-9);
  engine->advanceUntil(engine->now() + 1000000);
  engine->stepToken();  // ends the one under way, then a whole one
  QCOMPARE(engine->token(), std::int64_t{3});
}

void TstEngineRun::stepLayer_walksTheLayersInOrder() {
  const auto engine = start(denseOnHgx());
  std::int32_t last = engine->snapshot(true)->layer;
  QVERIFY(last <= 0);
  const std::int64_t token = engine->token();
  for (int i = 0; i < 80; ++i) {
    engine->stepLayer();
    const auto snapshot = engine->snapshot(true);
    if (engine->token() > token || snapshot->layer < 0) break;
    QCOMPARE(snapshot->layer, last + 1);
    QVERIFY(snapshot->timeline != nullptr);
    QCOMPARE(snapshot->timeline->phases[static_cast<std::size_t>(snapshot->phase)].layer, snapshot->layer);
    last = snapshot->layer;
  }
  QCOMPARE(last, 79);  // Llama 3.1 70B has 80 layers
  engine->stepLayer();
  QCOMPARE(engine->token(), token + 1);
}

void TstEngineRun::advance_intoAnIteration_leavesItUnderWay() {
  const auto engine = start(denseOnHgx());
  engine->advanceTokens(3);
  const TimeNs begin = engine->now();
  engine->advanceUntil(begin + 2000000);
  const auto snapshot = engine->snapshot();
  QCOMPARE(snapshot->time_ns, begin + 2000000);
  QCOMPARE(snapshot->token, std::int64_t{3});
  QVERIFY(snapshot->iteration_progress > 0.05 && snapshot->iteration_progress < 0.95);
  engine->advanceTokens(1);
  const double duration_ns = static_cast<double>(engine->now() - begin);
  QVERIFY(std::fabs(snapshot->iteration_progress - 2e6 / duration_ns) < 1e-6);
}

void TstEngineRun::snapshot_arrays_matchTheMachine() {
  const auto engine = start(expertsInLockstep());
  engine->advanceTokens(20);
  const auto s = engine->snapshot();
  const std::size_t chips = s->topology->chip_count;
  QCOMPARE(chips, std::size_t{64});
  for (const std::size_t size :
       {s->chip_temperature_c.size(), s->chip_power_w.size(), s->chip_clock_ratio.size(),
        s->chip_kv_used_ratio.size(), s->chip_throttle.size()}) {
    QCOMPARE(size, chips);
  }
  QCOMPARE(s->link_utilization_ratio.size(), 2 * s->topology->links.size());
  QCOMPARE(s->link_phase_ratio.size(), 2 * s->topology->links.size());
  QCOMPARE(s->rack_power_w.size(), s->topology->racks.size());
  const float busiest = *std::ranges::max_element(s->link_utilization_ratio);
  QVERIFY(busiest > 0.0F && busiest < 1.0F);
  QVERIFY(*std::ranges::max_element(s->link_phase_ratio) > busiest);
  QVERIFY(s->rack_power_w[0] > *std::ranges::max_element(s->chip_power_w) * 64 * 0.9F);
  QVERIFY(s->chip_kv_used_ratio[0] > 0.0F && s->chip_kv_used_ratio[0] < 1.0F);
  const auto next = engine->snapshot();
  QCOMPARE(next->topology.get(), s->topology.get());
  QCOMPARE(next->prediction.get(), s->prediction.get());
  QVERIFY(next->recent.empty());
  QVERIFY(next->sequence > s->sequence);
}

void TstEngineRun::snapshot_timeline_coversTheStep() {
  const auto engine = start(expertsInLockstep());
  engine->advanceTokens(5);
  const auto s = engine->snapshot(true);
  QVERIFY(s->timeline != nullptr);
  double sum_s = 0;
  for (const TimelinePhase& phase : s->timeline->phases) sum_s += phase.duration_s;
  QVERIFY(std::fabs(sum_s / s->timeline->step_s - 1) < 1e-9);
  engine->advanceTokens(1);
  const double took_s = static_cast<double>(engine->snapshot()->recent.back().duration_ns) * 1e-9;
  QVERIFY(std::fabs(s->timeline->step_s / took_s - 1) < 2e-3);
}

void TstEngineRun::setScenario_physical_keepsSequences() {
  Scenario s = denseOnHgx();
  const auto engine = start(s);
  engine->advanceTokens(50);
  const auto before = engine->snapshot();
  s.physical.supply_c = 31;
  s.economics.usd_per_kwh = 0.2;
  QVERIFY(engine->setScenario(s, 7).has_value());
  const auto after = engine->snapshot();
  QCOMPARE(after->revision, std::uint64_t{7});
  QCOMPARE(after->serving.output_tokens, before->serving.output_tokens);
  QCOMPARE(after->serving.kv_blocks_used, before->serving.kv_blocks_used);
  QCOMPARE(after->chip_temperature_c, before->chip_temperature_c);
  QVERIFY(after->prediction->cost.usd_per_hour > before->prediction->cost.usd_per_hour);
}

void TstEngineRun::setScenario_load_startsAtItsSteadyState() {
  Scenario s = denseOnHgx();
  const auto engine = start(s);
  engine->advanceUntil(2004000000);
  const auto before = engine->snapshot();
  s.workload.concurrency = 128;
  s.workload.prompt.mean_tokens = 4096;
  QVERIFY(engine->setScenario(s, 1).has_value());
  const auto after = engine->snapshot();
  QCOMPARE(after->serving.running + after->serving.prefilling + after->serving.waiting, std::int64_t{128});
  QCOMPARE(after->time_ns, before->time_ns);
  QCOMPARE(after->token, before->token);
  QVERIFY(std::fabs(after->iteration_progress - before->iteration_progress) < 1e-3);
  QCOMPARE(after->chip_temperature_c, before->chip_temperature_c);
  engine->advanceTokens(1500);
  QVERIFY(std::fabs(engine->snapshot()->tpot.mean_s / after->prediction->tpot_s - 1) < 0.05);
}

void TstEngineRun::setScenario_structure_keepsTheClock() {
  Scenario s = denseOnHgx();
  const auto engine = start(s);
  engine->advanceTokens(50);
  const TimeNs now = engine->now();
  s.chips = 16;
  QVERIFY(engine->setScenario(s, 1).has_value());
  QCOMPARE(engine->now(), now);
  QCOMPARE(engine->token(), std::int64_t{50});
  QCOMPARE(engine->snapshot()->chip_temperature_c.size(), std::size_t{16});
  engine->advanceTokens(10);
  QCOMPARE(engine->token(), std::int64_t{60});
}

void TstEngineRun::infeasible_isAResult_andMends() {
  Scenario s = denseOnHgx();
  s.model = "deepseek-v3";  // 671 GB of weights in 640 GB of memory
  const auto engine = start(s);
  QVERIFY(engine->isHalted());
  const auto snapshot = engine->snapshot(true);
  QVERIFY(snapshot->halted);
  QVERIFY(!snapshot->halt_reason.empty());
  QVERIFY(!snapshot->prediction->violations.empty());
  engine->advanceUntil(1000000000);
  engine->stepEvent();
  engine->stepToken();
  engine->stepLayer();
  engine->inject({"link", "nothing", 0, 0});
  QCOMPARE(engine->token(), std::int64_t{0});
  QVERIFY(engine->setScenario(denseOnHgx(), 1).has_value());
  QVERIFY(!engine->isHalted());
  engine->advanceTokens(5);
  QCOMPARE(engine->token(), std::int64_t{5});
  Scenario unknown = denseOnHgx();
  unknown.model = "no-such-model";
  QVERIFY(!engine->setScenario(unknown, 2).has_value());
  engine->advanceTokens(5);
  QCOMPARE(engine->token(), std::int64_t{10});
}

void TstEngineRun::fault_onALink_slowsCollectives() {
  const auto engine = start(expertsInLockstep());
  engine->advanceTokens(20);
  const auto before = engine->snapshot();
  engine->inject({"link", linkLabel(*before->topology, LinkId{0}), 0.1, 0});
  engine->advanceTokens(20);
  const auto after = engine->snapshot();
  QVERIFY(after->breakdown_s[StepPart::Collectives] > 2 * before->breakdown_s[StepPart::Collectives]);
  QVERIFY(after->topology.get() != before->topology.get());
  QVERIFY(after->topology->links[0].capacity_bytes_per_s < before->topology->links[0].capacity_bytes_per_s);
  const bool noted =
      std::ranges::any_of(after->events, [](const EngineEvent& e) { return e.kind == EventKind::Fault; });
  QVERIFY(noted);
}

void TstEngineRun::fault_ofTheScenario_actsAtItsTime() {
  Scenario s = expertsInLockstep();
  const std::string label = linkLabel(*start(s)->snapshot()->topology, LinkId{3});
  s.faults.push_back({"link", label, 0.5, 1.5});
  const auto engine = start(s);
  engine->advanceUntil(1400000000);
  const double whole = engine->snapshot()->topology->links[3].capacity_bytes_per_s;
  engine->advanceUntil(1600000000);
  QCOMPARE(engine->snapshot()->topology->links[3].capacity_bytes_per_s, whole / 2);
}

void TstEngineRun::history_keepsKeyframesWithinBudget() {
  const auto engine = start(denseOnHgx());
  engine::History history(200000, 10);
  QCOMPARE(history.at(5).get(), nullptr);
  for (int i = 0; i < 400; ++i) {
    engine->advanceTokens(1);
    history.add(engine->snapshot());
  }
  QVERIFY(history.bytes() <= 200000);
  QVERIFY(!history.records().empty());
  QCOMPARE(history.records().back().token, std::int64_t{399});
  for (std::size_t i = 1; i < history.records().size(); ++i) {
    QCOMPARE(history.records()[i].token, history.records()[i - 1].token + 1);
  }
  const auto frame = history.at(395);
  QVERIFY(frame->token <= 395 && frame->token > 385);
  QVERIFY(history.at(0) != nullptr);
  history.clear();
  QCOMPARE(history.bytes(), std::size_t{0});
}

QTEST_GUILESS_MAIN(TstEngineRun)
#include "tst_engine_run.moc"
