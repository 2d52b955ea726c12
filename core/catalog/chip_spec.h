// An accelerator as its datasheet describes it, in SI units. 0 means that the chip lacks it.
#pragma once

#include "catalog/source.h"

#include <string>
#include <vector>

namespace decodescope {

/// Number formats that the kernel model tells apart. Fp8 is per-tensor scaling with a static scale,
/// Fp8Dynamic computes its scale per call, Fp8Block is 1x128 by 128x128 scaling. Mxfp4 weights compute in
/// bf16 on chips without fp4.
enum class Dtype { Bf16, Fp8, Fp8Dynamic, Fp8Block, Int8, Mxfp4, Nvfp4 };
[[nodiscard]] const char* dtypeId(Dtype);
/// Stored bytes per element, scales included (mxfp4 4.25 bit, nvfp4 4.5 bit; OCP MX specification, NVIDIA
/// NVFP4).
[[nodiscard]] double bytesPerElement(Dtype);

enum class ScaleUpKind { Switched, Mesh, Torus, PcieOnly };

struct ChipSpec {
  std::string id, name, vendor;
  std::vector<std::string> aliases;  ///< other ids of the same entry
  std::string family;                ///< chips of one family share kernels: sm80 sm90 sm100 cdna3 tpu-v5 ...
  int launch_year = 0;
  double bf16_flop_per_s = 0, fp8_flop_per_s = 0, int8_flop_per_s = 0, fp4_flop_per_s = 0;  ///< dense
  double memory_bytes = 0, memory_bandwidth_bytes_per_s = 0;
  double l2_bytes = 0;
  int sm_count = 0;  ///< compute units that tile and wave quantisation count
  double tdp_w = 0, idle_w = 0;
  double max_operating_c = 0;  ///< software slowdown begins
  double throttle_c = 0;       ///< hardware slowdown
  double shutdown_c = 0, hbm_max_c = 0;
  ScaleUpKind scale_up = ScaleUpKind::Switched;
  double scale_up_bytes_per_s = 0;  ///< per direction, all links
  int scale_up_links = 0;
  double scale_up_latency_s = 0;
  double scale_out_bytes_per_s = 0;  ///< NIC, per direction
  double host_bytes_per_s = 0;       ///< PCIe or C2C, per direction
  int max_scale_up_domain = 1;
  std::string cooling;
  double price_usd = 0;
  double usd_per_hour = 0;  ///< owned, all-in (InferenceX), 0 when unknown
  double all_in_kw = 0;     ///< per chip, facility share included
  SourceTable sources;

  [[nodiscard]] double peakFlopPerS(Dtype) const;
};

}  // namespace decodescope
