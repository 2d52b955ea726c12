#include "decode/operation_list.h"

#include <algorithm>

namespace decodescope::decode {
namespace {

/// Whether the `index`-th of `total` is one of `chosen` spread evenly, the last always chosen.
bool evenly(int index, int chosen, int total) {
  if (total <= 0) return false;
  const auto upTo = [&](long i) { return i * chosen / total; };
  return upTo(index + 1) > upTo(index);
}

}  // namespace

std::string_view layerSetId(LayerSet set) {
  switch (set) {
    case LayerSet::Once:
      return "once";
    case LayerSet::All:
      return "all";
    case LayerSet::Full:
      return "full";
    case LayerSet::Local:
      return "local";
    case LayerSet::Linear:
      return "linear";
    case LayerSet::Dense:
      return "dense";
    case LayerSet::Moe:
      return "moe";
    case LayerSet::Draft:
      return "draft";
  }
  return "all";
}

LayerCounts layerCounts(const ModelSpec& model) {
  LayerCounts c;
  c.all = model.layers;
  c.local = std::clamp(model.layers_local, 0, model.layers);
  c.linear = std::clamp(model.layers_linear, 0, model.layers - c.local);
  c.full = model.layers - c.local - c.linear;
  c.moe = model.isMoe() ? std::clamp(model.moeLayers(), 0, model.layers) : 0;
  c.dense = model.layers - c.moe;
  return c;
}

bool layerRuns(const ModelSpec& model, const LayerCounts& c, LayerSet set, int layer) {
  const int first_dense = model.isMoe() ? std::min(model.moe->first_dense_layers, c.all) : 0;
  const bool is_moe = layer >= first_dense && evenly(layer - first_dense, c.moe, c.all - first_dense);
  const bool is_full = evenly(layer, c.full, c.all);
  switch (set) {
    case LayerSet::All:
      return true;
    case LayerSet::Full:
      return is_full;
    case LayerSet::Local:
      return !is_full && c.local > 0;
    case LayerSet::Linear:
      return !is_full && c.linear > 0;
    case LayerSet::Moe:
      return is_moe;
    case LayerSet::Dense:
      return !is_moe;
    case LayerSet::Once:
    case LayerSet::Draft:
      return false;
  }
  return false;
}

PartDtypes partDtypes(const ModelSpec& model, Dtype weights) {
  PartDtypes d{weights, weights, weights, weights, Dtype::Bf16};
  if (weights == Dtype::Mxfp4 && model.isMoe()) d.attention = d.dense = d.shared = Dtype::Bf16;
  if (weights == Dtype::Nvfp4 && model.mla) d.attention = Dtype::Bf16;
  return d;
}

}  // namespace decodescope::decode
