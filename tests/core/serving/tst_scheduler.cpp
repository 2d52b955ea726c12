// Paged KV blocks and continuous batching: nothing is lost, nobody overtakes, and running out of blocks never
// fails.
#include "serving/kv_blocks.h"
#include "serving/scheduler.h"

#include <rapidcheck.h>
#include <QtTest>
#include <algorithm>

using namespace decodescope;
using namespace decodescope::serving;

namespace {

// One byte per token: `blocks` blocks of `block_tokens`.
std::shared_ptr<KvBlockTable> plainTable(int block_tokens, int blocks) {
  return std::make_shared<KvBlockTable>([](double tokens) { return tokens; }, block_tokens,
                                        static_cast<double>(block_tokens) * blocks);
}

Request request(std::uint64_t id, int prompt, int output, std::int64_t arrival_ns = 0) {
  Request r;
  r.id = id;
  r.prompt_tokens = prompt;
  r.output_tokens = output;
  r.arrival_ns = arrival_ns;
  return r;
}

}  // namespace

class TstScheduler : public QObject {
  Q_OBJECT

 private slots:
  void pool_randomUse_conservesBlocks();
  void table_linear_roundsUpToBlocks();
  void table_windowed_needsFewerBlocks();
  void table_tokensFor_isTheInverseOfBlocksFor();
  void iteration_chunkedPrefill_keepsToItsBudget();
  void iteration_firstTokenComesWithTheLastChunk();
  void iteration_withoutPrefill_decodesAtOnce();
  void iteration_static_neverGrowsOrEnds();
  void admission_maxSequences_isKept();
  void admission_blocksRunOut_waitsInOrder();
  void preemption_blocksRunOut_takesTheYoungest();
  void groups_requests_spreadEvenly();
  void oversized_request_isCutToWhatFits();
  void cancel_takesTheQueueFirst();
  void drain_andPlace_keepsProgress();
  void anyWorkload_everythingEnds_andNothingIsLost();
  void speculation_completesInFewerIterations();
};

void TstScheduler::pool_randomUse_conservesBlocks() {
  const bool held = rc::check("every block is free or in one list", [] {
    const auto total = *rc::gen::inRange<std::int64_t>(0, 200);
    KvBlockPool pool(total);
    std::vector<BlockList> lists(8);
    const auto steps = *rc::gen::container<std::vector<std::pair<std::uint8_t, std::uint8_t>>>(
        rc::gen::arbitrary<std::pair<std::uint8_t, std::uint8_t>>());
    for (const auto& [which, what] : steps) {
      BlockList& list = lists[which % lists.size()];
      const std::int64_t before = list.count;
      if (what % 4 == 0) {
        pool.release(list);
        RC_ASSERT(list.count == 0);
      } else {
        const std::int64_t wanted = what % 40;
        const bool fits = wanted <= pool.available();
        RC_ASSERT(pool.allocate(list, wanted) == fits);
        RC_ASSERT(list.count == before + (fits ? wanted : 0));
      }
      RC_ASSERT(pool.isConserved(lists));
      RC_ASSERT(pool.used() + pool.available() == total);
    }
  });
  QVERIFY(held);
}

void TstScheduler::table_linear_roundsUpToBlocks() {
  KvBlockTable table([](double tokens) { return 2.5 * tokens; }, 16, 2.5 * 16 * 10.9);
  QCOMPARE(table.totalBlocks(), std::int64_t{10});
  QCOMPARE(table.blockBytes(), 40.0);
  for (const auto& [tokens, blocks] : {std::pair{1, 1}, {16, 1}, {17, 2}, {160, 10}}) {
    QCOMPARE(table.blocksFor(tokens), std::int64_t{blocks});
  }
  QCOMPARE(table.tokensFor(3), 48);
}

void TstScheduler::table_windowed_needsFewerBlocks() {
  // Half of the layers see at most 128 tokens: beyond, a token costs half.
  KvBlockTable table([](double tokens) { return tokens + std::min(tokens, 128.0); }, 64, 1e6);
  QCOMPARE(table.blocksFor(128), std::int64_t{2});
  QCOMPARE(table.blocksFor(1128), std::int64_t{10});  // (1128 + 128) / 128 = 9.8
  QVERIFY(table.tokensFor(10) > 1128);
}

void TstScheduler::table_tokensFor_isTheInverseOfBlocksFor() {
  for (const double slope_beyond : {1.0, 0.25, 0.0}) {
    KvBlockTable table([=](double t) { return std::min(t, 1000.0) + slope_beyond * std::max(t - 1000, 0.0); },
                       16, 1e5);
    for (std::int64_t n = 1; n < 200; ++n) {
      const std::int32_t tokens = table.tokensFor(n);
      QVERIFY(table.blocksFor(tokens) <= n);
      QVERIFY(tokens == 16 * 1024 * 1024 || table.blocksFor(tokens + 1) > n);
    }
  }
}

void TstScheduler::iteration_chunkedPrefill_keepsToItsBudget() {
  SchedulerOptions options;
  options.chunk_tokens = 100;
  Scheduler scheduler(options, plainTable(16, 1000));
  LatencyTracker latency;
  scheduler.submit(request(0, 150, 4));
  scheduler.submit(request(1, 60, 4));
  QCOMPARE(scheduler.begin().prefill_tokens, 100.0);
  QCOMPARE(scheduler.work().prefill_past_tokens, 0.0);
  (void)scheduler.finish(10, 10, latency);
  // The rest of the first and the start of the second: 50 after 100 and 50 after 0.
  QCOMPARE(scheduler.begin().prefill_tokens, 100.0);
  QCOMPARE(scheduler.work().prefill_past_tokens, 50.0);
  QCOMPARE(scheduler.work().prefill_sequences, 2.0);
  (void)scheduler.finish(20, 10, latency);
  QCOMPARE(scheduler.begin().prefill_tokens, 10.0);
  QCOMPARE(scheduler.work().sequences, 1.0);
  // 150 tokens of prompt in the cache, and the one this step writes.
  QCOMPARE(scheduler.work().context_tokens, 151.0);
}

void TstScheduler::iteration_firstTokenComesWithTheLastChunk() {
  SchedulerOptions options;
  options.chunk_tokens = 100;
  Scheduler scheduler(options, plainTable(16, 1000));
  LatencyTracker latency;
  scheduler.submit(request(0, 250, 5, 3));
  std::vector<std::int64_t> tokens;
  for (int i = 1; i <= 7; ++i) {
    (void)scheduler.begin();
    tokens.push_back(scheduler.finish(i * 10, 10, latency).output_tokens);
  }
  QCOMPARE(tokens, (std::vector<std::int64_t>{0, 0, 1, 1, 1, 1, 1}));
  QCOMPARE(latency.ttft().largest(), std::int64_t{27});
  QCOMPARE(latency.tpot().largest(), std::int64_t{10});  // (70 - 30) / 4
  QCOMPARE(latency.e2e().largest(), std::int64_t{67});
  QCOMPARE(latency.itl().count(), std::int64_t{4});
  QVERIFY(scheduler.begin().isEmpty());
}

void TstScheduler::iteration_withoutPrefill_decodesAtOnce() {
  SchedulerOptions options;
  options.prefill = PrefillMode::None;
  Scheduler scheduler(options, plainTable(16, 1000));
  LatencyTracker latency;
  scheduler.submit(request(0, 250, 3));
  QCOMPARE(scheduler.begin().sequences, 1.0);
  QCOMPARE(scheduler.work().context_tokens, 250.0);
  QCOMPARE(scheduler.finish(10, 10, latency).output_tokens, std::int64_t{1});
  QCOMPARE(latency.ttft().largest(), std::int64_t{10});
}

void TstScheduler::iteration_static_neverGrowsOrEnds() {
  SchedulerOptions options;
  options.grows = false;
  options.prefill = PrefillMode::None;
  Scheduler scheduler(options, plainTable(16, 100));
  LatencyTracker latency;
  for (std::uint64_t i = 0; i < 60; ++i) {
    Request r = request(i, 32, INT32_MAX);
    r.generated_tokens = 1;
    scheduler.place(r);
  }
  for (int i = 1; i < 50; ++i) {
    QCOMPARE(scheduler.begin().context_tokens, 32.0);
    QCOMPARE(scheduler.work().sequences, 50.0);  // 100 blocks, two each; ten wait
    QCOMPARE(scheduler.finish(i * 10, 10, latency).output_tokens, std::int64_t{50});
  }
  QCOMPARE(scheduler.counts().waiting, std::int64_t{10});
}

void TstScheduler::admission_maxSequences_isKept() {
  SchedulerOptions options;
  options.prefill = PrefillMode::None;
  options.max_sequences = 3;
  Scheduler scheduler(options, plainTable(16, 1000));
  LatencyTracker latency;
  for (std::uint64_t i = 0; i < 10; ++i) scheduler.submit(request(i, 5, 4));
  int iterations = 0;
  while (!scheduler.begin().isEmpty()) {
    QVERIFY(scheduler.work().sequences <= 3);
    (void)scheduler.finish(++iterations * 10, 10, latency);
  }
  QCOMPARE(scheduler.counts().completed, std::int64_t{10});
  QCOMPARE(iterations, 16);  // four batches of 3, 3, 3, 1 for four iterations each
}

void TstScheduler::admission_blocksRunOut_waitsInOrder() {
  SchedulerOptions options;
  options.prefill = PrefillMode::None;
  // 20 blocks of 16: a prompt of 100 with room for the next token takes 7.
  Scheduler scheduler(options, plainTable(16, 20));
  LatencyTracker latency;
  for (std::uint64_t i = 0; i < 4; ++i) scheduler.submit(request(i, 100, 4));
  scheduler.submit(request(4, 1, 4));  // would fit, but must not overtake
  (void)scheduler.begin();
  QCOMPARE(scheduler.counts().decoding, std::int64_t{2});
  QCOMPARE(scheduler.counts().waiting, std::int64_t{3});
}

void TstScheduler::preemption_blocksRunOut_takesTheYoungest() {
  SchedulerOptions options;
  options.chunk_tokens = 1000;
  // Two prompts of 62 take four blocks each of ten, and grow by one at 64 and at 80 tokens. In the mean over
  // their lives (77 tokens, five blocks) both fit, so both are admitted; at 80 tokens the twelfth block is
  // missing.
  Scheduler scheduler(options, plainTable(16, 10));
  LatencyTracker latency;
  scheduler.submit(request(0, 62, 30));
  scheduler.submit(request(1, 62, 30));
  std::int64_t tokens = 0, preempted = 0, iterations = 0;
  while (!scheduler.begin().isEmpty() && iterations < 1000) {
    ++iterations;
    const IterationOutcome outcome = scheduler.finish(iterations * 10, 10, latency);
    tokens += outcome.output_tokens;
    preempted += outcome.preempted;
    QVERIFY(scheduler.isConserved());
  }
  QCOMPARE(preempted, std::int64_t{1});
  QCOMPARE(tokens, std::int64_t{60});
  QCOMPARE(scheduler.counts().completed, std::int64_t{2});
  // The older one never stops: an iteration of prefill and 29 of decode.
  QCOMPARE(latency.e2e().smallest(), std::int64_t{300});
  // The younger one stopped at iteration 19 with 19 tokens, was computed again in iteration 31 and needs ten
  // more.
  QCOMPARE(latency.e2e().largest(), std::int64_t{410});
  QCOMPARE(latency.itl().largest(), std::int64_t{120});
}

void TstScheduler::groups_requests_spreadEvenly() {
  SchedulerOptions options;
  options.prefill = PrefillMode::None;
  options.groups = 8;
  Scheduler scheduler(options, plainTable(16, 100));
  for (std::uint64_t i = 0; i < 20; ++i) scheduler.submit(request(i, 50, 10));
  QCOMPARE(scheduler.begin().sequences, 20.0);
  QCOMPARE(scheduler.work().busiest_sequences, 3.0);
  QCOMPARE(scheduler.work().context_tokens, 50.0);
}

void TstScheduler::oversized_request_isCutToWhatFits() {
  SchedulerOptions options;
  options.chunk_tokens = 50;
  Scheduler scheduler(options, plainTable(16, 4));
  LatencyTracker latency;
  scheduler.submit(request(0, 1000, 1000));
  scheduler.submit(request(1, 10, 1000));
  std::int64_t iterations = 0;
  while (!scheduler.begin().isEmpty() && iterations < 1000)
    (void)scheduler.finish(++iterations * 10, 10, latency);
  QCOMPARE(scheduler.counts().completed, std::int64_t{2});
  QCOMPARE(scheduler.counts().truncated, std::int64_t{2});
}

void TstScheduler::cancel_takesTheQueueFirst() {
  SchedulerOptions options;
  options.prefill = PrefillMode::None;
  options.max_sequences = 2;
  Scheduler scheduler(options, plainTable(16, 100));
  for (std::uint64_t i = 0; i < 5; ++i) scheduler.submit(request(i, 10, 10));
  (void)scheduler.begin();
  QCOMPARE(scheduler.cancel(3), std::int64_t{3});
  QCOMPARE(scheduler.counts().decoding, std::int64_t{2});
  QCOMPARE(scheduler.cancel(5), std::int64_t{2});
  QCOMPARE(scheduler.inFlight(), std::int64_t{0});
  QCOMPARE(scheduler.blocksUsed(), std::int64_t{0});
  QVERIFY(scheduler.isConserved());
}

void TstScheduler::drain_andPlace_keepsProgress() {
  SchedulerOptions options;
  options.chunk_tokens = 100;
  const auto table = plainTable(16, 100);
  Scheduler scheduler(options, table);
  LatencyTracker latency;
  scheduler.submit(request(7, 50, 20));
  for (int i = 1; i <= 6; ++i) {
    (void)scheduler.begin();
    (void)scheduler.finish(i * 10, 10, latency);
  }
  const std::vector<Request> moved = scheduler.drain();
  QCOMPARE(moved.size(), std::size_t{1});
  QCOMPARE(moved.front().generated_tokens, 6);
  QCOMPARE(scheduler.blocksUsed(), std::int64_t{0});
  Scheduler other(options, table);
  other.place(moved.front());
  QCOMPARE(other.begin().context_tokens, 56.0);
}

void TstScheduler::anyWorkload_everythingEnds_andNothingIsLost() {
  const bool held = rc::check("tokens and blocks are conserved whatever arrives", [] {
    SchedulerOptions options;
    options.chunk_tokens = *rc::gen::inRange(1, 200);
    options.groups = *rc::gen::inRange(1, 5);
    options.max_sequences = *rc::gen::inRange(0, 12);
    options.prefill = *rc::gen::element(PrefillMode::None, PrefillMode::Chunked);
    if (*rc::gen::arbitrary<bool>()) options.speculation = Speculation{*rc::gen::inRange(1, 4), 0.6};
    const int block_tokens = *rc::gen::inRange(1, 40);
    const int blocks = *rc::gen::inRange(4, 60);
    Scheduler scheduler(options, plainTable(block_tokens, blocks));
    LatencyTracker latency;
    const auto lengths = *rc::gen::container<std::vector<std::pair<int, int>>>(
        rc::gen::pair(rc::gen::inRange(1, 150), rc::gen::inRange(1, 80)));
    const std::int64_t capacity = static_cast<std::int64_t>(block_tokens) * blocks;
    std::int64_t expected = 0, made = 0, iterations = 0;
    std::size_t next = 0;
    const auto submitOne = [&] {
      const auto [prompt, output] = lengths[next];
      // What could never fit is cut to what fits, output first.
      const std::int64_t kept_prompt =
          std::clamp<std::int64_t>(prompt, 1, std::max<std::int64_t>(capacity - 1, 1));
      expected += prompt + output <= capacity
                      ? output
                      : std::max<std::int64_t>(1, std::min<std::int64_t>(output, capacity - kept_prompt));
      scheduler.submit(request(next, prompt, output, iterations * 10));
      ++next;
    };
    while (next < lengths.size() || scheduler.inFlight() > 0) {
      if (next < lengths.size()) submitOne();
      RC_ASSERT(!scheduler.begin().isEmpty());
      RC_ASSERT(scheduler.work().prefill_tokens <= options.chunk_tokens);
      ++iterations;
      made += scheduler.finish(iterations * 10, 10, latency).output_tokens;
      RC_ASSERT(scheduler.isConserved());
      RC_ASSERT(iterations < 200000);
    }
    RC_ASSERT(made == expected);
    RC_ASSERT(scheduler.counts().output_tokens == expected);
    RC_ASSERT(scheduler.counts().completed == static_cast<std::int64_t>(lengths.size()));
    RC_ASSERT(scheduler.blocksUsed() == 0);
    RC_ASSERT(latency.ttft().count() == static_cast<std::int64_t>(lengths.size()));
  });
  QVERIFY(held);
}

void TstScheduler::speculation_completesInFewerIterations() {
  SchedulerOptions options;
  options.prefill = PrefillMode::None;
  options.jitter = false;
  options.speculation = Speculation{3, 1.0};  // always four tokens a step
  Scheduler scheduler(options, plainTable(16, 100));
  LatencyTracker latency;
  scheduler.submit(request(0, 10, 40));
  int iterations = 0;
  while (!scheduler.begin().isEmpty()) (void)scheduler.finish(++iterations * 12, 12, latency);
  QCOMPARE(iterations, 10);
  QCOMPARE(scheduler.counts().output_tokens, std::int64_t{40});
}

QTEST_GUILESS_MAIN(TstScheduler)
#include "tst_scheduler.moc"
