// How much each link is used over the window that the legend names, and the worst of a bundle.
#pragma once

#include <decodescope/snapshot.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace decodescope::scene {

enum class LinkWindow : std::uint8_t { BusiestPhase, WholeStep, ThisPhase };

class LinkLoads {
 public:
  /// In slow motion the collective under way; else each link's busiest phase, or the whole step when `wanted`
  /// says so.
  LinkLoads(const Snapshot& snapshot, LinkWindow wanted);

  [[nodiscard]] LinkWindow window() const { return window_; }
  /// "window: this phase, 41 µs"
  [[nodiscard]] std::string windowText() const;

  [[nodiscard]] float directed(std::size_t index) const {
    return index < ratios_.size() ? ratios_[index] : 0.0f;
  }
  [[nodiscard]] float forward(LinkId link) const { return directed(directedIndex(link, Direction::Forward)); }
  [[nodiscard]] float backward(LinkId link) const {
    return directed(directedIndex(link, Direction::Backward));
  }
  [[nodiscard]] float worst(LinkId link) const { return std::max(forward(link), backward(link)); }

 private:
  LinkWindow window_ = LinkWindow::BusiestPhase;
  double window_s_ = 0;
  std::vector<float> phase_ratios_;
  std::span<const float> ratios_;
};

/// The use of several links drawn as one line: the worst, never the mean.
struct BundleLoad {
  float ratio = 0;
  LinkId link;            ///< the worst one
  bool backward = false;  ///< its busier direction
  std::uint32_t cables = 0;
};

/// Lists of links, one list per bundle.
class BundleIndex {
 public:
  /// `bundle_of[link]` is a bundle below `count`, or UINT32_MAX.
  BundleIndex() = default;
  BundleIndex(std::span<const std::uint32_t> bundle_of, std::uint32_t count, const TopologyView& topology);

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(cables_.size()); }
  [[nodiscard]] std::span<const LinkId> links(std::uint32_t bundle) const;
  [[nodiscard]] std::uint32_t cables(std::uint32_t bundle) const { return cables_[bundle]; }
  [[nodiscard]] BundleLoad load(std::uint32_t bundle, const LinkLoads& loads) const;

 private:
  std::vector<std::uint32_t> begin_{0};
  std::vector<LinkId> links_;
  std::vector<std::uint32_t> cables_;
};

/// The worst of all links at a node.
[[nodiscard]] BundleLoad loadAt(NodeId node, const TopologyView& topology, const LinkLoads& loads);
[[nodiscard]] std::span<const LinkId> linksAt(NodeId node, const TopologyView& topology);

}  // namespace decodescope::scene
