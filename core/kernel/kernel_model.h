// Kernel cost model of one chip: constants resolved once, then pure arithmetic without allocation.
#pragma once

#include "catalog/catalog.h"
#include "kernel/kernel_cost.h"

#include <decodescope/expected.h>

#include <memory>
#include <string>
#include <string_view>

namespace decodescope::kernel {

enum class AttentionLibrary { Sglang, Trtllm };
/// Cold: a real decode reads every operand from HBM. Replayed: a benchmark repeats one problem, so what fits
/// stays in L2.
enum class Residency { Cold, Replayed };

class KernelModel {
 public:
  /// Resolves the chip's constants: its own, else those of its family, else the geometric mean over families
  /// scaled by the datasheet (marked in `provenance`). `exclude_chip` leaves one chip's own rows out, for
  /// leave-one-out errors.
  [[nodiscard]] static Expected<KernelModel> make(const Catalog&, const ChipSpec&, AttentionLibrary,
                                                  std::string_view exclude_chip = {});

  /// y[m,n] = x[m,k] w[n,k].
  [[nodiscard]] KernelCost gemm(Dtype, double m, double n, double k, Residency = Residency::Cold) const;
  /// Decode attention of `batch` sequences with `kv_tokens` each, `heads` query and `kv_heads` KV heads on
  /// this rank.
  [[nodiscard]] KernelCost attention(Dtype kv, double batch, double kv_tokens, double heads, double kv_heads,
                                     double head_dim, Residency = Residency::Cold) const;
  /// Absorbed MLA decode: one latent of `latent_dim` (kv_lora + rope) shared by `heads` heads.
  [[nodiscard]] KernelCost mla(Dtype kv, double batch, double kv_tokens, double heads) const;
  [[nodiscard]] KernelCost mlaBmm(Dtype, double tokens, double heads) const;
  /// Grouped GEMM of the experts of this rank. `distinct_experts` and `routed_tokens` are of the busiest
  /// rank.
  [[nodiscard]] KernelCost moe(Dtype, double tokens, double hidden, double intermediate_per_rank,
                               double experts_per_rank, double distinct_experts, double routed_tokens,
                               Residency = Residency::Cold) const;
  /// Causal prefill attention of `new_tokens` queries after `past_tokens` of context, per sequence.
  [[nodiscard]] KernelCost prefillAttention(double batch, double new_tokens, double past_tokens, double heads,
                                            double kv_heads, double head_dim) const;
  /// Any streaming kernel in a graph: norm, rope, activation, cast, residual add.
  [[nodiscard]] KernelCost elementwise(double bytes) const;
  [[nodiscard]] KernelCost computeScale(double bytes) const;

  /// "fitted on h100-sxm rows", "family sm90", "geometric mean of 5 chips, +-20 to 40 % for attention".
  [[nodiscard]] const std::string& provenance() const { return provenance_; }
  [[nodiscard]] bool isFitted() const { return fitted_; }
  struct Constants;

 private:
  KernelModel() = default;
  std::shared_ptr<const Constants> constants_;
  std::string provenance_;
  bool fitted_ = false;
};

}  // namespace decodescope::kernel
