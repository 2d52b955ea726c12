// KV cache bytes: what each kind of attention stores and reads.
#include "model/arithmetic.h"

#include <algorithm>

namespace decodescope::model {
namespace {

constexpr double kLinearStateBytes = 4;  ///< fp32 in the reference implementation of lightning attention

/// One token of one full or local layer.
double bytesPerTokenLayer(const ModelSpec& m, Dtype kv) {
  if (m.mla) return (m.mla->kv_lora_rank + m.mla->qk_rope_head_dim) * bytesPerElement(kv);
  return 2.0 * m.kv_heads * m.head_dim * bytesPerElement(kv);
}

/// Keys of the sparse indexer: one vector shared by its heads; below 16 bit with one fp32 scale per 128
/// elements.
double indexerBytesPerTokenLayer(const ModelSpec& m, Dtype kv) {
  if (!m.indexer) return 0;
  if (kv == Dtype::Bf16) return m.indexer->head_dim * bytesPerElement(kv);
  return m.indexer->head_dim * (1 + 4.0 / 128);
}

double fullBytesPerToken(const ModelSpec& m, Dtype kv) {
  return m.layers_full * (bytesPerTokenLayer(m, kv) + indexerBytesPerTokenLayer(m, kv));
}

double localBytesPerToken(const ModelSpec& m, Dtype kv) {
  return m.layers_local * bytesPerTokenLayer(m, kv);
}

}  // namespace

double kvBytesPerTokenMarginal(const ModelSpec& m, Dtype kv, double context_tokens) {
  const bool grows = m.layers_local > 0 && context_tokens < m.window;
  return fullBytesPerToken(m, kv) + (grows ? localBytesPerToken(m, kv) : 0);
}

double kvBytesPerSequence(const ModelSpec& m, Dtype kv, double context_tokens) {
  const double state = m.layers_linear * static_cast<double>(m.linear_heads) * m.linear_head_dim *
                       m.linear_head_dim * kLinearStateBytes;
  // A chunked layer empties at each chunk's end, but must have room for a whole one.
  const double held = std::min(context_tokens, static_cast<double>(m.window));
  return fullBytesPerToken(m, kv) * context_tokens + localBytesPerToken(m, kv) * held + state;
}

KvReadTokens kvReadTokens(const ModelSpec& m, double context_tokens) {
  KvReadTokens read;
  read.full = m.indexer ? std::min(context_tokens, static_cast<double>(m.indexer->top_k)) : context_tokens;
  read.indexer = m.indexer ? context_tokens : 0;
  if (m.layers_local > 0) {
    // A sequence stands anywhere in its chunk, so over many of them a chunked layer reads half a window.
    const double span = m.attention == AttentionKind::ChunkedMix ? m.window / 2.0 : m.window;
    read.local = std::min(context_tokens, span);
  }
  return read;
}

}  // namespace decodescope::model
