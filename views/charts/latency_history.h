// The last N iterations for the latency charts: a ring with rolling percentiles, read out in columns. Pure.
#pragma once

#include <decodescope/snapshot.h>

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

namespace decodescope::views {

/// Groups of step parts as people tell them apart, bottom to top of the stack; one hue each in the whole
/// program.
enum class StackGroup : std::uint8_t { Compute, Hbm, Interconnect, Physical, Host, Waiting };
inline constexpr std::size_t kStackGroupCount = 6;
using StackParts = std::array<double, kStackGroupCount>;

/// Sums to the parts' sum. The overlap credit is taken from the interconnect, which it hides, then from
/// compute.
[[nodiscard]] StackParts stackParts(std::span<const float, kStepPartCount> part_s);

/// What one point of a chart stands for.
struct LatencyColumn {
  std::int64_t first_token = 0, last_token = 0;
  double min_s = 0, max_s = 0;             ///< of the iterations themselves
  double p50_s = 0, p95_s = 0, p99_s = 0;  ///< of the last 1,000 iterations; the worst within the column
  int breaches = 0;                        ///< iterations over the target
  StackParts stack_s{};                    ///< of the iteration that p50_s is; sums to it
};

class LatencyHistory {
 public:
  /// Iterations that a percentile looks back on.
  static constexpr std::size_t kPercentileWindow = 1000;
  /// Fewer make a p99 that means nothing.
  static constexpr std::size_t kFirmCount = 100;

  explicit LatencyHistory(std::size_t capacity = 10000) : capacity_(capacity) {}

  void clear();
  /// Oldest first. Records at or before what is held replace it from there on (a restart, a step back).
  void append(std::span<const TokenRecord> records);
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] std::int64_t lastToken() const {
    return entries_.empty() ? -1 : entries_.back().record.token;
  }
  /// Iterations that the newest percentiles rest on.
  [[nodiscard]] std::size_t percentileCount() const { return sorted_.size(); }

  /// The last `window` iterations (0: all) in at most `most` columns, which keep their places while time
  /// moves on.
  [[nodiscard]] std::vector<LatencyColumn> columns(std::size_t window, std::size_t most,
                                                   double target_s) const;
  /// Iterations per column for that window.
  [[nodiscard]] std::int64_t columnWidth(std::size_t window, std::size_t most) const;
  /// Durations of the last `window` iterations (0: all), ascending.
  [[nodiscard]] std::vector<double> sortedDurations_s(std::size_t window) const;

 private:
  struct Entry {
    TokenRecord record;
    float p50_s = 0, p95_s = 0, p99_s = 0;
    std::array<float, kStackGroupCount> p50_parts_s{};  ///< of the iteration that p50_s is
  };
  void push(const TokenRecord& record);
  void rankIn(const TokenRecord& record);
  void truncateFrom(std::int64_t token);
  [[nodiscard]] const std::pair<std::int64_t, std::uint32_t>& rank(double share) const;
  [[nodiscard]] LatencyColumn summarize(std::size_t begin, std::size_t end, double target_s) const;

  std::size_t capacity_;
  std::deque<Entry> entries_;
  /// Duration (ns) and place in parts_ of the last kPercentileWindow entries, shortest first.
  std::vector<std::pair<std::int64_t, std::uint32_t>> sorted_;
  std::vector<std::array<float, kStackGroupCount>>
      parts_;  ///< of those entries, by counter modulo the window
  std::uint64_t counter_ = 0;
};

}  // namespace decodescope::views
