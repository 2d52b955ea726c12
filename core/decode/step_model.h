// The step model: one list of operations, made once per plan. Evaluating, explaining, laying out in time and loading
// links all walk this list; there is no second copy of a formula.
#pragma once

#include "catalog/catalog.h"
#include "kernel/kernel_model.h"
#include "network/collective.h"
#include "parallel/plan.h"

#include <decodescope/derivation.h>
#include <decodescope/expected.h>
#include <decodescope/prediction.h>
#include <decodescope/scenario.h>
#include <decodescope/timeline.h>
#include <decodescope/topology_view.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace decodescope::decode {

/// What an iteration works on.
struct StepInput {
  double sequences = 1;             ///< decoding, per replica
  double busiest_group_sequences = 1;   ///< on the attention group with most work; >= sequences / groups
  double context_tokens = 0;        ///< mean over decoding sequences of the busiest group
  double prefill_tokens = 0;        ///< prompt tokens riding along, per replica
  double prefill_past_tokens = 0;   ///< context those prompt tokens already have
  double clock_ratio = 1;           ///< of the slowest chip of the replica
};

struct StepResult {
  StepBreakdown breakdown_s;
  double step_s = 0;
  // Per chip and step, for power and utilisation:
  double hbm_bytes = 0, bf16_flop = 0, fp8_flop = 0, fp4_flop = 0, wire_bytes = 0;
  double busy_s = 0, collective_s = 0, host_s = 0;
};

enum class OperationKind : std::uint8_t {
  Gemm, Attention, Mla, MlaBmm, PrefillAttention, Experts, Elementwise, Sampling, Collective, Exchange, PointToPoint, Host, LaunchOverlap
};

/// One row of the list. Which fields matter depends on the kind; sizes are per rank.
struct Operation {
  OperationKind kind = OperationKind::Gemm;
  std::string id;                   ///< "qkv", "attention", "moe", "all_reduce_attention": unique
  std::string label;                ///< "QKV projection"
  double count = 1;                 ///< executions per step
  bool per_layer = true;            ///< false: once before or after the layers
  Dtype dtype = Dtype::Bf16;
  double n = 0, k = 0;              ///< GEMM output and inner size; elementwise: bytes per token in n
  double heads = 0, kv_heads = 0, head_dim = 0;
  double window_tokens = 0;         ///< local layers: KV read is capped here; 0: all of the context
  int expert_ranks = 1, expert_tp = 1;
  parallel::GroupKind group = parallel::GroupKind::Tensor;
  network::Collective collective = network::Collective::AllReduce;
  network::GroupShape shape;
  std::string layer_kind;           ///< "dense", "moe", "full", "local", "all": which layers run it
  std::string source;               ///< why it is there
};

struct MemoryPlan {
  double weights_bytes_per_chip = 0, activation_bytes_per_chip = 0, reserve_bytes_per_chip = 0;
  double capacity_bytes_per_chip = 0, usable_bytes_per_chip = 0;
  /// KV bytes that one sequence of `context_tokens` costs on each chip of its attention group.
  double kv_bytes_per_sequence_per_chip(double context_tokens) const;
  /// Sequences per attention group that fit at `context_tokens`; 0 when not even one does.
  double maxSequencesPerGroup(double context_tokens) const;
  const ModelSpec* model = nullptr;
  Dtype kv_dtype = Dtype::Bf16;
  double kv_shard = 1;              ///< chips over which one sequence's KV is divided (heads, CP, PP), replication undone
  int kv_block_tokens = 64;
};

class StepModel {
 public:
  /// `scenario` must be resolved (no empty dtypes); see analysis::resolve.
  [[nodiscard]] static Expected<std::shared_ptr<const StepModel>> make(std::shared_ptr<const Catalog>, const Scenario&,
                                                                       const parallel::Plan&);

  /// Pure, allocation-free, a few microseconds at most.
  [[nodiscard]] StepResult evaluate(const StepInput&) const;
  /// The same step as a tree whose children recombine to the parent.
  [[nodiscard]] Derivation explain(const StepInput&) const;
  /// The same step laid out in time. `topology` gives the links of collectives; null leaves traffic out.
  [[nodiscard]] IterationTimeline timeline(const StepInput&, const TopologyView* topology) const;
  /// Bytes per directed link of one step.
  void addLinkBytes(const StepInput&, const TopologyView&, std::span<double> bytes_per_directed_link) const;

  [[nodiscard]] std::span<const Operation> operations() const;
  [[nodiscard]] const parallel::Plan& plan() const;
  [[nodiscard]] const MemoryPlan& memory() const;
  [[nodiscard]] const ModelSpec& model() const;
  [[nodiscard]] const ChipSpec& chip() const;
  [[nodiscard]] const SystemSpec& system() const;
  [[nodiscard]] const EngineSpec& engine() const;
  /// What was assumed to build the list (derived constants, approximated attention kinds).
  [[nodiscard]] std::span<const std::string> assumptions() const;

  ~StepModel();

 private:
  StepModel();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace decodescope::decode
