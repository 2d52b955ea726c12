// One part of the breakdown, operation by operation.
#include "decode/derivation_nodes.h"
#include "decode/step_impl.h"

#include <fmt/format.h>
#include <algorithm>

namespace decodescope::decode {
namespace {

/// What one row adds to the parts that evaluate() books row by row.
StepBreakdown booked(const StepModel::Impl& m, const Operation& op, const OperationCost& c,
                     double clock_ratio) {
  StepBreakdown parts;
  if (op.kind == OperationKind::Host) {
    parts[StepPart::Host] = c.host_s;
  } else if (c.is_collective) {
    parts[StepPart::Collectives] = op.count * c.net.total_s();
    parts[StepPart::Launch] = op.count * c.fixed_s;
  } else {
    bookKernel(parts, op, c, op.count);
    if (clock_ratio < 1)
      parts[StepPart::Throttle] =
          op.count * (c.kernel.total_s(clock_ratio, m.context->saturation_ratio) - c.kernel.total_s());
  }
  return parts;
}

}  // namespace

Derivation StepModel::explainPart(const StepInput& in, StepPart part) const {
  const Impl& m = *impl_;
  const Shape shape = m.shapeOf(in);
  const std::string id = "breakdown_s." + std::string(kStepPartKeys[static_cast<std::size_t>(part)]);
  std::vector<Derivation> rows;
  double kernels_s = 0;
  for (const Operation& op : m.operations) {
    const OperationCost c = m.costOf(op, shape);
    if (!c.runs) continue;
    if (op.kind != OperationKind::Host && !c.is_collective)
      kernels_s += op.count * (c.kernel.total_s() + c.fixed_s);
    const double s = part == StepPart::Overlap ? -op.count * m.launchCredit_s(op, c)
                                               : booked(m, op, c, in.clock_ratio)[part];
    if (s == 0 || (part == StepPart::Overlap && op.kind == OperationKind::Host)) continue;
    rows.push_back(leaf(id + "/" + op.id, op.label, s, "s", SourceKind::Derived,
                        fmt::format("{:.6g} executions; see step_time_s for one", op.count)));
  }
  if (part == StepPart::Wait) {
    std::vector<Derivation> wait{
        leaf(id + "/kernels", "Kernels of the step", kernels_s, "s", SourceKind::Derived, "operation list"),
        leaf(id + "/ratio", "Slowest over mean, less one", m.noise_ratio, "1", SourceKind::Assumption,
             fmt::format("expected maximum over {} ranks of kernel times with 1 % spread", m.lockstep_ranks),
             "jitter")};
    return combined(id, std::string(stepPartLabel(part)), "s", Combine::Product, "kernels x ratio",
                    std::move(wait));
  }
  if (part == StepPart::Overlap && m.two_batch_overlap_ratio > 0) {
    const double collectives_s = evaluate(in).breakdown_s[StepPart::Collectives];
    rows.push_back(leaf(id + "/two_batch", "Collectives behind the other half batch",
                        -m.two_batch_overlap_ratio * std::min(collectives_s, kernels_s), "s",
                        SourceKind::UserSet, "share of the shorter of collectives and kernels",
                        "serving.two_batch_overlap_ratio"));
  }
  if (rows.empty())
    return leaf(id, std::string(stepPartLabel(part)), 0, "s", SourceKind::Derived, "no operation adds to it");
  return combined(id, std::string(stepPartLabel(part)), "s", Combine::Sum, "sum over operations",
                  std::move(rows));
}

}  // namespace decodescope::decode
