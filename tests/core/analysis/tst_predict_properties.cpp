// What an operator may rely on: more never helps where it should not, published effects have their sign and
// size.
#include <QtTest>

#include "fixture.h"

#include <rapidcheck.h>
#include <cmath>

using namespace decodescope;

namespace {

const std::vector<Scenario>& scenarios() {
  static const std::vector<Scenario> made = [] {
    Scenario gqa = fixture::dense();
    Scenario oss = fixture::dense();
    oss.model = "gpt-oss-120b";
    oss.system = "dgx-b200";
    oss.precision.weights = "mxfp4";
    oss.serving.engine = "trtllm";
    Scenario amd = fixture::dense();
    amd.model = "mixtral-8x7b";
    amd.system = "mi300x-8";
    amd.precision.weights = "bf16";
    Scenario tpu = fixture::dense();
    tpu.system = "tpu-v5e-pod";
    tpu.model = "llama3.1-8b";
    tpu.precision.weights = "bf16";
    tpu.serving.engine = "jetstream";
    Scenario rack = fixture::mixture();
    std::vector<Scenario> all{gqa, oss, amd, tpu, rack};
    for (Scenario& s : all) s.workload.mode = WorkloadMode::Static;
    return all;
  }();
  return made;
}

struct Kept {
  Scenario scenario;
  std::shared_ptr<const analysis::Predictor> predictor;
};
const Kept& anyKept() {
  static const std::vector<Kept> kept = [] {
    std::vector<Kept> out;
    for (const Scenario& s : scenarios()) out.push_back({s, fixture::predictor(s)});
    return out;
  }();
  return kept[*rc::gen::inRange<std::size_t>(0, kept.size())];
}

Scenario anyPoint(const Kept& kept) {
  Scenario s = kept.scenario;
  s.workload.concurrency = *rc::gen::inRange(1, 400);
  s.workload.context_tokens = *rc::gen::inRange(16, 60000);
  return s;
}

/// Changing the operating point in this way never makes tokens come faster, nor more of them.
void neverHelps(const char* what, void (*change)(Scenario&, double amount)) {
  QVERIFY(rc::check(what, [change] {
    const Kept& kept = anyKept();
    const Scenario before = anyPoint(kept);
    Scenario after = before;
    change(after, *rc::gen::inRange(1, 100) / 100.0);
    Prediction a, b;
    kept.predictor->predictFast(before, a);
    kept.predictor->predictFast(after, b);
    if (!a.feasible || !b.feasible) return;
    // A longer context may send sequences to the queue, which shortens the step of those that are left.
    RC_PRE(a.concurrency == b.concurrency);
    RC_ASSERT(b.tpot_s >= a.tpot_s * (1 - 1e-9));
    RC_ASSERT(b.output_tokens_per_s <= a.output_tokens_per_s * (1 + 1e-9));
  }));
}

/// Prediction of the same scenario with one override of the catalog.
double ratio(Scenario s, const char* entry, const char* field, double value, double Prediction::*what) {
  const double plain = fixture::predict(s).*what;
  s.overrides.push_back({entry, field, value});
  return fixture::predict(s).*what / plain;
}

}  // namespace

class PredictPropertiesTest : public QObject {
  Q_OBJECT

 private slots:
  void moreContextNeverHelps() {
    neverHelps("context", [](Scenario& s, double x) { s.workload.context_tokens *= 1 + x; });
  }
  void hotterSupplyNeverHelps() {
    neverHelps("supply", [](Scenario& s, double x) {
      s.physical.supply_c = s.physical.supply_c.value_or(25) + 60 * x;
    });
  }
  void lowerChipCapNeverHelps() {
    neverHelps("chip cap", [](Scenario& s, double x) { s.physical.chip_power_cap_w = 150 + 400 * (1 - x); });
  }
  void lowerRackCapNeverHelps() {
    neverHelps("rack cap", [](Scenario& s, double x) { s.physical.rack_power_cap_kw = 4 + 8 * (1 - x); });
  }
  void lowerClockNeverHelps() {
    neverHelps("clock", [](Scenario& s, double x) { s.physical.clock_limit_ratio = 1 - 0.8 * x; });
  }
  void dearerPowerNeverCheapens() {
    Scenario s = fixture::dense();
    const double before = fixture::predict(s).cost.usd_per_million_output_tokens;
    s.economics.usd_per_kwh *= 2;
    QVERIFY(fixture::predict(s).cost.usd_per_million_output_tokens > before);
  }

  void memoryBandwidthSetsSmallBatches() {
    // H200 over H100: the same compute, 4.8 over 3.35 TB/s. One sequence gains, but less than the 1.43 of the
    // ratio.
    Scenario s = fixture::fixedBatch(fixture::dense(), 1, 2048);
    const double h100 = fixture::predict(s).tpot_s;
    s.system = "hgx-h200";
    const double gain = h100 / fixture::predict(s).tpot_s;
    QVERIFY2(gain > 1.05 && gain < 1.43, qPrintable(QString::number(gain)));
  }

  void fewerBitsPerWeightAreFaster() {
    // fp8 over bf16 halves the weights: 1.3 to 1.9 times at one sequence on one node.
    Scenario s = fixture::fixedBatch(fixture::dense(), 1, 2048);
    s.parallel = fixture::degrees(2);
    s.system = "hgx-h200";
    s.chips = 2;
    const double fp8 = fixture::predict(s).tpot_s;
    s.precision.weights = "bf16";
    const double gain = fixture::predict(s).tpot_s / fp8;
    QVERIFY2(gain > 1.3 && gain < 1.95, qPrintable(QString::number(gain)));
  }

  void fp8CacheHelpsLongContexts() {
    Scenario s = fixture::fixedBatch(fixture::dense(), 32, 65536);
    s.system = "dgx-b200";
    s.serving.engine = "trtllm";
    const double bf16 = fixture::predict(s).tpot_s;
    s.precision.kv = "fp8";
    const double gain = bf16 / fixture::predict(s).tpot_s;
    QVERIFY2(gain > 1.4 && gain < 2.05, qPrintable(QString::number(gain)));
  }

  void tensorRanksScaleBelowTheirNumber() {
    // Batch 1: 8 ranks are 2.5 to 7 times as fast as one (all-reduces and launches do not shrink).
    Scenario s = fixture::fixedBatch(fixture::dense(), 1, 2048);
    s.system = "dgx-b200";
    const double eight = fixture::predict(s).tpot_s;
    s.parallel = fixture::degrees(1);
    s.chips = 1;
    const double gain = fixture::predict(s).tpot_s / eight;
    QVERIFY2(gain > 2 && gain < 7, qPrintable(QString::number(gain)));
  }

  void contextFrom1kTo128k() {
    // Llama-3.1-8B, batch 1, bf16 cache: 131,072 bytes a token, so 128k tokens add 17.2 GB, 5.1 ms at 3.35
    // TB/s.
    Scenario s = fixture::fixedBatch(fixture::dense(), 1, 1024);
    s.model = "llama3.1-8b";
    s.precision.weights = "bf16";
    s.parallel = fixture::degrees(1);
    s.chips = 1;
    const double near_s = fixture::predict(s).tpot_s;
    s.workload.context_tokens = 131072;
    const double added_s = fixture::predict(s).tpot_s - near_s;
    QVERIFY2(added_s > 4.5e-3 && added_s < 8e-3, qPrintable(QString::number(added_s)));
  }

  void latentCacheBeatsGroupedHeads() {
    // MLA keeps 70,272 bytes a token, GQA of Llama-3.1-405B 516,096: from 8k to 64k the step grows far less.
    Scenario mla = fixture::fixedBatch(fixture::mixture(), 144, 8192);
    Scenario gqa = mla;
    gqa.model = "llama3.1-405b";
    gqa.precision.weights = "fp8";
    gqa.parallel = fixture::degrees(8);
    gqa.chips = 72;
    const auto growth = [](Scenario s) {
      const double near_s = fixture::predict(s).tpot_s;
      s.workload.context_tokens = 65536;
      return fixture::predict(s).tpot_s - near_s;
    };
    QVERIFY(growth(gqa) > 2 * growth(mla));
  }

  void slowerLinksNeverHelp() {
    for (const Scenario& s : {fixture::fixedBatch(fixture::dense(), 64, 2048),
                              fixture::fixedBatch(fixture::mixture(), 1440, 2048)}) {
      const double slower = ratio(s, "system", "scale_up.link_gb_per_s", 10, &Prediction::tpot_s);
      QVERIFY2(slower > 1, qPrintable(QString::number(slower)));
      QVERIFY(ratio(s, "system", "scale_up.link_gb_per_s", 1000, &Prediction::tpot_s) <= 1);
    }
  }

  void moreMemoryHoldsMore() {
    const double more = ratio(fixture::dense(), "chip", "memory_gb", 160, &Prediction::max_concurrency);
    QVERIFY(more > 2);
  }

  void wideExpertParallelismBeatsEight() {
    // DeepSeek on a rack: 72 ranks hold 4 experts each instead of 32, and stream that much less.
    Scenario wide = fixture::fixedBatch(fixture::mixture(), 720, 4096);
    Scenario narrow = wide;
    narrow.parallel = fixture::degrees(1, 8, 8);
    QVERIFY(fixture::predict(wide).tpot_s < 0.8 * fixture::predict(narrow).tpot_s);
  }
};

QTEST_GUILESS_MAIN(PredictPropertiesTest)
#include "tst_predict_properties.moc"
