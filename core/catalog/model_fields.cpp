#include "catalog/field.h"

#include <array>

namespace decodescope::catalog {
namespace {

using M = ModelSpec;
constexpr json::Range kDim{0, 1e9, "", true};
constexpr json::Range kAtLeastOne{1, 1e9, "", true};

MlaDims& mla(M& m) {
  return m.mla ? *m.mla : m.mla.emplace();
}
MoeDims& moe(M& m) {
  return m.moe ? *m.moe : m.moe.emplace();
}
SparseIndexer& indexer(M& m) {
  return m.indexer ? *m.indexer : m.indexer.emplace();
}

constexpr auto kFields = std::to_array<Field<M>>({
    {"name", "name", [](M& m) -> Slot { return &m.name; }, 1, {}, true},
    {"year", "year", [](M& m) -> Slot { return &m.year; }, 1, {1990, 2100, "", true}},
    {"layers", "layers", [](M& m) -> Slot { return &m.layers; }, 1, kAtLeastOne, true},
    {"hidden", "hidden", [](M& m) -> Slot { return &m.hidden; }, 1, kAtLeastOne, true},
    {"heads", "heads", [](M& m) -> Slot { return &m.heads; }, 1, kAtLeastOne, true},
    {"kv_heads", "kv_heads", [](M& m) -> Slot { return &m.kv_heads; }, 1, kAtLeastOne, true},
    {"head_dim", "head_dim", [](M& m) -> Slot { return &m.head_dim; }, 1, kAtLeastOne, true},
    {"attention.window_tokens", "window", [](M& m) -> Slot { return &m.window; }, 1, kDim},
    {"attention.layers_full", "layers_full", [](M& m) -> Slot { return &m.layers_full; }, 1, kDim},
    {"attention.layers_local", "layers_local", [](M& m) -> Slot { return &m.layers_local; }, 1, kDim},
    {"attention.layers_linear", "layers_linear", [](M& m) -> Slot { return &m.layers_linear; }, 1, kDim},
    {"attention.linear_heads", "linear_heads", [](M& m) -> Slot { return &m.linear_heads; }, 1, kDim},
    {"attention.linear_head_dim", "linear_head_dim", [](M& m) -> Slot { return &m.linear_head_dim; }, 1,
     kDim},
    {"attention.indexer_heads", "indexer.heads", [](M& m) -> Slot { return &indexer(m).heads; }, 1, kDim},
    {"attention.indexer_head_dim", "indexer.head_dim", [](M& m) -> Slot { return &indexer(m).head_dim; }, 1,
     kDim},
    {"attention.indexer_top_k", "indexer.top_k", [](M& m) -> Slot { return &indexer(m).top_k; }, 1, kDim},
    {"mla.q_lora_rank", "mla.q_lora_rank", [](M& m) -> Slot { return &mla(m).q_lora_rank; }, 1, kDim},
    {"mla.kv_lora_rank", "mla.kv_lora_rank", [](M& m) -> Slot { return &mla(m).kv_lora_rank; }, 1,
     kAtLeastOne},
    {"mla.qk_nope_head_dim", "mla.qk_nope_head_dim", [](M& m) -> Slot { return &mla(m).qk_nope_head_dim; }, 1,
     kDim},
    {"mla.qk_rope_head_dim", "mla.qk_rope_head_dim", [](M& m) -> Slot { return &mla(m).qk_rope_head_dim; }, 1,
     kDim},
    {"mla.v_head_dim", "mla.v_head_dim", [](M& m) -> Slot { return &mla(m).v_head_dim; }, 1, kAtLeastOne},
    {"qkv_bias", "qkv_bias", [](M& m) -> Slot { return &m.qkv_bias; }},
    {"o_bias", "o_bias", [](M& m) -> Slot { return &m.o_bias; }},
    {"qk_norm", "qk_norm", [](M& m) -> Slot { return &m.qk_norm; }},
    {"attention_sinks", "attention_sinks", [](M& m) -> Slot { return &m.attention_sinks; }},
    {"parallel_block", "parallel_block", [](M& m) -> Slot { return &m.parallel_block; }},
    {"norm_kind", "norm_kind", [](M& m) -> Slot { return &m.norm_kind; }},
    {"norms_per_layer", "norms_per_layer", [](M& m) -> Slot { return &m.norms_per_layer; }, 1, kDim},
    {"ffn.intermediate", "intermediate", [](M& m) -> Slot { return &m.intermediate; }, 1, kDim},
    {"ffn.gated", "gated", [](M& m) -> Slot { return &m.gated; }},
    {"ffn.bias", "ffn_bias", [](M& m) -> Slot { return &m.ffn_bias; }},
    {"moe.experts", "moe.experts", [](M& m) -> Slot { return &moe(m).experts; }, 1, kDim},
    {"moe.top_k", "moe.top_k", [](M& m) -> Slot { return &moe(m).top_k; }, 1, kDim},
    {"moe.shared", "moe.shared", [](M& m) -> Slot { return &moe(m).shared; }, 1, kDim},
    {"moe.expert_intermediate", "moe.expert_intermediate",
     [](M& m) -> Slot { return &moe(m).expert_intermediate; }, 1, kDim},
    {"moe.shared_intermediate", "moe.shared_intermediate",
     [](M& m) -> Slot { return &moe(m).shared_intermediate; }, 1, kDim},
    {"moe.first_dense_layers", "moe.first_dense_layers",
     [](M& m) -> Slot { return &moe(m).first_dense_layers; }, 1, kDim},
    {"moe.every", "moe.every", [](M& m) -> Slot { return &moe(m).every; }, 1, kAtLeastOne},
    {"moe.router_bias", "moe.router_bias", [](M& m) -> Slot { return &moe(m).router_bias; }},
    {"moe.expert_bias", "moe.expert_bias", [](M& m) -> Slot { return &moe(m).expert_bias; }},
    {"vocab", "vocab", [](M& m) -> Slot { return &m.vocab; }, 1, kAtLeastOne, true},
    {"learned_positions", "learned_positions", [](M& m) -> Slot { return &m.learned_positions; }, 1, kDim},
    {"tied_embeddings", "tied_embeddings", [](M& m) -> Slot { return &m.tied_embeddings; }},
    {"mtp_layers", "mtp_layers", [](M& m) -> Slot { return &m.mtp_layers; }, 1, kDim},
    {"max_context_tokens",
     "max_context_tokens",
     [](M& m) -> Slot { return &m.max_context_tokens; },
     1,
     {1, 1e9, "tokens"},
     true},
    {"native_dtype", "native_dtype", [](M& m) -> Slot { return &m.native_dtype; }},
    {"default_weights", "default_weights", [](M& m) -> Slot { return &m.default_weights; }},
    {"published_total", "published_total", [](M& m) -> Slot { return &m.published_total; }},
    {"published_active", "published_active", [](M& m) -> Slot { return &m.published_active; }},
});

}  // namespace

std::span<const Field<ModelSpec>> modelFields() {
  return kFields;
}

}  // namespace decodescope::catalog
