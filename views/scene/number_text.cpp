#include "scene/number_text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

namespace decodescope::scene {
namespace {

struct Unit {
  double scale;
  std::string_view name;
};

// Two or three significant digits: 4.1, 41, 410.
std::string shortNumber(double value) {
  const double size = std::abs(value);
  if (size >= 99.5) return fmt::format("{:.0f}", value);
  if (size >= 9.95 || std::abs(value - std::round(value)) < 0.005) return fmt::format("{:.0f}", value);
  return fmt::format("{:.1f}", value);
}

template <std::size_t N>
std::string withUnit(double value, const std::array<Unit, N>& units) {
  for (const Unit& unit : units) {
    if (std::abs(value) >= 0.9995 * unit.scale)
      return fmt::format("{} {}", shortNumber(value / unit.scale), unit.name);
  }
  return fmt::format("{} {}", shortNumber(value / units.back().scale), units.back().name);
}

}  // namespace

std::string percentText(double ratio) {
  if (std::isnan(ratio)) return "–";
  const double percent = ratio * 100;
  if (percent > 0 && percent < 0.95) return percent < 0.05 ? "< 0.1 %" : fmt::format("{:.1f} %", percent);
  return fmt::format("{:.0f} %", percent);
}

std::string countText(std::int64_t count) {
  std::string digits = std::to_string(std::abs(count));
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  }
  return count < 0 ? fmt::format("−{}", digits) : digits;
}

std::string timeText(double seconds) {
  static constexpr std::array<Unit, 4> kUnits{{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}};
  return withUnit(seconds, kUnits);
}

std::string rateText(double bytes_per_s) {
  static constexpr std::array<Unit, 3> kUnits{{{1e12, "TB/s"}, {1e9, "GB/s"}, {1e6, "MB/s"}}};
  return withUnit(bytes_per_s, kUnits);
}

std::string degreesText(double celsius) {
  return std::isnan(celsius) ? "–" : fmt::format("{:.0f}", celsius);
}

std::string paddedText(std::int64_t number, int digits) {
  return fmt::format("{:0{}}", number, digits);
}

}  // namespace decodescope::scene
