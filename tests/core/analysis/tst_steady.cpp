// The closed loop at its steady state: who decodes, how often prompts ride along, who waits.
#include <QtTest>

#include "analysis/steady_batch.h"
#include "fixture.h"

#include <rapidcheck.h>
#include <cmath>

using namespace decodescope;
using namespace decodescope::analysis;

namespace {

std::shared_ptr<const decode::StepModel> stepOf(const Scenario& s) {
  return fixture::predictor(s)->stepModel();
}

}  // namespace

class SteadyTest : public QObject {
  Q_OBJECT

 private slots:
  void meanLengthsOfDistributions() {
    TokenLength fixed{TokenLength::Distribution::Fixed, 100};
    QCOMPARE(meanLength(fixed), 100.0);
    TokenLength uniform{TokenLength::Distribution::Uniform, 0, 0, 80, 100};
    QCOMPARE(meanLength(uniform), 90.0);
    // Clamped so widely that nothing is cut, the mean stays.
    TokenLength lognormal{TokenLength::Distribution::Lognormal, 1024, 0.8, 1, 1e12};
    QVERIFY(std::fabs(meanLength(lognormal) - 1024) < 1e-3);
    // Clamped from above, it falls.
    lognormal.max_tokens = 1024;
    QVERIFY(meanLength(lognormal) < 1000);
  }

  void ageOfOutputs() {
    Workload w;
    w.output = {TokenLength::Distribution::Fixed, 1000};
    QCOMPARE(meanLengths(w).decoding_age_tokens, 500.0);
    // Long outputs are seen more often: E[o^2] / (2 E[o]) of a uniform on 1..2000 is 2000 / 3.
    w.output = {TokenLength::Distribution::Uniform, 0, 0, 1, 2000};
    QVERIFY(std::fabs(meanLengths(w).decoding_age_tokens - 2000.0 / 3) < 1);
  }

  void littlesLaw() {
    // 64 in flight, one prefill iteration each (1024 tokens in a chunk of 2048) and 1023 decode iterations:
    // 64 / 1024 requests finish per iteration, 64 x 1023 / 1024 decode.
    const Scenario s = fixture::dense();
    const SteadyMix mix = steadyMix(*stepOf(s), s, meanLengths(s.workload), 64);
    QCOMPARE(mix.prefill_steps, 1.0);
    QCOMPARE(mix.completions_per_step, 64.0 / 1024);
    QCOMPARE(mix.decoding, 64 * 1023.0 / 1024);
    QCOMPARE(mix.context_tokens, 1024.0 + 512);
    double share = 0, tokens = 0;
    for (const auto& kind : mix.kinds) {
      share += kind.share;
      tokens += kind.share * kind.input.prefill_tokens;
    }
    QCOMPARE(share, 1.0);
    // As many prompt tokens go in as requests ask for.
    QVERIFY(std::fabs(tokens - mix.completions_per_step * 1024) < 1e-9);
  }

  void longPromptsTakeSeveralChunks() {
    Scenario s = fixture::dense();
    s.workload.prompt.mean_tokens = 5000;  // 2048 + 2048 + 904
    const SteadyMix mix = steadyMix(*stepOf(s), s, meanLengths(s.workload), 16);
    QCOMPARE(mix.prefill_steps, 3.0);
    QCOMPARE(mix.kinds[1].input.prefill_tokens, 2048.0);
    QCOMPARE(mix.kinds[1].input.prefill_past_tokens, 1024.0);  // 0 and 2048 by turns
    QCOMPARE(mix.kinds[2].input.prefill_tokens, 904.0);
    QCOMPARE(mix.kinds[2].input.prefill_past_tokens, 4096.0);
  }

  void promptsThatOutrunTheChunkLimitTheRate() {
    Scenario s = fixture::dense();
    s.workload.prompt.mean_tokens = 8192;
    s.workload.output.mean_tokens = 16;
    const SteadyMix mix = steadyMix(*stepOf(s), s, meanLengths(s.workload), 128);
    QCOMPARE(mix.completions_per_step, 2048.0 / 8192);
    QCOMPARE(mix.kinds[1].share, 1.0);
    QVERIFY(mix.decoding < 128.0 / 4);
  }

  void tokensAreConserved() {
    QVERIFY(rc::check("prompt tokens per iteration are completions times the prompt; shares sum to one", [] {
      static const Scenario base = fixture::dense();
      static const auto step = stepOf(base);
      Scenario s = base;
      s.workload.prompt.mean_tokens = *rc::gen::inRange(1, 60000);
      s.workload.output.mean_tokens = *rc::gen::inRange(2, 20000);
      s.serving.chunk_tokens = *rc::gen::inRange(64, 8192);
      const double in_flight = *rc::gen::inRange(1, 2000);
      const SteadyMix mix = steadyMix(*step, s, meanLengths(s.workload), in_flight);
      double share = 0, tokens = 0, seen = 0;
      for (const auto& kind : mix.kinds) {
        RC_ASSERT(kind.share >= 0);
        share += kind.share;
        seen += kind.seen_share;
        tokens += kind.share * kind.input.prefill_tokens;
      }
      RC_ASSERT(std::fabs(share - 1) < 1e-9);
      RC_ASSERT(std::fabs(seen - 1) < 1e-9);
      const double wanted = mix.completions_per_step * s.workload.prompt.mean_tokens;
      RC_ASSERT(std::fabs(tokens - wanted) <= 1e-6 * wanted);
      RC_ASSERT(mix.decoding <= in_flight * (1 + 1e-12));
    }));
  }

  void whatDoesNotFitWaits() {
    Scenario s = fixture::dense();
    s.workload.concurrency = 100000;
    const auto step = stepOf(s);
    const ClosedLoop loop = closedLoop(*step, s, meanLengths(s.workload), s.workload.concurrency, 1);
    QVERIFY(loop.admission.admitted < 2000);
    QVERIFY(loop.admission.admitted == loop.admission.fits);
    // The queue empties at the rate of completions: waiting = queue / rate.
    const double queue = 100000 - loop.admission.admitted;
    QVERIFY(std::fabs(loop.ttft_s / (queue / loop.requests_per_s) - 1) < 0.05);
  }

  void aBatchLimitIsKept() {
    Scenario s = fixture::dense();
    s.serving.max_batch_per_replica = 16;
    QCOMPARE(admit(*stepOf(s), s, meanLengths(s.workload), 64).admitted, 16.0);
  }

  void openLoopFollowsItsArrivals() {
    Scenario s = fixture::dense();
    s.workload.mode = WorkloadMode::Open;
    const auto step = stepOf(s);
    double overload = 0, before_s = 0;
    for (const double rate : {0.1, 0.5, 1.0, 2.0}) {
      const ClosedLoop loop = operatingLoop(*step, s, meanLengths(s.workload), rate, 1, &overload);
      QVERIFY(overload < 1);
      QVERIFY2(std::fabs(loop.requests_per_s / rate - 1) < 1e-3,
               qPrintable(QString::number(loop.requests_per_s)));
      QVERIFY(loop.tpot_s >= before_s);
      before_s = loop.tpot_s;
    }
    const ClosedLoop most = operatingLoop(*step, s, meanLengths(s.workload), 1e5, 1, &overload);
    QVERIFY(overload > 1);
    QVERIFY(std::fabs(overload * most.requests_per_s / 1e5 - 1) < 1e-9);
  }

  void busiestGroupHoldsTheOldest() {
    const Scenario s = fixture::mixture();
    const SteadyMix mix = steadyMix(*stepOf(s), s, meanLengths(s.workload), 2304);
    const auto& in = mix.kinds[0].input;
    QVERIFY(in.busiest_group_sequences >= in.sequences / 72);
    QVERIFY(in.busiest_group_sequences <= std::ceil(2304.0 / 72));
    QVERIFY(in.context_tokens > mix.context_tokens);
    QVERIFY(in.context_tokens < mix.context_tokens + 1024 / 2.0);
  }
};

QTEST_GUILESS_MAIN(SteadyTest)
#include "tst_steady.moc"
