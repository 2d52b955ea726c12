// What has been: keyframes (whole snapshots) and one record per iteration, within a memory budget. For
// scrubbing back.
#pragma once

#include <decodescope/snapshot.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

namespace decodescope::engine {

class History {
 public:
  explicit History(std::size_t budget_bytes = 64u << 20, std::int64_t keyframe_every_tokens = 64);

  /// Takes the snapshot's recent records, and the snapshot itself when a keyframe is due. Oldest fall out of
  /// the budget.
  void add(const std::shared_ptr<const Snapshot>&);
  void clear();

  /// The latest keyframe at or before `token`, or the earliest there is; null when empty.
  [[nodiscard]] std::shared_ptr<const Snapshot> at(std::int64_t token) const;
  [[nodiscard]] const std::deque<TokenRecord>& records() const { return records_; }
  [[nodiscard]] const std::deque<EngineEvent>& events() const { return events_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  bool dropOldest();

  std::size_t budget_bytes_;
  std::int64_t keyframe_every_tokens_;
  std::deque<std::shared_ptr<const Snapshot>> keyframes_;
  std::deque<TokenRecord> records_;
  std::deque<EngineEvent> events_;
  std::size_t bytes_ = 0;
};

}  // namespace decodescope::engine
