// One-slot hand-off between threads: the newest value wins, the reader never waits for the writer's work.
#pragma once

#include <mutex>
#include <optional>
#include <utility>

namespace decodescope::app {

template <class T>
class Mailbox {
 public:
  /// Returns whether the slot was empty, so that only the first put of a series needs to wake the reader.
  bool put(T value) {
    const std::lock_guard lock(mutex_);
    const bool was_empty = !slot_.has_value();
    slot_ = std::move(value);
    return was_empty;
  }
  [[nodiscard]] std::optional<T> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(slot_, std::nullopt);
  }
  [[nodiscard]] bool isEmpty() const {
    const std::lock_guard lock(mutex_);
    return !slot_.has_value();
  }

 private:
  mutable std::mutex mutex_;
  std::optional<T> slot_;
};

}  // namespace decodescope::app
