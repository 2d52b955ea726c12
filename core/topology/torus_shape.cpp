#include "topology/torus_shape.h"

#include <algorithm>
#include <numeric>

namespace decodescope::topology {

namespace {

using Dims = std::array<int, 3>;

constexpr int kCube = 4;  ///< chips along the edge of the block that optical switches join

int sum(const Dims& dims) {
  return dims[0] + dims[1] + dims[2];
}

/// Smaller sum first; among equals the longer axes last, as slices are written (4x4x8).
bool isMoreCompact(const Dims& a, const Dims& b) {
  if (sum(a) != sum(b)) return sum(a) < sum(b);
  return *std::max_element(a.begin(), a.end()) < *std::max_element(b.begin(), b.end());
}

/// The most compact dims with product `chips` inside `limits`; {0, 0, 0} when there is none.
Dims mostCompact(int chips, const Dims& limits) {
  Dims best{0, 0, 0};
  for (int x = 1; x <= std::min(limits[0], chips); ++x) {
    if (chips % x != 0) continue;
    const int rest = chips / x;
    for (int y = 1; y <= std::min(limits[1], rest); ++y) {
      if (rest % y != 0 || rest / y > limits[2]) continue;
      const Dims dims{x, y, rest / y};
      if (best[0] == 0 || isMoreCompact(dims, best)) best = dims;
    }
  }
  return best;
}

/// Fills the axes one after another; {0, 0, 0} when `chips` is not made of whole axes.
Dims wholeAxes(int chips, const Dims& pod) {
  Dims dims{1, 1, 1};
  for (std::size_t d = 0; d < 3; ++d) {
    dims[d] = std::gcd(chips, pod[d]);
    chips /= dims[d];
    if (chips == 1) return dims;
    if (dims[d] != pod[d]) return {0, 0, 0};
  }
  return {0, 0, 0};
}

Dims boxFor(int chips, const Dims& pod) {
  if (chips == pod[0] * pod[1] * pod[2]) return pod;
  const bool one_cube = *std::max_element(pod.begin(), pod.end()) <= kCube;
  if (const Dims dims = one_cube ? wholeAxes(chips, pod) : Dims{0, 0, 0}; dims[0] > 0) return dims;
  if (const Dims dims = mostCompact(chips, pod); dims[0] > 0) return dims;
  return mostCompact(chips, {chips, chips, pod[2] > 1 ? chips : 1});
}

}  // namespace

TorusShape torusDimsFor(const SystemSpec& system, int chips) {
  const Dims& pod = system.graph.torus_dims;
  TorusShape shape;
  shape.dims = boxFor(std::max(chips, 1), pod);
  const bool three_axes = pod[2] > 1;
  const bool whole_cubes =
      three_axes && std::all_of(shape.dims.begin(), shape.dims.end(), [](int k) { return k % kCube == 0; });
  for (std::size_t d = 0; d < 3; ++d)
    shape.wrap[d] = system.graph.torus_wrap[d] && (shape.dims[d] == pod[d] || whole_cubes);
  return shape;
}

}  // namespace decodescope::topology
