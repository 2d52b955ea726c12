#include "decode/operation_list.h"

#include "decode/list_builder.h"

#include <algorithm>
#include <utility>

namespace decodescope::decode {
namespace {

using parallel::GroupKind;

/// Small kernels beside a large one, as kernels of a CUDA graph; top-k of the router, and embedding, sampling
/// and its helpers once per step. Assumptions: no public table isolates them.
constexpr double kRouterTopk_s = 5e-6;
constexpr double kSampling_s = 20e-6;
/// Routing, permutation, two grouped GEMMs, activation and finalisation, which kernel tables time as one.
constexpr double kExpertKernels = 6;

}  // namespace

void ListBuilder::attentionProjections() {
  const double h = model.hidden;
  norm("norm_attention", "Norm and residual before attention");
  if (model.parallel_block) {
    // One input and one output projection for attention and FFN together (Chowdhery et al., PaLM, section 2).
    gemm("qkv_ffn_in", "Fused QKV and FFN input", "attention", dtypes.attention,
         (q_heads + 2 * kv_heads) * model.head_dim + ffnInputs() * model.intermediate / ffn_tp, h,
         LayerSet::All);
    return;
  }
  gemm("qkv", "QKV projection", "attention", dtypes.attention, (q_heads + 2 * kv_heads) * model.head_dim, h,
       counts.linear > 0 ? softmax_layers : LayerSet::All);
}

void ListBuilder::softmaxAttention() {
  attentionProjections();
  const LayerSet where = counts.linear > 0 ? softmax_layers : LayerSet::All;
  if (model.qk_norm)
    elementwise("qk_norm", "Norm of queries and keys", "attention", (q_heads + kv_heads) * model.head_dim * 4,
                where);
  // Read and write of rotated queries and keys and of the new KV entry, 2 bytes each.
  elementwise("rope", "Rotary embedding and KV write", "attention",
              (model.heads + 2.0 * model.kv_heads) / attention_tp * model.head_dim * 4, where);
  const std::pair<LayerSet, double> kinds[] = {{LayerSet::Full, 0.0},
                                               {LayerSet::Local, static_cast<double>(model.window)}};
  for (const auto& [set, window] : kinds) {
    if (layersOf(set) == 0) continue;
    Operation op = base(set == LayerSet::Local ? "attention_local" : "attention",
                        set == LayerSet::Local ? "Attention, local window" : "Attention over the KV cache",
                        "attention", set);
    op.kind = OperationKind::Attention;
    op.heads = q_heads;
    op.kv_heads = kv_heads;
    op.head_dim = model.head_dim;
    op.window_tokens = window;
    op.basis = TokenBasis::Decoded;
    op.memory_part = StepPart::KvHbm;
    add(op);
    op.kind = OperationKind::PrefillAttention;
    op.id = set == LayerSet::Local ? "prefill_attention_local" : "prefill_attention";
    op.label = set == LayerSet::Local ? "Prefill attention, local window" : "Prefill attention";
    add(op);
  }
  if (cp > 1) contextMerge(q_heads * model.head_dim, where);
  if (!model.parallel_block)
    gemm("o", "Output projection", "attention", dtypes.attention, model.hidden, q_heads * model.head_dim,
         where);
}

void ListBuilder::linearAttention() {
  if (counts.linear == 0) return;
  const double heads = static_cast<double>(model.linear_heads) / attention_tp, dim = model.linear_head_dim;
  gemm("linear_qkvg", "Linear attention input projection", "attention", dtypes.attention, 4 * heads * dim,
       model.hidden, LayerSet::Linear);
  Operation op =
      base("linear_state", "Linear attention state, read and written", "attention", LayerSet::Linear);
  op.kind = OperationKind::Elementwise;
  op.bytes_per_token = 2 * heads * dim * dim * 4;  // fp32 state
  op.basis = TokenBasis::Sequences;
  op.memory_part = StepPart::KvHbm;
  add(op);
  gemm("linear_o", "Linear attention output projection", "attention", dtypes.attention, model.hidden,
       heads * dim, LayerSet::Linear);
}

void ListBuilder::mlaAttention() {
  const MlaDims& m = *model.mla;
  const double h = model.hidden, heads = q_heads;
  const double head_qk = m.qk_nope_head_dim + m.qk_rope_head_dim,
               latent = m.kv_lora_rank + m.qk_rope_head_dim;
  norm("norm_attention", "Norm and residual before attention");
  gemm("q_a_kv_a", "Query and KV down-projection", "attention", dtypes.attention, m.q_lora_rank + latent, h,
       LayerSet::All);
  if (m.q_lora_rank > 0)
    gemm("q_b", "Query up-projection", "attention", dtypes.attention, heads * head_qk, m.q_lora_rank,
         LayerSet::All);
  else
    gemm("q", "Query projection", "attention", dtypes.attention, heads * head_qk, h, LayerSet::All);
  // Norm of q and of the latent, rotary embedding, cache write.
  elementwise("mla_norms", "Latent norms, rotary embedding, KV write", "attention",
              (heads * head_qk + m.q_lora_rank + latent) * 4, LayerSet::All, 3);
  if (model.indexer) indexer();
  bmm("absorb_q", "Absorb keys into queries", heads);
  Operation op = base("attention", "Latent attention over the KV cache", "attention", LayerSet::All);
  op.kind = OperationKind::Mla;
  op.heads = heads;
  op.kv_heads = 1;
  op.head_dim = latent;
  op.basis = TokenBasis::Decoded;
  op.memory_part = StepPart::KvHbm;
  add(op);
  op.kind = OperationKind::PrefillAttention;
  op.id = "prefill_attention";
  op.label = "Prefill attention";
  op.kv_heads = heads;
  op.head_dim = (head_qk + m.v_head_dim) / 2;  // scores over 192, values over 128
  add(op);
  bmm("value_up", "Latent to values", heads);
  if (cp > 1) contextMerge(heads * m.kv_lora_rank, LayerSet::All);
  gemm("o", "Output projection", "attention", dtypes.attention, h, heads * m.v_head_dim, LayerSet::All);
}

void ListBuilder::indexer() {
  const SparseIndexer& x = *model.indexer;
  // Replicated on every tensor rank, as in DeepSeek-V3.2's reference code.
  gemm("indexer_q", "Indexer queries", "attention", dtypes.attention,
       static_cast<double>(x.heads) * x.head_dim, model.mla ? model.mla->q_lora_rank : model.hidden,
       LayerSet::All);
  gemm("indexer_k", "Indexer key and head weights", "attention", Dtype::Bf16, x.head_dim + x.heads,
       model.hidden, LayerSet::All);
  Operation op = base("indexer", "Indexer scores over all cached keys", "attention", LayerSet::All);
  op.kind = OperationKind::Attention;
  op.heads = x.heads;
  op.kv_heads = 1;
  op.head_dim = x.head_dim;
  op.window_tokens = -1;  // reads the indexer keys of all of the context
  op.basis = TokenBasis::Decoded;
  op.memory_part = StepPart::KvHbm;
  op.fixed_s = kRouterTopk_s;
  op.source =
      "one shared key of head_dim per token, fp8; scores in fp8 (DeepSeek-V3.2 report); top-k kernel 5 us "
      "assumed";
  add(op);
}

void ListBuilder::denseFfn() {
  constexpr LayerSet where = LayerSet::Dense;
  if (counts.dense == 0) return;
  if (model.intermediate <= 0 || model.parallel_block) return;
  const double width = model.intermediate / (model.isMoe() ? replicatedTp() : ffn_tp);
  gemm("ffn_in", model.gated ? "FFN gate and up" : "FFN up", "ffn", dtypes.dense, ffnInputs() * width,
       model.hidden, where);
  elementwise("activation", "Activation", "ffn", (ffnInputs() + 1) * width * 2, where);
  gemm("ffn_out", "FFN down", "ffn", dtypes.dense, model.hidden, width, where);
}

void ListBuilder::moeFfn() {
  if (counts.moe == 0) return;
  const MoeDims& m = *model.moe;
  Operation& router =
      gemm("router", "Router and top-k", "ffn", Dtype::Bf16, m.experts, model.hidden, LayerSet::Moe);
  router.fixed_s = kRouterTopk_s;
  router.source = "top-k and softmax 5 us assumed";
  expertsIn();
  Operation op = base("experts", "Routed experts", "ffn", LayerSet::Moe);
  op.kind = OperationKind::Experts;
  op.dtype = dtypes.experts;
  op.n = static_cast<double>(m.expert_intermediate) / expert_tp;
  op.k = model.hidden;
  op.expert_ranks = ep;
  op.expert_tp = expert_tp;
  op.basis = TokenBasis::Experts;
  op.source = "distinct experts and routed tokens on the busiest rank under uniform routing";
  op.launches = kExpertKernels;
  add(op);
  sharedExperts();
  expertsOut();
}

void ListBuilder::sharedExperts() {
  const MoeDims& m = *model.moe;
  if (m.shared <= 0) return;
  const double all = m.shared_intermediate > 0 ? m.shared_intermediate
                                               : static_cast<double>(m.shared) * m.expert_intermediate;
  const double width = all / replicatedTp();
  const std::size_t first = ops.size();
  gemm("shared_in", "Shared expert gate and up", "ffn", dtypes.shared, 2 * width, model.hidden,
       LayerSet::Moe);
  elementwise("shared_activation", "Shared expert activation", "ffn", 3 * width * 2, LayerSet::Moe);
  gemm("shared_out", "Shared expert down", "ffn", dtypes.shared, model.hidden, width, LayerSet::Moe);
  for (std::size_t i = first; i < ops.size(); ++i) ops[i].beside_experts = true;
}

void ListBuilder::headAndSampling() {
  const double head_tp = replicatedTp();
  Operation& head = gemm("lm_head", "Output head", "head", dtypes.head, model.vocab / head_tp, model.hidden,
                         LayerSet::Once);
  head.basis = TokenBasis::Decoded;
  if (head_tp > 1) {
    Operation op = collective("gather_logits", "All-gather of logits", network::Collective::AllGather,
                              GroupKind::Tensor, model.vocab * 2.0, LayerSet::Once);
    op.basis = TokenBasis::Decoded;
    op.section = "head";
    add(op);
  }
  Operation sample = base("sampling", "Embedding and sampling", "head", LayerSet::Once);
  sample.kind = OperationKind::Sampling;
  sample.fixed_s = kSampling_s;
  sample.source = "20 us for embedding, penalties, top-p and copy, assumed";
  add(sample);
}

void ListBuilder::draftModel(int tokens) {
  if (tokens <= 0) return;
  // A drafted token runs one more layer and the head on each sequence; without an MTP block, one dense layer
  // as EAGLE does.
  const bool mtp = model.mtp_layers > 0;
  const double h = model.hidden, heads = q_heads;
  const double attention_weights =
      model.mla ? heads * (model.mla->qk_nope_head_dim + 2.0 * model.mla->v_head_dim) + 2112
                : 2.0 * (heads + kv_heads) * model.head_dim;
  const double width = mtp && model.isMoe() ? model.moe->expert_intermediate *
                                                  std::min<double>(model.moe->experts, 8 * model.moe->top_k) /
                                                  std::max(1, ep * expert_tp)
                                            : std::max(1, model.intermediate) / static_cast<double>(ffn_tp);
  const std::size_t first = ops.size();
  gemm("draft_attention", "Draft block: attention projections", "draft", dtypes.attention, attention_weights,
       h, LayerSet::Draft);
  gemm("draft_ffn", "Draft block: FFN", "draft", dtypes.experts, 3 * width, h, LayerSet::Draft);
  gemm("draft_head", "Draft head", "draft", dtypes.head, model.vocab / replicatedTp(), h, LayerSet::Draft);
  Operation small = base("draft_small", "Draft block: attention, norms, sampling", "draft", LayerSet::Draft);
  small.kind = OperationKind::Sampling;
  small.fixed_s = kSampling_s;
  small.source =
      mtp ? "one MTP block per drafted token" : "one dense layer per drafted token (EAGLE-like), assumed";
  add(small);
  if (attention_tp > 1)
    add(collective("draft_all_reduce", "Draft block: all-reduce", network::Collective::AllReduce,
                   GroupKind::Tensor, h * 2, LayerSet::Draft, 2));
  for (std::size_t i = first; i < ops.size(); ++i) {
    ops[i].basis = TokenBasis::Sequences;
    ops[i].count = ops[i].per_layer_count * tokens;
  }
}

std::vector<Operation> makeOperations(const ListInput& input) {
  ListBuilder b(input);
  b.host();
  if (input.model.mla)
    b.mlaAttention();
  else
    b.softmaxAttention();
  b.linearAttention();
  b.attentionOut();
  b.denseIn();
  b.denseFfn();
  if (input.model.parallel_block) b.parallelOut();
  b.denseOut();
  b.moeFfn();
  b.pipeline();
  b.headAndSampling();
  b.draftModel(input.draft_tokens);
  return std::move(b.ops);
}

}  // namespace decodescope::decode
