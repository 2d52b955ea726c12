#include "scene/color_map.h"

#include "scene/color_map_tables.h"

#include <algorithm>
#include <cmath>

namespace decodescope::scene {
namespace {

constexpr Color unpack(std::uint32_t rgb) {
  return {static_cast<std::uint8_t>(rgb >> 16), static_cast<std::uint8_t>(rgb >> 8),
          static_cast<std::uint8_t>(rgb), 255};
}

std::uint8_t toByte(double value) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0)));
}

// Blue, neutral, orange: distinguishable under the three common colour deficiencies.
Color diverging(double ratio) {
  constexpr Color kLow{0x00, 0x72, 0xB2, 255}, kMiddle{0xF4, 0xF5, 0xF7, 255}, kHigh{0xC4, 0x4F, 0x00, 255};
  return ratio < 0.5 ? mix(kLow, kMiddle, ratio * 2) : mix(kMiddle, kHigh, ratio * 2 - 1);
}

double linear(std::uint8_t channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

}  // namespace

Color mapColor(ColorMap map, double ratio) {
  if (std::isnan(ratio)) return {0x80, 0x80, 0x80, 255};
  const double t = std::clamp(ratio, 0.0, 1.0);
  const auto entry = static_cast<std::size_t>(std::lround(t * 255));
  switch (map) {
    case ColorMap::Inferno:
      return unpack(kInferno[entry]);
    case ColorMap::Viridis:
      return unpack(kViridis[entry]);
    case ColorMap::Cividis:
      return unpack(kCividis[entry]);
    case ColorMap::Diverging:
      return diverging(t);
  }
  return {};
}

double luminance(Color color) {
  return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
}

double contrast(Color a, Color b) {
  const double la = luminance(a), lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

Color textOn(Color fill) {
  // Black and white have equal contrast at this luminance: (1.05) / (L + 0.05) = (L + 0.05) / 0.05.
  constexpr double kEqualContrast = 0.179;
  return luminance(fill) > kEqualContrast ? Color{0, 0, 0, 255} : Color{255, 255, 255, 255};
}

Color withAlpha(Color color, int alpha) {
  color.a = static_cast<std::uint8_t>(std::clamp(alpha, 0, 255));
  return color;
}

Color mix(Color a, Color b, double amount) {
  const auto channel = [amount](std::uint8_t from, std::uint8_t to) {
    return toByte(from + (to - from) * amount);
  };
  return {channel(a.r, b.r), channel(a.g, b.g), channel(a.b, b.b), channel(a.a, b.a)};
}

}  // namespace decodescope::scene
