#include "scene/axis_ticks.h"

#include <cmath>
#include <initializer_list>

namespace decodescope::scene {

Ticks linearTicks(double from, double to, int most) {
  Ticks ticks;
  if (!(to > from) || most < 1) return ticks;
  const double raw = (to - from) / most;
  const double decade = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double multiple : {1.0, 2.0, 5.0, 10.0}) {
    ticks.step = multiple * decade;
    if (ticks.step >= raw * (1 - 1e-9)) break;
  }
  const double first = std::ceil(from / ticks.step - 1e-9);
  for (double i = first; i * ticks.step <= to + ticks.step * 1e-9; ++i)
    ticks.values.push_back(i * ticks.step);
  return ticks;
}

Ticks logTicks(double from, double to, int most) {
  Ticks ticks;
  if (!(to > from) || !(from > 0) || most < 1) return ticks;
  const double decades = std::log10(to / from);
  const bool fine = 3 * decades <= most;
  const int stride = fine ? 1 : static_cast<int>(std::ceil(decades / most));
  for (int power = static_cast<int>(std::floor(std::log10(from))); power <= std::log10(to) + 1e-9;
       power += stride) {
    for (const double multiple : {1.0, 2.0, 5.0}) {
      const double value = multiple * std::pow(10.0, power);
      if (value >= from * (1 - 1e-9) && value <= to * (1 + 1e-9)) ticks.values.push_back(value);
      if (!fine) break;
    }
  }
  ticks.step = std::pow(10.0, stride);
  return ticks;
}

}  // namespace decodescope::scene
