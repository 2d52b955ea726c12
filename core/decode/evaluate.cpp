// One iteration: the list walked once, each row's time booked to the parts of the breakdown.
#include "decode/step_impl.h"

#include <algorithm>

namespace decodescope::decode {
namespace {

void bookWork(StepResult& r, const Operation& op, const kernel::KernelCost& k, double executions) {
  r.hbm_bytes += k.bytes * executions;
  double& flop = op.kind != OperationKind::Gemm && op.kind != OperationKind::Experts ? r.bf16_flop
                 : op.dtype == Dtype::Bf16                                           ? r.bf16_flop
                 : op.dtype == Dtype::Nvfp4 || op.dtype == Dtype::Mxfp4              ? r.fp4_flop
                                                                                     : r.fp8_flop;
  flop += k.flop * executions;
}

}  // namespace

void bookKernel(StepBreakdown& parts, const Operation& op, const OperationCost& c, double count) {
  const kernel::KernelCost& k = c.kernel;
  const double above_s = k.total_s() - k.fixed_s;
  const double memory = k.memory_s + k.extra_s, math = k.math_s + k.wave_s;
  const double memory_share = memory + math > 0 ? memory / (memory + math) : 1;
  parts[StepPart::Launch] += count * (k.fixed_s + c.fixed_s);
  parts[op.memory_part] += count * above_s * memory_share;
  parts[StepPart::Math] += count * above_s * (1 - memory_share);
}

StepResult StepModel::evaluate(const StepInput& in) const {
  const Impl& m = *impl_;
  StepResult r;
  StepBreakdown& parts = r.breakdown_s;
  const Shape shape = m.shapeOf(in);
  const double share = m.chipShare(shape);
  const bool slowed = in.clock_ratio < 1;
  double kernels_s = 0, credit_s = 0;
  for (const Operation& op : m.operations) {
    const OperationCost c = m.costOf(op, shape);
    if (!c.runs) continue;
    if (op.kind == OperationKind::Host) {
      parts[StepPart::Host] += c.host_s;
      continue;
    }
    credit_s += op.count * m.launchCredit_s(op, c);
    if (c.is_collective) {
      parts[StepPart::Collectives] += op.count * c.net.total_s();
      parts[StepPart::Launch] += op.count * c.fixed_s;
      r.wire_bytes += op.count * share * c.net.wire_bytes_per_rank;
      continue;
    }
    bookKernel(parts, op, c, op.count);
    bookWork(r, op, c.kernel, op.count * share);
    kernels_s += op.count * (c.kernel.total_s() + c.fixed_s);
    if (slowed) {
      parts[StepPart::Throttle] +=
          op.count * (c.kernel.total_s(in.clock_ratio, m.context->saturation_ratio) - c.kernel.total_s());
    }
  }
  parts[StepPart::Wait] = m.noise_ratio * kernels_s;
  const double collectives_s = parts[StepPart::Collectives];
  // Two half batches alternate: while one computes, the other communicates.
  const double hidden_s = m.two_batch_overlap_ratio * std::min(collectives_s, kernels_s);
  parts[StepPart::Overlap] = -credit_s - hidden_s;
  r.step_s = parts.total_s();
  r.host_s = parts[StepPart::Host];
  r.collective_s = collectives_s - hidden_s;
  r.busy_s = r.step_s - r.host_s;
  return r;
}

}  // namespace decodescope::decode
