#include "charts/axis_range.h"

#include "scene/axis_ticks.h"

#include <algorithm>
#include <cmath>

namespace decodescope::views {
namespace {

/// A range much wider than its values makes lines flat; narrower would jump on every outlier.
constexpr double kShrinkAt = 0.35;
constexpr double kMargin = 0.08;

}  // namespace

bool StickyRange::update(double low, double high) {
  if (!std::isfinite(low) || !std::isfinite(high) || high < low) return false;
  const double span = std::max(high - low, std::abs(high) * 0.02);
  const bool fits = high_ > low_ && low >= low_ && high <= high_;
  const bool too_wide =
      (from_zero_ ? high / std::max(high_, 1e-30) : span / std::max(high_ - low_, 1e-30)) < kShrinkAt;
  if (fits && !too_wide) return false;
  const double want_low = from_zero_ ? 0 : std::max(0.0, low - kMargin * span);
  const double want_high = high + kMargin * (from_zero_ ? high : span);
  const scene::Ticks ticks = scene::linearTicks(want_low, want_high, 5);
  const double step = ticks.step > 0 ? ticks.step : want_high;
  low_ = std::floor(want_low / step + 1e-9) * step;
  high_ = std::ceil(want_high / step - 1e-9) * step;
  return true;
}

std::vector<ChartTick> timeTicks(double low_s, double high_s, TimeUnit unit, int most) {
  const double scale = perSecond(unit);
  const scene::Ticks ticks = scene::linearTicks(low_s * scale, high_s * scale, std::max(2, most));
  const int decimals =
      std::max(0, static_cast<int>(std::ceil(-std::log10(std::max(ticks.step, 1e-9)) - 1e-9)));
  std::vector<ChartTick> out;
  for (const double value : ticks.values) out.push_back({value / scale, fixedText(value, decimals)});
  return out;
}

std::vector<ChartTick> countTicks(double low, double high, int most, const QString& first_prefix) {
  std::vector<ChartTick> out;
  for (const double value : scene::linearTicks(low, high, std::max(2, most)).values)
    if (value == std::round(value))
      out.push_back({value, out.empty() ? first_prefix + countText(value) : countText(value)});
  return out;
}

}  // namespace decodescope::views
