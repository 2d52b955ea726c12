// Maps the configurations of the Hugging Face transformers library; family defaults follow its configuration
// classes and modelling code.
#include "catalog/import_model.h"

#include "catalog/hf_config.h"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

namespace decodescope::catalog {
namespace {

using Json = nlohmann::ordered_json;

std::string idFrom(const std::string& name) {
  std::string id;
  for (const char c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-';
    id += plain ? static_cast<char>(std::tolower(static_cast<unsigned char>(c))) : '-';
  }
  return id.empty() ? "imported" : id;
}

int layersOf(HfConfig& c) {
  return c.integer("num_hidden_layers");
}

int countLayers(const nlohmann::json& list, const nlohmann::json& kind) {
  return static_cast<int>(std::count(list.begin(), list.end(), kind));
}

Json mix(const char* kind, int window, int full, int local) {
  Json a{{"kind", kind},
         {"window_tokens", window},
         {"layers_full", full},
         {"layers_local", local},
         {"layers_linear", 0}};
  if (window == 0) a.erase("window_tokens");
  return a;
}

/// Window and pattern of local layers.
Json slidingAttention(HfConfig& c, int window) {
  const int layers = layersOf(c);
  if (const nlohmann::json* types = c.raw("layer_types"); types != nullptr && types->is_array()) {
    const int local = countLayers(*types, "sliding_attention");
    return local == layers ? mix("sliding", window, 0, layers)
                           : mix("sliding-mix", window, layers - local, local);
  }
  int every = c.integerOf({"sliding_window_pattern", "_sliding_window_pattern"}, 0);
  if (every == 0 && c.is("gemma2")) every = 2;
  if (every == 0 && c.is("gemma3")) every = 6;
  if (every == 0 && c.is("gpt_oss")) every = 2;
  if (every == 0) return mix("sliding", window, 0, layers);
  c.assume(fmt::format("every {}th layer is global, the others are local", every));
  return mix("sliding-mix", window, layers / every, layers - layers / every);
}

/// Llama 4: chunked layers but for every fourth, which has no rotary embedding.
Json chunkedAttention(HfConfig& c) {
  const int layers = layersOf(c);
  int full = layers / c.integer("no_rope_layer_interval", 4);
  // The list holds 1 where the layer is rotary, hence chunked.
  if (const nlohmann::json* rotary = c.raw("no_rope_layers");
      rotary != nullptr && rotary->is_array() && !rotary->empty()) {
    full = countLayers(*rotary, 0);
  }
  return mix("chunked-mix", c.integer("attention_chunk_size"), full, layers - full);
}

/// MiniMax: 0 for a linear layer, 1 for a softmax one.
Json linearAttention(HfConfig& c) {
  const nlohmann::json& kinds = *c.raw("attn_type_list");
  const int linear = countLayers(kinds, 0);
  Json a = mix("linear-mix", 0, layersOf(c) - linear, 0);
  a["layers_linear"] = linear;
  a["linear_heads"] = c.integer("num_attention_heads");
  a["linear_head_dim"] = c.integer("head_dim");
  return a;
}

Json attentionOf(HfConfig& c) {
  if (c.has("attn_type_list")) return linearAttention(c);
  if (c.has("attention_chunk_size")) return chunkedAttention(c);
  if (c.has("index_topk")) {
    Json a = mix("sparse-topk", 0, layersOf(c), 0);
    a["indexer_heads"] = c.integer("index_n_heads");
    a["indexer_head_dim"] = c.integer("index_head_dim");
    a["indexer_top_k"] = c.integer("index_topk");
    return a;
  }
  const int window = c.integer("sliding_window");
  const bool used = c.flag("use_sliding_window", !c.is("qwen"));
  if (window > 0 && used) return slidingAttention(c, window);
  (void)c.has("layer_types");
  return mix("full", 0, layersOf(c), 0);
}

void putHeads(HfConfig& c, Json& e) {
  const int heads = c.integer("num_attention_heads");
  e["heads"] = heads;
  e["kv_heads"] = c.integer("num_key_value_heads", heads);
  const int hidden = c.integer("hidden_size");
  const int head_dim = c.integer("head_dim", heads > 0 ? hidden / heads : 0);
  if (!c.has("kv_lora_rank")) {
    e["head_dim"] = head_dim;
    return;
  }
  const int nope = c.integer("qk_nope_head_dim"), rope = c.integer("qk_rope_head_dim");
  e["head_dim"] = nope + rope;
  e["mla"] = {{"q_lora_rank", c.integer("q_lora_rank")},
              {"kv_lora_rank", c.integer("kv_lora_rank")},
              {"qk_nope_head_dim", nope},
              {"qk_rope_head_dim", rope},
              {"v_head_dim", c.integer("v_head_dim")}};
}

void putBlock(HfConfig& c, Json& e) {
  const bool qwen2 = c.type() == "qwen2" || c.type() == "qwen2_moe";
  if (qwen2) c.assume("query, key and value have biases, as in all Qwen2 models");
  const bool bias = c.flag("attention_bias", c.is("gpt_oss"));
  // GLM-4.5 gives its bias to query, key and value only.
  e["qkv_bias"] = bias || qwen2;
  e["o_bias"] = bias && !c.is("glm4");
  const bool norm = c.flag("use_qk_norm", c.is("qwen3") || c.is("gemma3"));
  // Llama 4 normalises without weights.
  e["qk_norm"] = norm && !c.is("llama4");
  e["attention_sinks"] = c.is("gpt_oss");
  e["norms_per_layer"] = c.is("gemma2") || c.is("gemma3") ? 4 : 2;
  e["norm_kind"] = "rmsnorm";
}

int expertsOf(HfConfig& c) {
  return c.integerOf({"n_routed_experts", "num_local_experts", "num_experts"});
}

Json moeOf(HfConfig& c, int inner) {
  const bool llama4 = c.is("llama4"), gpt_oss = c.is("gpt_oss");
  const int expert_inner = c.integer("moe_intermediate_size", inner);
  int shared = c.integer("n_shared_experts", llama4 ? 1 : 0);
  int shared_inner = expert_inner;
  if (c.has("shared_expert_intermediate_size")) {
    shared = 1;
    shared_inner = c.integer("shared_expert_intermediate_size");
  }
  if (c.integer("shared_intermediate_size") > 0) {
    shared = 1;
    shared_inner = c.integer("shared_intermediate_size");
  }
  int first_dense = c.integer("first_k_dense_replace");
  if (const nlohmann::json* dense = c.raw("mlp_only_layers"); dense != nullptr && dense->is_array())
    first_dense = static_cast<int>(dense->size());
  const bool corrected = c.text("topk_method") == "noaux_tc" || c.is("glm4_moe");
  return Json{
      {"experts", expertsOf(c)},
      {"top_k", c.integerOf({"num_experts_per_tok", "experts_per_token"})},
      {"shared", shared},
      {"expert_intermediate", expert_inner},
      {"shared_intermediate", shared > 0 ? shared_inner : 0},
      {"first_dense_layers", first_dense},
      {"every",
       std::max(1, c.integerOf({"moe_layer_freq", "interleave_moe_layer_step", "decoder_sparse_step"}, 1))},
      {"router_bias", corrected || gpt_oss},
      {"expert_bias", gpt_oss}};
}

void putFfn(HfConfig& c, Json& e) {
  const int inner = c.integer("intermediate_size");
  const bool experts = expertsOf(c) > 0;
  int dense = inner;
  if (experts) {
    const Json moe = moeOf(c, inner);
    const bool all_moe = moe["first_dense_layers"] == 0 && moe["every"] == 1;
    dense = all_moe ? 0 : c.integer("intermediate_size_mlp", inner);
    (void)c.has("intermediate_size_mlp");
    e["moe"] = moe;
  }
  e["ffn"] = {{"intermediate", dense}, {"gated", true}, {"bias", c.flag("mlp_bias", false)}};
}

std::string weightsOf(HfConfig& c) {
  const nlohmann::json* quantization = c.raw("quantization_config");
  if (quantization == nullptr || !quantization->is_object()) return "bf16";
  const auto named = quantization->find("quant_method");
  const std::string method =
      named != quantization->end() && named->is_string() ? named->get<std::string>() : "";
  if (method == "fp8") return quantization->contains("weight_block_size") ? "fp8_block" : "fp8";
  if (method == "mxfp4") return "mxfp4";
  c.assume(fmt::format("weights are bf16: the quantization \"{}\" is not modelled", method));
  return "bf16";
}

Json entryOf(HfConfig& c, const std::string& file, const std::string& name) {
  Json e{{"id", idFrom(name)}, {"name", name}};
  e["source"] = {{"title", "imported from " + file}, {"url", ""}, {"read", true}};
  e["confidence"] = "high";
  e["layers"] = layersOf(c);
  e["hidden"] = c.integer("hidden_size");
  putHeads(c, e);
  e["attention"] = attentionOf(c);
  putBlock(c, e);
  putFfn(c, e);
  e["vocab"] = c.integer("vocab_size");
  // The library ties embeddings by default; most families' classes turn that off.
  const bool gemma = c.is("gemma");
  if (gemma && !c.has("tie_word_embeddings"))
    c.assume("input and output embeddings are tied, as in all Gemma models");
  e["tied_embeddings"] = c.flag("tie_word_embeddings", gemma);
  if (const int mtp = c.integer("num_nextn_predict_layers"); mtp > 0) e["mtp_layers"] = mtp;
  e["max_context_tokens"] = c.integer("max_position_embeddings", 131072);
  if (!c.has("max_position_embeddings")) c.assume("the longest context is 131,072 tokens");
  e["default_weights"] = weightsOf(c);
  return e;
}

}  // namespace

Expected<ImportedModel> importModel(const nlohmann::json& config, const std::string& file,
                                    const std::string& name) {
  json::Reading reading(file);
  HfConfig c(reading, config);
  for (const char* key : {"hidden_size", "num_hidden_layers", "num_attention_heads", "vocab_size"})
    c.require(key);
  if (!reading.ok()) return Unexpected(reading.error());
  Json document{{"format", "decodescope-catalog"}, {"schema", 1}};
  document["models"] = Json::array({entryOf(c, file, name)});
  if (!reading.ok()) return Unexpected(reading.error());
  ImportedModel out;
  // The name may come from a folder and hold any bytes.
  out.entry = document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  out.unmapped = c.unmapped();
  out.ignored = c.ignored();
  out.assumed = c.assumed();
  return out;
}

}  // namespace decodescope::catalog
