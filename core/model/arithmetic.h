// Transformer arithmetic: parameters, weight bytes, KV bytes.
#pragma once

#include "catalog/chip_spec.h"
#include "catalog/model_spec.h"

namespace decodescope::model {

struct ParameterCount {
  double attention = 0, ffn = 0, norms = 0, embedding_in = 0, lm_head = 0;
  double routed_experts = 0, shared_experts = 0, dense_ffn = 0;  ///< parts of ffn, router included in neither
  double mtp_block = 0;                                          ///< not in total
  [[nodiscard]] double total() const { return attention + ffn + norms + embedding_in + lm_head; }
  double active_excl_input_embedding = 0, active_incl_input_embedding = 0, active_excl_both_embeddings = 0;
};
/// Exact parameter count from dimensions. Checked against the totals published for 29 models.
[[nodiscard]] ParameterCount countParameters(const ModelSpec&);

/// KV cache growth of one more token at `context_tokens`, whole model, bytes (a local layer beyond its window
/// adds 0).
[[nodiscard]] double kvBytesPerTokenMarginal(const ModelSpec&, Dtype kv, double context_tokens);
/// KV cache of one sequence of `context_tokens`, whole model, bytes, linear-attention state included.
[[nodiscard]] double kvBytesPerSequence(const ModelSpec&, Dtype kv, double context_tokens);
/// Tokens of KV one full / local / sparse layer reads in a decode step at `context_tokens`.
struct KvReadTokens {
  double full = 0, local = 0, indexer = 0;
};
[[nodiscard]] KvReadTokens kvReadTokens(const ModelSpec&, double context_tokens);

/// Expected distinct experts hit when `tokens` tokens choose top_k of `experts` uniformly: E (1 - (1 -
/// k/E)^T).
[[nodiscard]] double expectedDistinctExperts(double experts, double top_k, double tokens);
/// Busiest of `ranks` ranks: distinct local experts and routed copies.
struct ExpertLoad {
  double distinct_experts = 0, routed_tokens = 0;
};
[[nodiscard]] ExpertLoad busiestRank(double experts, double top_k, double tokens, int ranks);

}  // namespace decodescope::model
