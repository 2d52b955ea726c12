// What joins the ranks of a layer. Bytes: T tokens of `hidden` activations in bf16.
//   tensor parallel       all-reduce after attention and after the FFN
//   one attention group   experts hold all tokens, the all-reduce after the block sums them
//   several groups        dispatch and combine when each expert lives on one rank, else all-gather and
//   reduce-scatter context parallel      all-gather of partial outputs and log-sum-exp pipeline send and
//   receive between stages
#include "decode/list_builder.h"

namespace decodescope::decode {

using network::Collective;
using parallel::GroupKind;

void ListBuilder::host() {
  Operation op = base("host", "Scheduler and host gap", "host", LayerSet::Once);
  op.kind = OperationKind::Host;
  op.basis = TokenBasis::Sequences;
  op.source = "serving engine";
  add(op);
}

void ListBuilder::contextMerge(double output_width, LayerSet set) {
  const double per_rank = output_width * 2 + model.heads / static_cast<double>(attention_tp) * 4;
  Operation op = collective("merge_context", "Merge of partial attention over context ranks",
                            Collective::AllGather, GroupKind::Context, per_rank * cp, set);
  op.basis = TokenBasis::Decoded;
  add(op);
}

void ListBuilder::attentionOut() {
  if (attention_tp <= 1 || model.parallel_block) return;
  add(collective("all_reduce_attention", "All-reduce after attention", Collective::AllReduce,
                 GroupKind::Tensor, model.hidden * 2.0, LayerSet::All));
}

void ListBuilder::denseIn() {
  // Data-parallel attention before a tensor-parallel FFN: every rank needs the tokens of all.
  if (model.isMoe() || plan.degrees.attention != AttentionSharding::Data || ffn_tp <= 1) return;
  Operation op = collective("gather_ffn", "All-gather before the FFN", Collective::AllGather,
                            GroupKind::Tensor, model.hidden * 2.0, LayerSet::Dense);
  op.basis = TokenBasis::Experts;
  add(op);
}

void ListBuilder::denseOut() {
  if (counts.dense == 0 || ffn_tp <= 1 || model.parallel_block) return;
  if (plan.degrees.attention == AttentionSharding::Tensor) {
    add(collective("all_reduce_ffn", "All-reduce after the FFN", Collective::AllReduce, ffnGroup(),
                   model.hidden * 2.0, LayerSet::Dense));
  } else if (!model.isMoe()) {
    Operation op = collective("scatter_ffn", "Reduce-scatter after the FFN", Collective::ReduceScatter,
                              GroupKind::Tensor, model.hidden * 2.0, LayerSet::Dense);
    op.basis = TokenBasis::Experts;
    add(op);
  }
}

void ListBuilder::parallelOut() {
  gemm("o_ffn_out", "Fused output and FFN down", "attention", dtypes.attention, model.hidden,
       static_cast<double>(model.heads) / attention_tp * model.head_dim +
           static_cast<double>(model.intermediate) / ffn_tp,
       LayerSet::All);
  elementwise("activation", "Activation", "ffn", (ffnInputs() + 1) * model.intermediate / ffn_tp * 2,
              LayerSet::All);
  if (ffn_tp > 1)
    add(collective("all_reduce_block", "All-reduce after the parallel block", Collective::AllReduce,
                   ffnGroup(), model.hidden * 2.0, LayerSet::All));
}

void ListBuilder::expertsIn() {
  if (!spans_groups) return;
  if (exchange) {
    Operation op = collective("dispatch", "Expert dispatch", Collective::MoeDispatch, GroupKind::Expert, 0,
                              LayerSet::Moe);
    op.kind = OperationKind::Exchange;
    op.dtype =
        dtypes.experts == Dtype::Bf16 || dtypes.experts == Dtype::Mxfp4 ? Dtype::Bf16 : Dtype::Fp8Block;
    add(op);
    return;
  }
  Operation op = collective("gather_experts", "All-gather before the experts", Collective::AllGather,
                            GroupKind::AttentionData, model.hidden * 2.0, LayerSet::Moe);
  op.basis = TokenBasis::Experts;
  add(op);
}

void ListBuilder::expertsOut() {
  if (!spans_groups) {
    if (ffn_tp > 1)
      add(collective("all_reduce_experts", "All-reduce after the experts", Collective::AllReduce,
                     GroupKind::Tensor, model.hidden * 2.0, LayerSet::Moe));
    return;
  }
  if (exchange) {
    Operation op =
        collective("combine", "Expert combine", Collective::MoeCombine, GroupKind::Expert, 0, LayerSet::Moe);
    op.kind = OperationKind::Exchange;
    op.dtype = Dtype::Bf16;
    add(op);
  } else {
    Operation op =
        collective("scatter_experts", "Reduce-scatter after the experts", Collective::ReduceScatter,
                   GroupKind::AttentionData, model.hidden * 2.0, LayerSet::Moe);
    op.basis = TokenBasis::Experts;
    add(op);
  }
  // Ranks of a tensor group each handed in their share of its tokens and need all of them back.
  if (attention_tp > 1)
    add(collective("gather_tokens", "All-gather of tokens over the tensor group", Collective::AllGather,
                   GroupKind::Tensor, model.hidden * 2.0, LayerSet::Moe));
}

void ListBuilder::pipeline() {
  const int stages = plan.degrees.pp;
  if (stages <= 1) return;
  Operation op = collective("pipeline_send", "Send to the next stage", Collective::SendRecv,
                            GroupKind::Pipeline, model.hidden * 2.0 / ffn_tp, LayerSet::Once);
  op.kind = OperationKind::PointToPoint;
  op.per_layer_count = stages;  // between stages, and the sampled token back to the first
  op.source = "each tensor rank sends its share of the activations";
  add(op);
}

}  // namespace decodescope::decode
