#include "scene/label_placement.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace decodescope::scene {
namespace {

// Occupancy by coarse cells, each holding the boxes that touch it.
class Occupancy {
 public:
  explicit Occupancy(Rect area)
      : area_(area), columns_(cellsAlong(area.width)), rows_(cellsAlong(area.height)) {
    cells_.resize(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_));
  }

  [[nodiscard]] bool isFree(const Rect& box) const {
    bool free = true;
    forCells(box, [&](std::size_t cell) {
      for (const std::size_t other : cells_[cell]) free = free && !overlaps(boxes_[other], box);
    });
    return free;
  }

  void take(const Rect& box) {
    boxes_.push_back(box);
    forCells(box, [&](std::size_t cell) { cells_[cell].push_back(boxes_.size() - 1); });
  }

 private:
  static constexpr float kCell_px = 48;
  static int cellsAlong(float length) { return std::max(1, static_cast<int>(std::ceil(length / kCell_px))); }
  static int clampCell(float position, int count) {
    return std::clamp(static_cast<int>(std::floor(position / kCell_px)), 0, count - 1);
  }

  template <class Visit>
  void forCells(const Rect& box, Visit visit) const {
    const int left = clampCell(box.x - area_.x, columns_), right = clampCell(box.right() - area_.x, columns_);
    const int top = clampCell(box.y - area_.y, rows_), bottom = clampCell(box.bottom() - area_.y, rows_);
    for (int row = top; row <= bottom; ++row) {
      for (int column = left; column <= right; ++column) {
        visit(static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
              static_cast<std::size_t>(column));
      }
    }
  }

  Rect area_;
  int columns_, rows_;
  std::vector<std::vector<std::size_t>> cells_;
  std::vector<Rect> boxes_;
};

bool within(const Rect& box, const Rect& area) {
  return box.x >= area.x && box.y >= area.y && box.right() <= area.right() && box.bottom() <= area.bottom();
}

}  // namespace

bool overlaps(const Rect& a, const Rect& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

Rect labelBox(const Label& label, const TextMeasure& text) {
  const float width = text.width(label.text, label.font, label.bold) * label.scale;
  const float height = text.lineHeight(label.font) * label.scale;
  const float shift = label.align == Align::Left ? 0 : label.align == Align::Center ? width / 2 : width;
  return {label.anchor.x - shift, label.anchor.y - height / 2, width, height};
}

void LabelPlacer::place(Rect area, const TextMeasure& text, std::vector<Label>& out) {
  std::vector<std::size_t> order(requests_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [this](auto a, auto b) { return requests_[a].priority > requests_[b].priority; });
  Occupancy occupancy(area);
  for (const Rect& rect : reserved_) occupancy.take(rect);
  std::size_t placed = 0;
  for (const std::size_t index : order) {
    LabelRequest& request = requests_[index];
    if (placed >= kMostLabels || text.lineHeight(request.label.font) * request.label.scale < kSmallestText_px)
      continue;
    const int count = static_cast<int>(request.alternatives.size()) + 1;
    const auto known = request.key != 0 ? last_place_.find(request.key) : last_place_.end();
    const int first = known == last_place_.end() ? 0 : std::min(known->second, count - 1);
    const Point own = request.label.anchor;
    for (int attempt = 0; attempt < count; ++attempt) {
      const int place = (first + attempt) % count;
      request.label.anchor = place == 0 ? own : request.alternatives[static_cast<std::size_t>(place - 1)];
      const Rect box = labelBox(request.label, text);
      if (!within(box, area) || !occupancy.isFree(box)) continue;
      occupancy.take(box);
      if (request.key != 0) last_place_[request.key] = place;
      out.push_back(std::move(request.label));
      ++placed;
      break;
    }
  }
  requests_.clear();
  reserved_.clear();
}

}  // namespace decodescope::scene
