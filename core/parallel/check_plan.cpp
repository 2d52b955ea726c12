// Legality of a plan on a model and a machine. Memory is judged by the step model.
#include "parallel/plan.h"

#include <fmt/format.h>
#include <algorithm>
#include <string>

namespace decodescope::parallel {
namespace {

int largestDivisorAtMost(int number, int limit) {
  for (int d = std::min(number, limit); d > 1; --d) {
    if (number % d == 0) return d;
  }
  return 1;
}

Violation broken(std::string rule, double value, double limit, std::string unit, std::string message) {
  Violation v;
  v.rule = std::move(rule);
  v.value = value;
  v.limit = limit;
  v.unit = std::move(unit);
  v.message = std::move(message);
  return v;
}

void setFix(Violation& v, std::string text, std::string path, int value) {
  v.fix = std::move(text);
  v.fix_path = std::move(path);
  v.fix_value = std::to_string(value);
}

void checkTensor(const ModelSpec& model, const ParallelDegrees& d, std::vector<Violation>& out) {
  // Data-parallel attention keeps whole heads on every rank, so only tensor-parallel attention has to divide
  // them.
  if (d.attention == AttentionSharding::Data || d.tp <= 0 || model.heads % d.tp == 0) return;
  const int legal = largestDivisorAtMost(model.heads, d.tp);
  Violation v =
      broken("parallel", d.tp, legal, "ranks",
             fmt::format("Tensor parallelism over {} ranks does not divide the {} query heads of {}", d.tp,
                         model.heads, model.name));
  setFix(v, fmt::format("Use {} tensor-parallel ranks", legal), "parallel.tp", legal);
  out.push_back(std::move(v));
}

void checkExperts(const ModelSpec& model, const ParallelDegrees& d, std::vector<Violation>& out) {
  if (d.ep <= 1) return;
  if (!model.isMoe()) {
    Violation v = broken("parallel", d.ep, 1, "ranks",
                         fmt::format("{} has no experts to spread over {} ranks", model.name, d.ep));
    setFix(v, "Use no expert parallelism", "parallel.ep", 1);
    out.push_back(std::move(v));
    return;
  }
  const int overlay = d.tp * d.dp;
  if (overlay % d.ep == 0 && expertsSpread(model, d.ep)) return;
  int legal = 1;
  for (int e = std::min(overlay, d.ep); e > 1; --e) {
    if (overlay % e == 0 && expertsSpread(model, e)) {
      legal = e;
      break;
    }
  }
  const std::string why =
      overlay % d.ep != 0
          ? fmt::format("does not divide the {} ranks of tensor times data parallelism", overlay)
          : fmt::format("does not divide the {} experts of {}", model.moe->experts, model.name);
  Violation v =
      broken("parallel", d.ep, legal, "ranks", fmt::format("Expert parallelism over {} ranks {}", d.ep, why));
  setFix(v, fmt::format("Use {} expert-parallel ranks", legal), "parallel.ep", legal);
  out.push_back(std::move(v));
}

void checkCounts(const ModelSpec& model, const ParallelDegrees& d, int chips, std::vector<Violation>& out) {
  const std::pair<const char*, int> degrees[] = {
      {"tp", d.tp}, {"pp", d.pp}, {"ep", d.ep}, {"dp", d.dp}, {"cp", d.cp}};
  for (const auto& [name, value] : degrees) {
    if (value >= 1) continue;
    Violation v = broken("parallel", value, 1, "ranks", fmt::format("parallel.{} must be at least 1", name));
    setFix(v, "Use 1", fmt::format("parallel.{}", name), 1);
    out.push_back(std::move(v));
  }
  if (!out.empty()) return;
  if (d.pp > model.layers) {
    Violation v =
        broken("parallel", d.pp, model.layers, "stages",
               fmt::format("{} pipeline stages for the {} layers of {}", d.pp, model.layers, model.name));
    setFix(v, fmt::format("Use at most {} stages", model.layers), "parallel.pp", model.layers);
    out.push_back(std::move(v));
  }
  const long per_replica = static_cast<long>(d.tp) * d.pp * d.cp * d.dp;
  if (per_replica > chips || chips % per_replica != 0) {
    const long legal = per_replica > chips ? per_replica : chips - chips % per_replica;
    Violation v = broken(
        "parallel", chips, static_cast<double>(legal), "chips",
        fmt::format("{} chips cannot be divided into replicas of tp {} x pp {} x cp {} x dp {} = {} chips",
                    chips, d.tp, d.pp, d.cp, d.dp, per_replica));
    setFix(v, fmt::format("Use {} chips", legal), "chips", static_cast<int>(legal));
    out.push_back(std::move(v));
  }
}

}  // namespace

bool expertsSpread(const ModelSpec& model, int ranks) {
  if (!model.isMoe() || ranks < 1) return false;
  const int experts = model.moe->experts, slots = expertSlots(model, ranks);
  constexpr int kManyExperts = 64;
  return slots == experts ||
         (experts >= kManyExperts && ranks <= experts && 8 * (slots - experts) <= experts);
}

int expertSlots(const ModelSpec& model, int ranks) {
  const int experts = model.isMoe() ? model.moe->experts : 0;
  return (experts + ranks - 1) / ranks * ranks;
}

std::vector<Violation> checkPlan(const ModelSpec& model, const SystemSpec& system, const ParallelDegrees& d,
                                 int chips, const Fabric& fabric) {
  std::vector<Violation> out;
  if (fabric.kind == "none" && chips > system.chips) {
    Violation v = broken("system", chips, system.chips, "chips",
                         fmt::format("{} chips, but one {} has {} and there is no scale-out fabric", chips,
                                     system.name, system.chips));
    setFix(v, fmt::format("Use {} chips, or a fabric between the systems", system.chips), "chips",
           system.chips);
    out.push_back(std::move(v));
  }
  std::vector<Violation> structural;
  checkCounts(model, d, chips, structural);
  const bool counts_ok = d.tp >= 1 && d.dp >= 1 && d.ep >= 1;
  if (counts_ok) {
    checkTensor(model, d, structural);
    checkExperts(model, d, structural);
  }
  out.insert(out.end(), std::make_move_iterator(structural.begin()),
             std::make_move_iterator(structural.end()));
  return out;
}

Plan makePlan(const ParallelDegrees& degrees, int chips) {
  Plan plan;
  plan.degrees = degrees;
  plan.chips = chips;
  plan.replicas = std::max(1, chips / std::max(1, plan.chipsPerReplica()));
  return plan;
}

}  // namespace decodescope::parallel
