// A transformer by its dimensions. Counts are computed from these (core/model), never stored.
#pragma once

#include "catalog/source.h"

#include <optional>
#include <string>
#include <vector>

namespace decodescope {

enum class AttentionKind { Full, Sliding, SlidingMix, ChunkedMix, LinearMix, SparseTopk };

struct MlaDims {
  int q_lora_rank = 0, kv_lora_rank = 0, qk_nope_head_dim = 0, qk_rope_head_dim = 0, v_head_dim = 0;
};
struct SparseIndexer {  ///< DSA
  int heads = 0, head_dim = 0, top_k = 0;
};
struct MoeDims {
  int experts = 0, top_k = 0, shared = 0, expert_intermediate = 0, shared_intermediate = 0;
  int first_dense_layers = 0, every = 1;  ///< every n-th layer is MoE
  bool router_bias = false, expert_bias = false;
};

struct ModelSpec {
  std::string id, name;
  std::vector<std::string> aliases;  ///< other ids of the same entry
  int year = 0;
  int layers = 0, hidden = 0, heads = 0, kv_heads = 0, head_dim = 0;
  AttentionKind attention = AttentionKind::Full;
  int window = 0;  ///< sliding or chunk size
  int layers_full = 0, layers_local = 0,
      layers_linear = 0;  ///< add up to layers; sparse layers count as full
  int linear_heads = 0, linear_head_dim = 0;
  std::optional<MlaDims> mla;
  std::optional<SparseIndexer> indexer;
  std::optional<MoeDims> moe;
  int intermediate = 0;  ///< dense FFN; 0 when every layer is MoE
  bool gated = true, ffn_bias = false;
  bool qkv_bias = false, o_bias = false, qk_norm = false, attention_sinks = false, parallel_block = false;
  std::string norm_kind = "rmsnorm";
  int norms_per_layer = 2;
  int vocab = 0, learned_positions = 0;
  bool tied_embeddings = false;
  int mtp_layers = 0;
  double max_context_tokens = 0;
  std::string native_dtype;                          ///< as published, text
  std::string default_weights;                       ///< dtype id that precision.weights takes when unset
  double published_total = 0, published_active = 0;  ///< for the catalog's own check
  SourceTable sources;

  [[nodiscard]] int moeLayers() const;
  [[nodiscard]] bool isMoe() const { return moe.has_value() && moe->experts > 0; }
};

}  // namespace decodescope
