// How a link looks for what it carries: width, colour, dash and glyph together, so that no state rests on
// colour alone.
#pragma once

#include "scene/palette.h"

#include <cstdint>
#include <string_view>

namespace decodescope::scene {

enum class LinkState : std::uint8_t { Idle, Normal, Busy, Hot, Saturated };
inline constexpr std::size_t kLinkStateCount = 5;

/// Shares of capacity where the look changes; saturated is demand beyond capacity.
struct LinkThresholds {
  double normal = 0.05, busy = 0.70, hot = 0.90, saturated = 1.0;
};

struct LinkStyle {
  Color color;
  float width = 1;
  Dash dash = Dash::Solid;
  int chevrons = 0;         ///< 0, 1 or 2 on the line, pointing along the flow
  bool badge = false;       ///< "!" on the line
  float flow_px_per_s = 0;  ///< categorical, not proportional: 0, slow or fast
};

/// A tolerance of 1e-3 keeps a link that just fills its capacity from flickering to saturated.
[[nodiscard]] LinkState linkState(double ratio, const LinkThresholds& thresholds = {});
[[nodiscard]] LinkStyle linkStyle(double ratio, const Palette& palette, float zoom,
                                  const LinkThresholds& thresholds = {});
[[nodiscard]] std::string_view linkStateName(LinkState state);
/// "70-90 %"
[[nodiscard]] std::string_view linkStateRange(LinkState state);

}  // namespace decodescope::scene
