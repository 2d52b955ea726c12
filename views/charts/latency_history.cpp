#include "charts/latency_history.h"

#include <algorithm>
#include <cmath>

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
  for (std::size_t i = entries_.size() - count; i < entries_.size(); ++i)
    sorted_.push_back(entries_[i].record.duration_ns);
  std::sort(sorted_.begin(), sorted_.end());
}

void LatencyHistory::push(const TokenRecord& record) {
  if (sorted_.size() == kPercentileWindow && entries_.size() >= kPercentileWindow) {
    const std::int64_t leaving = entries_[entries_.size() - kPercentileWindow].record.duration_ns;
    sorted_.erase(std::lower_bound(sorted_.begin(), sorted_.end(), leaving));
  }
  sorted_.insert(std::upper_bound(sorted_.begin(), sorted_.end(), record.duration_ns), record.duration_ns);
  entries_.push_back({record, rank(0.50), rank(0.95), rank(0.99)});
  if (entries_.size() > std::max(capacity_, kPercentileWindow)) entries_.pop_front();
}

/// Nearest rank: the smallest duration that `share` of the window does not exceed.
float LatencyHistory::rank(double share) const {
  const auto n = static_cast<double>(sorted_.size());
  const auto position = static_cast<std::size_t>(std::max(1.0, std::ceil(share * n - 1e-9))) - 1;
  return static_cast<float>(static_cast<double>(sorted_[position]) * 1e-9);
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
  std::vector<std::pair<std::int64_t, std::size_t>> order;
  for (std::size_t i = begin; i < end; ++i) {
    const Entry& e = entries_[i];
    order.emplace_back(e.record.duration_ns, i);
    column.p50_s = std::max(column.p50_s, static_cast<double>(e.p50_s));
    column.p95_s = std::max(column.p95_s, static_cast<double>(e.p95_s));
    column.p99_s = std::max(column.p99_s, static_cast<double>(e.p99_s));
    if (target_s > 0 && static_cast<double>(e.record.duration_ns) * 1e-9 > target_s) ++column.breaches;
  }
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>((order.size() - 1) / 2);
  std::nth_element(order.begin(), middle, order.end());
  column.median_s = static_cast<double>(middle->first) * 1e-9;
  column.stack_s = stackParts(entries_[middle->second].record.part_s);
  const auto [low, high] = std::minmax_element(order.begin(), order.end());
  column.min_s = static_cast<double>(low->first) * 1e-9;
  column.max_s = static_cast<double>(high->first) * 1e-9;
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
