// Bytes of a step on every directed link: each collective's load per byte, cached by topology, times its
// bytes.
#include "decode/step_impl.h"

#include <algorithm>
#include <bit>

namespace decodescope::decode {
namespace {

/// Groups that run a row: all of them, or those of the last stage for what only it does.
std::vector<std::vector<ChipId>> groupsOf(const parallel::Plan& plan, const Operation& op) {
  auto groups = parallel::groups(plan, op.group);
  if (op.layers != LayerSet::Once || op.kind == OperationKind::PointToPoint || plan.degrees.pp == 1)
    return groups;
  std::erase_if(groups,
                [&](const auto& g) { return parallel::stageOf(plan, g.front()) != plan.degrees.pp - 1; });
  return groups;
}

double fingerprintOf(const TopologyView& view) {
  double sum = static_cast<double>(view.nodes.size());
  for (std::size_t i = 0; i < view.links.size(); ++i)
    sum += view.links[i].capacity_bytes_per_s * static_cast<double>(i % 8191 + 1);
  return sum;
}

}  // namespace

std::shared_ptr<const network::UnitLoad> StepModel::Impl::unitLoad(const TopologyView& view,
                                                                   double fingerprint, std::size_t operation,
                                                                   std::string_view algorithm) const {
  const Operation& op = operations[operation];
  {
    const std::lock_guard lock(cache_mutex);
    for (const CachedLoad& c : cache) {
      const bool same_place = c.view == &view && std::bit_cast<std::uint64_t>(c.fingerprint) ==
                                                     std::bit_cast<std::uint64_t>(fingerprint);
      if (same_place && c.algorithm == algorithm && operations[c.operation].group == op.group &&
          operations[c.operation].collective == op.collective && operations[c.operation].layers == op.layers)
        return c.load;
    }
  }
  const auto members = groupsOf(plan, op);
  auto load =
      std::make_shared<const network::UnitLoad>(network::unitLoad(view, op.collective, algorithm, members));
  const std::lock_guard lock(cache_mutex);
  constexpr std::size_t kMostCached = 64;
  if (cache.size() >= kMostCached) cache.erase(cache.begin());
  cache.push_back({&view, fingerprint, operation, algorithm, load});
  return load;
}

void StepModel::addLinkBytes(const StepInput& in, const TopologyView& view, std::span<double> bytes) const {
  const Impl& m = *impl_;
  const Shape shape = m.shapeOf(in);
  const double fingerprint = fingerprintOf(view);
  for (std::size_t i = 0; i < m.operations.size(); ++i) {
    const Operation& op = m.operations[i];
    if (!isCollective(op.kind)) continue;
    const OperationCost c = m.costOf(op, shape);
    if (!c.runs || !(c.net.wire_bytes_per_rank > 0)) continue;
    // A stage runs its share of the layers, once for each micro-batch; the last stage alone gathers logits,
    // and every boundary is crossed once by each micro-batch.
    double executions = op.count * m.chipShare(shape);
    if (op.kind == OperationKind::PointToPoint)
      executions = shape.micro_batches;
    else if (op.layers == LayerSet::Once)
      executions = op.count * shape.micro_batches;
    const auto load = m.unitLoad(view, fingerprint, i, c.net.algorithm);
    for (std::size_t e = 0; e < load->directed.size(); ++e)
      bytes[load->directed[e]] += load->bytes_per_byte[e] * c.net.wire_bytes_per_rank * executions;
  }
}

std::shared_ptr<const PhaseTraffic> phaseTraffic(const StepModel::Impl& m, const TopologyView& view,
                                                 std::size_t operation, const OperationCost& c) {
  const auto load = m.unitLoad(view, fingerprintOf(view), operation, c.net.algorithm);
  auto traffic = std::make_shared<PhaseTraffic>();
  traffic->name = m.operations[operation].label;
  traffic->directed = load->directed;
  traffic->bytes.reserve(load->directed.size());
  for (const double b : load->bytes_per_byte)
    traffic->bytes.push_back(static_cast<float>(b * c.net.wire_bytes_per_rank));
  return traffic;
}

}  // namespace decodescope::decode
