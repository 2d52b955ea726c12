#include "scene/link_style.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace decodescope::scene {
namespace {

struct StyleRow {
  float width, width_per_ratio;
  Dash dash;
  int chevrons;
  bool badge;
  float flow_px_per_s;
  std::string_view name, range;
};

// Widths in pixels at 100 %, growing with the use inside a state.
constexpr std::array<StyleRow, kLinkStateCount> kRows{{
    {1.0f, 0.0f, Dash::Dotted, 0, false, 0, "idle", "< 5 %"},
    {1.5f, 0.5f, Dash::Solid, 0, false, 0, "normal", "5–70 %"},
    {3.0f, 0.5f, Dash::Long, 1, false, 24, "busy", "70–90 %"},
    {4.5f, 0.5f, Dash::Short, 2, false, 36, "hot", "90–100 %"},
    {6.0f, 0.0f, Dash::Double, 0, true, 0, "saturated", "> 100 %"},
}};

}  // namespace

LinkState linkState(double ratio, const LinkThresholds& thresholds) {
  constexpr double kTolerance = 1e-3;
  if (!(ratio >= thresholds.normal)) return LinkState::Idle;
  if (ratio > thresholds.saturated + kTolerance) return LinkState::Saturated;
  if (ratio >= thresholds.hot) return LinkState::Hot;
  return ratio >= thresholds.busy ? LinkState::Busy : LinkState::Normal;
}

LinkStyle linkStyle(double ratio, const Palette& palette, float zoom, const LinkThresholds& thresholds) {
  const auto state = static_cast<std::size_t>(linkState(ratio, thresholds));
  const StyleRow& row = kRows[state];
  // Projectors lose thin lines: nothing below 2.5 px there.
  const float drawn = row.width + row.width_per_ratio * static_cast<float>(std::clamp(ratio, 0.0, 1.0));
  const float width = palette.projector ? std::max(drawn, 2.5f) : drawn;
  return {palette.link[state], width * zoom, row.dash, row.chevrons, row.badge, row.flow_px_per_s * zoom};
}

std::string_view linkStateName(LinkState state) {
  return kRows[static_cast<std::size_t>(state)].name;
}
std::string_view linkStateRange(LinkState state) {
  return kRows[static_cast<std::size_t>(state)].range;
}

}  // namespace decodescope::scene
