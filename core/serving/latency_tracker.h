// Latencies measured over a run, and over the last thousand samples for the screen.
#pragma once

#include "base/histogram.h"

#include <decodescope/snapshot.h>

#include <cstdint>
#include <vector>

namespace decodescope::serving {

[[nodiscard]] LatencySummary summarize(const Histogram&);

/// The last `capacity` samples, each with a weight. No allocation after construction.
class RecentSamples {
 public:
  explicit RecentSamples(std::size_t capacity);
  void add(std::int64_t value_ns, std::int32_t count);
  void clear() { size_ = 0; }
  [[nodiscard]] LatencySummary summarize() const;

 private:
  struct Sample {
    std::int64_t value_ns = 0;
    std::int32_t count = 0;
  };
  std::vector<Sample> samples_;
  std::size_t size_ = 0, next_ = 0;
};

/// Definitions: TTFT from arrival to first token; ITL between consecutive tokens of a sequence; TPOT of a
/// request (last - first token) / (n - 1); end to end from arrival to last token.
class LatencyTracker {
 public:
  static constexpr std::size_t kRecent = 1000;

  void addItl(std::int64_t gap_ns, std::int64_t tokens);
  void addTtft(std::int64_t ttft_ns);
  void addRequest(std::int64_t tpot_ns, std::int64_t e2e_ns);

  [[nodiscard]] const Histogram& itl() const { return itl_; }
  [[nodiscard]] const Histogram& tpot() const { return tpot_; }
  [[nodiscard]] const Histogram& ttft() const { return ttft_; }
  [[nodiscard]] const Histogram& e2e() const { return e2e_; }
  [[nodiscard]] LatencySummary recentItl() const { return recent_itl_.summarize(); }
  [[nodiscard]] LatencySummary recentTtft() const { return recent_ttft_.summarize(); }
  void forgetRecent();

 private:
  Histogram itl_, tpot_, ttft_, e2e_;
  RecentSamples recent_itl_{kRecent}, recent_ttft_{kRecent};
};

}  // namespace decodescope::serving
