// Transformer arithmetic: exact counts of the catalog's models, and what KV caches and expert statistics must
// obey.
#include "catalog/catalog.h"
#include "model/arithmetic.h"

#include <rapidcheck.h>

#include <QtTest>
#include <cmath>
#include <filesystem>

using namespace decodescope;
using namespace decodescope::model;

namespace {

/// Totals as published on Hugging Face (safetensors) where they are, else by the formulas of the reference
/// code; active with and without the input embedding; KV bytes per token below every window, far beyond them,
/// and what full windows hold.
struct Published {
  const char* id;
  std::int64_t total, active_with_embedding, active, mtp, kv_short, kv_long, kv_fixed, linear_state;
};
constexpr Published kPublished[] = {
    {"llama2-7b", 6738415616, 6738415616, 6607343616, 0, 524288, 524288, 0, 0},
    {"llama2-13b", 13015864320, 13015864320, 12852024320, 0, 819200, 819200, 0, 0},
    {"llama2-70b", 68976648192, 68976648192, 68714504192, 0, 327680, 327680, 0, 0},
    {"llama3.1-8b", 8030261248, 8030261248, 7504924672, 0, 131072, 131072, 0, 0},
    {"llama3.1-70b", 70553706496, 70553706496, 69503033344, 0, 327680, 327680, 0, 0},
    {"llama3.1-405b", 405853388800, 405853388800, 403752042496, 0, 516096, 516096, 0, 0},
    {"mistral-7b-v0.1", 7241732096, 7241732096, 7110660096, 0, 131072, 0, 536870912, 0},
    {"mistral-7b-v0.3", 7248023552, 7248023552, 7113805824, 0, 131072, 131072, 0, 0},
    {"qwen2.5-7b", 7615616512, 7615616512, 7070619136, 0, 57344, 57344, 0, 0},
    {"qwen2.5-72b", 72706203648, 72706203648, 71460495360, 0, 327680, 327680, 0, 0},
    {"qwen3-32b", 32762123264, 32762123264, 31984210944, 0, 262144, 262144, 0, 0},
    {"gemma2-27b", 27227128320, 27227128320, 27227128320, 0, 376832, 188416, 771751936, 0},
    {"gemma3-27b", 27009002240, 27009002240, 27009002240, 0, 507904, 81920, 436207616, 0},
    {"gpt3-175b", 174604259328, 174604259328, 174604259328, 0, 4718592, 4718592, 0, 0},
    {"palm-8b", 8632012800, 8632012800, 8632012800, 0, 32768, 32768, 0, 0},
    {"palm-62b", 62495662080, 62495662080, 62495662080, 0, 65536, 65536, 0, 0},
    {"palm-540b", 540356474880, 540356474880, 540356474880, 0, 120832, 120832, 0, 0},
    {"mixtral-8x7b", 46702792704, 12879925248, 12748853248, 0, 131072, 131072, 0, 0},
    {"mixtral-8x22b", 140620634112, 39152031744, 38955423744, 0, 229376, 229376, 0, 0},
    {"qwen3-235b-a22b", 235093634560, 22190763520, 21568433664, 0, 192512, 192512, 0, 0},
    {"gpt-oss-120b", 116829156672, 5711982912, 5132849472, 0, 73728, 36864, 4718592, 0},
    {"gpt-oss-20b", 20914757184, 4187440704, 3608307264, 0, 49152, 24576, 3145728, 0},
    {"glm-4.5", 352797829024, 33632266144, 32856319904, 3988069792, 376832, 376832, 0, 0},
    {"minimax-text-01", 456089655296, 48403306496, 47174113280, 0, 40960, 40960, 0, 293601280},
    {"llama4-scout", 107769861120, 17172894720, 16138408960, 0, 196608, 49152, 1207959552, 0},
    {"llama4-maverick", 400711848960, 17184691200, 16150205440, 0, 196608, 49152, 1207959552, 0},
    {"deepseek-v3", 671026419200, 37552297472, 36625618432, 11610068224, 70272, 70272, 0, 0},
    {"deepseek-v3.2", 671877944064, 38403822336, 37477143296, 11624027648, 85888, 85888, 0, 0},
    {"kimi-k2", 1026408232448, 32861500928, 31687095808, 0, 70272, 70272, 0, 0},
};

constexpr double kFar = 16777216;

/// A small dense model whose KV heads can be chosen.
ModelSpec dense(int heads, int kv_heads) {
  ModelSpec m;
  m.layers = m.layers_full = 4;
  m.hidden = 256;
  m.heads = heads;
  m.kv_heads = kv_heads;
  m.head_dim = 16;
  m.intermediate = 512;
  m.vocab = 1000;
  return m;
}

}  // namespace

class TstArithmetic : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void parameters_catalogModels_matchPublished_data();
  void parameters_catalogModels_matchPublished();
  void parameters_publishedRoundings_areClose();
  void parameters_parts_addUp();
  void parameters_smallDense_byHand();
  void kv_catalogModels_matchPublished_data() { parameters_catalogModels_matchPublished_data(); }
  void kv_catalogModels_matchPublished();
  void kv_fewerHeads_neverCostMore();
  void kv_marginal_isTheGrowthOfTheSequence();
  void kv_narrowerType_neverCostsMore();
  void kv_indexerKeysInFp8_carryAScale();
  void kvRead_neverExceedsContextNorShrinks();
  void kvRead_sparse_readsAllKeysAndFewLatents();
  void distinct_limits();
  void distinct_twoExperts_byHand();
  void distinct_growsWithTokens();
  void busiest_worked_data();
  void busiest_worked();
  void busiest_bounds();
  void bytesPerElement_blockScales();

 private:
  const ModelSpec& spec(const char* id) const { return **catalog_->model(id); }
  std::shared_ptr<const Catalog> catalog_;
};

void TstArithmetic::initTestCase() {
  const std::filesystem::path folder = DECODESCOPE_SOURCE_DIR "/resources/catalog";
  auto loaded = Catalog::load({&folder, 1});
  QVERIFY2(loaded.has_value(), loaded ? "" : loaded.error().text().c_str());
  catalog_ = *loaded;
  QCOMPARE(catalog_->models().size(), std::size(kPublished));
}

void TstArithmetic::parameters_catalogModels_matchPublished_data() {
  QTest::addColumn<int>("row");
  int row = 0;
  for (const Published& p : kPublished) QTest::newRow(p.id) << row++;
}

void TstArithmetic::parameters_catalogModels_matchPublished() {
  QFETCH(int, row);
  const Published& p = kPublished[row];
  const ParameterCount count = countParameters(spec(p.id));
  QCOMPARE(count.total(), static_cast<double>(p.total));
  QCOMPARE(count.active_incl_input_embedding, static_cast<double>(p.active_with_embedding));
  QCOMPARE(count.active_excl_input_embedding, static_cast<double>(p.active));
  QCOMPARE(count.mtp_block, static_cast<double>(p.mtp));
}

void TstArithmetic::parameters_publishedRoundings_areClose() {
  for (const ModelSpec& m : catalog_->models()) {
    // Names round: Llama 2 "7B" is 6.74B and Kimi K2 "1T" 1.026T, the two furthest.
    const double ratio = countParameters(m).total() / m.published_total;
    QVERIFY2(std::fabs(ratio - 1) < 0.04, m.id.c_str());
  }
}

void TstArithmetic::parameters_parts_addUp() {
  for (const ModelSpec& m : catalog_->models()) {
    const ParameterCount p = countParameters(m);
    QVERIFY(p.routed_experts + p.shared_experts + p.dense_ffn <= p.ffn);
    QVERIFY(p.active_excl_both_embeddings <= p.active_excl_input_embedding);
    QVERIFY(p.active_excl_input_embedding <= p.active_incl_input_embedding);
    QVERIFY(p.active_incl_input_embedding <= p.total());
    QCOMPARE(m.isMoe(), p.active_incl_input_embedding < p.total());
  }
}

void TstArithmetic::parameters_smallDense_byHand() {
  // Per layer: q 256x64, k and v 256x32 each, o 64x256 -> 49,152; ffn 3x256x512 = 393,216; norms 512.
  // 4 layers, embedding and head of 256,000 each, final norm 256.
  ModelSpec m = dense(4, 2);
  QCOMPARE(countParameters(m).total(), 4.0 * (49152 + 393216 + 512) + 2 * 256000 + 256);
  m.tied_embeddings = true;
  QCOMPARE(countParameters(m).total(), 4.0 * (49152 + 393216 + 512) + 256000 + 256);
  QCOMPARE(countParameters(m).active_excl_input_embedding, countParameters(m).total());
  m.gated = false;
  QCOMPARE(countParameters(m).ffn, 4.0 * 2 * 256 * 512);
  m.qkv_bias = m.o_bias = m.qk_norm = m.attention_sinks = true;
  QCOMPARE(countParameters(m).attention, 4.0 * (49152 + 128 + 256 + 32 + 4));
}

void TstArithmetic::kv_catalogModels_matchPublished() {
  QFETCH(int, row);
  const Published& p = kPublished[row];
  const ModelSpec& m = spec(p.id);
  QCOMPARE(kvBytesPerTokenMarginal(m, Dtype::Bf16, 1), static_cast<double>(p.kv_short));
  QCOMPARE(kvBytesPerTokenMarginal(m, Dtype::Bf16, kFar), static_cast<double>(p.kv_long));
  QCOMPARE(kvBytesPerSequence(m, Dtype::Bf16, 0), static_cast<double>(p.linear_state));
  QCOMPARE(kvBytesPerSequence(m, Dtype::Bf16, kFar) - kFar * static_cast<double>(p.kv_long),
           static_cast<double>(p.kv_fixed + p.linear_state));
}

void TstArithmetic::kv_fewerHeads_neverCostMore() {
  QVERIFY(rc::check("MHA >= GQA >= MQA", [] {
    const int heads = 1 << *rc::gen::inRange(0, 8);
    const double context = *rc::gen::inRange(1, 1 << 20);
    double last = kvBytesPerSequence(dense(heads, heads), Dtype::Bf16, context);
    for (int kv = heads / 2; kv >= 1; kv /= 2) {
      const double bytes = kvBytesPerSequence(dense(heads, kv), Dtype::Bf16, context);
      RC_ASSERT(bytes * 2 == last);  // proportional to the KV heads
      last = bytes;
    }
  }));
}

void TstArithmetic::kv_marginal_isTheGrowthOfTheSequence() {
  QVERIFY(rc::check("sequence(n + 1) - sequence(n) = marginal(n), for every model and type", [this] {
    const ModelSpec& m = catalog_->models()[*rc::gen::inRange<std::size_t>(0, catalog_->models().size())];
    const Dtype kv = *rc::gen::element(Dtype::Bf16, Dtype::Fp8, Dtype::Nvfp4);
    const double context = *rc::gen::inRange(0, 1 << 24);
    const double growth = kvBytesPerSequence(m, kv, context + 1) - kvBytesPerSequence(m, kv, context);
    RC_ASSERT(std::fabs(growth - kvBytesPerTokenMarginal(m, kv, context)) < 1e-2);
  }));
}

void TstArithmetic::kv_narrowerType_neverCostsMore() {
  for (const ModelSpec& m : catalog_->models()) {
    for (const double context : {1.0, 5000.0, 1e6}) {
      const double bf16 = kvBytesPerSequence(m, Dtype::Bf16, context);
      const double fp8 = kvBytesPerSequence(m, Dtype::Fp8, context);
      QVERIFY(fp8 < bf16);
      QVERIFY(kvBytesPerSequence(m, Dtype::Nvfp4, context) < fp8);
    }
  }
}

void TstArithmetic::kv_indexerKeysInFp8_carryAScale() {
  // DeepSeek-V3.2: 132 bytes per token and layer (128 and one fp32 scale) beside the 576-byte latent, 61
  // layers.
  QCOMPARE(kvBytesPerTokenMarginal(spec("deepseek-v3.2"), Dtype::Fp8, 1000), 61.0 * (576 + 132));
}

void TstArithmetic::kvRead_neverExceedsContextNorShrinks() {
  QVERIFY(rc::check("reads are within the context and grow with it", [this] {
    const ModelSpec& m = catalog_->models()[*rc::gen::inRange<std::size_t>(0, catalog_->models().size())];
    const double context = *rc::gen::inRange(1, 1 << 22);
    const KvReadTokens now = kvReadTokens(m, context),
                       more = kvReadTokens(m, context + *rc::gen::inRange(1, 10000));
    RC_ASSERT(now.full <= context && now.local <= context && now.indexer <= context);
    RC_ASSERT(more.full >= now.full && more.local >= now.local && more.indexer >= now.indexer);
  }));
}

void TstArithmetic::kvRead_sparse_readsAllKeysAndFewLatents() {
  const KvReadTokens read = kvReadTokens(spec("deepseek-v3.2"), 131072);
  QCOMPARE(read.full, 2048.0);
  QCOMPARE(read.indexer, 131072.0);
  QCOMPARE(kvReadTokens(spec("gemma3-27b"), 131072).local, 1024.0);
  QCOMPARE(kvReadTokens(spec("llama4-scout"), 131072).local, 4096.0);  // half of an 8,192 chunk on average
  QCOMPARE(kvReadTokens(spec("deepseek-v3"), 131072).full, 131072.0);
}

void TstArithmetic::distinct_limits() {
  QCOMPARE(expectedDistinctExperts(256, 8, 0), 0.0);
  QVERIFY(std::fabs(expectedDistinctExperts(256, 8, 1) - 8) < 1e-9);  // one token wakes top_k
  QVERIFY(expectedDistinctExperts(256, 8, 1e6) > 255.999);
  QCOMPARE(expectedDistinctExperts(8, 8, 1), 8.0);
}

void TstArithmetic::distinct_twoExperts_byHand() {
  // Two tokens, one of two experts each: both the same with chance 1/2, so 1.5 on average.
  QVERIFY(std::fabs(expectedDistinctExperts(2, 1, 2) - 1.5) < 1e-12);
}

void TstArithmetic::distinct_growsWithTokens() {
  QVERIFY(rc::check("monotone in tokens, bounded by experts and by copies", [] {
    const int experts = *rc::gen::inRange(1, 512), k = *rc::gen::inRange(1, experts + 1),
              t = *rc::gen::inRange(1, 4096);
    const double d = expectedDistinctExperts(experts, k, t);
    RC_ASSERT(d <= expectedDistinctExperts(experts, k, t + 1) + 1e-9);
    RC_ASSERT(d <= experts && d <= static_cast<double>(k) * t + 1e-9);
  }));
}

void TstArithmetic::busiest_worked_data() {
  QTest::addColumn<double>("experts");
  QTest::addColumn<double>("top_k");
  QTest::addColumn<double>("tokens");
  QTest::addColumn<int>("ranks");
  QTest::addColumn<double>("distinct");
  QTest::addColumn<double>("routed");
  // 512 copies over 8 ranks: 64 + 1.42 sqrt(64 x 7/8) = 74.6263 copies; 32 (1 - (31/32)^74.6263) = 29.0065
  // experts.
  QTest::newRow("DeepSeek, 64 tokens") << 256.0 << 8.0 << 64.0 << 8 << 29.00648645490042 << 74.626306978438;
  // One rank holds everything: 8 (1 - (3/4)^7).
  QTest::newRow("Mixtral, 7 tokens") << 8.0 << 2.0 << 7.0 << 1 << 6.93212890625 << 14.0;
  QTest::newRow("one token, 32 ranks")
      << 256.0 << 8.0 << 1.0 << 32 << 1.2467066152810018 << 1.268699768700278;
  QTest::newRow("every expert") << 256.0 << 8.0 << 4096.0 << 64 << 4.0 << 564.5328697103062;
}

void TstArithmetic::busiest_worked() {
  QFETCH(double, experts);
  QFETCH(double, top_k);
  QFETCH(double, tokens);
  QFETCH(int, ranks);
  QFETCH(double, distinct);
  QFETCH(double, routed);
  const ExpertLoad load = busiestRank(experts, top_k, tokens, ranks);
  QVERIFY(std::fabs(load.routed_tokens - routed) < 1e-9 * routed);
  QVERIFY(std::fabs(load.distinct_experts - distinct) < 1e-9 * distinct);
}

void TstArithmetic::busiest_bounds() {
  QVERIFY(rc::check("at least the mean, at most everything", [] {
    const int ranks = 1 << *rc::gen::inRange(0, 9);
    const int experts = ranks * *rc::gen::inRange(1, 9), k = *rc::gen::inRange(1, std::min(experts, 9) + 1);
    const double tokens = *rc::gen::inRange(1, 100000);
    const ExpertLoad load = busiestRank(experts, k, tokens, ranks);
    const double copies = tokens * k;
    RC_ASSERT(load.routed_tokens >= std::min(copies, copies / ranks) - 1e-9);
    RC_ASSERT(load.routed_tokens <= copies + 1e-9);
    RC_ASSERT(load.distinct_experts <= load.routed_tokens + 1e-9);
    RC_ASSERT(load.distinct_experts <= std::max(1, experts / ranks) + 1e-9);
    RC_ASSERT(busiestRank(experts, k, tokens * 2, ranks).routed_tokens >= load.routed_tokens);
  }));
}

void TstArithmetic::bytesPerElement_blockScales() {
  QCOMPARE(bytesPerElement(Dtype::Mxfp4) * 8, 4.25);  // OCP MX: 8-bit scale per 32
  QCOMPARE(bytesPerElement(Dtype::Nvfp4) * 8, 4.5);   // NVFP4: 8-bit scale per 16
  QCOMPARE(bytesPerElement(Dtype::Bf16), 2.0);
  QVERIFY(bytesPerElement(Dtype::Fp8Block) > bytesPerElement(Dtype::Fp8));
}

QTEST_GUILESS_MAIN(TstArithmetic)
#include "tst_arithmetic.moc"
