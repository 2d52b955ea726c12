// Shapes and constants: fitted on ai-dynamo/aiconfigurator@095f58a5 kernel tables (Apache-2.0), see
// kernels.json.
#include "kernel/kernel_model.h"

#include "kernel/kernel_constants.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace decodescope::kernel {
namespace {

constexpr double kBf16Bytes = 2;
// Rows of a tensor-core tile that hold the query heads of one KV head (m16 fragments).
constexpr double kQueryTile = 16;
// MLA kernels pad query heads to 64; the latent is 512 + 64 wide, of which 512 is also the value.
constexpr double kMlaHeadTile = 64, kMlaLatent = 576, kMlaValue = 512;
constexpr double kMlaNope = 128;
constexpr double kPrefillTile = 128;

/// Factor on the bytes of an operand that a benchmark replays: what fits in L2 is read there.
double replayRatio(const KernelModel::Constants& c, double span_bytes, Residency residency) {
  if (residency == Residency::Cold || !(c.l2_bytes > 0)) return 1;
  const double hit = std::clamp(c.hit_span_ratio - span_bytes / c.l2_bytes, 0.0, 1.0);
  return (1 - hit) + hit / c.cache_speed_ratio;
}

/// std::ceil for sizes, inline.
double ceiling(double x) {
  const auto whole = static_cast<double>(static_cast<std::int64_t>(x));
  return whole < x ? whole + 1 : whole;
}

/// Time of m x n tiles of depth k on the tile shape that is best for them, the last wave partly paid.
double tiledMath_s(const KernelModel::Constants& c, const GemmConstants& type, double m, double n, double k) {
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < type.tile_count; ++i) {
    const Tile& tile = type.tiles[i];
    const double waves = ceiling(m * tile.inverse_m) * ceiling(n * tile.inverse_n) / c.sm_count;
    const double paid = waves + (ceiling(waves) - waves) * type.wave_share_ratio;
    best = std::min(best, paid * tile.area_over_efficiency);
  }
  return best * c.sm_count * 2 * k / type.flop_per_s;
}

}  // namespace

Expected<KernelModel> KernelModel::make(const Catalog& catalog, const ChipSpec& chip,
                                        AttentionLibrary attention, std::string_view exclude_chip) {
  auto loaded = loadConstants(catalog, chip, attention, exclude_chip);
  if (!loaded) return Unexpected(loaded.error());
  KernelModel model;
  model.constants_ = std::move(loaded->constants);
  model.provenance_ = std::move(loaded->provenance);
  model.fitted_ = loaded->fitted;
  return model;
}

KernelCost KernelModel::gemm(Dtype dtype, double m, double n, double k, Residency residency) const {
  const Constants& c = *constants_;
  const GemmConstants& type = c.gemm[indexOf(dtype)];
  const double weights = type.weight_bytes * n * k;
  KernelCost cost;
  cost.fixed_s = type.fixed_s;
  cost.serial_s = c.gemm_serial_s * std::sqrt(k);
  cost.bytes = weights + type.activation_bytes * m * k + kBf16Bytes * m * n;
  double ratio = 1;
  if (residency == Residency::Replayed && weights > 0) {
    // The benchmark rotates copies of the weights until they fill L2, at most `weight_copies`.
    const double copies = std::min(c.weight_copies, std::max(1.0, ceiling(c.l2_bytes / weights)));
    ratio = replayRatio(c, weights * copies, residency);
  }
  cost.memory_s = cost.bytes * ratio / c.gemm_bytes_per_s;
  cost.math_s = tiledMath_s(c, type, m, n, k);
  // Scaling and casting the activations is a pass of its own over them.
  const double quantised = type.quantise_bytes * m * k;
  cost.extra_s = quantised * c.gemm_quantise_s_per_byte;
  cost.bytes += quantised;
  cost.exponent = type.exponent;
  cost.flop = 2 * m * n * k;
  return cost;
}

KernelCost KernelModel::attention(Dtype kv, double batch, double kv_tokens, double heads, double kv_heads,
                                  double head_dim, Residency residency) const {
  const Constants& c = *constants_;
  const AttentionConstants& type = c.attention[indexOf(kv)];
  const double cache_bytes = 2 * batch * kv_tokens * kv_heads * head_dim * type.kv_bytes;
  KernelCost cost;
  cost.fixed_s = type.fixed_s;
  cost.serial_s = c.attention_serial_s * std::sqrt(kv_tokens);
  cost.bytes = cache_bytes + 2 * kBf16Bytes * batch * heads * head_dim;
  const double ratio = c.attention_in_cache ? replayRatio(c, cache_bytes, residency) : 1;
  cost.memory_s = cost.bytes * ratio / type.bytes_per_s;
  const double padded_heads = kv_heads * ceiling(heads / kv_heads / kQueryTile) * kQueryTile;
  cost.math_s = 4 * batch * padded_heads * kv_tokens * head_dim / type.flop_per_s;
  cost.wave_s = batch * kv_heads / c.sm_count * type.wave_s * (head_dim / 128);
  cost.exponent = type.exponent;
  cost.flop = 4 * batch * heads * kv_tokens * head_dim;
  return cost;
}

KernelCost KernelModel::mla(Dtype kv, double batch, double kv_tokens, double heads) const {
  const Constants& c = *constants_;
  const AttentionConstants& type = c.mla[indexOf(kv)];
  const double head_tiles = ceiling(heads / kMlaHeadTile);
  KernelCost cost;
  cost.fixed_s = type.fixed_s;
  cost.serial_s = c.mla_serial_s * std::sqrt(kv_tokens);
  cost.bytes =
      batch * kv_tokens * kMlaLatent * type.kv_bytes + batch * heads * kBf16Bytes * (kMlaLatent + kMlaValue);
  cost.memory_s = cost.bytes / type.bytes_per_s;
  cost.math_s =
      2 * batch * head_tiles * kMlaHeadTile * kv_tokens * (kMlaLatent + kMlaValue) / type.flop_per_s;
  cost.wave_s = batch * head_tiles / c.sm_count * type.wave_s;
  cost.exponent = type.exponent;
  cost.flop = 2 * batch * heads * kv_tokens * (kMlaLatent + kMlaValue);
  return cost;
}

KernelCost KernelModel::mlaBmm(Dtype dtype, double tokens, double heads) const {
  const StreamConstants& type = constants_->mla_bmm[indexOf(dtype)];
  KernelCost cost;
  cost.fixed_s = type.fixed_s;
  cost.bytes =
      heads * kMlaNope * kMlaValue * type.weight_bytes + tokens * heads * kBf16Bytes * (kMlaNope + kMlaValue);
  cost.memory_s = cost.bytes / type.bytes_per_s;
  cost.flop = 2 * tokens * heads * kMlaNope * kMlaValue;
  return cost;
}

KernelCost KernelModel::moe(Dtype dtype, double tokens, double hidden, double intermediate_per_rank,
                            double experts_per_rank, double distinct_experts, double routed_tokens,
                            Residency residency) const {
  const Constants& c = *constants_;
  const MoeConstants& type = c.moe[indexOf(dtype)];
  const double expert_parameters = 3 * hidden * intermediate_per_rank;
  const double weights = distinct_experts * expert_parameters * type.weight_bytes;
  const double activations =
      kBf16Bytes * (routed_tokens * (4 * hidden + 3 * intermediate_per_rank) + tokens * 3 * hidden);
  KernelCost cost;
  cost.fixed_s = type.fixed_s + type.per_expert_s * experts_per_rank;
  cost.memory_s = weights * replayRatio(c, weights, residency) / c.moe_bytes_per_s;
  cost.math_s =
      (routed_tokens + distinct_experts * type.padding_rows) * 2 * expert_parameters / type.flop_per_s;
  cost.extra_s = activations * c.moe_activation_s_per_byte;
  cost.exponent = type.exponent;
  cost.bytes = weights + activations;
  cost.flop = routed_tokens * 2 * expert_parameters;
  return cost;
}

KernelCost KernelModel::prefillAttention(double batch, double new_tokens, double past_tokens, double heads,
                                         double kv_heads, double head_dim) const {
  const Constants& c = *constants_;
  const AttentionConstants& type = c.prefill;
  KernelCost cost;
  cost.fixed_s = type.fixed_s;
  cost.bytes =
      2 * kBf16Bytes * batch * head_dim * (new_tokens * heads + (new_tokens + past_tokens) * kv_heads);
  cost.memory_s = cost.bytes / type.bytes_per_s;
  // Every query sees the past and, on average, half of the new tokens; a tile of 128 rows is the least that
  // is computed.
  const double flop_per_pair = 4 * batch * heads * head_dim;
  const double half_new = std::max(new_tokens, kPrefillTile) / 2;
  cost.math_s = new_tokens > 0 ? flop_per_pair * new_tokens * (past_tokens + half_new) / type.flop_per_s : 0;
  cost.wave_s = ceiling(batch * heads * ceiling(new_tokens / kPrefillTile) / c.sm_count) * type.wave_s;
  cost.exponent = type.exponent;
  cost.flop = flop_per_pair * new_tokens * (past_tokens + new_tokens / 2);
  return cost;
}

KernelCost KernelModel::elementwise(double bytes) const {
  KernelCost cost;
  cost.fixed_s = constants_->elementwise.fixed_s;
  cost.bytes = bytes;
  cost.memory_s = bytes / constants_->elementwise.bytes_per_s;
  return cost;
}

KernelCost KernelModel::computeScale(double bytes) const {
  KernelCost cost;
  cost.fixed_s = constants_->compute_scale.fixed_s;
  cost.bytes = bytes;
  cost.memory_s = bytes / constants_->compute_scale.bytes_per_s;
  return cost;
}

}  // namespace decodescope::kernel
