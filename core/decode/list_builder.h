// The parts from which operation_list.cpp puts a step together.
#pragma once

#include "decode/operation_list.h"

#include <string>
#include <vector>

namespace decodescope::decode {

struct ListBuilder {
  explicit ListBuilder(const ListInput&);

  const ModelSpec& model;
  const parallel::Plan& plan;
  PartDtypes dtypes;
  int domain_chips;
  LayerCounts counts;
  LayerSet softmax_layers = LayerSet::Full;
  int attention_tp = 1, ffn_tp = 1, expert_tp = 1, ep = 1, cp = 1;
  double q_heads = 1, kv_heads = 1;  ///< of one rank; KV heads are replicated when ranks outnumber them
  bool spans_groups = false;         ///< experts serve several attention groups
  bool exchange = false;             ///< by dispatch and combine rather than by gathering all tokens
  std::vector<Operation> ops;

  // list_builder.cpp: single rows
  [[nodiscard]] Operation base(std::string id, std::string label, std::string section, LayerSet) const;
  Operation& add(const Operation&);
  Operation& gemm(std::string id, std::string label, std::string section, Dtype, double n, double k,
                  LayerSet);
  void elementwise(std::string id, std::string label, std::string section, double bytes_per_token, LayerSet,
                   double times = 1);
  void norm(std::string id, std::string label);
  void bmm(std::string id, std::string label, double heads);
  [[nodiscard]] Operation collective(std::string id, std::string label, network::Collective,
                                     parallel::GroupKind, double bytes_per_token, LayerSet,
                                     double times = 1) const;
  [[nodiscard]] int layersOf(LayerSet) const;
  [[nodiscard]] double ffnInputs() const { return model.gated ? 2 : 1; }
  /// Ranks that share what data-parallel attention replicates in a mixture: shared experts, dense layers, the
  /// head.
  [[nodiscard]] double replicatedTp() const;
  [[nodiscard]] bool sharesFfn() const {
    return cp > 1 && !model.isMoe() && plan.degrees.attention == AttentionSharding::Tensor;
  }
  [[nodiscard]] parallel::GroupKind ffnGroup() const {
    return sharesFfn() ? parallel::GroupKind::Block : parallel::GroupKind::Tensor;
  }

  // operation_list.cpp: blocks of a layer
  void attentionProjections();
  void softmaxAttention();
  void linearAttention();
  void mlaAttention();
  void indexer();
  void denseFfn();
  void moeFfn();
  void sharedExperts();
  void headAndSampling();
  void draftModel(int tokens);

  // list_collectives.cpp: what joins the ranks
  void host();
  void contextMerge(double output_width, LayerSet);
  void attentionOut();
  void denseIn();
  void denseOut();
  void parallelOut();
  void expertsIn();
  void expertsOut();
  void pipeline();
};

}  // namespace decodescope::decode
