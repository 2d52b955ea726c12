// A queue that keeps its memory: no allocation once it has been as long as it gets.
#pragma once

#include <cstddef>
#include <vector>

namespace decodescope::serving {

template <class T>
class RingQueue {
 public:
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const T& front() const { return items_[head_]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return items_[(head_ + i) % items_.size()]; }

  void pushBack(const T& item) {
    grow();
    items_[(head_ + size_) % items_.size()] = item;
    ++size_;
  }
  void pushFront(const T& item) {
    grow();
    head_ = (head_ + items_.size() - 1) % items_.size();
    items_[head_] = item;
    ++size_;
  }
  T popFront() {
    const T item = items_[head_];
    head_ = (head_ + 1) % items_.size();
    --size_;
    return item;
  }
  T popBack() {
    --size_;
    return items_[(head_ + size_) % items_.size()];
  }

 private:
  void grow() {
    if (size_ < items_.size()) return;
    std::vector<T> larger(items_.empty() ? 16 : items_.size() * 2);
    for (std::size_t i = 0; i < size_; ++i) larger[i] = (*this)[i];
    items_.swap(larger);
    head_ = 0;
  }

  std::vector<T> items_;
  std::size_t head_ = 0, size_ = 0;
};

}  // namespace decodescope::serving
