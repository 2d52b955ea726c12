#include "engine/history.h"

#include <algorithm>

namespace decodescope::engine {

namespace {

template <class T>
std::size_t bytesOf(const std::vector<T>& items) {
  return items.size() * sizeof(T);
}

// Parts that snapshots share (topology, scenario, prediction) are not counted again and again.
std::size_t bytesOf(const Snapshot& snapshot) {
  return sizeof(Snapshot) + bytesOf(snapshot.chip_temperature_c) + bytesOf(snapshot.chip_power_w) +
         bytesOf(snapshot.chip_clock_ratio) + bytesOf(snapshot.chip_kv_used_ratio) +
         bytesOf(snapshot.chip_throttle) + bytesOf(snapshot.link_utilization_ratio) +
         bytesOf(snapshot.link_phase_ratio) + bytesOf(snapshot.rack_power_w) + bytesOf(snapshot.recent) +
         bytesOf(snapshot.events);
}

}  // namespace

History::History(std::size_t budget_bytes, std::int64_t keyframe_every_tokens)
    : budget_bytes_(budget_bytes), keyframe_every_tokens_(std::max<std::int64_t>(keyframe_every_tokens, 1)) {}

void History::add(const std::shared_ptr<const Snapshot>& snapshot) {
  if (!snapshot) return;
  for (const TokenRecord& record : snapshot->recent) {
    if (!records_.empty() && record.token <= records_.back().token) continue;
    records_.push_back(record);
    bytes_ += sizeof(TokenRecord);
  }
  for (const EngineEvent& event : snapshot->events) {
    events_.push_back(event);
    bytes_ += sizeof(EngineEvent) + event.text.size();
  }
  const bool is_due = keyframes_.empty() || snapshot->token / keyframe_every_tokens_ >
                                                keyframes_.back()->token / keyframe_every_tokens_;
  if (is_due) {
    keyframes_.push_back(snapshot);
    bytes_ += bytesOf(*snapshot);
  }
  while (bytes_ > budget_bytes_ && dropOldest()) {
  }
}

// The oldest of keyframes, records and events, by token; the last keyframe stays.
bool History::dropOldest() {
  const std::int64_t frame = keyframes_.size() > 1 ? keyframes_.front()->token : INT64_MAX;
  const std::int64_t record = records_.size() > 1 ? records_.front().token : INT64_MAX;
  const std::int64_t event = events_.empty() ? INT64_MAX : events_.front().token;
  if (frame == INT64_MAX && record == INT64_MAX && event == INT64_MAX) return false;
  if (event <= frame && event <= record) {
    bytes_ -= sizeof(EngineEvent) + events_.front().text.size();
    events_.pop_front();
  } else if (record <= frame) {
    bytes_ -= sizeof(TokenRecord);
    records_.pop_front();
  } else {
    bytes_ -= bytesOf(*keyframes_.front());
    keyframes_.pop_front();
  }
  return true;
}

void History::clear() {
  keyframes_.clear();
  records_.clear();
  events_.clear();
  bytes_ = 0;
}

std::shared_ptr<const Snapshot> History::at(std::int64_t token) const {
  if (keyframes_.empty()) return nullptr;
  const auto after =
      std::ranges::upper_bound(keyframes_, token, {}, [](const auto& frame) { return frame->token; });
  return after == keyframes_.begin() ? keyframes_.front() : *std::prev(after);
}

}  // namespace decodescope::engine
