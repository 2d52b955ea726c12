#include "controls/scale_map.h"

#include <algorithm>
#include <cmath>

namespace decodescope::views {
namespace {

constexpr double kLinearSteps = 200;
/// Where a logarithmic scale begins whose range starts at zero.
constexpr double kZeroShare = 1e-4;

/// The largest of 1, 2, 5 times a power of ten that is not above `value`.
double roundedDown125(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value) + 1e-12));
  const double mantissa = value / power * (1 + 1e-12);
  return power * (mantissa >= 5 ? 5 : mantissa >= 2 ? 2 : 1);
}
double roundedUp125(double value) {
  const double below = roundedDown125(value);
  if (below >= value * (1 - 1e-9)) return below;
  const double power = std::pow(10.0, std::floor(std::log10(below) + 1e-12));
  const double mantissa = below / power;
  return power * (mantissa < 1.5 ? 2 : mantissa < 3 ? 5 : 10);
}
double threeDigits(double value) {
  if (value == 0) return 0;
  const double scale = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 2);
  // Divide by a whole number where possible, so that 0.35 is 0.35 and not 0.35000000000000003.
  return scale >= 1 ? std::round(value / scale) * scale : std::round(value / scale) / std::round(1 / scale);
}

}  // namespace

ScaleMap::ScaleMap(const ParameterDescriptor& d)
    : scale_(d.scale),
      soft_min_(d.soft_min),
      soft_max_(std::max(d.soft_max, d.soft_min)),
      hard_min_(std::min(d.hard_min, d.soft_min)),
      hard_max_(std::max(d.hard_max, d.soft_max)),
      integral_(d.integral),
      stops_(d.stops) {
  std::sort(stops_.begin(), stops_.end());
  const double span = soft_max_ - soft_min_;
  resolution_ = span > 0 ? roundedDown125(span / kLinearSteps) : 1;
  if (integral_) resolution_ = std::max(1.0, std::round(resolution_));
}

double ScaleMap::fractionOf(double value) const {
  if (!(soft_max_ > soft_min_)) return 0;
  const double v = std::clamp(value, soft_min_, soft_max_);
  if (!isLog()) return (v - soft_min_) / (soft_max_ - soft_min_);
  const double low = soft_min_ > 0 ? soft_min_ : soft_max_ * kZeroShare;
  return v <= low ? 0 : std::log(v / low) / std::log(soft_max_ / low);
}

double ScaleMap::valueAt(double fraction) const {
  const double f = std::clamp(fraction, 0.0, 1.0);
  if (f <= 0) return soft_min_;
  if (f >= 1) return soft_max_;
  if (!isLog()) return rounded(soft_min_ + f * (soft_max_ - soft_min_));
  const double low = soft_min_ > 0 ? soft_min_ : soft_max_ * kZeroShare;
  return rounded(low * std::pow(soft_max_ / low, f));
}

double ScaleMap::rounded(double value) const {
  double out = isLog() ? threeDigits(value) : std::round(value / resolution_) * resolution_;
  // Multiples of 0.1 and the like come out with an error in the last bits.
  if (!isLog() && resolution_ < 1) out = std::round(value / resolution_) / std::round(1 / resolution_);
  if (integral_) out = std::round(out);
  return std::clamp(out, soft_min_, soft_max_);
}

double ScaleMap::nearestRound(double value) const {
  const double f = fractionOf(value);
  double best = value, distance = 2;
  const auto consider = [&](double candidate) {
    const double d = std::abs(fractionOf(candidate) - f);
    if (d < distance) best = candidate, distance = d;
  };
  for (const double stop : stops_) consider(stop);
  if (!isLog() || value <= 0) return best;
  if (scale_ == ParameterScale::Log2) {
    consider(std::exp2(std::round(std::log2(value))));
  } else {
    consider(roundedDown125(value));
    consider(roundedUp125(value));
  }
  return best;
}

double ScaleMap::snapped(double fraction) const {
  const double value = valueAt(fraction);
  const double round = nearestRound(value);
  const bool reachable =
      round >= soft_min_ && round <= soft_max_ && (!integral_ || round == std::round(round));
  return reachable && std::abs(fractionOf(round) - fraction) <= kSnapShare ? round : value;
}

double ScaleMap::nextRound(double value, bool up) const {
  double next = up ? value + resolution_ : value - resolution_;
  if (scale_ == ParameterScale::Log10 && value > 0)
    next = up ? roundedUp125(value * (1 + 1e-6)) : roundedDown125(value * (1 - 1e-6));
  else if (isLog())
    next = value > 0 ? (up ? value * 2 : value / 2) : (up ? soft_max_ * kZeroShare : 0);
  // A stop on the way is not jumped over: from 36 to 64, not 72.
  for (const double stop : stops_)
    if (up ? stop > value && stop < next : stop < value && stop > next) next = stop;
  return next;
}

double ScaleMap::oneStep(double value, bool up, StepSize size) const {
  const double sign = up ? 1 : -1;
  if (size == StepSize::Normal) return nextRound(value, up);
  if (size == StepSize::Coarse) {
    if (!isLog()) return value + sign * 10 * resolution_;
    return value > 0 ? value * (up ? 10 : 0.1) : soft_max_ * kZeroShare;
  }
  if (integral_) return value + sign;
  return isLog() ? threeDigits(value * (up ? 1.01 : 1 / 1.01)) : value + sign * resolution_ / 10;
}

double ScaleMap::clampedHard(double value) const {
  return std::clamp(integral_ ? std::round(value) : value, hard_min_, hard_max_);
}

double ScaleMap::stepped(double value, int steps, StepSize size) const {
  double out = value;
  for (int i = 0; i < std::min(std::abs(steps), 100); ++i) {
    const double next = clampedHard(oneStep(out, steps > 0, size));
    // A step that rounding would swallow (1 / 2 of a whole number) still moves by one.
    out = next == out && integral_ ? clampedHard(out + (steps > 0 ? 1 : -1)) : next;
  }
  return out;
}

std::vector<double> ScaleMap::ticks(int most) const {
  if (stops_.empty() && isLog() && soft_min_ > 0) return logTicks(most);
  std::vector<double> all;
  if (stops_.empty()) {
    for (int i = 0; i <= 4; ++i) all.push_back(valueAt(i / 4.0));
  } else {
    all.push_back(soft_min_);
    for (const double s : stops_)
      if (s > soft_min_ && s < soft_max_) all.push_back(s);
    all.push_back(soft_max_);
  }
  if (all.size() < 2 || most < 2) return all;
  // Thin out evenly along the slider, always keeping both ends.
  std::vector<double> kept{all.front()};
  const double gap = 1.0 / most - 1e-9;
  for (std::size_t i = 1; i + 1 < all.size(); ++i)
    if (fractionOf(all[i]) - fractionOf(kept.back()) >= gap && 1 - fractionOf(all[i]) >= gap)
      kept.push_back(all[i]);
  kept.push_back(all.back());
  return kept;
}

std::vector<double> ScaleMap::logTicks(int most) const {
  const double base = scale_ == ParameterScale::Log2 ? 2 : 10;
  const double total = std::log(soft_max_ / soft_min_) / std::log(base);
  const double least = std::max(1.0, std::ceil(total / std::max(1, most) - 1e-9));
  // Even steps that meet the upper end, if there are such steps; else the finest that fit.
  double step = least;
  for (double s = least; s <= total / 2; s += 1)
    if (std::abs(std::remainder(total, s)) < 1e-9) {
      step = s;
      break;
    }
  std::vector<double> out;
  for (double e = 0; e < total - step / 2; e += step) out.push_back(soft_min_ * std::pow(base, e));
  out.push_back(soft_max_);
  return out;
}

}  // namespace decodescope::views
