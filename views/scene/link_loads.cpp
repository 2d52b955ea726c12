#include "scene/link_loads.h"

#include "scene/number_text.h"

#include <algorithm>

namespace decodescope::scene {
namespace {

const TimelinePhase* phaseUnderWay(const Snapshot& snapshot) {
  if (!snapshot.timeline || snapshot.phase < 0) return nullptr;
  const auto index = static_cast<std::size_t>(snapshot.phase);
  return index < snapshot.timeline->phases.size() ? &snapshot.timeline->phases[index] : nullptr;
}

// Bytes over what the link could carry while the phase lasts.
std::vector<float> ratiosOf(const PhaseTraffic& traffic, double duration_s, const TopologyView& topology) {
  std::vector<float> ratios(2 * topology.links.size(), 0.0f);
  for (std::size_t i = 0; i < traffic.directed.size() && i < traffic.bytes.size(); ++i) {
    const std::size_t index = traffic.directed[i];
    if (index >= ratios.size()) continue;
    const double capacity_bytes = topology.links[index / 2].capacity_bytes_per_s * duration_s;
    if (capacity_bytes > 0) ratios[index] += static_cast<float>(traffic.bytes[i] / capacity_bytes);
  }
  return ratios;
}

void keepWorse(BundleLoad& best, LinkId link, const LinkLoads& loads) {
  const float forward = loads.forward(link), backward = loads.backward(link);
  const float worst = std::max(forward, backward);
  if (best.link.isValid() && worst <= best.ratio) return;
  best.ratio = worst;
  best.link = link;
  best.backward = backward > forward;
}

}  // namespace

LinkLoads::LinkLoads(const Snapshot& snapshot, LinkWindow wanted) {
  const TimelinePhase* phase = phaseUnderWay(snapshot);
  if (phase != nullptr && phase->traffic >= 0 && wanted != LinkWindow::WholeStep && snapshot.topology &&
      static_cast<std::size_t>(phase->traffic) < snapshot.timeline->traffic.size()) {
    window_ = LinkWindow::ThisPhase;
    window_s_ = phase->duration_s;
    phase_ratios_ = ratiosOf(*snapshot.timeline->traffic[static_cast<std::size_t>(phase->traffic)],
                             phase->duration_s, *snapshot.topology);
    ratios_ = phase_ratios_;
    return;
  }
  window_ = wanted == LinkWindow::WholeStep ? LinkWindow::WholeStep : LinkWindow::BusiestPhase;
  window_s_ = snapshot.breakdown_s.total_s();
  ratios_ = window_ == LinkWindow::WholeStep ? snapshot.link_utilization_ratio : snapshot.link_phase_ratio;
}

std::string LinkLoads::windowText() const {
  switch (window_) {
    case LinkWindow::ThisPhase:
      return "window: this phase, " + timeText(window_s_);
    case LinkWindow::WholeStep:
      return "window: whole step, " + timeText(window_s_);
    case LinkWindow::BusiestPhase:
      break;
  }
  return "window: busiest phase";
}

BundleIndex::BundleIndex(std::span<const std::uint32_t> bundle_of, std::uint32_t count,
                         const TopologyView& topology)
    : begin_(count + 1, 0), cables_(count, 0) {
  for (std::size_t link = 0; link < bundle_of.size(); ++link) {
    if (bundle_of[link] >= count) continue;
    ++begin_[bundle_of[link] + 1];
    cables_[bundle_of[link]] += topology.links[link].multiplicity;
  }
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  links_.resize(begin_.back());
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (std::size_t link = 0; link < bundle_of.size(); ++link) {
    if (bundle_of[link] < count) links_[next[bundle_of[link]]++] = LinkId{static_cast<std::uint32_t>(link)};
  }
}

std::span<const LinkId> BundleIndex::links(std::uint32_t bundle) const {
  return std::span(links_).subspan(begin_[bundle], begin_[bundle + 1] - begin_[bundle]);
}

BundleLoad BundleIndex::load(std::uint32_t bundle, const LinkLoads& loads) const {
  BundleLoad best;
  best.cables = cables_[bundle];
  for (const LinkId link : links(bundle)) keepWorse(best, link, loads);
  return best;
}

std::span<const LinkId> linksAt(NodeId node, const TopologyView& topology) {
  if (topology.node_link_begin.size() <= node.value + 1) return {};
  const std::uint32_t begin = topology.node_link_begin[node.value],
                      end = topology.node_link_begin[node.value + 1];
  return std::span(topology.node_links).subspan(begin, end - begin);
}

BundleLoad loadAt(NodeId node, const TopologyView& topology, const LinkLoads& loads) {
  BundleLoad best;
  for (const LinkId link : linksAt(node, topology)) {
    keepWorse(best, link, loads);
    best.cables += topology.links[link.value].multiplicity;
  }
  return best;
}

}  // namespace decodescope::scene
