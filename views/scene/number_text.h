// Numbers as text on the canvas, always with their unit, in the C locale.
#pragma once

#include <cstdint>
#include <string>

namespace decodescope::scene {

/// 0.934 -> "93 %", with at most one decimal below 1 %.
[[nodiscard]] std::string percentText(double ratio);
/// 1296 -> "1,296"
[[nodiscard]] std::string countText(std::int64_t count);
/// 4.1e-5 -> "41 µs", three significant digits at most.
[[nodiscard]] std::string timeText(double seconds);
/// 5e10 -> "50 GB/s"
[[nodiscard]] std::string rateText(double bytes_per_s);
/// 87.6 -> "88", the whole degrees that a tile shows.
[[nodiscard]] std::string degreesText(double celsius);
/// 7, 2 -> "07"
[[nodiscard]] std::string paddedText(std::int64_t number, int digits);

}  // namespace decodescope::scene
