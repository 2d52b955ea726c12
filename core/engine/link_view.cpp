#include "engine/link_view.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace decodescope::engine {

namespace {

constexpr double kBucketsPerOctave = 4;
constexpr std::size_t kMostLoads = 6;
// A link without capacity that carries bytes: the iteration would never end. Shown as this much over its
// capacity.
constexpr double kDeadLinkSlowdown = 1000;

double tokensOf(const decode::StepInput& in) {
  return std::max(in.sequences + in.prefill_tokens, 1.0);
}

}  // namespace

LinkView::LinkView(std::shared_ptr<const decode::StepModel> model, std::shared_ptr<const TopologyView> view)
    : model_(std::move(model)), view_(std::move(view)) {}

// Decoded and prefilled tokens load links alike; the input that stands for a bucket decodes all of its
// tokens.
decode::StepInput LinkView::inputOf(const Load& load) const {
  decode::StepInput in;
  in.sequences = load.tokens;
  in.busiest_group_sequences = load.tokens / std::max(model_->plan().attentionGroups(), 1);
  in.context_tokens = 1;
  return in;
}

LinkView::Load& LinkView::at(const decode::StepInput& in) {
  const int bucket = static_cast<int>(std::lround(std::log2(tokensOf(in)) * kBucketsPerOctave));
  for (Load& load : loads_) {
    if (load.bucket == bucket) return load;
  }
  if (loads_.size() >= kMostLoads) loads_.erase(loads_.begin());
  Load load;
  load.bucket = bucket;
  load.tokens = std::exp2(bucket / kBucketsPerOctave);
  std::vector<double> bytes(view_->links.size() * 2, 0);
  model_->addLinkBytes(inputOf(load), *view_, bytes);
  load.seconds.resize(bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const double capacity = view_->links[i / 2].capacity_bytes_per_s;
    const double seconds = bytes[i] <= 0 ? 0 : capacity > 0 ? bytes[i] / capacity : kDeadLinkSlowdown;
    load.seconds[i] = static_cast<float>(seconds);
    load.peak_s = std::max(load.peak_s, seconds);
  }
  loads_.push_back(std::move(load));
  return loads_.back();
}

double LinkView::peakUtilization(const decode::StepInput& in, double step_s) {
  const Load& load = at(in);
  return step_s > 0 ? load.peak_s * tokensOf(in) / load.tokens / step_s : 0;
}

void LinkView::makePhases(Load& load) {
  const IterationTimeline timeline = model_->timeline(inputOf(load), view_.get());
  std::vector<double> shortest_s(timeline.traffic.size(), std::numeric_limits<double>::infinity());
  for (const TimelinePhase& phase : timeline.phases) {
    if (phase.traffic < 0 || phase.duration_s <= 0) continue;
    double& duration_s = shortest_s[static_cast<std::size_t>(phase.traffic)];
    duration_s = std::min(duration_s, phase.duration_s);
  }
  load.phase_ratio.assign(load.seconds.size(), 0);
  for (std::size_t t = 0; t < timeline.traffic.size(); ++t) {
    const PhaseTraffic& traffic = *timeline.traffic[t];
    for (std::size_t i = 0; i < traffic.directed.size(); ++i) {
      const std::uint32_t link = traffic.directed[i];
      const double capacity = view_->links[link / 2].capacity_bytes_per_s;
      if (!(capacity > 0) || !std::isfinite(shortest_s[t])) continue;
      const auto ratio = static_cast<float>(static_cast<double>(traffic.bytes[i]) / capacity / shortest_s[t]);
      load.phase_ratio[link] = std::max(load.phase_ratio[link], ratio);
    }
  }
}

void LinkView::fill(const decode::StepInput& in, double step_s, std::vector<float>& utilization,
                    std::vector<float>& phase) {
  Load& load = at(in);
  if (load.phase_ratio.empty()) makePhases(load);
  const auto scale = static_cast<float>(step_s > 0 ? tokensOf(in) / load.tokens / step_s : 0);
  utilization.resize(load.seconds.size());
  for (std::size_t i = 0; i < load.seconds.size(); ++i) utilization[i] = load.seconds[i] * scale;
  phase = load.phase_ratio;
}

double LinkView::slowdownAgainst(LinkView& nominal, const decode::StepInput& in) {
  const double now_s = at(in).peak_s, before_s = nominal.at(in).peak_s;
  return before_s > 0 ? std::max(1.0, now_s / before_s) : 1;
}

}  // namespace decodescope::engine
