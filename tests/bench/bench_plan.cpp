// A new structure: plan search, operation list, topology and link loads.
#include "analysis/predict.h"
#include "bench/bench_support.h"

#include <benchmark/benchmark.h>

namespace {

using namespace decodescope;

void newPlan(benchmark::State& state) {
  const auto chips = static_cast<int>(state.range(0));
  const Scenario scenario =
      bench::mixtureOfExperts(chips > 72 && chips <= 576 ? "nvl576" : "gb200-nvl72", chips);
  for (auto _ : state) {
    const auto predictor = bench::valueOf(analysis::Predictor::make(bench::catalog(), scenario));
    const Prediction prediction = predictor->predict(scenario, {.link_loads = true, .scoreboard = false});
    benchmark::DoNotOptimize(prediction.tpot_s);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(newPlan)->Arg(8)->Arg(72)->Arg(576)->Arg(10224)->Unit(benchmark::kMillisecond);

}  // namespace
