// What evaluate, explain, timeline and link loads share: the list, the constants, and the cost of one row.
#pragma once

#include "decode/operation_list.h"
#include "decode/specs.h"
#include "decode/step_model.h"
#include "model/arithmetic.h"
#include "network/link_loads.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace decodescope::decode {

struct StepContext {
  std::shared_ptr<const Catalog> catalog;
  Specs specs;
  std::shared_ptr<const ModelSpec> model;
  kernel::KernelModel kernels;
  network::CollectiveModel collectives;
  Dtype weights = Dtype::Bf16, kv = Dtype::Bf16;
  double saturation_ratio = 0.6;  ///< clock below which HBM slows down
  double launch_overlap_s = 0;    ///< of the engine on this generation of chips
  double expert_list_ratio = 1;   ///< likewise
  bool tunes_four_bit = false;    ///< the engine picks 4-bit kernels of its own on this chip
};

/// An iteration cut into what one rank sees: the busiest attention group's micro-batch.
struct Shape {
  double micro_batches = 1;
  double sequences = 0, decoded_tokens = 0, prefill_tokens = 0;
  double expert_tokens = 0;  ///< of all groups
  double past_tokens = 0, prefill_sequences = 1;
  double kv_full = 0, kv_local = 0, kv_indexer = 0;
  double host_sequences = 0;
};

/// Cost of one execution of one row, at nominal clock.
struct OperationCost {
  bool is_collective = false, runs = false;
  kernel::KernelCost kernel;
  network::CollectiveCost net;
  double fixed_s = 0;  ///< of the row, beside the kernel
  double host_s = 0;
  double distinct_experts = 0, routed_tokens = 0;
  [[nodiscard]] double total_s() const {
    return host_s + fixed_s + (is_collective ? net.total_s() : kernel.total_s());
  }
};

struct StepModel::Impl {
  std::shared_ptr<const StepContext> context;
  parallel::Plan plan;
  std::vector<Operation> operations;
  LayerCounts counts;
  MemoryPlan memory;
  std::vector<std::string> assumptions;
  double draft_tokens = 0, acceptance_ratio = 0;
  double two_batch_overlap_ratio = 0;
  double noise_ratio = 0;  ///< share of kernel time that the slowest of the ranks in lockstep adds
  int lockstep_ranks = 1;
  double groups = 1;

  [[nodiscard]] const Specs& specs() const { return context->specs; }
  [[nodiscard]] Shape shapeOf(const StepInput&) const;
  [[nodiscard]] double tokensOf(const Operation&, const Shape&) const;
  [[nodiscard]] OperationCost costOf(const Operation&, const Shape&) const;
  /// Fixed time of one execution that is hidden: launches under their predecessors, and all of it beside the
  /// experts.
  [[nodiscard]] double launchCredit_s(const Operation&, const OperationCost&) const;
  /// Executions by one chip of one stage, per execution counted over the whole step.
  [[nodiscard]] double chipShare(const Shape& shape) const { return shape.micro_batches / plan.degrees.pp; }

  // link_bytes.cpp
  struct CachedLoad {
    const TopologyView* view;
    double fingerprint;
    std::size_t operation;
    std::string_view algorithm;
    std::shared_ptr<const network::UnitLoad> load;
  };
  mutable std::mutex cache_mutex;
  mutable std::vector<CachedLoad> cache;
  [[nodiscard]] std::shared_ptr<const network::UnitLoad> unitLoad(const TopologyView&, double fingerprint,
                                                                  std::size_t operation,
                                                                  std::string_view algorithm) const;
};

/// Books `count` executions of a kernel: its time above the fixed part splits in the ratio of its memory and
/// math terms.
void bookKernel(StepBreakdown&, const Operation&, const OperationCost&, double count);

[[nodiscard]] MemoryPlan makeMemoryPlan(const StepContext&, const Scenario&, const parallel::Plan&,
                                        const std::vector<Operation>&);
[[nodiscard]] std::vector<std::string> listAssumptions(const StepContext&, const Scenario&,
                                                       const parallel::Plan&);
[[nodiscard]] bool isCollective(OperationKind);
/// What one execution of a collective puts on links.
[[nodiscard]] std::shared_ptr<const PhaseTraffic> phaseTraffic(const StepModel::Impl&, const TopologyView&,
                                                               std::size_t operation, const OperationCost&);

}  // namespace decodescope::decode
