// The operation list: which kernels and collectives a model under a plan runs, how often, how large.
#include <QtTest>

#include "decode/operation_list.h"
#include "fixture.h"

#include <algorithm>
#include <set>

using namespace decodescope;
using decode::Operation;

namespace {

const Operation* find(const decode::StepModel& step, const std::string& id) {
  for (const Operation& op : step.operations()) {
    if (op.id == id) return &op;
  }
  return nullptr;
}

}  // namespace

class OperationsTest : public QObject {
  Q_OBJECT

 private slots:
  void idsAreUnique() {
    for (const fixture::Case& c : fixture::variety()) {
      std::set<std::string> ids;
      const auto step = fixture::make(c);
      for (const Operation& op : step->operations())
        QVERIFY2(ids.insert(op.id).second, (c.model + " " + op.id).c_str());
    }
  }

  void denseUnderTensorParallelism() {
    const auto step = fixture::make(
        fixture::Case{"llama3.1-70b", "dgx-h100", "fp8", "bf16", "vllm", fixture::degrees(4), 4});
    const Operation* qkv = find(*step, "qkv");
    QVERIFY(qkv);
    QCOMPARE(qkv->n, (16.0 + 2 * 2) * 128);  // 64 query and 8 KV heads over 4 ranks
    QCOMPARE(qkv->k, 8192.0);
    QCOMPARE(qkv->count, 80.0);
    QCOMPARE(find(*step, "ffn_in")->n, 2 * 28672.0 / 4);
    QCOMPARE(find(*step, "ffn_out")->k, 28672.0 / 4);
    QCOMPARE(find(*step, "all_reduce_attention")->count, 80.0);
    QCOMPARE(find(*step, "all_reduce_attention")->bytes_per_token, 8192.0 * 2);
    QCOMPARE(find(*step, "all_reduce_ffn")->count, 80.0);
    QCOMPARE(find(*step, "lm_head")->n, 128256.0 / 4);
    QVERIFY(find(*step, "lm_head")->dtype == Dtype::Bf16);
    QVERIFY(!find(*step, "experts"));
    QVERIFY(!find(*step, "dispatch"));
  }

  void keyValueHeadsAreReplicatedBeyondTheirNumber() {
    const auto step = fixture::make(
        fixture::Case{"llama3.1-70b", "gb200-nvl72", "fp8", "bf16", "vllm", fixture::degrees(32), 32});
    QCOMPARE(find(*step, "attention")->kv_heads, 1.0);
    QCOMPARE(find(*step, "attention")->heads, 2.0);
  }

  void parallelBlockHasOneAllReduce() {
    const auto step = fixture::make(fixture::variety()[2]);
    QVERIFY(!find(*step, "all_reduce_attention"));
    QVERIFY(!find(*step, "ffn_in"));
    QCOMPARE(find(*step, "all_reduce_block")->count, 118.0);
    // PaLM-540B on 48 ranks: 1 query head, 1 KV head, both of 256, and 2 x 73728 / 48 FFN inputs.
    QCOMPARE(find(*step, "qkv_ffn_in")->n, 256.0 + 2 * 256 + 2 * 73728.0 / 48);
  }

  void localLayersReadTheirWindow() {
    const auto step = fixture::make(fixture::variety()[3]);
    QCOMPARE(find(*step, "attention")->count, 10.0);
    QCOMPARE(find(*step, "attention_local")->count, 52.0);
    QCOMPARE(find(*step, "attention_local")->window_tokens, 1024.0);
    QCOMPARE(find(*step, "norm_attention")->per_layer_count, 4.0);
  }

  void linearLayersKeepAState() {
    const auto step = fixture::make(fixture::variety()[5]);
    QCOMPARE(find(*step, "linear_state")->count, 70.0);
    QCOMPARE(find(*step, "attention")->count, 10.0);
    // 64 heads over 8 ranks, 128 x 128 fp32, read and written.
    QCOMPARE(find(*step, "linear_state")->bytes_per_token, 2 * 8.0 * 128 * 128 * 4);
    QCOMPARE(find(*step, "qkv")->count, 10.0);
  }

  void mlaIsAbsorbed() {
    const auto step = fixture::make(
        fixture::Case{"deepseek-v3", "hgx-h200", "fp8_block", "fp8", "trtllm", fixture::degrees(8, 8), 8});
    QCOMPARE(find(*step, "q_a_kv_a")->n, 1536.0 + 512 + 64);
    QCOMPARE(find(*step, "q_b")->n, 16.0 * 192);
    QVERIFY(find(*step, "attention")->kind == decode::OperationKind::Mla);
    QCOMPARE(find(*step, "o")->k, 16.0 * 128);
    QVERIFY(find(*step, "absorb_q") && find(*step, "value_up"));
    QCOMPARE(find(*step, "experts")->count, 58.0);
    QCOMPARE(find(*step, "ffn_in")->count, 3.0);  // the first dense layers
    QCOMPARE(find(*step, "shared_in")->n, 2 * 2048.0 / 8);
    // One attention group: experts hold all tokens and the all-reduce sums them.
    QVERIFY(!find(*step, "dispatch"));
    QCOMPARE(find(*step, "all_reduce_experts")->count, 58.0);
  }

  void dataParallelAttentionExchangesTokens() {
    const auto step = fixture::make(fixture::variety()[6]);
    QVERIFY(!find(*step, "all_reduce_attention"));
    QVERIFY(!find(*step, "all_reduce_experts"));
    QCOMPARE(find(*step, "dispatch")->count, 58.0);
    QCOMPARE(find(*step, "combine")->count, 58.0);
    QCOMPARE(find(*step, "dispatch")->shape.size, 8);
    QCOMPARE(find(*step, "attention")->heads, 128.0);
    QCOMPARE(find(*step, "shared_in")->n, 2 * 2048.0);  // replicated
  }

  void slicedExpertsGatherAndScatter() {
    // Four attention groups, experts not spread but sliced over the four ranks.
    const auto step = fixture::make(fixture::Case{"deepseek-v3", "gb200-nvl72", "fp8_block", "fp8", "sglang",
                                                  fixture::degrees(1, 1, 4), 4});
    QVERIFY(!find(*step, "dispatch"));
    QCOMPARE(find(*step, "gather_experts")->shape.size, 4);
    QVERIFY(find(*step, "scatter_experts"));
    QCOMPARE(find(*step, "experts")->n, 2048.0 / 4);
  }

  void sparseAttentionScoresAllKeysButReadsTopK() {
    const auto step = fixture::make(fixture::variety()[7]);
    QVERIFY(find(*step, "indexer"));
    const auto near_s = step->evaluate(fixture::input(72, 32768, 72)).breakdown_s[StepPart::KvHbm];
    const auto far_s = step->evaluate(fixture::input(72, 131072, 72)).breakdown_s[StepPart::KvHbm];
    // Four times the context: the indexer's 132 bytes grow, the 2048 latents of 576 do not.
    QVERIFY(far_s > near_s);
    QVERIFY(far_s < 4 * near_s);
  }

  void everySecondLayerIsAMixture() {
    const auto step = fixture::make(fixture::variety()[8]);
    QCOMPARE(find(*step, "experts")->count, 24.0);
    QCOMPARE(find(*step, "ffn_in")->count, 24.0);
  }

  void contextRanksMergePartialOutputs() {
    const auto step = fixture::make(fixture::variety()[9]);
    const Operation* merge = find(*step, "merge_context");
    QVERIFY(merge);
    QCOMPARE(merge->count, 126.0);
    // 128 heads over 4 tensor ranks: 32 outputs of 128 in bf16 and a 4-byte log-sum-exp each, gathered from 2
    // ranks.
    QCOMPARE(merge->bytes_per_token, 2 * (32.0 * 128 * 2 + 32 * 4));
    QCOMPARE(find(*step, "pipeline_send")->count, 2.0);
  }

  void layersOfAKindAreSpreadAndCounted() {
    for (const fixture::Case& c : fixture::variety()) {
      const auto step = fixture::make(c);
      const decode::LayerCounts counts = decode::layerCounts(step->model());
      using decode::LayerSet;
      const std::pair<LayerSet, int> sets[] = {
          {LayerSet::All, counts.all},       {LayerSet::Full, counts.full},   {LayerSet::Local, counts.local},
          {LayerSet::Linear, counts.linear}, {LayerSet::Dense, counts.dense}, {LayerSet::Moe, counts.moe}};
      for (const auto& [set, expected] : sets) {
        int n = 0;
        for (int layer = 0; layer < counts.all; ++layer)
          n += decode::layerRuns(step->model(), counts, set, layer) ? 1 : 0;
        QCOMPARE(n, expected);
      }
    }
  }

  void speculationDraftsAndVerifies() {
    Scenario s = fixture::scenarioOf(
        fixture::Case{"deepseek-v3", "hgx-h200", "fp8_block", "fp8", "trtllm", fixture::degrees(8, 8), 8});
    s.serving.speculation = Speculation{2, 0.8};
    const auto step = fixture::make(s);
    QVERIFY(find(*step, "draft_head"));
    QCOMPARE(find(*step, "draft_head")->count, 2.0);
    QCOMPARE(step->tokensPerStep(), 1 + 0.8 + 0.64);
    s.serving.speculation.reset();
    const auto plain = fixture::make(s);
    QCOMPARE(plain->tokensPerStep(), 1.0);
    const auto in = fixture::input(4, 4096);
    // A verify step costs more than a plain one, and less than the tokens that it yields.
    QVERIFY(step->evaluate(in).step_s > plain->evaluate(in).step_s);
    QVERIFY(step->evaluate(in).step_s < step->tokensPerStep() * plain->evaluate(in).step_s);
  }
};

QTEST_GUILESS_MAIN(OperationsTest)
#include "tst_operations.moc"
