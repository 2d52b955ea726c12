// The only place with 1e9, 1024 and 8. Core computes in SI; these convert at its edges.
#pragma once

#include <cstdint>

namespace decodescope {

inline constexpr double kKilo = 1e3, kMega = 1e6, kGiga = 1e9, kTera = 1e12, kPeta = 1e15;
inline constexpr double kMilli = 1e-3, kMicro = 1e-6, kNano = 1e-9, kPico = 1e-12;
inline constexpr double kKibi = 1024.0, kMebi = 1024.0 * 1024.0, kGibi = 1024.0 * 1024.0 * 1024.0;
inline constexpr double kBitsPerByte = 8.0;
inline constexpr double kSecondsPerHour = 3600.0, kHoursPerYear = 8760.0, kHoursPerMonth = 730.0;
inline constexpr double kLitresPerMinutePerCubicMetrePerS = 60000.0;
inline constexpr double kCubicMetrePerSPerCfm = 4.719474e-4;

/// Simulated time.
using TimeNs = std::int64_t;
[[nodiscard]] constexpr double secondsOf(TimeNs t) {
  return static_cast<double>(t) * kNano;
}
/// Rounds half up; any positive duration lasts at least 1 ns.
[[nodiscard]] constexpr TimeNs nanosecondsOf(double seconds) {
  const auto t = static_cast<TimeNs>(seconds * kGiga + 0.5);
  return t < 1 && seconds > 0 ? 1 : t;
}

}  // namespace decodescope
