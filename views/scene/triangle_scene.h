// The token-speed triangle: compute, moving state, physical. Pressure: how close each corner is to its limit.
// Time: shares of the step. Bars beside it say the same with numbers, headroom and what binds.
#pragma once

#include "scene/scene_style.h"

#include <decodescope/prediction.h>

#include <array>
#include <cstdint>
#include <deque>
#include <string>

namespace decodescope::scene {

enum class TriangleReading : std::uint8_t { Pressure, Time };

struct TriangleInput {
  const Prediction* now = nullptr;
  const Prediction* pinned = nullptr;  ///< A, hollow and dashed; may be null
  const std::deque<std::array<float, 3>>* trail =
      nullptr;  ///< earlier values of the same reading, oldest first
  TriangleReading reading = TriangleReading::Pressure;
};

/// Compute, moving state, physical.
[[nodiscard]] std::array<float, 3> triangleValues(const Prediction& prediction, TriangleReading reading);
void buildTriangle(const TriangleInput& input, Rect box, const SceneStyle& style, DrawList& out);
/// "Compute 34 % of its limit, moving state 30 %, physical 100 %, which binds."
[[nodiscard]] std::string describeTriangle(const Prediction& prediction, TriangleReading reading);

}  // namespace decodescope::scene
