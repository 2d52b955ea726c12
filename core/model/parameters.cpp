// Parameter counts from dimensions. Formulas follow the published reference implementations of each family
// (Hugging Face modelling code); sums agree to the parameter with the totals of the published checkpoints.
#include "model/arithmetic.h"

namespace decodescope::model {
namespace {

double square(double x) {
  return x * x;
}

/// One layer of full, local or sparse attention.
double attentionParameters(const ModelSpec& m) {
  const double h = m.hidden, heads = m.heads;
  if (m.mla) {
    const MlaDims& a = *m.mla;
    const double qk = a.qk_nope_head_dim + a.qk_rope_head_dim;
    // Without a query rank the query is projected directly.
    const double query =
        a.q_lora_rank > 0 ? h * a.q_lora_rank + a.q_lora_rank + a.q_lora_rank * heads * qk : h * heads * qk;
    const double key_value = h * (a.kv_lora_rank + a.qk_rope_head_dim) + a.kv_lora_rank +
                             a.kv_lora_rank * heads * (a.qk_nope_head_dim + a.v_head_dim);
    double indexer = 0;
    if (m.indexer) {
      const SparseIndexer& i = *m.indexer;
      indexer = static_cast<double>(a.q_lora_rank) * i.heads * i.head_dim + h * i.head_dim +
                2.0 * i.head_dim + h * i.heads;
    }
    return query + key_value + heads * a.v_head_dim * h + indexer;
  }
  const double qkv_width = (heads + 2.0 * m.kv_heads) * m.head_dim;
  double sum = h * qkv_width + heads * m.head_dim * h;
  if (m.qkv_bias) sum += qkv_width;
  if (m.o_bias) sum += h;
  if (m.qk_norm) sum += 2.0 * m.head_dim;
  if (m.attention_sinks) sum += heads;
  return sum;
}

/// One layer of linear attention: query, key, value, output gate, output projection and norm.
double linearAttentionParameters(const ModelSpec& m) {
  const double width = static_cast<double>(m.linear_heads) * m.linear_head_dim;
  return 5.0 * m.hidden * width + width;
}

double denseFfnParameters(const ModelSpec& m) {
  const double h = m.hidden, inner = m.intermediate;
  const double bias = m.ffn_bias ? (m.gated ? 2 : 1) * inner + h : 0;
  return (m.gated ? 3 : 2) * h * inner + bias;
}

struct MoeLayer {
  double routed = 0, shared = 0, router = 0;
  [[nodiscard]] double total() const { return routed + shared + router; }
};

MoeLayer moeLayerParameters(const ModelSpec& m) {
  if (!m.isMoe()) return {};
  const MoeDims& e = *m.moe;
  const double h = m.hidden, matrices = m.gated ? 3 : 2;
  MoeLayer out;
  out.routed = e.experts * matrices * h * e.expert_intermediate;
  if (e.expert_bias) out.routed += e.experts * ((m.gated ? 2.0 : 1.0) * e.expert_intermediate + h);
  out.shared = e.shared * matrices * h * e.shared_intermediate;
  out.router = h * e.experts + (e.router_bias ? e.experts : 0);
  return out;
}

double normParameters(const ModelSpec& m) {
  const double per_norm =
      m.norm_kind == "layernorm" ? 2.0 * m.hidden : m.hidden;  // scale and bias, or one vector
  return per_norm * (static_cast<double>(m.norms_per_layer) * m.layers + 1);
}

/// A multi-token-prediction module: one layer, its two input norms and its output norm, and the projection
/// that joins the hidden state and the embedding (DeepSeek-V3 technical report, section 2.2); embedding and
/// head are shared.
double mtpParameters(const ModelSpec& m) {
  if (m.mtp_layers == 0) return 0;
  const double ffn = m.isMoe() ? moeLayerParameters(m).total() : denseFfnParameters(m);
  const double norms = (m.norms_per_layer + 3.0) * m.hidden;
  return m.mtp_layers * (attentionParameters(m) + ffn + norms + 2 * square(m.hidden));
}

}  // namespace

ParameterCount countParameters(const ModelSpec& m) {
  ParameterCount p;
  p.attention =
      (m.layers - m.layers_linear) * attentionParameters(m) + m.layers_linear * linearAttentionParameters(m);
  const MoeLayer moe = moeLayerParameters(m);
  p.routed_experts = m.moeLayers() * moe.routed;
  p.shared_experts = m.moeLayers() * moe.shared;
  p.dense_ffn = (m.layers - m.moeLayers()) * denseFfnParameters(m);
  p.ffn = m.moeLayers() * moe.total() + p.dense_ffn;
  p.norms = normParameters(m);
  const double h = m.hidden;
  p.embedding_in = (static_cast<double>(m.vocab) + m.learned_positions) * h;
  p.lm_head = m.tied_embeddings ? 0 : m.vocab * h;
  p.mtp_block = mtpParameters(m);

  const double idle =
      m.isMoe() ? p.routed_experts * (1 - static_cast<double>(m.moe->top_k) / m.moe->experts) : 0;
  p.active_incl_input_embedding = p.total() - idle;
  // A tied embedding is read as the head; an untied one is a look-up.
  p.active_excl_input_embedding = p.active_incl_input_embedding - (m.tied_embeddings ? 0 : p.embedding_in);
  p.active_excl_both_embeddings = p.active_incl_input_embedding - p.embedding_in - p.lm_head;
  return p;
}

}  // namespace decodescope::model
