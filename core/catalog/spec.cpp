#include "catalog/chip_spec.h"
#include "catalog/model_spec.h"

namespace decodescope {

const char* dtypeId(Dtype dtype) {
  switch (dtype) {
    case Dtype::Bf16:
      return "bf16";
    case Dtype::Fp8:
      return "fp8";
    case Dtype::Fp8Dynamic:
      return "fp8_dynamic";
    case Dtype::Fp8Block:
      return "fp8_block";
    case Dtype::Int8:
      return "int8";
    case Dtype::Mxfp4:
      return "mxfp4";
    case Dtype::Nvfp4:
      return "nvfp4";
  }
  return "";
}

double bytesPerElement(Dtype dtype) {
  constexpr double kBits = 8;
  switch (dtype) {
    case Dtype::Bf16:
      return 2;
    case Dtype::Fp8:
    case Dtype::Fp8Dynamic:
    case Dtype::Int8:
      return 1;
    case Dtype::Fp8Block:
      return 1 + 4.0 / (128 * 128);  // one fp32 scale per 128 x 128 block
    case Dtype::Mxfp4:
      return (4 + 8.0 / 32) / kBits;  // 32 elements share an 8-bit scale
    case Dtype::Nvfp4:
      return (4 + 8.0 / 16) / kBits;  // 16 elements share an 8-bit scale
  }
  return 2;
}

double ChipSpec::peakFlopPerS(Dtype dtype) const {
  switch (dtype) {
    case Dtype::Bf16:
      return bf16_flop_per_s;
    case Dtype::Fp8:
    case Dtype::Fp8Dynamic:
    case Dtype::Fp8Block:
      return fp8_flop_per_s;
    case Dtype::Int8:
      return int8_flop_per_s;
    case Dtype::Mxfp4:
      return fp4_flop_per_s > 0 ? fp4_flop_per_s : bf16_flop_per_s;
    case Dtype::Nvfp4:
      return fp4_flop_per_s;
  }
  return 0;
}

int ModelSpec::moeLayers() const {
  if (!isMoe()) return 0;
  return (layers - moe->first_dense_layers) / moe->every;
}

}  // namespace decodescope
