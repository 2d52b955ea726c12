// Between a parameter's value and a place on its slider: linear, powers of two, decades; snapping; steps.
// Pure.
#pragma once

#include <decodescope/parameters.h>

#include <vector>

namespace decodescope::views {

enum class StepSize { Fine, Normal, Coarse };

class ScaleMap {
 public:
  ScaleMap() = default;
  explicit ScaleMap(const ParameterDescriptor& descriptor);

  /// Slider positions.
  static constexpr int kPositions = 1000;
  /// How near, as a share of the slider's travel, a round value draws the handle to itself.
  static constexpr double kSnapShare = 0.015;

  /// 0 to 1 along the slider; values outside the soft range are clamped.
  [[nodiscard]] double fractionOf(double value) const;
  /// Rounded to what the parameter can be: whole numbers, three significant digits, or the linear resolution.
  [[nodiscard]] double valueAt(double fraction) const;
  /// valueAt, drawn to a stop, a power of two or 1-2-5 nearby.
  [[nodiscard]] double snapped(double fraction) const;
  /// `steps` up or down from `value`: the next stop, doubled, the next of 1-2-5, or the linear resolution.
  /// Coarse is ten times as far, fine the smallest change that makes sense. Stays in the hard range.
  [[nodiscard]] double stepped(double value, int steps, StepSize size = StepSize::Normal) const;
  /// A few round values for labels below the slider, ends included.
  [[nodiscard]] std::vector<double> ticks(int most) const;

  [[nodiscard]] bool isBelow(double value) const { return value < soft_min_; }
  [[nodiscard]] bool isAbove(double value) const { return value > soft_max_; }
  [[nodiscard]] double softMin() const { return soft_min_; }
  [[nodiscard]] double softMax() const { return soft_max_; }
  [[nodiscard]] double hardMin() const { return hard_min_; }
  [[nodiscard]] double hardMax() const { return hard_max_; }

 private:
  [[nodiscard]] bool isLog() const {
    return scale_ == ParameterScale::Log2 || scale_ == ParameterScale::Log10;
  }
  [[nodiscard]] std::vector<double> logTicks(int most) const;
  [[nodiscard]] double rounded(double value) const;
  [[nodiscard]] double nearestRound(double value) const;
  [[nodiscard]] double nextRound(double value, bool up) const;
  [[nodiscard]] double oneStep(double value, bool up, StepSize size) const;
  [[nodiscard]] double clampedHard(double value) const;

  ParameterScale scale_ = ParameterScale::Linear;
  double soft_min_ = 0, soft_max_ = 1, hard_min_ = 0, hard_max_ = 1;
  double resolution_ = 0.01;  ///< linear: the smallest step of the slider, of 1-2-5
  bool integral_ = false;
  std::vector<double> stops_;
};

}  // namespace decodescope::views
