#include "network/sub_torus.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace decodescope::network {
namespace {

constexpr int kCube = 4;

bool isCubePod(std::array<int, 3> pod) {
  return std::all_of(pod.begin(), pod.end(), [](int k) { return k >= 2 * kCube && k % kCube == 0; });
}

SubTorus boxOf(std::array<int, 3> length, std::array<int, 3> pod, std::array<bool, 3> pod_wraps, bool cubes) {
  SubTorus box;
  box.length = length;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const int k = length[axis];
    const bool whole_axis = k == pod[axis] || (cubes && k % kCube == 0);
    box.wraps[axis] = k > 2 && pod_wraps[axis] && whole_axis;
  }
  return box;
}

int totalLength(const SubTorus& box) {
  return std::accumulate(box.length.begin(), box.length.end(), 0);
}

}  // namespace

int SubTorus::axes() const {
  return static_cast<int>(std::count_if(length.begin(), length.end(), [](int k) { return k > 1; }));
}

double SubTorus::diameterHops() const {
  double hops = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) hops += wraps[axis] ? length[axis] / 2 : length[axis] - 1;
  return hops;
}

double SubTorus::receivingLinks() const {
  double links = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) links += length[axis] > 1 ? (wraps[axis] ? 2 : 1) : 0;
  return std::max(1.0, links);
}

double SubTorus::allToAllLoad() const {
  // A cut in the middle of an axis of k chips: k/2 senders, half of whose bytes cross, over one link (line)
  // or two (ring).
  double load = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (length[axis] > 1) load = std::max(load, length[axis] / (wraps[axis] ? 8.0 : 4.0));
  }
  return load;
}

SubTorusTable::SubTorusTable(std::array<int, 3> pod, std::array<bool, 3> pod_wraps) {
  for (int& k : pod) k = std::max(1, k);
  const auto volume = [](std::array<int, 3> k) {
    return static_cast<std::size_t>(k[0]) * static_cast<std::size_t>(k[1]) * static_cast<std::size_t>(k[2]);
  };
  const bool cubes = isCubePod(pod);
  std::vector<const SubTorus*> best(volume(pod), nullptr);
  std::vector<SubTorus> boxes;
  boxes.reserve(volume(pod));
  for (int a = 1; a <= pod[0]; ++a) {
    for (int b = 1; b <= pod[1]; ++b) {
      for (int c = 1; c <= pod[2]; ++c) {
        boxes.push_back(boxOf({a, b, c}, pod, pod_wraps, cubes));
        const SubTorus*& known = best[volume({a, b, c}) - 1];
        if (known == nullptr || totalLength(boxes.back()) < totalLength(*known)) known = &boxes.back();
      }
    }
  }
  // Sizes without a box of their own take the next larger one.
  by_size_.resize(best.size());
  const SubTorus* next = &boxes.back();
  for (std::size_t i = best.size(); i-- > 0;) {
    if (best[i] != nullptr) next = best[i];
    by_size_[i] = *next;
  }
}

const SubTorus& SubTorusTable::of(int size) const {
  const auto last = by_size_.size();
  return by_size_[std::min(last, static_cast<std::size_t>(std::max(1, size))) - 1];
}

}  // namespace decodescope::network
