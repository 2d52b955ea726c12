// Scheduler: one iteration, from choosing its work to settling what it made.
#include "serving/scheduler.h"

#include <algorithm>

namespace decodescope::serving {

const IterationWork& Scheduler::begin() {
  admitWaiting();
  choosePrefill();
  measureWork();
  return work_;
}

void Scheduler::admitWaiting() {
  while (!waiting_.empty()) {
    const Slot slot = waiting_.popFront();
    if (admit(slot)) continue;
    waiting_.pushFront(slot);
    return;
  }
}

void Scheduler::choosePrefill() {
  std::int64_t tokens = 0;
  double past_weighted = 0;
  std::int32_t prompts = 0;
  std::int32_t budget = options_.chunk_tokens;
  for (const Slot slot : prefilling_) {
    const std::int32_t left = prefillTarget(slot) - requests_[slot].prefilled_tokens;
    const std::int32_t chunk = std::min(left, budget);
    slot_chunk_[slot] = chunk;
    budget -= chunk;
    prompts += chunk > 0 ? 1 : 0;
    tokens += chunk;
    past_weighted += static_cast<double>(chunk) * requests_[slot].prefilled_tokens;
  }
  work_.prefill_tokens = static_cast<double>(tokens);
  work_.prefill_sequences = prompts;
  work_.prefill_past_tokens = tokens > 0 ? past_weighted / static_cast<double>(tokens) : 0;
}

void Scheduler::measureWork() {
  const auto sequences = static_cast<double>(decoding_slot_.size());
  work_.sequences = sequences;
  if (decoding_slot_.empty()) {
    work_.busiest_sequences = work_.context_tokens = 0;
    return;
  }
  const auto busiest = std::ranges::max_element(group_context_tokens_);
  const auto g = static_cast<std::size_t>(busiest - group_context_tokens_.begin());
  const double even_share = sequences / static_cast<double>(group_decoding_.size());
  work_.busiest_sequences = std::max(static_cast<double>(group_decoding_[g]), even_share);
  // A step also reads the token it writes.
  const double written = options_.grows ? 1 : 0;
  work_.context_tokens = static_cast<double>(*busiest) / work_.busiest_sequences + written;
}

IterationOutcome Scheduler::finish(std::int64_t end_ns, std::int64_t duration_ns, LatencyTracker& latency) {
  IterationOutcome outcome;
  const std::int64_t preempted_before = totals_.preempted;
  ++iteration_;
  if (!options_.grows) {
    outcome.output_tokens = static_cast<std::int64_t>(decoding_slot_.size());
    latency.addItl(duration_ns, outcome.output_tokens);
    fresh_.clear();
    totals_.output_tokens += outcome.output_tokens;
    return outcome;
  }
  has_events_ = false;
  settleFresh(end_ns, latency);
  if (speculation_.isActive()) {
    decodeSpeculatively(end_ns, duration_ns, latency, outcome);
  } else {
    decodeOneToken(duration_ns, latency, outcome);
  }
  fresh_.clear();
  if (has_events_) {
    completeFinished(end_ns, latency, outcome);
    growContexts(end_ns);
  }
  settlePrefill(end_ns, latency, outcome);
  outcome.preempted = static_cast<std::int32_t>(totals_.preempted - preempted_before);
  totals_.output_tokens += outcome.output_tokens;
  return outcome;
}

// Sequences that joined without prefill on this replica: their gap is not the iteration's duration.
void Scheduler::settleFresh(std::int64_t end_ns, LatencyTracker& latency) {
  for (const Slot slot : fresh_) {
    Request& request = requests_[slot];
    if (request.generated_tokens > 0) {
      if (request.last_token_ns > 0) latency.addItl(end_ns - request.last_token_ns, 1);
      continue;
    }
    if (request.counts_ttft) latency.addTtft(end_ns - request.arrival_ns);
    request.observed_from_ns = end_ns;
    request.observed_generated = 1;
  }
}

void Scheduler::decodeOneToken(std::int64_t duration_ns, LatencyTracker& latency, IterationOutcome& outcome) {
  const std::size_t n = decoding_slot_.size();
  std::int32_t* const context = decoding_context_.data();
  std::int32_t* const remaining = decoding_remaining_.data();
  const std::int32_t* const limit = decoding_limit_.data();
  std::int32_t events = 0;
  for (std::size_t i = 0; i < n; ++i) {
    ++context[i];
    --remaining[i];
    events |=
        static_cast<std::int32_t>(remaining[i] <= 0) | static_cast<std::int32_t>(context[i] >= limit[i]);
  }
  for (std::size_t g = 0; g < group_decoding_.size(); ++g) group_context_tokens_[g] += group_decoding_[g];
  has_events_ = events != 0;
  outcome.output_tokens = static_cast<std::int64_t>(n);
  const std::int64_t regular = static_cast<std::int64_t>(n - fresh_.size());
  if (regular > 0) latency.addItl(duration_ns, regular);
}

void Scheduler::decodeSpeculatively(std::int64_t, std::int64_t duration_ns, LatencyTracker& latency,
                                    IterationOutcome& outcome) {
  std::int64_t regular = 0;
  for (std::size_t i = 0; i < decoding_slot_.size(); ++i) {
    const Slot slot = decoding_slot_[i];
    const std::int32_t gained = std::min(
        speculation_.tokens(requests_[slot].id, iteration_, decoding_credit_[i]), decoding_remaining_[i]);
    decoding_context_[i] += gained;
    decoding_remaining_[i] -= gained;
    group_context_tokens_[static_cast<std::size_t>(slot_group_[slot])] += gained;
    outcome.output_tokens += gained;
    regular += gained;
    has_events_ = has_events_ || decoding_remaining_[i] <= 0 || decoding_context_[i] >= decoding_limit_[i];
  }
  regular -= static_cast<std::int64_t>(fresh_.size());
  // A burst of k tokens counts as k gaps of an equal share, so that the mean gap stays the time per token.
  if (regular <= 0) return;
  const auto sequences = static_cast<std::int64_t>(decoding_slot_.size() - fresh_.size());
  latency.addItl(duration_ns * std::max<std::int64_t>(sequences, 1) / regular, regular);
}

void Scheduler::completeFinished(std::int64_t end_ns, LatencyTracker& latency, IterationOutcome& outcome) {
  for (std::size_t i = decoding_slot_.size(); i-- > 0;) {
    if (decoding_remaining_[i] > 0) continue;
    const Slot slot = decoding_slot_[i];
    removeDecoding(i);
    complete(slot, end_ns, latency, outcome);
  }
}

void Scheduler::complete(Slot slot, std::int64_t end_ns, LatencyTracker& latency, IterationOutcome& outcome) {
  Request& request = requests_[slot];
  const std::int64_t observed = request.output_tokens - request.observed_generated;
  if (observed > 0) {
    latency.addRequest((end_ns - request.observed_from_ns) / observed, end_ns - request.arrival_ns);
  }
  releaseBlocks(slot);
  freeSlot(slot);
  ++outcome.completed;
  ++totals_.completed;
}

void Scheduler::growContexts(std::int64_t end_ns) {
  scratch_.clear();
  for (std::size_t i = 0; i < decoding_slot_.size(); ++i) {
    if (decoding_context_[i] >= decoding_limit_[i]) scratch_.push_back(decoding_slot_[i]);
  }
  // Oldest first: who came first keeps its place.
  std::ranges::sort(scratch_, {}, [&](Slot slot) { return slot_order_[slot]; });
  for (const Slot slot : scratch_) growContext(slot, end_ns);
}

void Scheduler::growContext(Slot slot, std::int64_t end_ns) {
  while (slot_index_[slot] != UINT32_MAX) {
    const std::size_t i = slot_index_[slot];
    if (decoding_context_[i] < decoding_limit_[i]) return;
    const std::int32_t group = slot_group_[slot];
    BlockList& list = block_lists_[slot];
    if (pools_[static_cast<std::size_t>(group)].allocate(list, 1)) {
      ++blocks_used_;
      decoding_limit_[i] = table_->tokensFor(list.count);
    } else {
      preempt(youngestOf(group), end_ns);
    }
  }
}

void Scheduler::settlePrefill(std::int64_t end_ns, LatencyTracker& latency, IterationOutcome& outcome) {
  if (prefilling_.empty()) return;
  scratch_.clear();
  for (const Slot slot : prefilling_) {
    requests_[slot].prefilled_tokens += slot_chunk_[slot];
    totals_.prompt_tokens += slot_chunk_[slot];
    slot_chunk_[slot] = 0;
    if (requests_[slot].prefilled_tokens >= prefillTarget(slot)) scratch_.push_back(slot);
  }
  for (const Slot slot : scratch_) {
    std::erase(prefilling_, slot);
    Request& request = requests_[slot];
    if (request.generated_tokens == 0) {
      if (request.counts_ttft) latency.addTtft(end_ns - request.arrival_ns);
      request.observed_from_ns = end_ns;
      request.observed_generated = 1;
      ++outcome.first_tokens;
    } else {
      latency.addItl(end_ns - request.last_token_ns, 1);
    }
    ++request.generated_tokens;
    ++outcome.output_tokens;
    if (request.generated_tokens >= request.output_tokens) {
      complete(slot, end_ns, latency, outcome);
    } else {
      startDecoding(slot);
    }
  }
}

}  // namespace decodescope::serving
