// What a chip must hold: weights by their sharding, KV cache by blocks, activations of a chunk, the engine's
// reserve.
#include "decode/step_impl.h"

#include <algorithm>
#include <cmath>

namespace decodescope::decode {
namespace {

double expertBytes(const ModelSpec& model, const Operation& op) {
  const double local = static_cast<double>(parallel::expertSlots(model, op.expert_ranks)) / op.expert_ranks;
  return local * (model.gated ? 3 : 2) * op.n * op.k * bytesPerElement(op.dtype);
}

/// Weights of one execution of a row.
double rowBytes(const ModelSpec& model, const Operation& op) {
  switch (op.kind) {
    case OperationKind::Gemm:
      return op.n * op.k * bytesPerElement(op.dtype);
    case OperationKind::Experts:
      return expertBytes(model, op);
    // Up-projections of the latent, kept in bf16 for absorption.
    case OperationKind::MlaBmm:
      return op.heads * (op.id == "absorb_q" ? model.mla->qk_nope_head_dim : model.mla->v_head_dim) *
             model.mla->kv_lora_rank * 2.0;
    default:
      return 0;
  }
}

/// Weights of one chip: the layers of its stage, and what the first and last stage hold beside them.
double weightBytes(const ModelSpec& model, const parallel::Plan& plan,
                   const std::vector<Operation>& operations) {
  double layers = 0, head = 0, draft = 0;
  for (const Operation& op : operations) {
    const double bytes = rowBytes(model, op);
    if (op.layers == LayerSet::Draft)
      draft += op.id == "draft_head" ? 0 : bytes;  // shares the model's head
    else if (op.layers == LayerSet::Once)
      head += bytes * op.per_layer_count;
    else
      layers += bytes * op.count;
  }
  const model::ParameterCount count = model::countParameters(model);
  const bool data = plan.degrees.attention == AttentionSharding::Data && model.isMoe();
  const double embedding = count.embedding_in * 2 / (data ? 1 : plan.degrees.tp);
  const double norms = count.norms * 2;
  const int stages = plan.degrees.pp;
  // The fullest stage has the layers left over by uneven division.
  const double stage_share = std::ceil(static_cast<double>(model.layers) / stages) / model.layers;
  const double ends =
      stages == 1 ? embedding + (model.tied_embeddings ? 0 : head) : std::max(embedding, head);
  return (layers + norms) * stage_share + ends + draft;
}

}  // namespace

MemoryPlan makeMemoryPlan(const StepContext& context, const Scenario& scenario, const parallel::Plan& plan,
                          const std::vector<Operation>& operations) {
  const ModelSpec& model = *context.model;
  const EngineSpec& engine = context.specs.engine;
  MemoryPlan p;
  p.model = context.model;
  p.kv_dtype = context.kv;
  p.kv_block_tokens = std::max(1, scenario.serving.kv_block_tokens);
  p.capacity_bytes_per_chip = context.specs.chip.memory_bytes;
  p.reserve_bytes_per_chip = engine.reserve_bytes;
  p.usable_bytes_per_chip =
      p.capacity_bytes_per_chip * engine.memory_utilization_ratio - engine.reserve_bytes;
  p.weights_bytes_per_chip = weightBytes(model, plan, operations);
  const double chunk =
      scenario.serving.prefill == PrefillMode::None ? 256 : std::max(256, scenario.serving.chunk_tokens);
  // Each attention group works on its share of a chunk; experts that gather the tokens of all groups hold all
  // of it.
  const bool gathers = model.isMoe() && plan.attentionGroups() > 1 && plan.expertTp() > 1;
  const double held = gathers ? chunk : std::max(256.0, chunk / plan.attentionGroups());
  p.activation_bytes_per_chip = held * model.hidden * engine.activation_bytes_per_token;
  const double kv_ranks = model.mla ? 1 : std::min(plan.attentionTp(), std::max(1, model.kv_heads));
  p.kv_shard = kv_ranks * plan.degrees.cp * plan.degrees.pp;
  return p;
}

double MemoryPlan::kv_bytes_per_sequence_per_chip(double context_tokens) const {
  const double blocks = std::ceil(std::max(1.0, context_tokens) / kv_block_tokens);
  return model::kvBytesPerSequence(*model, kv_dtype, blocks * kv_block_tokens) / kv_shard;
}

double MemoryPlan::maxSequencesPerGroup(double context_tokens, double kept_free_ratio) const {
  const double free = usable_bytes_per_chip - weights_bytes_per_chip - activation_bytes_per_chip;
  if (free <= 0) return 0;
  const double exact = free / kv_bytes_per_sequence_per_chip(context_tokens);
  // The last sequence may use what is kept free: one always runs if it fits at all.
  return exact < 1 ? 0 : std::max(1.0, std::floor(exact * (1 - kept_free_ratio)));
}

std::vector<std::string> listAssumptions(const StepContext& context, const Scenario& scenario,
                                         const parallel::Plan& plan) {
  std::vector<std::string> out;
  const ModelSpec& model = *context.model;
  if (!context.kernels.isFitted()) out.push_back("Kernel constants: " + context.kernels.provenance());
  if (!context.collectives.provenance().empty())
    out.push_back("Collective constants: " + context.collectives.provenance());
  if (model.attention == AttentionKind::SparseTopk)
    out.emplace_back(
        "Sparse attention: indexer and top-k read are modelled, quality and kernel accuracy are not");
  if (model.layers_linear > 0)
    out.emplace_back(
        "Linear attention: state traffic and projections are modelled, its kernels were not measured");
  if (scenario.serving.speculation)
    out.push_back(model.mtp_layers > 0 ? "Drafting: one MTP block per drafted token"
                                       : "Drafting: one dense layer and the head per drafted token");
  if (const int copies =
          model.isMoe() ? parallel::expertSlots(model, plan.degrees.ep) - model.moe->experts : 0;
      copies > 0)
    out.push_back(std::to_string(copies) + " experts are held twice so that all expert ranks hold as many");
  if (plan.degrees.cp > 1)
    out.emplace_back(
        "Context parallelism: attention projections are replicated over its ranks, a dense FFN is sliced "
        "over them");
  if (scenario.jitter) out.emplace_back("Jitter: kernel times spread by 1 % of their mean on each chip");
  return out;
}

}  // namespace decodescope::decode
