// Properties of the whole engine on random scenarios and commands: books balance, nothing is lost, nothing
// throws.
#include "engine_support.h"

#include <rapidcheck.h>
#include <QtTest>
#include <algorithm>
#include <cmath>

using namespace decodescope;
using namespace decodescope::testing;

namespace {

Workload anyWorkload() {
  Workload w;
  w.mode =
      *rc::gen::element(WorkloadMode::Closed, WorkloadMode::Closed, WorkloadMode::Open, WorkloadMode::Static);
  w.concurrency = *rc::gen::inRange(1, 300);
  w.arrivals_per_s = *rc::gen::inRange(1, 40);
  w.burstiness_cv = *rc::gen::inRange(0, 30) / 10.0;
  w.context_tokens = *rc::gen::inRange(1, 60000);
  for (TokenLength* length : {&w.prompt, &w.output}) {
    length->distribution =
        *rc::gen::element(TokenLength::Distribution::Fixed, TokenLength::Distribution::Lognormal);
    length->mean_tokens = *rc::gen::inRange(1, length == &w.prompt ? 20000 : 600);
    length->sigma = *rc::gen::inRange(1, 15) / 10.0;
    length->max_tokens = 60000;
  }
  return w;
}

Scenario anyScenario() {
  Scenario s = denseOnHgx();
  const int tp = *rc::gen::element(2, 4, 8);
  s.chips = tp * *rc::gen::inRange(1, 4);
  s.parallel = ParallelDegrees{tp, 1, 1, 1, 1, AttentionSharding::Tensor};
  s.workload = anyWorkload();
  s.serving.prefill = *rc::gen::element(PrefillMode::None, PrefillMode::Chunked, PrefillMode::Disaggregated);
  s.serving.chunk_tokens = *rc::gen::inRange(64, 9000);
  s.serving.kv_block_tokens = *rc::gen::inRange(1, 256);
  if (*rc::gen::inRange(0, 3) == 0) s.serving.speculation = Speculation{*rc::gen::inRange(1, 5), 0.75};
  s.physical.supply_c = *rc::gen::inRange(10, 60);
  s.jitter = *rc::gen::arbitrary<bool>();
  s.seed = static_cast<std::uint64_t>(*rc::gen::inRange(0, 1000));
  return s;
}

void checkBooks(engine::Engine& engine) {
  const engine::RunSummary run = engine.summary();
  if (run.energy_j > 0) {
    RC_ASSERT(std::fabs(run.energy_j - run.heat_out_j - run.heat_stored_j) < 1e-9 * run.energy_j);
  }
  const auto snapshot = engine.snapshot(true);
  const ServingState& serving = snapshot->serving;
  RC_ASSERT(serving.kv_blocks_used >= 0 && serving.kv_blocks_used <= serving.kv_blocks_total);
  RC_ASSERT(run.output_tokens == serving.output_tokens);
  for (const TokenRecord& record : snapshot->recent) {
    double sum_s = 0;
    for (const float part_s : record.part_s) sum_s += static_cast<double>(part_s);
    RC_ASSERT(std::fabs(sum_s - static_cast<double>(record.duration_ns) * 1e-9) < 1e-5 * sum_s + 3e-9);
  }
  RC_ASSERT(std::ranges::all_of(snapshot->chip_temperature_c,
                                [](float c) { return std::isfinite(c) && c < 200.0F; }));
  RC_ASSERT(std::ranges::all_of(snapshot->chip_clock_ratio, [](float r) { return r >= 0.0F && r <= 1.0F; }));
}

}  // namespace

class TstEngineProperties : public QObject {
  Q_OBJECT

 private slots:
  void anyScenario_booksBalance();
  void closedLoop_keepsItsRequests();
  void anyEdits_neverThrow_andReplayTheSame();
};

void TstEngineProperties::anyScenario_booksBalance() {
  QVERIFY(rc::check("heat, blocks and breakdown balance", [] {
    const auto engine = start(anyScenario());
    for (int i = 0; i < 4; ++i) {
      engine->advanceUntil(engine->now() + *rc::gen::inRange(1, 2000000000));
      checkBooks(*engine);
    }
  }));
}

void TstEngineProperties::closedLoop_keepsItsRequests() {
  QVERIFY(rc::check("decoding, prefilling and waiting add up to the concurrency", [] {
    Scenario s = anyScenario();
    s.workload.mode = WorkloadMode::Closed;
    const auto engine = start(s);
    RC_PRE(!engine->isHalted());
    for (int i = 0; i < 3; ++i) {
      engine->advanceTokens(*rc::gen::inRange(1, 400));
      const auto snapshot = engine->snapshot();
      const ServingState& serving = snapshot->serving;
      RC_ASSERT(serving.running + serving.prefilling + serving.waiting ==
                static_cast<std::int64_t>(s.workload.concurrency));
    }
  }));
}

void TstEngineProperties::anyEdits_neverThrow_andReplayTheSame() {
  QVERIFY(rc::check("the same edits at the same times give the same fingerprint", [] {
    std::vector<Scenario> edits;
    std::vector<TimeNs> times;
    const int count = *rc::gen::inRange(1, 5);
    for (int i = 0; i < count; ++i) {
      edits.push_back(anyScenario());
      times.push_back(*rc::gen::inRange(1, 700000000));
    }
    std::vector<engine::Fingerprint> ends;
    for (const bool shown : {false, true}) {
      const auto engine = start(denseOnHgx());
      for (std::size_t i = 0; i < edits.size(); ++i) {
        engine->advanceUntil(engine->now() + times[i]);
        if (shown) (void)engine->snapshot(true);
        RC_ASSERT(engine->setScenario(edits[i], i).has_value());
      }
      engine->advanceUntil(engine->now() + 500000000);
      ends.push_back(engine->fingerprint());
    }
    RC_ASSERT(ends[0] == ends[1]);
  }));
}

QTEST_GUILESS_MAIN(TstEngineProperties)
#include "tst_engine_properties.moc"
