// Memory of a chip: weights by their sharding, cache by blocks.
#include <QtTest>

#include "fixture.h"
#include "model/arithmetic.h"

#include <cmath>

using namespace decodescope;

class MemoryTest : public QObject {
  Q_OBJECT

 private slots:
  void unshardedWeightsAreAllParameters() {
    // Every catalog model on one rank in bf16: two bytes for each parameter (biases and small vectors aside).
    for (const ModelSpec& model : fixture::catalog()->models()) {
      const auto step = fixture::make(
          fixture::Case{model.id, "gb200-nvl72", "bf16", "bf16", "trtllm", fixture::degrees(1), 1});
      const double expected = 2 * model::countParameters(model).total();
      const double ratio = step->memory().weights_bytes_per_chip / expected;
      QVERIFY2(std::fabs(ratio - 1) < 0.004, qPrintable(QString("%1: %2").arg(model.id.c_str()).arg(ratio)));
    }
  }

  void tensorRanksShareTheWeights() {
    const auto one = fixture::make(
        fixture::Case{"llama3.1-70b", "dgx-h100", "bf16", "bf16", "vllm", fixture::degrees(1), 1});
    const auto eight = fixture::make(
        fixture::Case{"llama3.1-70b", "dgx-h100", "bf16", "bf16", "vllm", fixture::degrees(8), 8});
    QVERIFY(std::fabs(one->memory().weights_bytes_per_chip / eight->memory().weights_bytes_per_chip - 8) <
            0.01);
    // Beyond 8 KV heads their projections are replicated: more than a 16th is left on each of 16.
    const auto more = fixture::make(
        fixture::Case{"llama3.1-70b", "gb200-nvl72", "bf16", "bf16", "vllm", fixture::degrees(16), 16});
    QVERIFY(more->memory().weights_bytes_per_chip > one->memory().weights_bytes_per_chip / 16 * 1.002);
  }

  void expertRanksShareTheExperts() {
    const auto narrow = fixture::make(fixture::Case{"deepseek-v3", "gb200-nvl72", "fp8_block", "fp8",
                                                    "trtllm", fixture::degrees(1, 8, 8), 8});
    const auto wide = fixture::make(fixture::Case{"deepseek-v3", "gb200-nvl72", "fp8_block", "fp8", "trtllm",
                                                  fixture::degrees(1, 64, 64), 64});
    // 653.9e9 expert parameters: an eighth and a 64th of them at one byte and the block scales; the rest is
    // replicated.
    const double experts = 58.0 * 256 * 3 * 7168 * 2048;
    const double difference = narrow->memory().weights_bytes_per_chip - wide->memory().weights_bytes_per_chip;
    QVERIFY(std::fabs(difference / (experts * (1.0 / 8 - 1.0 / 64)) - 1) < 0.04);
  }

  void pipelineStagesHoldTheirLayers() {
    const auto one = fixture::make(
        fixture::Case{"llama3.1-405b", "dgx-h100", "fp8", "fp8", "trtllm", fixture::degrees(8), 8});
    const auto two = fixture::make(
        fixture::Case{"llama3.1-405b", "dgx-h100", "fp8", "fp8", "trtllm", fixture::degrees(8, 1, 1, 2), 16});
    const double ratio = two->memory().weights_bytes_per_chip / one->memory().weights_bytes_per_chip;
    QVERIFY(std::fabs(ratio - 0.5) < 0.002);  // half the layers, and one of embedding and head
  }

  void cacheOfOneSequence() {
    // 70B: 327,680 bytes a token over 8 KV heads on 8 ranks; 1000 tokens take 16 blocks of 64.
    const auto step = fixture::make(
        fixture::Case{"llama3.1-70b", "dgx-h100", "fp8", "bf16", "vllm", fixture::degrees(8), 8});
    QCOMPARE(step->memory().kv_bytes_per_sequence_per_chip(1000), 1024 * 327680.0 / 8);
    // 16 ranks still divide by 8 heads only.
    const auto wide = fixture::make(
        fixture::Case{"llama3.1-70b", "gb200-nvl72", "fp8", "bf16", "vllm", fixture::degrees(16), 16});
    QCOMPARE(wide->memory().kv_bytes_per_sequence_per_chip(1000), 1024 * 327680.0 / 8);
    // MLA: the latent is whole on every tensor rank.
    const auto mla = fixture::make(
        fixture::Case{"deepseek-v3", "hgx-h200", "fp8_block", "bf16", "trtllm", fixture::degrees(8, 8), 8});
    QCOMPARE(mla->memory().kv_bytes_per_sequence_per_chip(1024), 1024 * 70272.0);
  }

  void whatFitsFollowsFromTheAccount() {
    const auto step = fixture::make(
        fixture::Case{"llama3.1-70b", "dgx-h100", "fp8", "bf16", "vllm", fixture::degrees(8), 8});
    const decode::MemoryPlan& m = step->memory();
    QCOMPARE(m.usable_bytes_per_chip, m.capacity_bytes_per_chip * step->engine().memory_utilization_ratio -
                                          step->engine().reserve_bytes);
    const double free = m.usable_bytes_per_chip - m.weights_bytes_per_chip - m.activation_bytes_per_chip;
    for (const double context : {100.0, 8192.0, 100000.0}) {
      const double n = m.maxSequencesPerGroup(context);
      QVERIFY(n * m.kv_bytes_per_sequence_per_chip(context) <= free);
      QVERIFY((n + 1) * m.kv_bytes_per_sequence_per_chip(context) > free);
    }
    const auto none = fixture::make(
        fixture::Case{"llama3.1-405b", "dgx-h100", "bf16", "bf16", "vllm", fixture::degrees(8), 8});
    QCOMPARE(none->memory().maxSequencesPerGroup(128), 0.0);
  }
};

QTEST_GUILESS_MAIN(MemoryTest)
#include "tst_memory.moc"
