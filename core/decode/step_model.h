// The step model: one list of operations, made once per plan. Evaluating, explaining, laying out in time and
// loading links all walk this list; there is no second copy of a formula.
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

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace decodescope::decode {

/// What an iteration works on.
struct StepInput {
  double sequences = 1;                ///< decoding, per replica
  double busiest_group_sequences = 1;  ///< on the attention group with most work; >= sequences / groups
  double context_tokens = 0;           ///< mean over decoding sequences of the busiest group
  double prefill_tokens = 0;           ///< prompt tokens riding along, per replica
  double prefill_past_tokens = 0;      ///< context those prompt tokens already have
  double prefill_sequences = 1;        ///< prompts they belong to
  double clock_ratio = 1;              ///< of the slowest chip of the replica
};

struct StepResult {
  StepBreakdown breakdown_s;
  double step_s = 0;
  // Per chip and step, for power and utilisation:
  double hbm_bytes = 0, bf16_flop = 0, fp8_flop = 0, fp4_flop = 0, wire_bytes = 0;
  double busy_s = 0, collective_s = 0, host_s = 0;
};

enum class OperationKind : std::uint8_t {
  Gemm,
  Attention,
  Mla,
  MlaBmm,
  PrefillAttention,
  Experts,
  Elementwise,
  Sampling,
  Collective,
  Exchange,
  PointToPoint,
  Host,
  LaunchOverlap
};

/// Which layers run an operation.
enum class LayerSet : std::uint8_t { Once, All, Full, Local, Linear, Dense, Moe, Draft };
/// Which tokens an operation works on: those decoded and those prefilled, only the former, the sequences once
/// each (drafting), or those of all attention groups that enter the experts.
enum class TokenBasis : std::uint8_t { All, Decoded, Sequences, Experts };

/// One row of the list. Which fields matter depends on the kind; sizes are per rank.
struct Operation {
  OperationKind kind = OperationKind::Gemm;
  std::string id;         ///< "qkv", "attention", "moe", "all_reduce_attention": unique
  std::string label;      ///< "QKV projection"
  double count = 1;       ///< executions per step
  bool per_layer = true;  ///< false: once before or after the layers
  Dtype dtype = Dtype::Bf16;
  double n = 0, k = 0;  ///< GEMM output and inner size; elementwise: bytes per token in n
  double heads = 0, kv_heads = 0, head_dim = 0;
  double window_tokens = 0;  ///< local layers: KV read is capped here; 0: all of the context
  int expert_ranks = 1, expert_tp = 1;
  parallel::GroupKind group = parallel::GroupKind::Tensor;
  network::Collective collective = network::Collective::AllReduce;
  network::GroupShape shape;
  std::string layer_kind;  ///< "dense", "moe", "full", "local", "all": which layers run it
  std::string source;      ///< why it is there
  LayerSet layers = LayerSet::All;
  TokenBasis basis = TokenBasis::All;
  double per_layer_count = 1;   ///< executions in each layer that runs it; `count` is over the whole step
  double fixed_s = 0;           ///< added to each execution: small helpers of a kernel, sampling
  double launches = 1;          ///< kernels that one execution launches
  bool beside_experts = false;  ///< may run on a second stream while the routed experts start
  double bytes_per_token = 0;   ///< collectives: payload; elementwise: HBM traffic
  StepPart memory_part = StepPart::WeightsHbm;  ///< where its HBM time is booked
  std::string section;                          ///< "attention", "ffn", "head": how explain() groups it
};
[[nodiscard]] std::string_view layerSetId(LayerSet);

struct MemoryPlan {
  double weights_bytes_per_chip = 0, activation_bytes_per_chip = 0, reserve_bytes_per_chip = 0;
  double capacity_bytes_per_chip = 0, usable_bytes_per_chip = 0;
  /// KV bytes that one sequence of `context_tokens` costs on each chip of its attention group.
  double kv_bytes_per_sequence_per_chip(double context_tokens) const;
  /// Sequences per attention group that fit at `context_tokens`; 0 when not even one does.
  /// `kept_free_ratio` of the blocks is left for growth.
  double maxSequencesPerGroup(double context_tokens, double kept_free_ratio = 0) const;
  std::shared_ptr<const ModelSpec> model;
  Dtype kv_dtype = Dtype::Bf16;
  double kv_shard = 1;  ///< chips over which one sequence's KV is divided (heads, CP, PP), replication undone
  int kv_block_tokens = 64;
};

/// What all plans of one scenario share: specs, constants, number formats. Made once when many plans are
/// compared.
struct StepContext;
[[nodiscard]] Expected<std::shared_ptr<const StepContext>> makeStepContext(std::shared_ptr<const Catalog>,
                                                                           const Scenario&);

class StepModel {
 public:
  /// `scenario` must be resolved (no empty dtypes); see analysis::resolve.
  [[nodiscard]] static Expected<std::shared_ptr<const StepModel>> make(std::shared_ptr<const Catalog>,
                                                                       const Scenario&,
                                                                       const parallel::Plan&);

  [[nodiscard]] static std::shared_ptr<const StepModel> make(std::shared_ptr<const StepContext>,
                                                             const Scenario&, const parallel::Plan&);

  /// Output tokens that one step gives each decoding sequence: 1, or more with speculation.
  [[nodiscard]] double tokensPerStep() const;
  /// Pure, allocation-free, a few microseconds at most.
  [[nodiscard]] StepResult evaluate(const StepInput&) const;
  /// The same step as a tree whose children recombine to the parent.
  [[nodiscard]] Derivation explain(const StepInput&) const;
  /// One part of the step's breakdown as the sum of what every operation adds to it.
  [[nodiscard]] Derivation explainPart(const StepInput&, StepPart) const;
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

  struct Impl;

 private:
  StepModel();
  std::unique_ptr<Impl> impl_;
};

}  // namespace decodescope::decode
