#include "engine/jitter.h"

#include "base/numeric.h"
#include "base/rng.h"
#include "model/arithmetic.h"

#include <algorithm>
#include <cmath>

namespace decodescope::engine {

namespace {

constexpr double kEulerGamma = 0.57721566490153286;

double harmonicNumber(int n) {
  double sum = 0;
  for (int k = 1; k <= n; ++k) sum += 1.0 / k;
  return sum;
}

}  // namespace

Jitter::Jitter(const decode::StepModel& model, bool enabled, std::uint64_t seed)
    : enabled_(enabled), seed_(seed) {
  const int members = std::max(model.plan().chipsPerStage(), 1);
  members_ = members;
  mean_of_largest_ = harmonicNumber(members);
  const ModelSpec& spec = model.model();
  if (!spec.isMoe() || model.plan().degrees.ep <= 1) return;
  const model::ParameterCount count = model::countParameters(spec);
  expert_ranks_ = model.plan().degrees.ep;
  top_k_ = spec.moe->top_k;
  moe_layers_ = std::max(spec.moeLayers(), 1);
  expert_share_ = count.routed_experts / count.total();
}

Jitter::Draw Jitter::draw(std::uint64_t replica, std::uint64_t iteration) const {
  Draw out;
  if (!enabled_) return out;
  using rng::Stream;
  const double wait =
      rng::largestExponential(rng::uniform(seed_, Stream::KernelNoise, replica, iteration), members_);
  out.wait_factor = wait / mean_of_largest_;
  out.host_factor =
      0.5 - 0.5 * numeric::portableLog(rng::uniform(seed_, Stream::HostNoise, replica, iteration));
  if (expert_share_ > 0) {
    const double u = rng::uniform(seed_, Stream::ExpertNoise, replica, iteration);
    out.expert_gumbel = -numeric::portableLog(-numeric::portableLog(u)) - kEulerGamma;
  }
  return out;
}

void Jitter::apply(const Draw& draw, const decode::StepInput& in, decode::StepResult& result) const {
  if (!enabled_) return;
  StepBreakdown& parts = result.breakdown_s;
  const double host_before_s = parts[StepPart::Host];
  parts[StepPart::Wait] *= draw.wait_factor;
  parts[StepPart::Host] *= draw.host_factor;
  if (expert_share_ > 0) {
    const double tokens_per_rank = std::max((in.sequences + in.prefill_tokens) * top_k_ / expert_ranks_, 1.0);
    const double sigma = 1 / std::sqrt(tokens_per_rank);
    const double scale =
        sigma / std::sqrt(2 * numeric::portableLog(std::max(expert_ranks_, 2.0)) * moe_layers_);
    const double experts_s = expert_share_ * (parts[StepPart::WeightsHbm] + parts[StepPart::Math]);
    parts[StepPart::Wait] = std::max(0.0, parts[StepPart::Wait] + experts_s * scale * draw.expert_gumbel);
  }
  result.step_s = parts.total_s();
  result.host_s += parts[StepPart::Host] - host_before_s;
  result.busy_s = std::max(0.0, result.step_s - result.host_s);
}

}  // namespace decodescope::engine
