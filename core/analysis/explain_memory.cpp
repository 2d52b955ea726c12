// Derivations of what a chip holds.
#include "analysis/explain_quantity.h"
#include "decode/step_impl.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>

namespace decodescope::analysis {
namespace {

using decode::combined;
using decode::leaf;

Derivation kvPerChip(const ExplainPoint& e) {
  return productNode(
      "memory.kv_bytes_per_chip", "KV cache on one chip", "B",
      {leaf("sequences_per_group", "Sequences of its attention group",
            e.settled.loop.mix.in_flight / e.model.step->plan().attentionGroups(), "sequences",
            SourceKind::Derived, "in flight / groups", "workload.concurrency"),
       leaf("kv_per_sequence", "KV cache of one, on this chip",
            e.model.step->memory().kv_bytes_per_sequence_per_chip(e.settled.loop.mix.context_tokens), "B",
            SourceKind::Derived,
            fmt::format("{:.0f} tokens in blocks of {}, divided over {:.0f} chips",
                        e.settled.loop.mix.context_tokens, e.model.step->memory().kv_block_tokens,
                        e.model.step->memory().kv_shard),
            "workload.context_tokens")});
}

Derivation weights(const ExplainPoint& e) {
  return leaf("memory.weights_bytes_per_chip", "Weights on one chip", e.numbers.memory.weights_bytes_per_chip,
              "B", SourceKind::Derived,
              fmt::format("operation list of {} under the plan, {}", e.model.step->model().name,
                          e.model.resolved.precision.weights),
              "precision.weights");
}

Derivation kvPerToken(const ExplainPoint& e) {
  return leaf("memory.kv_bytes_per_token", "KV cache of one more token, whole model",
              e.numbers.memory.kv_bytes_per_token, "B", SourceKind::Derived, e.model.step->model().name);
}

Derivation capacity(const ExplainPoint& e) {
  const ChipSpec& chip = e.model.step->chip();
  return decode::catalogLeaf("memory.capacity_bytes_per_chip", "Memory of one chip", chip.memory_bytes, "B",
                             chip.name, chip.sources, "memory_bytes", "chip.memory_gb");
}

Derivation reserve(const ExplainPoint& e) {
  const EngineSpec& engine = e.model.step->engine();
  return decode::catalogLeaf("memory.reserve_bytes_per_chip", "Held back by the serving engine",
                             engine.reserve_bytes, "B", engine.name, engine.sources, "reserve_bytes");
}

Derivation usable(const ExplainPoint& e) {
  const EngineSpec& engine = e.model.step->engine();
  const std::string id = "memory.usable_bytes_per_chip";
  Derivation less = reserve(e);
  less.value = -less.value;
  less.label += ", taken off";
  less.with_numbers = decode::quantityText(less.value, less.unit);
  std::vector<Derivation> parts{
      productNode(id + "/limit", "Within the engine's limit", "B",
                  {capacity(e), decode::catalogLeaf(id + "/ratio", "Share that the engine may use",
                                                    engine.memory_utilization_ratio, "1", engine.name,
                                                    engine.sources, "memory_utilization_ratio")}),
      std::move(less)};
  return combined(id, "Memory of one chip that may be used", "B", Combine::Sum, "capacity x limit - reserve",
                  std::move(parts));
}

Derivation activations(const ExplainPoint& e) {
  return leaf("memory.activation_bytes_per_chip", "Activations of one chip",
              e.numbers.memory.activation_bytes_per_chip, "B", SourceKind::Assumption,
              fmt::format("tokens of a chunk x hidden size x {:.4g} B",
                          e.model.step->engine().activation_bytes_per_token),
              "serving.chunk_tokens");
}

constexpr std::array<ExplainRow, 7> kRows{{
    {"memory.kv_bytes_per_chip", kvPerChip},
    {"memory.kv_bytes_per_token", kvPerToken},
    {"memory.weights_bytes_per_chip", weights},
    {"memory.activation_bytes_per_chip", activations},
    {"memory.reserve_bytes_per_chip", reserve},
    {"memory.usable_bytes_per_chip", usable},
    {"memory.capacity_bytes_per_chip", capacity},
}};

}  // namespace

std::span<const ExplainRow> memoryRows() {
  return kRows;
}

}  // namespace decodescope::analysis
