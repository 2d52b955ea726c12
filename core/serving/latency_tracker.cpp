#include "serving/latency_tracker.h"

#include "base/units.h"

#include <algorithm>

namespace decodescope::serving {

LatencySummary summarize(const Histogram& histogram) {
  LatencySummary out;
  out.count = histogram.count();
  out.mean_s = histogram.mean() * kNano;
  out.p50_s = histogram.percentile(0.50) * kNano;
  out.p95_s = histogram.percentile(0.95) * kNano;
  out.p99_s = histogram.percentile(0.99) * kNano;
  return out;
}

RecentSamples::RecentSamples(std::size_t capacity) : samples_(capacity) {}

void RecentSamples::add(std::int64_t value_ns, std::int32_t count) {
  samples_[next_] = {value_ns, count};
  next_ = (next_ + 1) % samples_.size();
  size_ = std::min(size_ + 1, samples_.size());
}

LatencySummary RecentSamples::summarize() const {
  LatencySummary out;
  std::vector<Sample> sorted;
  sorted.reserve(size_);
  // After clear() the newest `size_` samples end just before `next_`.
  for (std::size_t i = 0; i < size_; ++i) {
    sorted.push_back(samples_[(next_ + samples_.size() - size_ + i) % samples_.size()]);
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const Sample& a, const Sample& b) { return a.value_ns < b.value_ns; });
  double sum_ns = 0;
  for (const Sample& sample : sorted) {
    out.count += sample.count;
    sum_ns += static_cast<double>(sample.value_ns) * sample.count;
  }
  if (out.count == 0) return out;
  out.mean_s = sum_ns / static_cast<double>(out.count) * kNano;
  const auto at = [&](double ratio) {
    const double wanted = ratio * static_cast<double>(out.count);
    double below = 0;
    for (const Sample& sample : sorted) {
      below += sample.count;
      if (below >= wanted) return static_cast<double>(sample.value_ns) * kNano;
    }
    return static_cast<double>(sorted.back().value_ns) * kNano;
  };
  out.p50_s = at(0.50);
  out.p95_s = at(0.95);
  out.p99_s = at(0.99);
  return out;
}

void LatencyTracker::addItl(std::int64_t gap_ns, std::int64_t tokens) {
  itl_.add(gap_ns, tokens);
  recent_itl_.add(gap_ns, static_cast<std::int32_t>(tokens));
}

void LatencyTracker::addTtft(std::int64_t ttft_ns) {
  ttft_.add(ttft_ns);
  recent_ttft_.add(ttft_ns, 1);
}

void LatencyTracker::addRequest(std::int64_t tpot_ns, std::int64_t e2e_ns) {
  tpot_.add(tpot_ns);
  e2e_.add(e2e_ns);
}

void LatencyTracker::forgetRecent() {
  recent_itl_.clear();
  recent_ttft_.clear();
}

}  // namespace decodescope::serving
