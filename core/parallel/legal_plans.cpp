// Plans worth considering for a number of chips, in a fixed order: few chips per replica first.
#include "parallel/plan.h"

#include <algorithm>
#include <tuple>

namespace decodescope::parallel {
namespace {

std::vector<int> divisorsUpTo(int number, int limit) {
  std::vector<int> out;
  for (int d = 1; d <= std::min(number, limit); ++d) {
    if (number % d == 0) out.push_back(d);
  }
  return out;
}

/// Context parallelism pays once tensor parallelism no longer divides the KV cache, and in small powers of
/// two.
std::vector<int> contextDegrees(const ModelSpec& model, int tp, int rest) {
  std::vector<int> out{1};
  const bool kv_replicated = model.mla.has_value() || tp >= model.kv_heads;
  if (!kv_replicated) return out;
  for (int c = 2; c <= 8 && rest % c == 0; c *= 2) out.push_back(c);
  return out;
}

void addIfLegal(std::vector<Plan>& out, const ModelSpec& model, const SystemSpec& system,
                const ParallelDegrees& d, int chips, const Fabric& fabric) {
  if (checkPlan(model, system, d, chips, fabric).empty()) out.push_back(makePlan(d, chips));
}

/// Shardings of attention and experts over one pipeline stage of tp x dp ranks.
std::vector<ParallelDegrees> stagePlans(const ModelSpec& model, int tp, int rest) {
  std::vector<ParallelDegrees> out;
  ParallelDegrees d;
  d.tp = tp;
  out.push_back(d);
  if (!model.isMoe()) return out;
  if (tp > 1) {
    d.ep = tp;
    out.push_back(d);
    d.attention = AttentionSharding::Data;
    out.push_back(d);
    d.attention = AttentionSharding::Tensor;
  }
  if (tp > 8) return out;
  for (const int dp : divisorsUpTo(rest, rest)) {
    if (dp == 1 || !expertsSpread(model, tp * dp)) continue;
    d.dp = dp;
    d.ep = tp * dp;
    out.push_back(d);
  }
  return out;
}

}  // namespace

std::vector<Plan> legalPlans(const ModelSpec& model, const SystemSpec& system, int chips,
                             const Fabric& fabric) {
  std::vector<Plan> out;
  constexpr int kMaxStages = 16;
  for (const int tp : divisorsUpTo(chips, std::min(system.chips, model.heads))) {
    for (const int pp : divisorsUpTo(chips / tp, std::min(kMaxStages, model.layers))) {
      if ((pp & (pp - 1)) != 0) continue;
      for (ParallelDegrees d : stagePlans(model, tp, chips / (tp * pp))) {
        d.pp = pp;
        for (const int cp : contextDegrees(model, tp, chips / (tp * pp * d.dp))) {
          d.cp = cp;
          addIfLegal(out, model, system, d, chips, fabric);
        }
      }
    }
  }
  const auto key = [](const Plan& p) {
    return std::make_tuple(p.chipsPerReplica(), p.degrees.pp, p.degrees.cp, p.degrees.tp, p.degrees.ep,
                           static_cast<int>(p.degrees.attention));
  };
  std::stable_sort(out.begin(), out.end(), [&](const Plan& a, const Plan& b) { return key(a) < key(b); });
  return out;
}

}  // namespace decodescope::parallel
