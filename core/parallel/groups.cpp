// Where ranks stand. Order within a deployment: tensor innermost, then context, data, pipeline, replica.
#include "parallel/plan.h"

#include <algorithm>
#include <functional>

namespace decodescope::parallel {
namespace {

struct Rank {
  int t = 0, c = 0, d = 0, p = 0, r = 0;
};

ChipId chipOf(const Plan& plan, const Rank& k) {
  const auto& g = plan.degrees;
  return ChipId{static_cast<std::uint32_t>(k.t + g.tp * (k.c + g.cp * (k.d + g.dp * (k.p + g.pp * k.r))))};
}

/// The `index`-th rank of the tensor x data overlay on which experts are spread.
Rank overlayRank(const Plan& plan, int index, int c, int p, int r) {
  return {index % plan.degrees.tp, c, index / plan.degrees.tp, p, r};
}

/// Calls `visit` for every combination of the pipeline, replica and context coordinates.
void forEachOverlay(const Plan& plan, const std::function<void(int c, int p, int r)>& visit) {
  for (int r = 0; r < plan.replicas; ++r)
    for (int p = 0; p < plan.degrees.pp; ++p)
      for (int c = 0; c < plan.degrees.cp; ++c) visit(c, p, r);
}

std::vector<std::vector<ChipId>> expertGroups(const Plan& plan) {
  std::vector<std::vector<ChipId>> out;
  const int slices = plan.expertTp();
  forEachOverlay(plan, [&](int c, int p, int r) {
    for (int s = 0; s < slices; ++s) {
      auto& group = out.emplace_back();
      for (int e = 0; e < plan.degrees.ep; ++e)
        group.push_back(chipOf(plan, overlayRank(plan, e * slices + s, c, p, r)));
    }
  });
  return out;
}

std::vector<std::vector<ChipId>> overlayGroups(const Plan& plan) {
  std::vector<std::vector<ChipId>> out;
  forEachOverlay(plan, [&](int c, int p, int r) {
    auto& group = out.emplace_back();
    for (int i = 0; i < plan.degrees.tp * plan.degrees.dp; ++i)
      group.push_back(chipOf(plan, overlayRank(plan, i, c, p, r)));
  });
  return out;
}

std::vector<std::vector<ChipId>> blockGroups(const Plan& plan) {
  std::vector<std::vector<ChipId>> out;
  for (int r = 0; r < plan.replicas; ++r)
    for (int p = 0; p < plan.degrees.pp; ++p)
      for (int d = 0; d < plan.degrees.dp; ++d) {
        auto& group = out.emplace_back();
        for (int c = 0; c < plan.degrees.cp; ++c)
          for (int t = 0; t < plan.degrees.tp; ++t) group.push_back(chipOf(plan, {t, c, d, p, r}));
      }
  return out;
}

/// Groups along one coordinate, all others fixed.
std::vector<std::vector<ChipId>> axisGroups(const Plan& plan, int Rank::*axis, int size) {
  std::vector<std::vector<ChipId>> out;
  const auto& g = plan.degrees;
  Rank k;
  for (k.r = 0; k.r < plan.replicas; ++k.r)
    for (k.p = 0; k.p < g.pp; ++k.p)
      for (k.d = 0; k.d < g.dp; ++k.d)
        for (k.c = 0; k.c < g.cp; ++k.c)
          for (k.t = 0; k.t < g.tp; ++k.t) {
            if (k.*axis != 0) continue;
            auto& group = out.emplace_back();
            Rank member = k;
            for (int i = 0; i < size; ++i) {
              member.*axis = i;
              group.push_back(chipOf(plan, member));
            }
          }
  return out;
}

/// Chips of the first group of a kind, without building the others.
std::vector<ChipId> firstGroup(const Plan& plan, GroupKind kind) {
  Plan one = plan;
  one.replicas = 1;
  return groups(one, kind).front();
}

}  // namespace

std::vector<std::vector<ChipId>> groups(const Plan& plan, GroupKind kind) {
  switch (kind) {
    case GroupKind::Tensor:
      return axisGroups(plan, &Rank::t, plan.degrees.tp);
    case GroupKind::Context:
      return axisGroups(plan, &Rank::c, plan.degrees.cp);
    case GroupKind::Pipeline:
      return axisGroups(plan, &Rank::p, plan.degrees.pp);
    case GroupKind::Expert:
      return expertGroups(plan);
    case GroupKind::AttentionData:
      return overlayGroups(plan);
    case GroupKind::Block:
      return blockGroups(plan);
  }
  return {};
}

network::GroupShape groupShape(const Plan& plan, GroupKind kind, int domain_chips) {
  const std::vector<ChipId> group = firstGroup(plan, kind);
  network::GroupShape shape;
  shape.size = static_cast<int>(group.size());
  if (domain_chips <= 0) {
    shape.per_domain = shape.size;
    return shape;
  }
  std::vector<std::uint32_t> domains;
  for (const ChipId chip : group) domains.push_back(chip.value / static_cast<std::uint32_t>(domain_chips));
  std::sort(domains.begin(), domains.end());
  int best = 1;
  for (std::size_t i = 0, run = 0; i < domains.size(); ++i) {
    run = i > 0 && domains[i] == domains[i - 1] ? run + 1 : 1;
    best = std::max(best, static_cast<int>(run));
  }
  shape.per_domain = best;
  return shape;
}

int stageOf(const Plan& plan, ChipId chip) {
  const auto per_stage = static_cast<std::uint32_t>(std::max(1, plan.chipsPerStage()));
  return static_cast<int>(chip.value / per_stage) % std::max(1, plan.degrees.pp);
}

}  // namespace decodescope::parallel
