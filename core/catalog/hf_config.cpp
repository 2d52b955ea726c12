#include "catalog/hf_config.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace decodescope::catalog {
namespace {

/// Understood, and without effect on sizes or speed.
constexpr auto kHarmless = std::to_array<std::string_view>({"architectures",
                                                            "auto_map",
                                                            "transformers_version",
                                                            "torch_dtype",
                                                            "dtype",
                                                            "use_cache",
                                                            "bos_token_id",
                                                            "eos_token_id",
                                                            "pad_token_id",
                                                            "sep_token_id",
                                                            "initializer_range",
                                                            "initializer_factor",
                                                            "rms_norm_eps",
                                                            "layer_norm_eps",
                                                            "layer_norm_epsilon",
                                                            "norm_eps",
                                                            "rope_theta",
                                                            "rope_scaling",
                                                            "rope_parameters",
                                                            "rope_local_base_freq",
                                                            "rope_interleave",
                                                            "partial_rotary_factor",
                                                            "rotary_dim",
                                                            "hidden_act",
                                                            "hidden_activation",
                                                            "activation_function",
                                                            "attention_dropout",
                                                            "attention_probs_dropout_prob",
                                                            "resid_pdrop",
                                                            "embd_pdrop",
                                                            "attn_pdrop",
                                                            "hidden_dropout",
                                                            "dropout",
                                                            "pretraining_tp",
                                                            "router_aux_loss_coef",
                                                            "output_router_logits",
                                                            "router_jitter_noise",
                                                            "aux_loss_alpha",
                                                            "seq_aux",
                                                            "norm_topk_prob",
                                                            "routed_scaling_factor",
                                                            "scoring_func",
                                                            "n_group",
                                                            "topk_group",
                                                            "ep_size",
                                                            "topk_method",
                                                            "num_experts_per_token_group",
                                                            "final_logit_softcapping",
                                                            "attn_logit_softcapping",
                                                            "query_pre_attn_scalar",
                                                            "swiglu_limit",
                                                            "initial_context_length",
                                                            "max_window_layers",
                                                            "model_type",
                                                            "is_llama_config",
                                                            "name_or_path",
                                                            "_name_or_path",
                                                            "layernorm_full_attention_alpha",
                                                            "layernorm_full_attention_beta",
                                                            "layernorm_linear_attention_alpha",
                                                            "layernorm_linear_attention_beta",
                                                            "layernorm_mlp_alpha",
                                                            "layernorm_mlp_beta",
                                                            "postnorm",
                                                            "for_llm_compressor",
                                                            "attn_scale",
                                                            "attn_temperature_tuning",
                                                            "floor_scale",
                                                            "cache_implementation",
                                                            "use_qk_norm_type",
                                                            "pretraining_sequence_length",
                                                            "vision_config",
                                                            "image_token_index",
                                                            "image_token_id",
                                                            "boi_token_index",
                                                            "eoi_token_index",
                                                            "mm_tokens_per_image",
                                                            "boi_token_id",
                                                            "eoi_token_id",
                                                            "shared_moe_mode",
                                                            "router_dtype"});

bool isHarmless(std::string_view key) {
  return std::find(kHarmless.begin(), kHarmless.end(), key) != kHarmless.end();
}

const nlohmann::json& textModel(const nlohmann::json& config) {
  const auto it = config.is_object() ? config.find("text_config") : config.end();
  return it != config.end() && it->is_object() ? *it : config;
}

}  // namespace

HfConfig::HfConfig(json::Reading& reading, const nlohmann::json& config)
    : reading_(&reading), outer_(&config), config_(&textModel(config)) {
  json::Object root(reading, config, "");
  if (config_ != outer_) {
    prefix_ = "text_config.";
    used_.emplace_back("text_config");
  }
  for (const nlohmann::json* place : {config_, outer_}) {
    const auto it = place->is_object() ? place->find("model_type") : place->end();
    if (type_.empty() && it != place->end() && it->is_string()) type_ = it->get<std::string>();
  }
  std::transform(type_.begin(), type_.end(), type_.begin(), [](char c) { return c == '-' ? '_' : c; });
}

const nlohmann::json* HfConfig::raw(std::string_view key) {
  used_.push_back(prefix_ + std::string(key));
  used_.emplace_back(key);
  for (const nlohmann::json* place : {config_, outer_}) {
    if (!place->is_object()) continue;
    const auto it = place->find(key);
    if (it != place->end() && !it->is_null()) return &*it;
  }
  return nullptr;
}

bool HfConfig::has(std::string_view key) {
  return raw(key) != nullptr;
}

int HfConfig::integer(std::string_view key, int fallback) {
  const nlohmann::json* value = raw(key);
  if (value == nullptr) return fallback;
  std::string pointer(1, '/');
  pointer += key;
  return static_cast<int>(json::readNumber(*reading_, *value, pointer, json::kCount).value_or(fallback));
}

int HfConfig::integerOf(std::initializer_list<std::string_view> keys, int fallback) {
  for (const std::string_view key : keys) {
    if (has(key)) return integer(key);
  }
  return fallback;
}

bool HfConfig::flag(std::string_view key, bool fallback) {
  const nlohmann::json* value = raw(key);
  return value != nullptr && value->is_boolean() ? value->get<bool>() : fallback;
}

std::string HfConfig::text(std::string_view key) {
  const nlohmann::json* value = raw(key);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

void HfConfig::require(std::string_view key) {
  if (has(key)) return;
  std::string pointer(1, '/');
  pointer += key;
  reading_->fail(std::move(pointer), "", "is missing", "is this the config.json of a language model?");
}

std::vector<std::string> HfConfig::unmapped() const {
  std::vector<std::string> out;
  const auto collect = [&](const nlohmann::json& object, const std::string& prefix) {
    for (const auto& [key, value] : object.items()) {
      const std::string path = prefix + key;
      if (std::find(used_.begin(), used_.end(), path) == used_.end() && !isHarmless(key)) out.push_back(path);
    }
  };
  if (outer_->is_object()) collect(*outer_, "");
  if (config_ != outer_) collect(*config_, prefix_);
  return out;
}

std::vector<std::string> HfConfig::ignored() const {
  std::vector<std::string> out;
  const auto collect = [&](const nlohmann::json& object, const std::string& prefix) {
    for (const auto& [key, value] : object.items()) {
      const std::string path = prefix + key;
      if (std::find(used_.begin(), used_.end(), path) == used_.end() && isHarmless(key)) out.push_back(path);
    }
  };
  if (outer_->is_object()) collect(*outer_, "");
  if (config_ != outer_) collect(*config_, prefix_);
  return out;
}

}  // namespace decodescope::catalog
