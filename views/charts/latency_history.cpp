#include "charts/latency_history.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace decodescope::views {

StackParts stackParts(std::span<const float, kStepPartCount> part_s) {
  const auto of = [&](StepPart part) { return static_cast<double>(part_s[static_cast<std::size_t>(part)]); };
  StackParts out{
      of(StepPart::Math),     of(StepPart::WeightsHbm) + of(StepPart::KvHbm), of(StepPart::Collectives),
      of(StepPart::Throttle), of(StepPart::Launch) + of(StepPart::Host),      of(StepPart::Wait)};
  double credit = -of(StepPart::Overlap);
  for (const StackGroup group : {StackGroup::Interconnect, StackGroup::Compute, StackGroup::Hbm}) {
    double& value = out[static_cast<std::size_t>(group)];
    const double taken = std::clamp(credit, 0.0, value);
    value -= taken;
    credit -= taken;
  }
  return out;
}

void LatencyHistory::clear() {
  entries_.clear();
  sorted_.clear();
}

void LatencyHistory::append(std::span<const TokenRecord> records) {
  if (records.empty()) return;
  if (!entries_.empty() && records.front().token <= entries_.back().record.token)
    truncateFrom(records.front().token);
  if (records.size() > capacity_ + kPercentileWindow)
    records = records.subspan(records.size() - capacity_ - kPercentileWindow);
  for (const TokenRecord& record : records) push(record);
}

void LatencyHistory::truncateFrom(std::int64_t token) {
  while (!entries_.empty() && entries_.back().record.token >= token) entries_.pop_back();
  sorted_.clear();
  const std::size_t count = std::min(entries_.size(), kPercentileWindow);
  for (std::size_t i = entries_.size() - count; i < entries_.size(); ++i) rankIn(entries_[i].record);
}

void LatencyHistory::rankIn(const TokenRecord& record) {
  parts_.resize(kPercentileWindow);
  const auto place = static_cast<std::uint32_t>(counter_++ % kPercentileWindow);
  const StackParts parts = stackParts(record.part_s);
  for (std::size_t i = 0; i < kStackGroupCount; ++i) parts_[place][i] = static_cast<float>(parts[i]);
  const std::pair entry{record.duration_ns, place};
  sorted_.insert(std::upper_bound(sorted_.begin(), sorted_.end(), entry), entry);
}

void LatencyHistory::push(const TokenRecord& record) {
  if (sorted_.size() == kPercentileWindow) {
    // The oldest of the window has the place that the new one takes.
    const std::pair leaving{entries_[entries_.size() - kPercentileWindow].record.duration_ns,
                            static_cast<std::uint32_t>(counter_ % kPercentileWindow)};
    sorted_.erase(std::lower_bound(sorted_.begin(), sorted_.end(), leaving));
  }
  rankIn(record);
  const auto seconds = [](std::int64_t ns) { return static_cast<float>(static_cast<double>(ns) * 1e-9); };
  const auto& [p50_ns, p50_place] = rank(0.50);
  entries_.push_back(
      {record, seconds(p50_ns), seconds(rank(0.95).first), seconds(rank(0.99).first), parts_[p50_place]});
  if (entries_.size() > std::max(capacity_, kPercentileWindow)) entries_.pop_front();
}

/// Nearest rank: the smallest duration that `share` of the window does not exceed.
const std::pair<std::int64_t, std::uint32_t>& LatencyHistory::rank(double share) const {
  const auto n = static_cast<double>(sorted_.size());
  return sorted_[static_cast<std::size_t>(std::max(1.0, std::ceil(share * n - 1e-9))) - 1];
}

std::int64_t LatencyHistory::columnWidth(std::size_t window, std::size_t most) const {
  const std::size_t count = window == 0 ? entries_.size() : std::min(window, entries_.size());
  return std::max<std::int64_t>(
      1, static_cast<std::int64_t>((count + most - 1) / std::max<std::size_t>(1, most)));
}

std::vector<LatencyColumn> LatencyHistory::columns(std::size_t window, std::size_t most,
                                                   double target_s) const {
  std::vector<LatencyColumn> out;
  const std::size_t count = window == 0 ? entries_.size() : std::min(window, entries_.size());
  const std::int64_t width = columnWidth(window, most);
  std::size_t begin = entries_.size() - count;
  while (begin < entries_.size()) {
    // Columns begin at multiples of their width, so that they stand still while the window moves.
    const std::int64_t bucket = entries_[begin].record.token / width;
    std::size_t end = begin + 1;
    while (end < entries_.size() && entries_[end].record.token / width == bucket) ++end;
    out.push_back(summarize(begin, end, target_s));
    begin = end;
  }
  return out;
}

LatencyColumn LatencyHistory::summarize(std::size_t begin, std::size_t end, double target_s) const {
  LatencyColumn column;
  column.first_token = entries_[begin].record.token;
  column.last_token = entries_[end - 1].record.token;
  column.min_s = std::numeric_limits<double>::infinity();
  for (std::size_t i = begin; i < end; ++i) {
    const Entry& e = entries_[i];
    const double duration_s = static_cast<double>(e.record.duration_ns) * 1e-9;
    column.min_s = std::min(column.min_s, duration_s);
    column.max_s = std::max(column.max_s, duration_s);
    if (static_cast<double>(e.p50_s) > column.p50_s) {
      column.p50_s = static_cast<double>(e.p50_s);
      std::copy(e.p50_parts_s.begin(), e.p50_parts_s.end(), column.stack_s.begin());
    }
    column.p95_s = std::max(column.p95_s, static_cast<double>(e.p95_s));
    column.p99_s = std::max(column.p99_s, static_cast<double>(e.p99_s));
    if (target_s > 0 && duration_s > target_s) ++column.breaches;
  }
  return column;
}

std::vector<double> LatencyHistory::sortedDurations_s(std::size_t window) const {
  const std::size_t count = window == 0 ? entries_.size() : std::min(window, entries_.size());
  std::vector<double> out;
  out.reserve(count);
  for (std::size_t i = entries_.size() - count; i < entries_.size(); ++i)
    out.push_back(static_cast<double>(entries_[i].record.duration_ns) * 1e-9);
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace decodescope::views
