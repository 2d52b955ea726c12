// Hugging Face configurations become catalog entries whose parameter counts are those of the published
// checkpoints. Dimensions are those of the models' public config.json files; totals are their safetensors
// totals.
#include "base/json_document.h"
#include "catalog/catalog.h"
#include "catalog/import_model.h"
#include "model/arithmetic.h"

#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace decodescope;

namespace {

const std::filesystem::path kShipped = DECODESCOPE_SOURCE_DIR "/resources/catalog";

struct Config {
  const char* name;
  const char* text;
  std::int64_t total;
  const char* like;  ///< entry of the catalog with the same dimensions
};
constexpr Config kConfigs[] = {
    {"llama 3.1 8B",
     R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "attention_bias": false, "hidden_size": 4096,
      "intermediate_size": 14336, "max_position_embeddings": 131072, "mlp_bias": false, "num_attention_heads": 32,
      "num_hidden_layers": 32, "num_key_value_heads": 8, "rms_norm_eps": 1e-05, "rope_theta": 500000.0,
      "tie_word_embeddings": false, "torch_dtype": "bfloat16", "vocab_size": 128256})",
     8030261248, "llama3.1-8b"},
    {"mistral 7B v0.1",
     R"({"model_type": "mistral", "hidden_size": 4096, "intermediate_size": 14336, "max_position_embeddings": 32768,
      "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8, "sliding_window": 4096, "vocab_size": 32000})",
     7241732096, "mistral-7b-v0.1"},
    {"mixtral 8x7B",
     R"({"model_type": "mixtral", "hidden_size": 4096, "intermediate_size": 14336, "max_position_embeddings": 32768,
      "num_attention_heads": 32, "num_experts_per_tok": 2, "num_hidden_layers": 32, "num_key_value_heads": 8,
      "num_local_experts": 8, "sliding_window": null, "tie_word_embeddings": false, "vocab_size": 32000})",
     46702792704, "mixtral-8x7b"},
    {"qwen2.5 7B",
     R"({"model_type": "qwen2", "hidden_size": 3584, "intermediate_size": 18944, "max_position_embeddings": 32768,
      "max_window_layers": 28, "num_attention_heads": 28, "num_hidden_layers": 28, "num_key_value_heads": 4, "sliding_window": 131072,
      "use_sliding_window": false, "tie_word_embeddings": false, "vocab_size": 152064})",
     7615616512, "qwen2.5-7b"},
    {"qwen3 235B",
     R"({"model_type": "qwen3_moe", "attention_bias": false, "decoder_sparse_step": 1, "head_dim": 128, "hidden_size": 4096,
      "intermediate_size": 12288, "max_position_embeddings": 40960, "mlp_only_layers": [], "moe_intermediate_size": 1536,
      "num_attention_heads": 64, "num_experts": 128, "num_experts_per_tok": 8, "num_hidden_layers": 94, "num_key_value_heads": 4,
      "tie_word_embeddings": false, "vocab_size": 151936})",
     235093634560, "qwen3-235b-a22b"},
    {"gemma 3 27B",
     R"({"model_type": "gemma3", "text_config": {"model_type": "gemma3_text", "head_dim": 128, "hidden_size": 5376,
      "intermediate_size": 21504, "max_position_embeddings": 131072, "num_attention_heads": 32, "num_hidden_layers": 62,
      "num_key_value_heads": 16, "sliding_window": 1024, "sliding_window_pattern": 6, "vocab_size": 262144},
      "vision_config": {"hidden_size": 1152}})",
     27009002240, "gemma3-27b"},
    {"gpt-oss 20B",
     R"({"model_type": "gpt_oss", "attention_bias": true, "head_dim": 64, "hidden_size": 2880, "intermediate_size": 2880,
      "layer_types": ["sliding_attention", "full_attention", "sliding_attention", "full_attention", "sliding_attention",
      "full_attention", "sliding_attention", "full_attention", "sliding_attention", "full_attention", "sliding_attention",
      "full_attention", "sliding_attention", "full_attention", "sliding_attention", "full_attention", "sliding_attention",
      "full_attention", "sliding_attention", "full_attention", "sliding_attention", "full_attention", "sliding_attention",
      "full_attention"], "max_position_embeddings": 131072, "num_attention_heads": 64, "num_experts_per_tok": 4,
      "num_hidden_layers": 24, "num_key_value_heads": 8, "num_local_experts": 32, "quantization_config": {"quant_method": "mxfp4"},
      "sliding_window": 128, "tie_word_embeddings": false, "vocab_size": 201088})",
     20914757184, "gpt-oss-20b"},
    {"deepseek v3",
     R"({"model_type": "deepseek_v3", "attention_bias": false, "first_k_dense_replace": 3, "hidden_size": 7168,
      "intermediate_size": 18432, "kv_lora_rank": 512, "max_position_embeddings": 163840, "moe_intermediate_size": 2048,
      "moe_layer_freq": 1, "n_routed_experts": 256, "n_shared_experts": 1, "num_attention_heads": 128, "num_experts_per_tok": 8,
      "num_hidden_layers": 61, "num_key_value_heads": 128, "num_nextn_predict_layers": 1, "q_lora_rank": 1536,
      "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]},
      "topk_method": "noaux_tc", "v_head_dim": 128, "vocab_size": 129280})",
     671026419200, "deepseek-v3"},
    {"deepseek v3.2",
     R"({"model_type": "deepseek_v32", "first_k_dense_replace": 3, "hidden_size": 7168, "index_head_dim": 128,
      "index_n_heads": 64, "index_topk": 2048, "intermediate_size": 18432, "kv_lora_rank": 512, "max_position_embeddings": 163840,
      "moe_intermediate_size": 2048, "moe_layer_freq": 1, "n_routed_experts": 256, "n_shared_experts": 1, "num_attention_heads": 128,
      "num_experts_per_tok": 8, "num_hidden_layers": 61, "num_key_value_heads": 128, "num_nextn_predict_layers": 1,
      "q_lora_rank": 1536, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
      "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]}, "topk_method": "noaux_tc", "v_head_dim": 128,
      "vocab_size": 129280})",
     671877944064, "deepseek-v3.2"},
    {"glm 4.5",
     R"({"model_type": "glm4_moe", "attention_bias": true, "first_k_dense_replace": 3, "head_dim": 128, "hidden_size": 5120,
      "intermediate_size": 12288, "max_position_embeddings": 131072, "moe_intermediate_size": 1536, "n_routed_experts": 160,
      "n_shared_experts": 1, "num_attention_heads": 96, "num_experts_per_tok": 8, "num_hidden_layers": 92, "num_key_value_heads": 8,
      "num_nextn_predict_layers": 1, "tie_word_embeddings": false, "use_qk_norm": true, "vocab_size": 151552})",
     352797829024, "glm-4.5"},
    {"llama 4 maverick",
     R"({"model_type": "llama4", "text_config": {"model_type": "llama4_text", "attention_bias": false,
      "attention_chunk_size": 8192, "head_dim": 128, "hidden_size": 5120, "interleave_moe_layer_step": 2, "intermediate_size": 8192,
      "intermediate_size_mlp": 16384, "max_position_embeddings": 1048576, "no_rope_layers": [], "num_attention_heads": 40,
      "num_experts_per_tok": 1, "num_hidden_layers": 48, "num_key_value_heads": 8, "num_local_experts": 128, "use_qk_norm": false,
      "vocab_size": 202048}, "vision_config": {}})",
     400711848960, "llama4-maverick"},
};

}  // namespace

class TstImportModel : public QObject {
  Q_OBJECT

 private slots:
  void import_publicConfigs_countAsPublished_data();
  void import_publicConfigs_countAsPublished();
  void import_minimax_countsAsPublished();
  void import_unknownField_isNamed();
  void import_notAModel_isLocatedError();
  void import_wrongType_isLocatedError();

 private:
  /// Imports, puts the entry into a user's folder and loads the catalog with it.
  void check(const std::string& text, std::int64_t total, const char* like);
};

void TstImportModel::check(const std::string& text, std::int64_t total, const char* like) {
  const auto imported = catalog::importModel(nlohmann::json::parse(text), "config.json", "My Model");
  QVERIFY2(imported.has_value(), imported ? "" : imported.error().text().c_str());
  QVERIFY2(imported->unmapped.empty(), imported->unmapped.empty() ? "" : imported->unmapped[0].c_str());
  QTemporaryDir place;
  const std::filesystem::path folder = place.path().toStdString();
  std::ofstream(folder / "models.json") << imported->entry;
  const std::vector<std::filesystem::path> folders{kShipped, folder};
  Warnings warnings;
  const auto loaded = Catalog::load(folders, &warnings);
  QVERIFY2(loaded.has_value(), loaded ? "" : loaded.error().text().c_str());
  QVERIFY2(warnings.empty(), warnings.empty() ? "" : warnings[0].text().c_str());
  const ModelSpec& mine = **(*loaded)->model("my-model");
  const ModelSpec& theirs = **(*loaded)->model(like);
  QCOMPARE(model::countParameters(mine).total(), static_cast<double>(total));
  QCOMPARE(model::countParameters(mine).mtp_block, model::countParameters(theirs).mtp_block);
  for (const double context : {1.0, 5000.0, 1e6}) {
    QCOMPARE(model::kvBytesPerSequence(mine, Dtype::Bf16, context),
             model::kvBytesPerSequence(theirs, Dtype::Bf16, context));
  }
  QCOMPARE(mine.default_weights, theirs.default_weights);
}

void TstImportModel::import_publicConfigs_countAsPublished_data() {
  QTest::addColumn<int>("row");
  int row = 0;
  for (const Config& config : kConfigs) QTest::newRow(config.name) << row++;
}

void TstImportModel::import_publicConfigs_countAsPublished() {
  QFETCH(int, row);
  check(kConfigs[row].text, kConfigs[row].total, kConfigs[row].like);
}

void TstImportModel::import_minimax_countsAsPublished() {
  nlohmann::json config{{"model_type", "minimax_text_01"},
                        {"head_dim", 128},
                        {"hidden_size", 6144},
                        {"intermediate_size", 9216},
                        {"max_position_embeddings", 10240000},
                        {"num_attention_heads", 64},
                        {"num_experts_per_tok", 2},
                        {"num_hidden_layers", 80},
                        {"num_key_value_heads", 8},
                        {"num_local_experts", 32},
                        {"shared_intermediate_size", 0},
                        {"tie_word_embeddings", false},
                        {"vocab_size", 200064}};
  for (int layer = 0; layer < 80; ++layer) config["attn_type_list"].push_back(layer % 8 == 7 ? 1 : 0);
  check(config.dump(), 456089655296, "minimax-text-01");
}

void TstImportModel::import_unknownField_isNamed() {
  auto config = nlohmann::json::parse(kConfigs[0].text);
  config["mamba_state_size"] = 128;
  const auto imported = catalog::importModel(config, "config.json", "x");
  QVERIFY(imported);
  QCOMPARE(imported->unmapped, std::vector<std::string>{"mamba_state_size"});
  QVERIFY(std::find(imported->ignored.begin(), imported->ignored.end(), "rope_theta") !=
          imported->ignored.end());
}

void TstImportModel::import_notAModel_isLocatedError() {
  const auto imported =
      catalog::importModel(nlohmann::json::parse(R"({"image_size": 224})"), "vit.json", "x");
  QVERIFY(!imported);
  QCOMPARE(imported.error().file, std::string("vit.json"));
  QCOMPARE(imported.error().field, std::string("/hidden_size"));
  QVERIFY(!catalog::importModel(nlohmann::json::parse("[1]"), "list.json", "x"));
}

void TstImportModel::import_wrongType_isLocatedError() {
  auto config = nlohmann::json::parse(kConfigs[0].text);
  config["num_hidden_layers"] = "many";
  const auto imported = catalog::importModel(config, "config.json", "x");
  QVERIFY(!imported);
  QCOMPARE(imported.error().field, std::string("/num_hidden_layers"));
}

QTEST_GUILESS_MAIN(TstImportModel)
#include "tst_import_model.moc"
