// One operating point: units, sums, coupling of power, clock and step, infeasible scenarios, JSON keys.
#include <QtTest>

#include "analysis/prediction_json.h"
#include "fixture.h"

#include <cmath>
#include <nlohmann/json.hpp>

using namespace decodescope;

namespace {

const Violation* find(const Prediction& p, const char* rule) {
  for (const Violation& v : p.violations) {
    if (v.rule == rule) return &v;
  }
  return nullptr;
}

}  // namespace

class PredictTest : public QObject {
  Q_OBJECT

 private slots:
  void ratesFollowFromTimes() {
    const Scenario s = fixture::dense();
    const Prediction p = fixture::predict(s);
    QVERIFY(p.feasible);
    QVERIFY(std::fabs(p.breakdown_s.total_s() / p.step_time_s - 1) < 1e-9);
    QVERIFY(std::fabs(p.output_tokens_per_s_per_user * p.tpot_s - 1) < 1e-12);
    QVERIFY(std::fabs(p.output_tokens_per_s_per_chip * 8 - p.output_tokens_per_s) <
            1e-9 * p.output_tokens_per_s);
    // Each decoding sequence makes a token per iteration, and each prefill its first one.
    const double per_step = p.output_tokens_per_s * p.step_time_s;
    QVERIFY(std::fabs(per_step - p.concurrency * 1024 / 1023) < 1e-6 * per_step);
    QVERIFY(std::fabs(p.total_tokens_per_s - 2 * p.output_tokens_per_s) < 1e-6 * p.total_tokens_per_s);
    QCOMPARE(static_cast<int>(p.bound), static_cast<int>(p.breakdown_s.largest()));
  }

  void staticModeIsOneStep() {
    const Scenario s = fixture::fixedBatch(fixture::dense(), 32, 8192);
    const auto predictor = fixture::predictor(s);
    const Prediction p = predictor->predict(s, {false, false});
    decode::StepInput in;
    in.sequences = in.busiest_group_sequences = 32;
    in.context_tokens = 8192;
    QCOMPARE(p.step_time_s, predictor->stepModel()->evaluate(in).step_s);
    QCOMPARE(p.tpot_s, p.step_time_s);
    QCOMPARE(p.output_tokens_per_s, 32 / p.step_time_s);
    QCOMPARE(p.ttft_s, 0.0);
  }

  void prefillOfOthersStretchesTokens() {
    Scenario s = fixture::dense();
    s.workload.prompt.mean_tokens = 8192;
    const Prediction with = fixture::predict(s);
    s.serving.prefill = PrefillMode::None;
    const Prediction without = fixture::predict(s);
    // First order: step + batch / output x prefill. 64 / 1024 of the 4 chunks of one prompt.
    QVERIFY(with.tpot_s > 1.15 * without.tpot_s);
    s.serving.prefill = PrefillMode::Disaggregated;
    QVERIFY(std::fabs(fixture::predict(s).tpot_s / without.tpot_s - 1) < 1e-9);
  }

  void idleReplicasDoNotSpeedUpOneRequest() {
    Scenario s = fixture::dense();
    s.system = "gb200-nvl72";
    s.chips = 64;
    s.workload.concurrency = 1;
    const Prediction one = fixture::predict(s);
    s.chips = 8;
    const Prediction alone = fixture::predict(s);
    QVERIFY(std::fabs(one.tpot_s / alone.tpot_s - 1) < 1e-9);
    QCOMPARE(one.plan.replicas, 8);
    QVERIFY(std::fabs(one.output_tokens_per_s / alone.output_tokens_per_s - 1) < 1e-9);
    QVERIFY(one.power.it_w > alone.power.it_w);
  }

  void powerCapSlowsTheClock() {
    Scenario s = fixture::fixedBatch(fixture::dense(), 256, 1024);
    s.precision.weights = "bf16";
    const Prediction free = fixture::predict(s);
    QCOMPARE(free.thermal.clock_ratio, 1.0);
    QCOMPARE(free.breakdown_s[StepPart::Throttle], 0.0);
    s.physical.chip_power_cap_w = 300;
    const Prediction capped = fixture::predict(s);
    QVERIFY(capped.thermal.clock_ratio < 1);
    QVERIFY(capped.thermal.limited_by == ClockLimit::Power);
    QVERIFY(capped.power.chip_w <= 300 * 1.001);
    QVERIFY(capped.breakdown_s[StepPart::Throttle] > 0);
    QVERIFY(std::fabs(capped.step_time_s - free.step_time_s - capped.breakdown_s[StepPart::Throttle]) <
            1e-9 * capped.step_time_s);
  }

  void hotInletThrottles() {
    Scenario s = fixture::fixedBatch(fixture::dense(), 256, 1024);
    s.physical.supply_c = 60;
    const Prediction hot = fixture::predict(s);
    QVERIFY(hot.thermal.clock_ratio < 1);
    QVERIFY(hot.thermal.limited_by == ClockLimit::Thermal);
    QVERIFY2(hot.thermal.max_chip_c <= hot.thermal.limit_c + 0.5,
             qPrintable(QString("%1 over %2").arg(hot.thermal.max_chip_c).arg(hot.thermal.limit_c)));
  }

  void clockLimitIsTheUsers() {
    Scenario s = fixture::fixedBatch(fixture::dense(), 64, 1024);
    s.physical.clock_limit_ratio = 0.8;
    const Prediction p = fixture::predict(s);
    QVERIFY(std::fabs(p.thermal.clock_ratio - 0.8) < 1e-9);
  }

  void weightsThatDoNotFit() {
    Scenario s = fixture::dense();
    s.model = "llama3.1-405b";
    s.precision.weights = "bf16";  // 812 GB on 8 x 80 GiB
    const auto predictor = fixture::predictor(s);
    QVERIFY(!predictor->stepModel());
    const Prediction p = predictor->predict(s);
    QVERIFY(!p.feasible);
    const Violation* v = find(p, "memory");
    QVERIFY(v);
    QVERIFY(v->value > v->limit);
    QVERIFY(!v->fix.empty());
    QVERIFY(std::fabs(p.memory.weights_bytes_per_chip / (811.7e9 / 8) - 1) < 0.01);
  }

  void oneSequenceThatDoesNotFit() {
    Scenario s = fixture::dense();
    s.workload.prompt.mean_tokens = 8e6;
    const Prediction p = fixture::predict(s);
    QVERIFY(!p.feasible);
    QVERIFY(find(p, "memory"));
    QVERIFY(find(p, "memory")->message.find("One sequence") != std::string::npos);
  }

  void automaticPlanThatFitsNowhereNamesChips() {
    Scenario s = fixture::dense();
    s.model = "llama3.1-405b";
    s.precision.weights = "bf16";
    s.parallel.reset();
    const Prediction p = fixture::predict(s);
    QVERIFY(!p.feasible);
    const Violation* v = find(p, "memory");
    QVERIFY(v);
    QCOMPARE(v->fix_path, std::string("chips"));
    s.chips = std::stoi(v->fix_value);
    QVERIFY(fixture::predict(s).feasible);
  }

  void illegalPlanIsAResult() {
    Scenario s = fixture::dense();
    s.parallel = fixture::degrees(8, 1, 1, 3);
    const Prediction p = fixture::predict(s);
    QVERIFY(!p.feasible);
    QVERIFY(find(p, "parallel"));
    s.parallel.reset();
    s.fabric.kind = "none";
    s.chips = 16;
    QVERIFY(find(fixture::predict(s), "system"));
  }

  void unknownNamesAreErrors() {
    Scenario s = fixture::dense();
    s.model = "llama-9";
    QVERIFY(!analysis::Predictor::make(fixture::catalog(), s));
    s = fixture::dense();
    s.precision.weights = "fp7";
    QVERIFY(!analysis::Predictor::make(fixture::catalog(), s));
  }

  void overlongContextIsAnAssumption() {
    const Scenario s = fixture::fixedBatch(fixture::dense(), 1, 500000);
    const Prediction p = fixture::predict(s);
    QVERIFY(p.feasible);
    bool said = false;
    for (const std::string& a : p.assumptions)
      said = said || a.find("quality not modelled") != std::string::npos;
    QVERIFY(said);
  }

  void coversOperatingPointsOnly() {
    const Scenario s = fixture::dense();
    const auto predictor = fixture::predictor(s);
    Scenario other = s;
    other.workload.concurrency = 7;
    other.workload.prompt.mean_tokens = 99;
    other.physical.ambient_c = 12;
    other.economics.usd_per_kwh = 1;
    QVERIFY(predictor->covers(other));
    QVERIFY(predictor->covers(predictor->scenario()));
    for (const auto& change : std::initializer_list<void (*)(Scenario&)>{
             [](Scenario& c) { c.chips = 16; }, [](Scenario& c) { c.model = "llama3.1-8b"; },
             [](Scenario& c) { c.precision.kv = "fp8"; },
             [](Scenario& c) { c.parallel = fixture::degrees(4); }, [](Scenario& c) { c.jitter = true; },
             [](Scenario& c) { c.serving.chunk_tokens = 1; }}) {
      Scenario structural = s;
      change(structural);
      QVERIFY(!predictor->covers(structural));
    }
  }

  void fastAgreesWithFull() {
    for (const Scenario& s :
         {fixture::dense(), fixture::mixture(), fixture::fixedBatch(fixture::dense(), 3, 777)}) {
      const auto predictor = fixture::predictor(s);
      const Prediction full = predictor->predict(s, {false, false});
      Prediction fast;
      predictor->predictFast(s, fast);
      QVERIFY(fast.feasible);
      QCOMPARE(fast.tpot_s, full.tpot_s);
      QCOMPARE(fast.step_time_s, full.step_time_s);
      QCOMPARE(fast.output_tokens_per_s, full.output_tokens_per_s);
      QCOMPARE(fast.power.chip_w, full.power.chip_w);
      QCOMPARE(fast.cost.usd_per_hour, full.cost.usd_per_hour);
      QCOMPARE(fast.thermal.max_chip_c, full.thermal.max_chip_c);
    }
  }

  void linksOfTheRackCarryTheExchange() {
    const Scenario s = fixture::mixture();
    const auto predictor = fixture::predictor(s);
    const Prediction p = predictor->predict(s, {true, false});
    QVERIFY(p.links.peak_utilization_ratio > 0);
    QVERIFY(p.links.peak_utilization_ratio < 1);
    QVERIFY(p.links.mean_utilization_ratio <= p.links.peak_utilization_ratio);
    QVERIFY(!p.links.peak_link.empty());
  }

  void triangleReadings() {
    const Scenario s = fixture::fixedBatch(fixture::dense(), 4, 8192);
    const Prediction p = fixture::predict(s);
    QVERIFY(std::fabs(p.triangle_time_share[0] + p.triangle_time_share[1] + p.triangle_time_share[2] - 1) <
            1e-12);
    QVERIFY(std::fabs(p.triangle.compute - p.breakdown_s[StepPart::Math] / p.step_time_s) < 1e-12);
    QCOMPARE(p.triangle.interconnect_is, std::string("HBM"));
    QVERIFY(p.triangle.interconnect > p.triangle.compute);  // four sequences stream weights
    for (const char* name : {"compute", "interconnect", "physical", "balanced"}) {
      if (p.triangle.binding == name) return;
    }
    QFAIL(p.triangle.binding.c_str());
  }

  void jsonHasTheKeysOfTheContract() {
    const Scenario s = fixture::dense();
    const auto json = analysis::predictionJson(fixture::predictor(s)->predict(s));
    for (const char* key : {"feasible",
                            "violations",
                            "tpot_s",
                            "ttft_s",
                            "step_time_s",
                            "output_tokens_per_s",
                            "output_tokens_per_s_per_chip",
                            "output_tokens_per_s_per_user",
                            "total_tokens_per_s",
                            "concurrency",
                            "max_concurrency",
                            "breakdown_s",
                            "bound",
                            "plan",
                            "memory",
                            "links",
                            "power",
                            "joules_per_token",
                            "thermal",
                            "cost",
                            "triangle",
                            "scoreboard",
                            "deployable",
                            "assumptions"})
      QVERIFY2(json.contains(key), key);
    for (const char* key :
         {"weights_hbm", "kv_hbm", "math", "launch", "collectives", "wait", "host", "throttle", "overlap"})
      QVERIFY2(json["breakdown_s"].contains(key), key);
    for (const char* key : {"weights_bytes_per_chip", "kv_bytes_per_token", "kv_bytes_per_chip",
                            "activation_bytes_per_chip", "capacity_bytes_per_chip"})
      QVERIFY2(json["memory"].contains(key), key);
    QCOMPARE(json["memory"]["kv_bytes_per_token"].get<double>(), 327680.0);
    QCOMPARE(json["thermal"]["limited_by"].get<std::string>(), std::string("none"));
    // An infeasible one has reasons instead of results.
    Scenario no = s;
    no.workload.prompt.mean_tokens = 8e6;
    const auto empty = analysis::predictionJson(fixture::predict(no));
    QVERIFY(!empty["feasible"].get<bool>());
    QVERIFY(!empty.contains("tpot_s"));
    QVERIFY(!empty["violations"].empty());
  }

  void speculationHandsOverSeveralTokens() {
    Scenario s = fixture::fixedBatch(fixture::mixture(), 72, 4096);
    const Prediction plain = fixture::predict(s);
    s.serving.speculation = Speculation{1, 0.85};
    const Prediction drafted = fixture::predict(s);
    QVERIFY(std::fabs(drafted.step_time_s / drafted.tpot_s - 1.85) < 1e-9);
    QVERIFY(drafted.tpot_s < plain.tpot_s);
    QVERIFY(drafted.step_time_s > plain.step_time_s);
  }
};

QTEST_GUILESS_MAIN(PredictTest)
#include "tst_predict.moc"
