// Builds the operation list of a model under a plan: which kernels and collectives a step runs, how often,
// how large.
#pragma once

#include "decode/step_model.h"

#include <vector>

namespace decodescope::decode {

/// Number formats by part of the model.
struct PartDtypes {
  Dtype attention = Dtype::Bf16, dense = Dtype::Bf16, shared = Dtype::Bf16, experts = Dtype::Bf16,
        head = Dtype::Bf16;
};
/// What a quantised checkpoint leaves unquantised: embeddings, head and router always; mxfp4 quantises only
/// the routed experts of a mixture (gpt-oss model card); nvfp4 leaves MLA attention in bf16 (NVIDIA
/// DeepSeek-R1-FP4 model card).
[[nodiscard]] PartDtypes partDtypes(const ModelSpec&, Dtype weights);

/// Layers of each kind, and which kind a given layer is: rare kinds are spread evenly.
struct LayerCounts {
  int all = 0, full = 0, local = 0, linear = 0, dense = 0, moe = 0;
};
[[nodiscard]] LayerCounts layerCounts(const ModelSpec&);
[[nodiscard]] bool layerRuns(const ModelSpec&, const LayerCounts&, LayerSet, int layer);

struct ListInput {
  const ModelSpec& model;
  const parallel::Plan& plan;
  PartDtypes dtypes;
  int domain_chips = 8;  ///< chips of one scale-up domain
  int draft_tokens = 0;
};
[[nodiscard]] std::vector<Operation> makeOperations(const ListInput&);

}  // namespace decodescope::decode
