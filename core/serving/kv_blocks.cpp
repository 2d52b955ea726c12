#include "serving/kv_blocks.h"

#include "serving/lengths.h"

#include <algorithm>
#include <cmath>

namespace decodescope::serving {

namespace {
constexpr std::int32_t kUnknown = -1;
}

bool KvBlockPool::allocate(BlockList& list, std::int64_t count) {
  if (count > available()) return false;
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint32_t block = free_head_;
    if (block != UINT32_MAX) {
      free_head_ = next_[block];
    } else {
      block = static_cast<std::uint32_t>(next_.size());
      next_.push_back(UINT32_MAX);
    }
    next_[block] = UINT32_MAX;
    if (list.count == 0) {
      list.head = block;
    } else {
      next_[list.tail] = block;
    }
    list.tail = block;
    ++list.count;
  }
  used_ += count;
  return true;
}

void KvBlockPool::release(BlockList& list) {
  if (list.count == 0) return;
  next_[list.tail] = free_head_;
  free_head_ = list.head;
  used_ -= list.count;
  list = {};
}

bool KvBlockPool::isConserved(const std::vector<BlockList>& lists) const {
  std::vector<std::uint8_t> seen(next_.size(), 0);
  std::int64_t held = 0;
  const auto walk = [&](std::uint32_t block, std::int64_t limit) {
    std::int64_t length = 0;
    for (; block != UINT32_MAX && length < limit; block = next_[block], ++length) {
      if (seen[block]++ != 0) return std::int64_t{-1};
    }
    return length;
  };
  for (const BlockList& list : lists) {
    if (list.count == 0) continue;
    if (walk(list.head, list.count) != list.count) return false;
    held += list.count;
  }
  const auto ever_used = static_cast<std::int64_t>(next_.size());
  return held == used_ && used_ <= total_ && walk(free_head_, ever_used + 1) == ever_used - held;
}

KvBlockTable::KvBlockTable(std::function<double(double)> bytes_of_sequence, int block_tokens,
                           double available_bytes)
    : bytes_of_sequence_(std::move(bytes_of_sequence)) {
  block_tokens_ = std::max(block_tokens, 1);
  const auto tokens = static_cast<double>(block_tokens_);
  const double marginal = bytes_of_sequence_(2 * tokens) - bytes_of_sequence_(tokens);
  block_bytes_ = marginal > 0 ? marginal : std::max(bytes_of_sequence_(tokens), 1.0);
  total_blocks_ = std::max<std::int64_t>(0, static_cast<std::int64_t>(available_bytes / block_bytes_));
  capacity_tokens_ = largestFitting(total_blocks_);
}

std::int64_t KvBlockTable::blocksFor(std::int64_t tokens) const {
  if (tokens <= 0) return 0;
  // A hair less than the bytes, so that rounding of an exact multiple does not cost a block.
  const double blocks = bytes_of_sequence_(static_cast<double>(tokens)) / block_bytes_ - 1e-9;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(blocks)));
}

std::int32_t KvBlockTable::largestFitting(std::int64_t blocks) const {
  if (blocks <= 0) return 0;
  // Where every token costs the same, the answer is a multiple of the block.
  const std::int64_t even = std::min<std::int64_t>(blocks * block_tokens_, kMaxContextTokens);
  const bool is_even =
      blocksFor(even) <= blocks && (even == kMaxContextTokens || blocksFor(even + 1) > blocks);
  if (is_even) return static_cast<std::int32_t>(even);
  std::int32_t low = 0, high = kMaxContextTokens;
  while (low < high) {
    const std::int32_t middle = low + (high - low + 1) / 2;
    if (blocksFor(middle) <= blocks) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

std::int32_t KvBlockTable::tokensFor(std::int64_t blocks) {
  if (blocks <= 0) return 0;
  if (blocks >= total_blocks_) return capacity_tokens_;
  const auto index = static_cast<std::size_t>(blocks);
  if (tokens_for_.size() <= index) tokens_for_.resize(std::max(index + 1, 2 * tokens_for_.size()), kUnknown);
  if (tokens_for_[index] == kUnknown) tokens_for_[index] = largestFitting(blocks);
  return tokens_for_[index];
}

}  // namespace decodescope::serving
