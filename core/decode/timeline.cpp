// The step laid out in time, layer by layer, from the same list. Credits shorten the phases they apply to,
// what throttling adds lengthens its kernels, and the wait for the slowest stands at the end of every layer.
#include "decode/step_impl.h"

#include <algorithm>

namespace decodescope::decode {
namespace {

PhaseKind phaseKind(OperationKind kind) {
  switch (kind) {
    case OperationKind::Attention:
    case OperationKind::Mla:
    case OperationKind::PrefillAttention:
      return PhaseKind::Attention;
    case OperationKind::Experts:
      return PhaseKind::Experts;
    case OperationKind::Collective:
    case OperationKind::Exchange:
      return PhaseKind::Collective;
    case OperationKind::PointToPoint:
      return PhaseKind::PointToPoint;
    case OperationKind::Host:
      return PhaseKind::Host;
    default:
      return PhaseKind::Compute;
  }
}

class Layout {
 public:
  Layout(const StepModel::Impl& m, const StepInput& in, const TopologyView* view)
      : m_(m), shape_(m.shapeOf(in)), in_(in) {
    costs_.reserve(m.operations.size());
    double kernels_s = 0, collectives_s = 0;
    for (std::size_t i = 0; i < m.operations.size(); ++i) {
      const Operation& op = m.operations[i];
      costs_.push_back(m.costOf(op, shape_));
      const OperationCost& c = costs_.back();
      out.operation_names.push_back(op.label);
      traffic_.push_back(-1);
      if (!c.runs || op.kind == OperationKind::Host) continue;
      (c.is_collective ? collectives_s : kernels_s) +=
          op.count * (c.is_collective ? c.net.total_s() : c.total_s());
      if (view && c.is_collective && c.net.wire_bytes_per_rank > 0) {
        traffic_.back() = static_cast<std::int32_t>(out.traffic.size());
        out.traffic.push_back(phaseTraffic(m, *view, i, c));
      }
    }
    wait_s_ = m.noise_ratio * kernels_s;
    const double hidden = m.two_batch_overlap_ratio * std::min(collectives_s, kernels_s);
    exposed_ratio_ = collectives_s > 0 ? 1 - hidden / collectives_s : 1;
    wait_name_ = static_cast<std::uint32_t>(out.operation_names.size());
    out.operation_names.emplace_back("Wait for the slowest");
  }

  IterationTimeline out;

  void run() {
    const int stages = m_.plan.degrees.pp, layers = m_.counts.all;
    out.layers = layers;
    out.stages = stages;
    once(true);
    for (int layer = 0; layer < layers; ++layer) {
      const int stage = layer * stages / layers;
      if (layer > 0 && stage != (layer - 1) * stages / layers) send(stage - 1);
      layerPhases(layer, stage);
    }
    once(false);
    stageChips();
    out.step_s = now_s_;
  }

 private:
  const StepModel::Impl& m_;
  Shape shape_;
  StepInput in_;
  std::vector<OperationCost> costs_;
  std::vector<std::int32_t> traffic_;
  double now_s_ = 0, wait_s_ = 0, exposed_ratio_ = 1;
  std::uint32_t wait_name_ = 0;

  /// One execution as it stands in the step: credits taken, throttling added.
  [[nodiscard]] double duration_s(const Operation& op, const OperationCost& c) const {
    if (c.host_s > 0) return c.host_s;
    const double credit = m_.launchCredit_s(op, c);
    if (c.is_collective) return c.net.total_s() * exposed_ratio_ + c.fixed_s - credit;
    const double slowed = in_.clock_ratio < 1
                              ? c.kernel.total_s(in_.clock_ratio, m_.context->saturation_ratio)
                              : c.kernel.total_s();
    return slowed + c.fixed_s - credit;
  }

  void emit(PhaseKind kind, int layer, int stage, std::uint32_t operation, double duration,
            std::int32_t traffic) {
    if (duration == 0) return;
    out.phases.push_back({kind, layer, stage, operation, now_s_, duration, traffic});
    now_s_ += duration;
  }

  void emit(std::size_t i, int layer, int stage, double times) {
    const Operation& op = m_.operations[i];
    if (!costs_[i].runs) return;
    emit(phaseKind(op.kind), layer, stage, static_cast<std::uint32_t>(i), times * duration_s(op, costs_[i]),
         traffic_[i]);
  }

  void once(bool before) {
    const int stage = before ? 0 : m_.plan.degrees.pp - 1;
    for (std::size_t i = 0; i < m_.operations.size(); ++i) {
      const Operation& op = m_.operations[i];
      if (op.per_layer || (op.kind == OperationKind::Host) != before) continue;
      if (op.kind == OperationKind::PointToPoint) {
        emit(i, -1, stage, 1);  // the sampled token, back to the first stage
        continue;
      }
      emit(i, -1, stage, op.count);
    }
  }

  void send(int stage) {
    for (std::size_t i = 0; i < m_.operations.size(); ++i) {
      if (m_.operations[i].kind == OperationKind::PointToPoint) emit(i, -1, stage, 1);
    }
  }

  void layerPhases(int layer, int stage) {
    for (std::size_t i = 0; i < m_.operations.size(); ++i) {
      const Operation& op = m_.operations[i];
      if (!op.per_layer || !layerRuns(*m_.context->model, m_.counts, op.layers, layer)) continue;
      emit(i, layer, stage, op.per_layer_count);
    }
    emit(PhaseKind::Wait, layer, stage, wait_name_, wait_s_ / m_.counts.all, -1);
  }

  void stageChips() {
    out.stage_chips.resize(static_cast<std::size_t>(m_.plan.degrees.pp));
    for (int chip = 0; chip < m_.plan.chips; ++chip) {
      const ChipId id{static_cast<std::uint32_t>(chip)};
      out.stage_chips[static_cast<std::size_t>(parallel::stageOf(m_.plan, id))].push_back(id);
    }
  }
};

}  // namespace

IterationTimeline StepModel::timeline(const StepInput& in, const TopologyView* view) const {
  Layout layout(*impl_, in, view);
  layout.run();
  return std::move(layout.out);
}

}  // namespace decodescope::decode
