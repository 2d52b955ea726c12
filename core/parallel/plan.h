// Who holds what: a parallel plan, its legality, and where its ranks stand on the graph.
#pragma once

#include "catalog/catalog.h"
#include "network/collective.h"

#include <decodescope/ids.h>
#include <decodescope/prediction.h>
#include <decodescope/scenario.h>
#include <decodescope/topology_view.h>

#include <vector>

namespace decodescope::parallel {

/// Degrees plus what follows from them.
struct Plan {
  ParallelDegrees degrees;
  int replicas = 1;
  int chips = 1;

  [[nodiscard]] int chipsPerReplica() const { return degrees.tp * degrees.pp * degrees.cp * degrees.dp; }
  [[nodiscard]] int chipsPerStage() const { return degrees.tp * degrees.cp * degrees.dp; }
  /// Ranks over which attention heads are sharded; 1 when attention is data-parallel.
  [[nodiscard]] int attentionTp() const {
    return degrees.attention == AttentionSharding::Data ? 1 : degrees.tp;
  }
  /// Groups that each hold their own sequences.
  [[nodiscard]] int attentionGroups() const { return degrees.dp * degrees.tp / attentionTp(); }
  /// Experts are spread over ep ranks and each expert sliced over expertTp() ranks.
  [[nodiscard]] int expertTp() const { return degrees.tp * degrees.dp / (degrees.ep > 0 ? degrees.ep : 1); }
};

/// Structural reasons why a plan cannot run (rule "parallel" or "system"); memory is judged by the step
/// model.
[[nodiscard]] std::vector<Violation> checkPlan(const ModelSpec&, const SystemSpec&, const ParallelDegrees&,
                                               int chips, const Fabric&);
/// Experts spread evenly over ranks: the ranks divide them, or, of 64 experts and more, up to an eighth is
/// held twice to fill all ranks alike (as DeepSeek serves 256 experts on 32, 72 or 144 ranks with 32
/// redundant ones).
[[nodiscard]] bool expertsSpread(const ModelSpec&, int ranks);
/// Experts with those copies: a multiple of `ranks`.
[[nodiscard]] int expertSlots(const ModelSpec&, int ranks);
[[nodiscard]] Plan makePlan(const ParallelDegrees&, int chips);
/// All legal plans of `chips` chips worth considering, in a fixed order.
[[nodiscard]] std::vector<Plan> legalPlans(const ModelSpec&, const SystemSpec&, int chips, const Fabric&);

/// Block: tensor x context ranks, which share a dense FFN.
enum class GroupKind { Tensor, Expert, AttentionData, Context, Pipeline, Block };
/// Chips of every group of a kind. Rank order: tp innermost, then cp, dp, pp, replica, so that tensor groups
/// are neighbours.
[[nodiscard]] std::vector<std::vector<ChipId>> groups(const Plan&, GroupKind);
/// How many ranks of such a group share a scale-up domain of `domain_chips` chips.
[[nodiscard]] network::GroupShape groupShape(const Plan&, GroupKind, int domain_chips);
/// Pipeline stage of a chip.
[[nodiscard]] int stageOf(const Plan&, ChipId);

}  // namespace decodescope::parallel
