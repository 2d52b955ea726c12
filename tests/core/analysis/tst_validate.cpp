// Published rows: spellings, what is assumed, every row kept, errors counted as stated.
#include <QtTest>

#include "analysis/point_mapping.h"
#include "analysis/validate.h"
#include "fixture.h"

#include <cmath>

using namespace decodescope;
using namespace decodescope::analysis;

namespace {

constexpr const char* kHeader =
    "id,tier,source,url_or_repo_path,engine,chip,chip_as_published,n_chips,nodes,scaleup_link,model,model_as_"
    "published,weight_dtype,"
    "kv_dtype,tp,pp,ep,dp,batch_or_concurrency,input_len,output_len,mean_context,speculative,metric,value,"
    "includes_prefill,notes\n";

csv::Table table(const std::string& rows) {
  auto parsed = csv::Table::parse(kHeader + rows, "points.csv");
  if (!parsed) fixture::stop(parsed.error());
  return *std::move(parsed);
}

MappedPoint mapped(const std::string& row) {
  const auto point = readPoint(table(row), 0);
  if (!point) fixture::stop(point.error());
  auto out = mapPoint(*fixture::catalog(), *point);
  if (!out) fixture::stop(out.error());
  return *std::move(out);
}

const std::string kStatic =
    "A1,A,s,u,TensorRT-LLM,h100-sxm,H100,8,,,llama3.1-70b,Llama 3.1 "
    "70B,fp8,,8,1,,,16,128,2048,,no,e2e_latency_ms,18000,yes,static batch\n";

}  // namespace

class ValidateTest : public QObject {
  Q_OBJECT

 private slots:
  void spellings() {
    QCOMPARE(engineOf("TensorRT-LLM v0.17"), std::string("trtllm"));
    QCOMPARE(engineOf("vllm 0.19.0"), std::string("vllm"));
    QCOMPARE(engineOf("SGLang + DeepEP + DeepGEMM"), std::string("sglang"));
    QCOMPARE(engineOf("Google JAX/XLA"), std::string("jetstream"));
    QCOMPARE(engineOf("something else"), std::string("generic"));
    MeasuredPoint p;
    p.chip_as_published = "H200 SXM 141GB";
    QCOMPARE(chipOf(*fixture::catalog(), p), std::string("h200-sxm"));
    p.chip_as_published = "AMD MI300X GPU";
    QCOMPARE(chipOf(*fixture::catalog(), p), std::string("mi300x"));
    p.chip_as_published = "abacus";
    QCOMPARE(chipOf(*fixture::catalog(), p), std::string());
    p.model_as_published = "meta-llama/Llama-3.3-70B-Instruct";
    QCOMPARE(modelOf(*fixture::catalog(), p), std::string("llama3.1-70b"));
    p.model_as_published = "DeepSeek-R1";
    QCOMPARE(modelOf(*fixture::catalog(), p), std::string("deepseek-v3"));
  }

  void notesHoldNumbers() {
    MeasuredPoint p;
    p.notes =
        "scenario Server; 41.1075 samples/s; mean output tokens/sample = 274; at offered QPS=2; req/s=7.";
    QCOMPARE(*p.noted("samples/s"), 41.1075);
    QCOMPARE(*p.noted("mean output tokens/sample"), 274.0);
    QCOMPARE(*p.noted("QPS"), 2.0);
    QCOMPARE(*p.noted("req/s"), 7.0);
    QVERIFY(!p.noted("watts"));
  }

  void staticBatchIsAStaticBatch() {
    const MappedPoint m = mapped(kStatic);
    QVERIFY(m.regime == Regime::StaticBatch);
    QCOMPARE(m.batch, 16.0);
    QCOMPARE(m.scenario.parallel->tp, 8);
    QCOMPARE(m.scenario.system, std::string("dgx-h100"));
    QCOMPARE(m.scenario.precision.kv, std::string("fp8"));  // with the weights, by TensorRT-LLM
    QVERIFY(!m.assumed.empty());
  }

  void serversAreClosedLoops() {
    const MappedPoint m = mapped(
        "B1,B,silicon_sample,u,vllm "
        "0.18.0,h200-sxm,H200,8,,,gpt-oss-120b,gpt-oss,fp4,,8,1,1,1,64,1024,1024,,no,tpot_ms,9,no,\"closed "
        "loop at "
        "fixed concurrency; lengths drawn uniformly in [0.8,1.0]\"\n");
    QVERIFY(m.regime == Regime::ClosedLoop);
    QCOMPARE(m.scenario.workload.concurrency, 64.0);
    QCOMPARE(m.scenario.precision.weights, std::string("mxfp4"));
    QVERIFY(m.scenario.workload.prompt.distribution == TokenLength::Distribution::Uniform);
    QCOMPARE(m.prompt_tokens, 0.9 * 1024);
    QCOMPARE(m.scenario.serving.engine, std::string("vllm"));
  }

  void generationsOfEngines() {
    const auto engine = [](const char* published, const char* source) {
      return mapped(
                 std::string("G,A,") + source + ",u," + published +
                 ",h100-sxm,H100,1,,,llama2-7b,,fp16,,1,,,,8,128,128,,no,e2e_latency_s,1,yes,static batch\n")
          .scenario.serving.engine;
    };
    QCOMPARE(engine("TensorRT-LLM v0.5.0", "s"), std::string("trtllm-2023"));
    QCOMPARE(engine("TensorRT-LLM v0.14 + Triton backend", "s"), std::string("trtllm-2024"));
    QCOMPARE(engine("TensorRT-LLM v0.20 PyTorch backend", "s"), std::string("trtllm"));
    QCOMPARE(engine("TensorRT-LLM PyTorch backend (docs v1.0)", "s"), std::string("trtllm"));
    QCOMPARE(engine("vLLM v0.5.4", "s"), std::string("vllm-2024"));
    QCOMPARE(engine("vllm 0.19.0", "s"), std::string("vllm"));
    QCOMPARE(engine("vLLM", "Argonne LLM-Inference-Bench"), std::string("vllm-2024"));
  }

  void wideExpertsHaveDataParallelAttention() {
    const MappedPoint m = mapped(
        "W,A,s,u,SGLang,h100-sxm,H100,72,9,,deepseek-v3,,fp8,,,,72,,256,,,2000,no,output_tok_s_per_node,"
        "22282,no,decode-only pool; batch 256 "
        "per device\n");
    QCOMPARE(m.scenario.parallel->dp, 72);
    QCOMPARE(m.scenario.parallel->ep, 72);
    QCOMPARE(m.batch, 256.0 * 72);
    QCOMPARE(m.chips_per_node, 8.0);
    QCOMPARE(m.scenario.workload.context_tokens, 2000.0);
  }

  void unknownNamesAreSkippedWithTheReason() {
    const auto results = validatePoints(
        fixture::catalog(),
        table(kStatic +
              "X1,A,s,u,vLLM,,abacus,1,,,llama2-7b,,bf16,,1,,,,1,128,128,,no,tpot_ms,5,no,\n"
              "X2,A,s,u,vLLM,h100-sxm,H100,1,,,,GPT-J 6B,bf16,,1,,,,1,128,128,,no,tpot_ms,5,no,\n"
              "X3,A,s,u,vLLM,h100-sxm,H100,1,,,llama3.1-405b,,bf16,,1,,,,1,128,128,,no,tpot_ms,5,no,\n"
              "X4,A,s,u,vLLM,h100-sxm,H100,1,,,llama2-7b,,bf16,,1,,,,1,128,128,,no,tpot_ms,fast,no,\n"));
    QVERIFY(results);
    QCOMPARE(results->size(), std::size_t{5});
    QVERIFY((*results)[0].ok);
    for (std::size_t i = 1; i < 5; ++i) {
      QVERIFY(!(*results)[i].ok);
      QVERIFY(!(*results)[i].reason.empty());
    }
    QVERIFY((*results)[1].reason.find("abacus") != std::string::npos);
    QVERIFY((*results)[2].reason.find("GPT-J") != std::string::npos);
    QVERIFY((*results)[3].reason.find("infeasible") != std::string::npos);
  }

  void predictionsDoNotKnowTheRow() {
    // The same measurement under another id, source and value is predicted alike.
    std::string other = kStatic;
    other.replace(0, 6, "Z9,B,q");
    other.replace(other.find("18000"), 5, "99999");
    other.replace(other.find("Z9,B"), 4, "Z9,A");
    const auto a = validatePoints(fixture::catalog(), table(kStatic)),
               b = validatePoints(fixture::catalog(), table(other));
    QVERIFY(a && b);
    QCOMPARE(a->front().predicted, b->front().predicted);
  }

  void missingColumnsAreAnError() {
    const auto parsed = csv::Table::parse("id,chip\n1,h100\n", "p.csv");
    QVERIFY(parsed);
    QVERIFY(!validatePoints(fixture::catalog(), *parsed));
  }

  void errorsAreCountedAsStated() {
    std::vector<PointResult> rows(5);
    const double ratios[] = {0.9, 1.0, 1.1, 1.4, 0};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].point.tier = std::string(1, 'A');
      rows[i].ok = i < 4;
      rows[i].ratio = ratios[i];
      rows[i].abs_error_pct = 100 * std::fabs(ratios[i] - 1);
    }
    for (const ErrorGroup& g : errorGroups(rows)) {
      if (g.by != "tier") continue;
      QCOMPARE(g.count, 4);
      QCOMPARE(g.skipped, 1);
      QVERIFY(std::fabs(g.median_abs_pct - 10) < 1e-9);  // of 0, 10, 10, 40
      QVERIFY(std::fabs(g.p90_abs_pct - 31) < 1e-9);     // 0.7 of the way from 10 to 40
      QVERIFY(std::fabs(g.bias_pct - 5) < 1e-9);         // between 1.0 and 1.1
    }
  }

  void rankingCountsPairs() {
    std::vector<PointResult> rows(3);
    const double measured[] = {1, 2, 3}, predicted[] = {10, 30, 20};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].ok = true;
      rows[i].point.source = std::string(1, 's');
      rows[i].point.metric = "tpot_ms";
      rows[i].point.value = measured[i];
      rows[i].predicted = predicted[i];
    }
    const auto r = rankings(rows);
    QCOMPARE(r.size(), std::size_t{1});
    QCOMPARE(r[0].pairs, 3);
    QVERIFY(std::fabs(r[0].kendall_tau - 1.0 / 3) < 1e-12);  // two agree, one does not
  }

  void aPublishedStepIsMet() {
    // AMD's MI300X best-practice blog and TensorRT-LLM documentation style rows: within a quarter of the
    // measurement.
    const auto results =
        validatePoints(fixture::catalog(), table("P1,A,ROCm/vllm dev-docker README,u,vLLM "
                                                 "v0.10.0,mi300x,MI300X,8,,,llama3.1-70b,,fp8,,8,,,,8,2048,"
                                                 "2048,,no,e2e_latency_s,20.16,yes,static batch\n"
                                                 "P2,B,silicon_sample,u,vllm,h100-sxm,H100 "
                                                 "SXM,4,,,llama3.1-70b,,fp8,,4,1,1,1,4,1024,1024,,no,tpot_ms,"
                                                 "11.0,no,closed loop at fixed concurrency\n"));
    QVERIFY(results);
    for (const PointResult& r : *results)
      QVERIFY2(r.ok && r.abs_error_pct < 25, qPrintable(QString::number(r.ratio)));
  }
};

QTEST_GUILESS_MAIN(ValidateTest)
#include "tst_validate.moc"
