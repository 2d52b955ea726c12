#include "scene/plot.h"

namespace decodescope::scene {
namespace {
constexpr int kPointBits = 22;
constexpr PickId kPointMask = (PickId{1} << kPointBits) - 1;
}  // namespace

// One more than the series, so that nothing is packed as 0.
PickId pickOf(PlotHit hit) {
  return ((hit.series + 1) << kPointBits) | (hit.point & kPointMask);
}

std::optional<PlotHit> hitOf(PickId pick) {
  if (pick >> kPointBits == 0) return std::nullopt;
  return PlotHit{(pick >> kPointBits) - 1, pick & kPointMask};
}

}  // namespace decodescope::scene
