// How fast simulated time runs against the clock on the wall. Pure arithmetic: the only place where both
// meet.
#pragma once

#include <cstdint>

namespace decodescope::app {

inline constexpr double kMinSpeed = 0.001, kMaxSpeed = 1000.0;
/// A token takes seconds: it is seen crossing the layers.
inline constexpr double kStartSpeed = 0.01;
/// Below this speed an iteration is watched while it runs: snapshots carry its timeline.
inline constexpr double kSlowMotionSpeed = 0.2;

/// Turns wall time into simulated time and measures what was reached.
class Pacing {
 public:
  void setSpeed(double asked) { asked_ = asked; }
  [[nodiscard]] double asked() const { return asked_; }

  /// Simulated nanoseconds due after `wall_ns` more on the wall. Time that could not be simulated is dropped,
  /// not owed.
  [[nodiscard]] std::int64_t due(std::int64_t wall_ns) {
    const double exact = static_cast<double>(wall_ns) * asked_ + remainder_ns_;
    const auto whole = static_cast<std::int64_t>(exact);
    remainder_ns_ = exact - static_cast<double>(whole);
    return whole;
  }

  /// Records what an interval brought; `got()` is a mean over about a second.
  void record(std::int64_t simulated_ns, std::int64_t wall_ns) {
    if (wall_ns <= 0) return;
    const double weight = static_cast<double>(wall_ns) / (static_cast<double>(wall_ns) + 1e9);
    got_ += weight * (static_cast<double>(simulated_ns) / static_cast<double>(wall_ns) - got_);
  }
  [[nodiscard]] double got() const { return got_; }
  void restart() { remainder_ns_ = 0, got_ = asked_; }

 private:
  double asked_ = 1, got_ = 1, remainder_ns_ = 0;
};

}  // namespace decodescope::app
