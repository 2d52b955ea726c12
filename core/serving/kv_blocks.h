// Paged KV cache of one attention group: fixed-size blocks handed out one by one and taken back whole
// sequences at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace decodescope::serving {

/// Blocks held by one sequence: a chain inside the pool.
struct BlockList {
  std::uint32_t head = UINT32_MAX, tail = UINT32_MAX;
  std::int32_t count = 0;
};

/// Every block is either free or in exactly one list. Allocation and release are O(blocks allocated) and
/// O(1). Memory grows with the largest number of blocks ever in use, not with the pool's size.
class KvBlockPool {
 public:
  explicit KvBlockPool(std::int64_t total_blocks) : total_(total_blocks) {}

  /// Appends `count` blocks to `list`, or none and returns false when fewer are free.
  [[nodiscard]] bool allocate(BlockList& list, std::int64_t count);
  /// Takes all blocks of `list` back.
  void release(BlockList& list);

  [[nodiscard]] std::int64_t total() const { return total_; }
  [[nodiscard]] std::int64_t used() const { return used_; }
  [[nodiscard]] std::int64_t available() const { return total_ - used_; }
  /// Walks the free chain and `lists`: whether every block that was ever used is in exactly one of them.
  [[nodiscard]] bool isConserved(const std::vector<BlockList>& lists) const;

 private:
  std::int64_t total_, used_ = 0;
  std::vector<std::uint32_t> next_;  ///< chain of each block that was ever used
  std::uint32_t free_head_ = UINT32_MAX;
};

/// How many blocks a context needs. A block holds the bytes of `block_tokens` tokens of a short context; a
/// model with sliding windows or constant state then needs fewer blocks per token as the context grows.
class KvBlockTable {
 public:
  /// `bytes_of_sequence(tokens)` per chip, not falling. `available_bytes` per chip for all sequences of the
  /// group.
  KvBlockTable(std::function<double(double)> bytes_of_sequence, int block_tokens, double available_bytes);

  [[nodiscard]] std::int64_t totalBlocks() const { return total_blocks_; }
  [[nodiscard]] double blockBytes() const { return block_bytes_; }
  [[nodiscard]] std::int64_t blocksFor(std::int64_t tokens) const;
  /// Largest context that `blocks` blocks hold, at most kMaxContextTokens; more blocks than the pool has
  /// count as all of them. Remembered, so O(1) when asked again.
  [[nodiscard]] std::int32_t tokensFor(std::int64_t blocks);

 private:
  [[nodiscard]] std::int32_t largestFitting(std::int64_t blocks) const;

  std::function<double(double)> bytes_of_sequence_;
  std::int64_t block_tokens_ = 1;
  double block_bytes_ = 1;
  std::int64_t total_blocks_ = 0;
  std::int32_t capacity_tokens_ = 0;
  std::vector<std::int32_t> tokens_for_;
};

}  // namespace decodescope::serving
