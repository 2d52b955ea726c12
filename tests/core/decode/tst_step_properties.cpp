// What must hold for every model and machine: sums, monotony, limits.
#include <QtTest>

#include "fixture.h"

#include <rapidcheck.h>
#include <cmath>

using namespace decodescope;
using decode::StepInput;

namespace {

const std::vector<std::shared_ptr<const decode::StepModel>>& steps() {
  static const auto made = [] {
    std::vector<std::shared_ptr<const decode::StepModel>> out;
    for (const fixture::Case& c : fixture::variety()) out.push_back(fixture::make(c));
    return out;
  }();
  return made;
}

const decode::StepModel& anyStep() {
  return *steps()[*rc::gen::inRange<std::size_t>(0, steps().size())];
}

StepInput anyInput(const decode::StepModel& step) {
  const double groups = step.plan().attentionGroups();
  StepInput in = fixture::input(*rc::gen::inRange(1, 2000), *rc::gen::inRange(1, 400000), groups);
  in.busiest_group_sequences = std::ceil(in.sequences / groups);
  if (*rc::gen::arbitrary<bool>()) {
    in.prefill_tokens = *rc::gen::inRange(1, 8192);
    in.prefill_past_tokens = *rc::gen::inRange(0, 30000);
  }
  in.clock_ratio = *rc::gen::element(1.0, 0.9, 0.5);
  return in;
}

/// A change of one input that must not make a step faster.
void neverFaster(const char* what, void (*change)(StepInput&)) {
  QVERIFY(rc::check(what, [change] {
    const auto& step = anyStep();
    const StepInput before = anyInput(step);
    StepInput after = before;
    change(after);
    const double slack = 1 + 1e-12;
    RC_ASSERT(step.evaluate(after).step_s * slack >= step.evaluate(before).step_s);
  }));
}

double parts(const fixture::Case& base, const char* entry, const char* field, double factor, StepPart part) {
  Scenario s = fixture::scenarioOf(base);
  const auto plain = fixture::make(s);
  const double value = std::string(field) == "memory_bandwidth_gb_per_s"
                           ? plain->chip().memory_bandwidth_bytes_per_s / 1e9
                           : plain->system().graph.link_bytes_per_s / 1e9;
  s.overrides.push_back({entry, field, value * factor});
  const auto changed = fixture::make(s);
  const auto in = fixture::input(64, 8192);
  return changed->evaluate(in).breakdown_s[part] / plain->evaluate(in).breakdown_s[part];
}

}  // namespace

class StepPropertiesTest : public QObject {
  Q_OBJECT

 private slots:
  void breakdownSumsToTheStep() {
    QVERIFY(rc::check("parts sum to the step and only the credit is negative", [] {
      const auto& step = anyStep();
      const auto r = step.evaluate(anyInput(step));
      RC_ASSERT(std::fabs(r.breakdown_s.total_s() - r.step_s) <= 1e-12 * r.step_s);
      for (std::size_t i = 0; i < kStepPartCount; ++i) {
        if (static_cast<StepPart>(i) == StepPart::Overlap)
          RC_ASSERT(r.breakdown_s.part_s[i] <= 0);
        else
          RC_ASSERT(r.breakdown_s.part_s[i] >= 0);
      }
      RC_ASSERT(r.step_s > 0);
      RC_ASSERT(std::isfinite(r.step_s));
    }));
  }

  void moreContextIsNeverFaster() {
    neverFaster("context", [](StepInput& in) { in.context_tokens *= 1.7; });
  }
  void moreSequencesAreNeverFaster() {
    neverFaster("sequences", [](StepInput& in) {
      in.sequences += 8;
      in.busiest_group_sequences += 1;
    });
  }
  void aLowerClockIsNeverFaster() {
    neverFaster("clock", [](StepInput& in) { in.clock_ratio *= 0.8; });
  }
  void prefillPastIsNeverFaster() {
    neverFaster("past", [](StepInput& in) { in.prefill_past_tokens += 4096; });
  }

  void throttleIsWhatTheClockAdded() {
    QVERIFY(rc::check("the nominal step plus the throttle part is the slowed step", [] {
      const auto& step = anyStep();
      StepInput in = anyInput(step);
      in.clock_ratio = 1;
      const auto nominal = step.evaluate(in);
      RC_ASSERT(nominal.breakdown_s[StepPart::Throttle] == 0);
      in.clock_ratio = 0.6;
      const auto slowed = step.evaluate(in);
      RC_ASSERT(std::fabs(nominal.step_s + slowed.breakdown_s[StepPart::Throttle] - slowed.step_s) <=
                1e-9 * slowed.step_s);
    }));
  }

  void halfTheBandwidthDoublesWeightTraffic() {
    const fixture::Case c{"llama3.1-70b", "dgx-h100", "bf16", "bf16", "vllm", fixture::degrees(8), 8};
    // A smooth maximum gives math a smaller share when memory is slower, so the ratio lies a little beside 2.
    const double ratio = parts(c, "chip", "memory_bandwidth_gb_per_s", 0.5, StepPart::WeightsHbm);
    QVERIFY2(ratio > 1.9 && ratio < 2.2, qPrintable(QString::number(ratio)));
  }

  void aSlowerLinkNeverHelps() {
    const fixture::Case c{"llama3.1-70b", "dgx-h100", "fp8", "bf16", "vllm", fixture::degrees(8), 8};
    const double ratio = parts(c, "system", "scale_up.link_gb_per_s", 0.25, StepPart::Collectives);
    QVERIFY2(ratio > 1.2, qPrintable(QString::number(ratio)));
  }

  void oneSequenceStreamsTheWeights() {
    // 70.55e9 parameters at two bytes from 3.35 TB/s take 42 ms at the very least; kernels reach 80 to 100 %
    // of that.
    const auto step = fixture::make(
        fixture::Case{"llama3.1-70b", "gb200-nvl72", "bf16", "bf16", "trtllm", fixture::degrees(1), 1});
    const auto r = step->evaluate(fixture::input(1, 128));
    const double floor_s = (70.55e9 - 128256.0 * 8192) * 2 / step->chip().memory_bandwidth_bytes_per_s;
    QVERIFY(r.step_s > floor_s);
    QVERIFY(r.step_s < 1.5 * floor_s);
    QVERIFY(std::fabs(r.hbm_bytes / ((70.55e9 - 128256.0 * 8192) * 2) - 1) < 0.02);
  }

  void hugeBatchesTendToTheMathBound() {
    const auto step = fixture::make(
        fixture::Case{"llama3.1-70b", "dgx-h100", "bf16", "bf16", "vllm", fixture::degrees(8), 8});
    const auto r1 = step->evaluate(fixture::input(60000, 1)), r2 = step->evaluate(fixture::input(120000, 1));
    QVERIFY(r2.breakdown_s[StepPart::Math] > r2.breakdown_s[StepPart::WeightsHbm]);
    // Twice the batch is twice the time once nothing fixed is left.
    QVERIFY(std::fabs(r2.breakdown_s[StepPart::Math] / r1.breakdown_s[StepPart::Math] - 2) < 0.1);
    // Useful work never beats the datasheet: 2 x 69.5e9 operations a token on 8 chips.
    const double flop = r2.bf16_flop;
    QVERIFY(flop / r2.step_s < step->chip().bf16_flop_per_s);
    QVERIFY(std::fabs(flop / (2 * 69.5e9 * 120000 / 8) - 1) < 0.05);
  }

  void moreTensorRanksNeverSlowTheWeights() {
    double before_s = 1e9;
    for (const int tp : {1, 2, 4, 8}) {
      const auto step = fixture::make(
          fixture::Case{"llama3.1-70b", "dgx-b200", "fp8", "fp8", "trtllm", fixture::degrees(tp), tp});
      const double now_s = step->evaluate(fixture::input(16, 4096)).breakdown_s[StepPart::WeightsHbm];
      QVERIFY(now_s < before_s);
      before_s = now_s;
    }
  }

  void keyValueBytesFollowTheHeads() {
    // Multi-head reads as many KV bytes as grouped-query times the group size.
    const auto mha = fixture::make(
        fixture::Case{"llama2-13b", "dgx-h100", "bf16", "bf16", "vllm", fixture::degrees(1), 1});
    const auto gqa = fixture::make(
        fixture::Case{"llama3.1-8b", "dgx-h100", "bf16", "bf16", "vllm", fixture::degrees(1), 1});
    const auto growth = [](const decode::StepModel& s) {
      return s.evaluate(fixture::input(32, 3000)).hbm_bytes - s.evaluate(fixture::input(32, 1000)).hbm_bytes;
    };
    // 32 x 2000 tokens of 2 x 40 layers x 40 heads x 128 x 2 bytes, and of 2 x 32 x 8 x 128 x 2 bytes.
    QVERIFY(std::fabs(growth(*mha) / (64000.0 * 819200) - 1) < 1e-9);
    QVERIFY(std::fabs(growth(*gqa) / (64000.0 * 131072) - 1) < 1e-9);
  }

  void quarterBytesKvReadsLess() {
    for (const char* kv : {"bf16", "fp8"}) {
      const auto step = fixture::make(
          fixture::Case{"llama3.1-70b", "dgx-b200", "fp8", kv, "trtllm", fixture::degrees(8), 8});
      const double bytes = step->evaluate(fixture::input(64, 32768)).hbm_bytes -
                           step->evaluate(fixture::input(64, 16384)).hbm_bytes;
      const double per_token = std::string(kv) == "bf16" ? 327680.0 : 163840.0;
      QVERIFY(std::fabs(bytes / (64 * 16384 * per_token / 8) - 1) < 1e-9);
    }
  }

  void jitterWaitsGrowWithRanks() {
    Scenario s = fixture::scenarioOf(
        fixture::Case{"llama3.1-70b", "dgx-h100", "fp8", "bf16", "vllm", fixture::degrees(8), 8});
    const auto in = fixture::input(32, 4096);
    QCOMPARE(fixture::make(s)->evaluate(in).breakdown_s[StepPart::Wait], 0.0);
    s.jitter = true;
    const double eight =
        fixture::make(s)->evaluate(in).breakdown_s[StepPart::Wait] / fixture::make(s)->evaluate(in).busy_s;
    s.parallel = fixture::degrees(2);
    s.chips = 2;
    const double two =
        fixture::make(s)->evaluate(in).breakdown_s[StepPart::Wait] / fixture::make(s)->evaluate(in).busy_s;
    QVERIFY(two > 0);
    QVERIFY(eight > two);
    s.parallel = fixture::degrees(1);
    s.chips = 1;
    s.model = "llama3.1-8b";
    QCOMPARE(fixture::make(s)->evaluate(in).breakdown_s[StepPart::Wait], 0.0);
  }

  void twoBatchOverlapHidesCollectives() {
    Scenario s = fixture::scenarioOf(fixture::variety()[6]);
    const auto in = fixture::input(512, 4096, 8);
    const auto plain = fixture::make(s)->evaluate(in);
    s.serving.two_batch_overlap_ratio = 0.8;
    const auto hidden = fixture::make(s)->evaluate(in);
    const double expected_s = 0.8 * std::min(plain.collective_s, plain.busy_s);
    QVERIFY(std::fabs(plain.step_s - hidden.step_s - expected_s) < 1e-9 * plain.step_s);
  }

  void pipelineStagesWorkOnMicroBatches() {
    // Two stages: a token passes all layers of both, each on half of the sequences, and both stages are busy.
    const auto one = fixture::make(
        fixture::Case{"llama3.1-70b", "dgx-h100", "fp8", "bf16", "vllm", fixture::degrees(4), 4});
    const auto two = fixture::make(
        fixture::Case{"llama3.1-70b", "dgx-h100", "fp8", "bf16", "vllm", fixture::degrees(4, 1, 1, 2), 8});
    const auto half = one->evaluate(fixture::input(32, 4096)), both = two->evaluate(fixture::input(64, 4096));
    QVERIFY(both.step_s > half.step_s * 0.98);
    QVERIFY(both.step_s < half.step_s * 1.05);
    QVERIFY(std::fabs(both.hbm_bytes / half.hbm_bytes - 1) < 1e-6);
    // A single sequence keeps one stage busy at a time.
    QVERIFY(std::fabs(two->evaluate(fixture::input(1, 4096)).hbm_bytes * 2 /
                          one->evaluate(fixture::input(1, 4096)).hbm_bytes -
                      1) < 1e-6);
  }

  void contextRanksShareTheCache() {
    const auto one = fixture::make(
        fixture::Case{"llama3.1-405b", "gb200-nvl72", "fp8", "bf16", "vllm", fixture::degrees(8), 8});
    const auto four = fixture::make(fixture::Case{"llama3.1-405b", "gb200-nvl72", "fp8", "bf16", "vllm",
                                                  fixture::degrees(8, 1, 1, 1, 4), 32});
    const auto kv = [](const decode::StepModel& s) {
      return s.evaluate(fixture::input(1, 1e6)).hbm_bytes - s.evaluate(fixture::input(1, 1000)).hbm_bytes;
    };
    QVERIFY(std::fabs(kv(*one) / kv(*four) - 4) < 1e-6);
    QVERIFY(four->evaluate(fixture::input(1, 1e6)).step_s < one->evaluate(fixture::input(1, 1e6)).step_s);
  }
};

QTEST_GUILESS_MAIN(StepPropertiesTest)
#include "tst_step_properties.moc"
