// Labels that never overlap: the more important first, each at the first of its places that is still free. A
// label keeps the place it had as long as that is free, so that the picture does not jitter.
#pragma once

#include "scene/draw_list.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace decodescope::scene {

/// Higher first.
enum class LabelPriority : std::uint8_t { Rest, Structure, Alarm, Pinned, Hovered, Selected };

struct LabelRequest {
  Label label;
  LabelPriority priority = LabelPriority::Rest;
  std::uint32_t key = 0;            ///< identity across frames; 0: none
  std::vector<Point> alternatives;  ///< anchors to try when the label's own is taken
};

class LabelPlacer {
 public:
  static constexpr std::size_t kMostLabels = 300;
  static constexpr float kSmallestText_px = 9;

  /// Space that labels must leave free.
  void reserve(Rect rect) { reserved_.push_back(rect); }
  void add(LabelRequest request) { requests_.push_back(std::move(request)); }
  /// Appends what fits inside `area` to `out` and forgets the requests.
  void place(Rect area, const TextMeasure& text, std::vector<Label>& out);

 private:
  std::vector<LabelRequest> requests_;
  std::vector<Rect> reserved_;
  std::unordered_map<std::uint32_t, int> last_place_;
};

/// Box of a label as drawn.
[[nodiscard]] Rect labelBox(const Label& label, const TextMeasure& text);
[[nodiscard]] bool overlaps(const Rect& a, const Rect& b);

}  // namespace decodescope::scene
