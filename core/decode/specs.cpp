#include "decode/specs.h"

#include "scenario/resolved_specs.h"

#include <string>

namespace decodescope::decode {

Expected<Specs> resolveSpecs(const Catalog& catalog, const Scenario& scenario) {
  auto specs = scenario::resolveSpecs(catalog, scenario);
  if (!specs) return Unexpected(specs.error());
  const auto engine = catalog.engine(scenario.serving.engine);
  if (!engine) return Unexpected(engine.error());
  return Specs{std::move(specs->model), std::move(specs->chip), std::move(specs->system), **engine};
}

Expected<Dtype> parseDtype(std::string_view id, std::string_view field) {
  for (const Dtype d : {Dtype::Bf16, Dtype::Fp8, Dtype::Fp8Dynamic, Dtype::Fp8Block, Dtype::Int8,
                        Dtype::Mxfp4, Dtype::Nvfp4}) {
    if (id == dtypeId(d)) return d;
  }
  if (id == "fp4") return Dtype::Nvfp4;
  if (id == "fp16") return Dtype::Bf16;
  return Unexpected(Error{ErrorCode::BadInput, "", std::string(field), std::string(id),
                          "is not a number format", "bf16, fp8, fp8_block, int8, mxfp4 or nvfp4"});
}

}  // namespace decodescope::decode
