// Cost of one row of the list: the only place where kernels and collectives are called.
#include "decode/step_impl.h"

#include <algorithm>
#include <cmath>

namespace decodescope::decode {

bool isCollective(OperationKind kind) {
  return kind == OperationKind::Collective || kind == OperationKind::Exchange ||
         kind == OperationKind::PointToPoint;
}

Shape StepModel::Impl::shapeOf(const StepInput& in) const {
  Shape s;
  const double stages = plan.degrees.pp;
  const double busiest = std::max(in.busiest_group_sequences, in.sequences / groups);
  // A pipeline is full when every stage has a micro-batch of its own; a micro-batch has at least one
  // sequence.
  const double fill = std::max(busiest, in.prefill_tokens > 0 ? stages : 0.0);
  s.micro_batches = stages > 1 ? std::clamp(fill, 1.0, stages) : 1.0;
  s.sequences = busiest / s.micro_batches;
  s.decoded_tokens = s.sequences * (1 + draft_tokens);
  s.prefill_tokens = in.prefill_tokens / groups / s.micro_batches;
  s.expert_tokens = std::max(s.decoded_tokens + s.prefill_tokens,
                             (in.sequences * (1 + draft_tokens) + in.prefill_tokens) / s.micro_batches);
  s.past_tokens = in.prefill_past_tokens;
  s.prefill_sequences = std::max(1.0, in.prefill_sequences / groups);
  const model::KvReadTokens read = model::kvReadTokens(*context->model, in.context_tokens);
  s.kv_full = read.full / plan.degrees.cp;
  s.kv_local = read.local / plan.degrees.cp;
  s.kv_indexer = read.indexer / plan.degrees.cp;
  s.host_sequences = busiest;
  return s;
}

double StepModel::Impl::tokensOf(const Operation& op, const Shape& s) const {
  switch (op.basis) {
    case TokenBasis::All:
      return s.decoded_tokens + s.prefill_tokens;
    case TokenBasis::Decoded:
      return s.decoded_tokens;
    case TokenBasis::Sequences:
      return s.sequences;
    case TokenBasis::Experts:
      return s.expert_tokens;
  }
  return 0;
}

namespace {

/// Prefill attention inside a window: each new token sees at most `window` tokens, so the chunk counts as
/// shorter ones.
kernel::KernelCost prefillCost(const kernel::KernelModel& kernels, const Operation& op, const Shape& s,
                               double cp) {
  double batch = s.prefill_sequences, tokens = s.prefill_tokens / batch, past = s.past_tokens;
  if (op.window_tokens > 0) {
    const double seen = std::min(past + tokens / 2, op.window_tokens);
    past = std::max(0.0, seen - tokens / 2);
    if (seen < tokens / 2) {
      batch *= tokens / (2 * seen);
      tokens = 2 * seen;
    }
  }
  return kernels.prefillAttention(batch, tokens, past, op.heads / cp, op.kv_heads / cp, op.head_dim);
}

/// Rows of the tile on which the 4-bit kernels of the tables were timed, and the exponent with which tuned
/// kernels overlap memory and math, that of fp8.
constexpr double kTableTileRows = 128, kTunedExponent = 2.463;

bool isFourBit(Dtype dtype) {
  return dtype == Dtype::Nvfp4 || dtype == Dtype::Mxfp4;
}

/// Engines pick 4-bit kernels by tuning over several libraries, with short tiles for few tokens; the tables
/// timed one.
void tuneFourBit(kernel::KernelCost& cost, const EngineSpec& engine, double rows) {
  const double computed = std::ceil(rows / kTableTileRows) * kTableTileRows,
               needed = std::min(computed, std::max(rows, engine.fp4_tile_rows));
  cost.math_s *= needed / computed / engine.fp4_rate_gain;
  cost.exponent = std::max(cost.exponent, kTunedExponent);
}

}  // namespace

OperationCost StepModel::Impl::costOf(const Operation& op, const Shape& s) const {
  OperationCost c;
  c.is_collective = isCollective(op.kind);
  const kernel::KernelModel& kernels = context->kernels;
  const double tokens = op.kind == OperationKind::PrefillAttention ? s.prefill_tokens : tokensOf(op, s);
  c.runs = tokens > 0 || op.kind == OperationKind::Host;
  if (!c.runs) return c;
  c.fixed_s = op.fixed_s + (op.kind == OperationKind::Host ? 0 : specs().engine.launch_gap_s * op.launches);
  switch (op.kind) {
    case OperationKind::Gemm:
      c.kernel = kernels.gemm(op.dtype, tokens, op.n, op.k);
      if (context->tunes_four_bit && isFourBit(op.dtype)) tuneFourBit(c.kernel, specs().engine, tokens);
      if (const double most = specs().engine.gemm_peak_ratio * specs().chip.peakFlopPerS(op.dtype); most > 0)
        c.kernel.math_s = std::max(c.kernel.math_s, c.kernel.flop / most);
      break;
    case OperationKind::Attention: {
      const double verify = 1 + draft_tokens;
      // The indexer's cache holds keys only, half of what the kernel counts for keys and values.
      if (op.window_tokens < 0)
        c.kernel =
            kernels.attention(Dtype::Fp8, s.sequences, s.kv_indexer / 2, op.heads * verify, 1, op.head_dim);
      else
        // Without grouping every query head reads the KV of its own.
        c.kernel = kernels.attention(context->kv, s.sequences, op.window_tokens > 0 ? s.kv_local : s.kv_full,
                                     op.heads * verify,
                                     specs().engine.groups_queries ? op.kv_heads : op.heads, op.head_dim);
      break;
    }
    case OperationKind::Mla:
      c.kernel = kernels.mla(context->kv, s.sequences, s.kv_full, op.heads * (1 + draft_tokens));
      break;
    case OperationKind::MlaBmm:
      c.kernel = kernels.mlaBmm(Dtype::Bf16, tokens, op.heads);
      break;
    case OperationKind::PrefillAttention:
      c.kernel = prefillCost(kernels, op, s, plan.degrees.cp);
      break;
    case OperationKind::Experts: {
      const MoeDims& m = *context->model->moe;
      const double slots = parallel::expertSlots(*context->model, op.expert_ranks);
      const model::ExpertLoad load = model::busiestRank(slots, m.top_k, tokens, op.expert_ranks);
      c.distinct_experts = load.distinct_experts;
      c.routed_tokens = load.routed_tokens;
      // After a dispatch a rank holds only the tokens routed to it; otherwise it permutes all of them.
      const double held = groups > 1 && op.expert_tp == 1 ? std::min(tokens, c.routed_tokens) : tokens;
      c.kernel = kernels.moe(op.dtype, held, op.k, op.n, context->expert_list_ratio * slots / op.expert_ranks,
                             c.distinct_experts, c.routed_tokens);
      if (context->tunes_four_bit && isFourBit(op.dtype)) {
        tuneFourBit(c.kernel, specs().engine, c.routed_tokens / std::max(1.0, c.distinct_experts));
        c.kernel.fixed_s *= specs().engine.fp4_expert_fixed_ratio;
      }
      break;
    }
    case OperationKind::Elementwise:
      c.kernel = kernels.elementwise(tokens * op.bytes_per_token);
      break;
    case OperationKind::Sampling:
      break;
    case OperationKind::Collective:
    case OperationKind::PointToPoint:
      c.net = context->collectives.cost(op.collective, op.shape, tokens * op.bytes_per_token);
      break;
    case OperationKind::Exchange: {
      const MoeDims& m = *context->model->moe;
      c.net = context->collectives.moeExchange(op.collective, op.shape, tokens / plan.attentionTp(),
                                               context->model->hidden, m.top_k, bytesPerElement(op.dtype));
      break;
    }
    case OperationKind::Host:
      c.host_s = specs().engine.host_s_per_step + specs().engine.host_s_per_sequence * s.host_sequences +
                 specs().engine.host_s_per_rank * (plan.degrees.tp - 1);
      break;
    case OperationKind::LaunchOverlap:
      break;
  }
  return c;
}

double StepModel::Impl::launchCredit_s(const Operation& op, const OperationCost& c) const {
  if (!c.runs || c.host_s > 0) return 0;
  if (op.beside_experts && specs().engine.overlaps_shared_experts)
    return c.kernel.fixed_s + c.kernel.serial_s + c.fixed_s;
  const double fixed = c.is_collective ? c.net.latency_s : c.kernel.fixed_s + c.fixed_s;
  return std::min(context->launch_overlap_s * op.launches, fixed);
}

}  // namespace decodescope::decode
