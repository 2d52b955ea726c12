#include "decode/list_builder.h"

#include <algorithm>
#include <utility>

namespace decodescope::decode {

ListBuilder::ListBuilder(const ListInput& input)
    : model(input.model),
      plan(input.plan),
      dtypes(input.dtypes),
      domain_chips(input.domain_chips),
      counts(layerCounts(input.model)) {
  attention_tp = plan.attentionTp();
  cp = plan.degrees.cp;
  // Context ranks hold the same tokens after attention, so a dense FFN is sliced over them too (Bhatia et
  // al., Helix parallelism, 2025; Pope et al. 2022 for multi-query models).
  ffn_tp = sharesFfn() ? plan.degrees.tp * cp : plan.degrees.tp;
  q_heads = static_cast<double>(model.heads) / attention_tp;
  kv_heads = std::max(1.0, static_cast<double>(model.kv_heads) / attention_tp);
  ep = model.isMoe() ? plan.degrees.ep : 1;
  spans_groups = model.isMoe() && plan.attentionGroups() > 1;
  // With one attention group every rank holds all tokens, so the experts of a rank need no exchange, only a
  // sum.
  expert_tp = model.isMoe() ? plan.expertTp() : 1;
  exchange = spans_groups && ep > 1 && expert_tp == 1;
}

Operation ListBuilder::base(std::string id, std::string label, std::string section, LayerSet set) const {
  Operation op;
  op.id = std::move(id);
  op.label = std::move(label);
  op.section = std::move(section);
  op.layers = set;
  op.layer_kind = layerSetId(set);
  op.per_layer = set != LayerSet::Once && set != LayerSet::Draft;
  return op;
}

int ListBuilder::layersOf(LayerSet set) const {
  switch (set) {
    case LayerSet::All:
      return counts.all;
    case LayerSet::Full:
      return counts.full;
    case LayerSet::Local:
      return counts.local;
    case LayerSet::Linear:
      return counts.linear;
    case LayerSet::Dense:
      return counts.dense;
    case LayerSet::Moe:
      return counts.moe;
    case LayerSet::Once:
    case LayerSet::Draft:
      return 1;
  }
  return 1;
}

Operation& ListBuilder::add(const Operation& op) {
  ops.push_back(op);
  ops.back().count = op.per_layer_count * layersOf(op.layers);
  return ops.back();
}

Operation& ListBuilder::gemm(std::string id, std::string label, std::string section, Dtype dtype, double n,
                             double k, LayerSet set) {
  Operation op = base(std::move(id), std::move(label), std::move(section), set);
  op.kind = OperationKind::Gemm;
  op.dtype = dtype;
  op.n = n;
  op.k = k;
  return add(op);
}

void ListBuilder::elementwise(std::string id, std::string label, std::string section, double bytes_per_token,
                              LayerSet set, double times) {
  if (layersOf(set) == 0) return;
  Operation op = base(std::move(id), std::move(label), std::move(section), set);
  op.kind = OperationKind::Elementwise;
  op.bytes_per_token = bytes_per_token;
  op.per_layer_count = times;
  add(op);
}

void ListBuilder::norm(std::string id, std::string label) {
  // Residual in and out, activation in and out, 2 bytes each. All norms of the layer are booked here.
  elementwise(std::move(id), std::move(label), "attention", model.hidden * 2.0 * 4, LayerSet::All,
              std::max(1, model.norms_per_layer));
}

void ListBuilder::bmm(std::string id, std::string label, double heads) {
  Operation op = base(std::move(id), std::move(label), "attention", LayerSet::All);
  op.kind = OperationKind::MlaBmm;
  op.heads = heads;
  add(op);
}

Operation ListBuilder::collective(std::string id, std::string label, network::Collective what,
                                  parallel::GroupKind group, double bytes_per_token, LayerSet set,
                                  double times) const {
  Operation op = base(std::move(id), std::move(label), "collectives", set);
  op.kind = OperationKind::Collective;
  op.collective = what;
  op.group = group;
  op.shape = parallel::groupShape(plan, group, domain_chips);
  op.bytes_per_token = bytes_per_token;
  op.per_layer_count = times;
  return op;
}

double ListBuilder::replicatedTp() const {
  return plan.degrees.attention == AttentionSharding::Data && model.isMoe() ? 1 : plan.degrees.tp;
}

}  // namespace decodescope::decode
