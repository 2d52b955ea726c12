// Rows of published kernel times: spellings, routing of experts, reasons for rows out of reach.
#include <rapidcheck.h>
#include <QtTest>

#include "golden.h"

#include "kernel/expert_routing.h"
#include "kernel/kernel_rows.h"

#include <cmath>

using namespace decodescope;
using namespace decodescope::kernel;

class KernelRowsTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    catalog_ = golden::loadCatalog();
    QVERIFY(catalog_);
  }

  void spellings() {
    for (const auto& [published, id] : {std::pair("H100", "h100-sxm"),
                                        {"NVIDIA H100 SXM5", "h100-sxm"},
                                        {"a100_sxm", "a100-80g"},
                                        {"A100-SXM4-80GB", "a100-80g"},
                                        {"MI300X", "mi300x"},
                                        {"gb200", "gb200"},
                                        {"TPU v5e", "tpu-v5e"}}) {
      QCOMPARE(QString::fromStdString(chipIdOf(*catalog_, published).value_or("")), QString(id));
    }
    QVERIFY(!chipIdOf(*catalog_, "abacus"));
  }

  void rowsPredictAsTheModelDoes() {
    const auto table = csv::Table::parse(
        "chip,framework,op,dtype,kv_dtype,M,N,K,batch,seq,heads,kv_heads,head_dim\n"
        "H100,trtllm,gemm,bfloat16,,16,4096,8192,,,,,\n"
        "H100,trtllm,attn_decode,bfloat16,fp8,,,,8,4096,32,8,128\n"
        "H100,sglang,attn_decode,bfloat16,fp8,,,,8,4096,32,8,128\n",
        "rows");
    QVERIFY(table.has_value());
    KernelRowPredictor predictor(*catalog_, "", false);
    const ChipSpec& chip = **catalog_->chip("h100-sxm");
    const auto trtllm = KernelModel::make(*catalog_, chip, AttentionLibrary::Trtllm);
    const auto sglang = KernelModel::make(*catalog_, chip, AttentionLibrary::Sglang);
    QCOMPARE(*predictor.seconds(*table, 0),
             trtllm->gemm(Dtype::Bf16, 16, 4096, 8192, Residency::Replayed).total_s());
    QCOMPARE(*predictor.seconds(*table, 1), trtllm->attention(Dtype::Fp8, 8, 4096, 32, 8, 128).total_s());
    QCOMPARE(*predictor.seconds(*table, 2), sglang->attention(Dtype::Fp8, 8, 4096, 32, 8, 128).total_s());
    QVERIFY(*predictor.seconds(*table, 1) <
            *predictor.seconds(*table, 2));  // FA3 is slow with fp8 caches on Hopper
  }

  void rowsOutOfReachSayWhy() {
    const auto table = csv::Table::parse(
        "chip,framework,op,dtype,kv_dtype,M,N,K,measured_us\n"
        "abacus,trtllm,gemm,bfloat16,,16,4096,8192,1\n"
        "H100,trtllm,gemm,bfloat16,,,4096,8192,1\n"
        "H100,trtllm,gemm,ternary,,16,4096,8192,1\n"
        "H100,trtllm,fft,bfloat16,,16,4096,8192,1\n"
        "H100,trtllm,gemm,bfloat16,,many,4096,8192,1\n",
        "rows.csv");
    KernelRowPredictor predictor(*catalog_, "", false);
    for (const auto& [row, part] : {std::pair(0, "unknown chip"),
                                    {1, "M is empty"},
                                    {2, "unknown data type"},
                                    {3, "unknown kernel"},
                                    {4, "not a number"}}) {
      const auto result = predictor.seconds(*table, static_cast<std::size_t>(row));
      QVERIFY(!result.has_value());
      QVERIFY2(result.error().text().find(part) != std::string::npos, result.error().text().c_str());
    }
    QVERIFY(predictor.seconds(*table, 4).error().file.starts_with("rows.csv:6:"));
  }

  void routing() {
    // 64 tokens, 8 of 256 experts, 8 ranks: 64 copies per rank, all 32 local experts.
    const auto balanced = routeTokens(64, 256, 8, 8, "balanced");
    QCOMPARE(balanced->distinct_experts, 32.0);
    QCOMPARE(balanced->routed_tokens, 64.0);
    // One token hits one expert of the busiest rank.
    QCOMPARE(routeTokens(1, 256, 8, 8, "balanced")->distinct_experts, 1.0);
    // Uniform: mu + 1.42 sqrt(mu (1 - 1/8)), mu = 64.
    const auto uniform = routeTokens(64, 256, 8, 8, "uniform");
    QVERIFY(std::abs(uniform->routed_tokens - (64 + 1.42 * std::sqrt(64 * 0.875))) < 1e-9);
    QVERIFY(!routeTokens(64, 256, 8, 8, "zipf").has_value());
    QVERIFY(!routeTokens(64, 8, 16, 1, "balanced").has_value());
    // Values of the published routine for a power law, to four digits.
    QVERIFY(expectedNormalMaximum(1) == 0 && std::abs(expectedNormalMaximum(8) - 1.42) < 1e-12);
  }

  void routingKeepsItsBounds() {
    QVERIFY(rc::check([] {
      const int ranks = 1 << *rc::gen::inRange(0, 6);
      const int experts = ranks * *rc::gen::inRange(1, 9);
      const int top_k = *rc::gen::inRange(1, std::min(experts, 9) + 1);
      const double tokens = *rc::gen::inRange(1, 5000);
      for (const char* law : {"balanced", "uniform", "power_law_1.01", "power_law_1.2"}) {
        const auto rank = routeTokens(tokens, experts, top_k, ranks, law);
        RC_ASSERT(rank.has_value());
        RC_ASSERT(rank->distinct_experts <= experts / ranks + 1e-9);
        RC_ASSERT(rank->distinct_experts <= rank->routed_tokens + 1e-9);
        RC_ASSERT(rank->routed_tokens <= tokens * top_k + 1e-9);
        // The power law caps each expert at one copy per token and lets the rest go, as the collector does.
        const bool keeps_all = std::string_view(law) == "balanced" || std::string_view(law) == "uniform";
        if (keeps_all) RC_ASSERT(rank->routed_tokens >= tokens * top_k / ranks * (1 - 1e-9));
      }
    }));
  }

 private:
  std::shared_ptr<const Catalog> catalog_;
};

QTEST_GUILESS_MAIN(KernelRowsTest)
#include "tst_kernel_rows.moc"
