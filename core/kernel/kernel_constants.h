// The constants of KernelModel in the form that its arithmetic uses: rates in bytes/s and FLOP/s, times in
// seconds.
#pragma once

#include "kernel/kernel_model.h"

#include <array>
#include <cstddef>

namespace decodescope::kernel {

inline constexpr std::size_t kDtypes = 7;
[[nodiscard]] constexpr std::size_t indexOf(Dtype dtype) {
  return static_cast<std::size_t>(dtype);
}

/// One CTA tile shape of a GEMM library. Sides are powers of two, so their inverses are exact.
struct Tile {
  double inverse_m = 0, inverse_n = 0;
  double area_over_efficiency = 0;  ///< m n over the tile's share of the best tile's rate
};

struct GemmConstants {
  double fixed_s = 0;
  double weight_bytes = 2, activation_bytes = 2;  ///< per element
  double flop_per_s = 0;
  double wave_share_ratio = 0;  ///< share of the last partial wave that is paid
  double exponent = 1;
  double quantise_bytes = 0;  ///< per element of the activations, moved by the scale and cast kernels beside
  std::array<Tile, 4> tiles{};
  std::size_t tile_count = 0;
};
struct MoeConstants {
  double fixed_s = 0, per_expert_s = 0;
  double weight_bytes = 2;
  double flop_per_s = 0;
  double padding_rows = 0;  ///< per distinct expert
  double exponent = 1;
};
struct AttentionConstants {
  double fixed_s = 0, kv_bytes = 2, bytes_per_s = 0, flop_per_s = 0, wave_s = 0, exponent = 1;
};
struct StreamConstants {
  double fixed_s = 0, bytes_per_s = 0, weight_bytes = 2;
};

struct KernelModel::Constants {
  double sm_count = 1;
  double l2_bytes = 0, hit_span_ratio = 0, cache_speed_ratio = 1, weight_copies = 1;
  bool attention_in_cache = false;  ///< replayed attention reads L2 too (chips with a large L2 before GDDR)

  double gemm_serial_s = 0, gemm_bytes_per_s = 0, gemm_quantise_s_per_byte = 0;
  std::array<GemmConstants, kDtypes> gemm{};
  double attention_serial_s = 0;
  std::array<AttentionConstants, kDtypes> attention{};
  double mla_serial_s = 0;
  std::array<AttentionConstants, kDtypes> mla{};
  std::array<StreamConstants, kDtypes> mla_bmm{};
  double moe_bytes_per_s = 0, moe_activation_s_per_byte = 0;
  std::array<MoeConstants, kDtypes> moe{};
  AttentionConstants prefill;
  StreamConstants elementwise, compute_scale;
};

struct LoadedConstants {
  std::shared_ptr<const KernelModel::Constants> constants;
  std::string provenance;
  bool fitted = false;
};
[[nodiscard]] Expected<LoadedConstants> loadConstants(const Catalog&, const ChipSpec&, AttentionLibrary,
                                                      std::string_view exclude_chip);

}  // namespace decodescope::kernel
