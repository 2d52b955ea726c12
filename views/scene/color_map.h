// Colour maps for values: perceptually ordered, never rainbow. One meaning each (ux of the whole program):
// inferno is temperature, viridis is fill, cividis replaces both for colour-blind users, diverging is A
// against B.
#pragma once

#include "scene/draw_list.h"

#include <cstdint>

namespace decodescope::scene {

enum class ColorMap : std::uint8_t { Inferno, Viridis, Cividis, Diverging };

/// `ratio` is clamped to [0, 1]; NaN gives a neutral grey.
[[nodiscard]] Color mapColor(ColorMap map, double ratio);

/// Position of a chip temperature on the fixed scale from 25 degrees to throttle + 10.
struct TemperatureScale {
  double throttle_c = 88;
  double shutdown_c = 93;
  static constexpr double kBottom_c = 25;
  [[nodiscard]] double top_c() const { return throttle_c + 10; }
  [[nodiscard]] double ratio(double temperature_c) const {
    return (temperature_c - kBottom_c) / (top_c() - kBottom_c);
  }
};

/// WCAG 2.1 relative luminance of an sRGB colour, 0 to 1.
[[nodiscard]] double luminance(Color color);
/// WCAG 2.1 contrast ratio, 1 to 21.
[[nodiscard]] double contrast(Color a, Color b);
/// Black or white, whichever reads better on `fill`.
[[nodiscard]] Color textOn(Color fill);
[[nodiscard]] Color withAlpha(Color color, int alpha);
/// `amount` 0 gives `a`, 1 gives `b`.
[[nodiscard]] Color mix(Color a, Color b, double amount);

}  // namespace decodescope::scene
