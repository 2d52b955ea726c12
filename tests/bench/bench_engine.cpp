// The discrete engine: iterations and tokens per second of one core, and the price of a snapshot.
#include "bench/bench_support.h"
#include "engine/engine.h"

#include <benchmark/benchmark.h>

namespace {

using namespace decodescope;

void iterations(benchmark::State& state) {
  Scenario scenario = bench::mixtureOfExperts("gb200-nvl72", 72);
  scenario.workload.concurrency = 256;
  const auto engine = bench::valueOf(engine::Engine::make(bench::catalog(), scenario));
  constexpr std::int64_t kBatch = 1000;
  for (auto _ : state) engine->advanceTokens(kBatch);
  state.SetItemsProcessed(state.iterations() * kBatch);
  const auto summary = engine->summary();
  state.counters["tokens/s"] =
      benchmark::Counter(static_cast<double>(summary.output_tokens), benchmark::Counter::kIsRate);
}
BENCHMARK(iterations)->Unit(benchmark::kMillisecond);

void snapshots(benchmark::State& state) {
  const auto chips = static_cast<int>(state.range(0));
  const auto engine = bench::valueOf(engine::Engine::make(
      bench::catalog(), bench::mixtureOfExperts(chips > 72 ? "nvl576" : "gb200-nvl72", chips)));
  for (auto _ : state) {
    engine->stepToken();
    benchmark::DoNotOptimize(engine->snapshot().get());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(snapshots)->Arg(72)->Arg(576)->Unit(benchmark::kMicrosecond);

/// From a moved slider to the next snapshot, without the drawing.
void contextEdit(benchmark::State& state) {
  Scenario scenario = bench::mixtureOfExperts("nvl576", 576);
  const auto engine = bench::valueOf(engine::Engine::make(bench::catalog(), scenario));
  std::uint64_t revision = 0;
  for (auto _ : state) {
    scenario.workload.prompt.mean_tokens = 4096 + 64 * static_cast<double>(revision % 512);
    if (auto changed = engine->setScenario(scenario, ++revision); !changed)
      state.SkipWithError("not accepted");
    benchmark::DoNotOptimize(engine->snapshot().get());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(contextEdit)->Unit(benchmark::kMillisecond);

}  // namespace
