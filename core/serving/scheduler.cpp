// Scheduler: requests in and out, admission, blocks.
#include "serving/scheduler.h"

#include "serving/lengths.h"

#include <algorithm>

namespace decodescope::serving {

namespace {

constexpr std::uint32_t kNowhere = UINT32_MAX;
// Share of a pool that admission leaves free for the growth of those who run, as vLLM's block manager does.
constexpr double kWatermarkRatio = 0.01;

}  // namespace

Scheduler::Scheduler(const SchedulerOptions& options, std::shared_ptr<KvBlockTable> blocks)
    : options_(options),
      table_(std::move(blocks)),
      speculation_(options.speculation, options.jitter, options.seed) {
  const auto groups = static_cast<std::size_t>(std::max(options_.groups, 1));
  pools_.assign(groups, KvBlockPool(table_->totalBlocks()));
  group_context_tokens_.assign(groups, 0);
  group_reserved_.assign(groups, 0);
  group_decoding_.assign(groups, 0);
  group_members_.assign(groups, 0);
}

void Scheduler::cutToCapacity(Request& request) {
  const std::int32_t capacity = table_->tokensFor(table_->totalBlocks());
  const std::int32_t grown = options_.grows ? request.output_tokens : 0;
  if (request.prompt_tokens + static_cast<std::int64_t>(grown) <= capacity) return;
  ++totals_.truncated;
  request.prompt_tokens = std::clamp(request.prompt_tokens, 1, std::max(capacity - 1, 1));
  if (options_.grows)
    request.output_tokens = std::max(1, std::min(request.output_tokens, capacity - request.prompt_tokens));
  request.generated_tokens = std::min(request.generated_tokens, request.output_tokens - 1);
}

Scheduler::Slot Scheduler::takeSlot(const Request& request) {
  Slot slot = 0;
  if (free_slots_.empty()) {
    slot = static_cast<Slot>(requests_.size());
    requests_.emplace_back();
    block_lists_.emplace_back();
    slot_group_.push_back(-1);
    slot_chunk_.push_back(0);
    slot_order_.push_back(0);
    slot_index_.push_back(kNowhere);
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  requests_[slot] = request;
  cutToCapacity(requests_[slot]);
  slot_order_[slot] = next_order_++;
  return slot;
}

void Scheduler::freeSlot(Slot slot) {
  slot_index_[slot] = kNowhere;
  slot_chunk_[slot] = 0;
  free_slots_.push_back(slot);
}

void Scheduler::submit(Request request) {
  request.is_running = false;
  ++totals_.submitted;
  waiting_.pushBack(takeSlot(request));
}

void Scheduler::place(Request request) {
  request.is_running = false;
  ++totals_.submitted;
  const Slot slot = takeSlot(request);
  if (!admit(slot)) waiting_.pushBack(slot);
}

std::int32_t Scheduler::prefillTarget(Slot slot) const {
  return requests_[slot].prompt_tokens + requests_[slot].generated_tokens;
}

bool Scheduler::needsPrefill(Slot slot) const {
  return options_.grows && options_.prefill != PrefillMode::None && !requests_[slot].is_prefilled;
}

// A sequence grows from its prompt to prompt + output; others are as far along as they are, so that half is
// expected.
std::int64_t Scheduler::meanBlocks(Slot slot) const {
  const Request& request = requests_[slot];
  const std::int64_t grown = options_.grows ? request.output_tokens / 2 : 0;
  return table_->blocksFor(request.prompt_tokens + grown);
}

std::int32_t Scheduler::chooseGroup(std::int64_t blocks, std::int64_t mean_blocks) const {
  std::int32_t best = -1;
  const auto watermark =
      static_cast<std::int64_t>(static_cast<double>(table_->totalBlocks()) * kWatermarkRatio);
  for (std::size_t g = 0; g < pools_.size(); ++g) {
    const std::int64_t kept_free = options_.grows && group_members_[g] > 0 ? watermark : 0;
    if (pools_[g].available() < blocks + kept_free) continue;
    if (group_members_[g] > 0 && group_reserved_[g] + mean_blocks + kept_free > pools_[g].total()) continue;
    const auto b = static_cast<std::size_t>(best);
    const bool is_better =
        best < 0 || group_members_[g] < group_members_[b] ||
        (group_members_[g] == group_members_[b] && group_context_tokens_[g] < group_context_tokens_[b]);
    if (is_better) best = static_cast<std::int32_t>(g);
  }
  return best;
}

bool Scheduler::admit(Slot slot) {
  if (options_.max_sequences > 0 &&
      inFlight() - static_cast<std::int64_t>(waiting_.size()) >= options_.max_sequences) {
    return false;
  }
  const std::int64_t tokens = options_.grows ? prefillTarget(slot) + 1 : requests_[slot].prompt_tokens;
  const std::int64_t capacity = table_->tokensFor(table_->totalBlocks());
  const std::int64_t blocks = table_->blocksFor(std::min(tokens, capacity));
  const std::int32_t group = chooseGroup(blocks, meanBlocks(slot));
  if (group < 0) return false;
  const auto g = static_cast<std::size_t>(group);
  if (!pools_[g].allocate(block_lists_[slot], blocks)) return false;
  blocks_used_ += blocks;
  slot_group_[slot] = group;
  ++group_members_[g];
  group_reserved_[g] += meanBlocks(slot);
  requests_[slot].is_running = true;
  if (needsPrefill(slot)) {
    const auto younger = std::ranges::upper_bound(prefilling_, slot_order_[slot], {},
                                                  [&](Slot other) { return slot_order_[other]; });
    prefilling_.insert(younger, slot);
  } else {
    fresh_.push_back(slot);
    startDecoding(slot);
  }
  return true;
}

void Scheduler::startDecoding(Slot slot) {
  const Request& request = requests_[slot];
  const std::int32_t context = request.prompt_tokens + request.generated_tokens - 1;
  slot_index_[slot] = static_cast<std::uint32_t>(decoding_slot_.size());
  decoding_slot_.push_back(slot);
  decoding_context_.push_back(context);
  decoding_remaining_.push_back(request.output_tokens - request.generated_tokens);
  decoding_limit_.push_back(table_->tokensFor(block_lists_[slot].count));
  decoding_credit_.push_back(SpeculationSampler::initialCredit(request.id));
  const auto g = static_cast<std::size_t>(slot_group_[slot]);
  group_context_tokens_[g] += context;
  ++group_decoding_[g];
}

// Writes what the dense arrays know back into the request.
void Scheduler::syncRequest(Slot slot) {
  if (slot_index_[slot] == kNowhere) return;
  Request& request = requests_[slot];
  request.generated_tokens = request.output_tokens - decoding_remaining_[slot_index_[slot]];
}

void Scheduler::removeDecoding(std::size_t index) {
  const Slot slot = decoding_slot_[index];
  const auto g = static_cast<std::size_t>(slot_group_[slot]);
  group_context_tokens_[g] -= decoding_context_[index];
  --group_decoding_[g];
  slot_index_[decoding_slot_.back()] = static_cast<std::uint32_t>(index);
  slot_index_[slot] = kNowhere;
  const auto moveLast = [index](auto& items) {
    items[index] = items.back();
    items.pop_back();
  };
  moveLast(decoding_slot_);
  moveLast(decoding_context_);
  moveLast(decoding_remaining_);
  moveLast(decoding_limit_);
  moveLast(decoding_credit_);
}

void Scheduler::releaseBlocks(Slot slot) {
  const auto g = static_cast<std::size_t>(slot_group_[slot]);
  blocks_used_ -= block_lists_[slot].count;
  pools_[g].release(block_lists_[slot]);
  --group_members_[g];
  group_reserved_[g] -= meanBlocks(slot);
  slot_group_[slot] = -1;
}

Scheduler::Slot Scheduler::youngestOf(std::int32_t group) const {
  Slot youngest = kNowhere;
  const auto consider = [&](Slot slot) {
    if (slot_group_[slot] != group) return;
    if (youngest == kNowhere || slot_order_[slot] > slot_order_[youngest]) youngest = slot;
  };
  for (const Slot slot : decoding_slot_) consider(slot);
  for (const Slot slot : prefilling_) consider(slot);
  return youngest;
}

void Scheduler::preempt(Slot slot, std::int64_t end_ns) {
  Request& request = requests_[slot];
  if (slot_index_[slot] != kNowhere) {
    syncRequest(slot);
    request.last_token_ns = end_ns;
    removeDecoding(slot_index_[slot]);
  } else {
    std::erase(prefilling_, slot);
  }
  releaseBlocks(slot);
  request.is_running = false;
  request.is_prefilled = false;
  request.prefilled_tokens = 0;
  slot_chunk_[slot] = 0;
  waiting_.pushFront(slot);
  ++totals_.preempted;
}

std::vector<Request> Scheduler::drain() {
  std::vector<Slot> running = prefilling_;
  running.insert(running.end(), decoding_slot_.begin(), decoding_slot_.end());
  std::ranges::sort(running, {}, [&](Slot slot) { return slot_order_[slot]; });
  std::vector<Request> out;
  for (const Slot slot : running) {
    syncRequest(slot);
    out.push_back(requests_[slot]);
    out.back().is_prefilled = slot_index_[slot] != kNowhere;
    if (slot_index_[slot] != kNowhere) removeDecoding(slot_index_[slot]);
    releaseBlocks(slot);
    freeSlot(slot);
  }
  prefilling_.clear();
  fresh_.clear();
  while (!waiting_.empty()) {
    const Slot slot = waiting_.popFront();
    out.push_back(requests_[slot]);
    freeSlot(slot);
  }
  return out;
}

std::int64_t Scheduler::cancel(std::int64_t count) {
  std::int64_t done = 0;
  for (; done < count && !waiting_.empty(); ++done) freeSlot(waiting_.popBack());
  while (done < count && !(decoding_slot_.empty() && prefilling_.empty())) {
    Slot youngest = kNowhere;
    const auto consider = [&](Slot slot) {
      if (youngest == kNowhere || slot_order_[slot] > slot_order_[youngest]) youngest = slot;
    };
    for (const Slot slot : decoding_slot_) consider(slot);
    for (const Slot slot : prefilling_) consider(slot);
    if (slot_index_[youngest] != kNowhere) {
      removeDecoding(slot_index_[youngest]);
    } else {
      std::erase(prefilling_, youngest);
    }
    std::erase(fresh_, youngest);
    releaseBlocks(youngest);
    freeSlot(youngest);
    ++done;
  }
  totals_.cancelled += done;
  return done;
}

SchedulerCounts Scheduler::counts() const {
  SchedulerCounts out = totals_;
  out.decoding = static_cast<std::int64_t>(decoding_slot_.size());
  out.prefilling = static_cast<std::int64_t>(prefilling_.size());
  out.waiting = static_cast<std::int64_t>(waiting_.size());
  out.blocks_used = blocks_used_;
  out.blocks_total = table_->totalBlocks() * static_cast<std::int64_t>(pools_.size());
  return out;
}

std::int64_t Scheduler::inFlight() const {
  return static_cast<std::int64_t>(decoding_slot_.size() + prefilling_.size() + waiting_.size());
}

double Scheduler::groupUsedRatio(std::int32_t group) const {
  const KvBlockPool& pool = pools_[static_cast<std::size_t>(group)];
  return pool.total() > 0 ? static_cast<double>(pool.used()) / static_cast<double>(pool.total()) : 0;
}

bool Scheduler::isConserved() const {
  std::int64_t used = 0;
  for (std::size_t g = 0; g < pools_.size(); ++g) {
    std::vector<BlockList> lists;
    std::int64_t context = 0;
    std::int64_t reserved = 0;
    std::int32_t members = 0;
    for (std::size_t slot = 0; slot < requests_.size(); ++slot) {
      if (slot_group_[slot] != static_cast<std::int32_t>(g) || block_lists_[slot].count == 0) continue;
      lists.push_back(block_lists_[slot]);
      ++members;
      reserved += meanBlocks(static_cast<Slot>(slot));
      if (slot_index_[slot] != kNowhere) context += decoding_context_[slot_index_[slot]];
    }
    if (reserved != group_reserved_[g] || !pools_[g].isConserved(lists) ||
        context != group_context_tokens_[g] || members != group_members_[g])
      return false;
    used += pools_[g].used();
  }
  const std::int64_t present = inFlight();
  return used == blocks_used_ && totals_.submitted - totals_.completed - totals_.cancelled == present;
}

}  // namespace decodescope::serving
