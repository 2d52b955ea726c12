// Steady predictions with the plan known: the hot path of sliders, sweeps and maps.
#include "analysis/predict.h"
#include "bench/bench_support.h"

#include <benchmark/benchmark.h>
#include <tbb/parallel_for.h>

namespace {

using namespace decodescope;

void predictOver(benchmark::State& state, Scenario scenario) {
  const auto predictor = bench::valueOf(analysis::Predictor::make(bench::catalog(), scenario));
  Prediction out;
  double context = 1024;
  for (auto _ : state) {
    context = context > 65536 ? 1024 : context * 1.01;
    scenario.workload.context_tokens = context;
    scenario.workload.prompt.mean_tokens = context;
    predictor->predictFast(scenario, out);
    benchmark::DoNotOptimize(out.tpot_s);
  }
  state.SetItemsProcessed(state.iterations());
}

void predictDense(benchmark::State& state) {
  predictOver(state, bench::dense());
}
BENCHMARK(predictDense);

void predictMoeWithPrefill(benchmark::State& state) {
  predictOver(state, bench::mixtureOfExperts("gb200-nvl72", 72));
}
BENCHMARK(predictMoeWithPrefill);

/// A whole 256 x 256 map of context and concurrency on all cores.
void map256(benchmark::State& state) {
  const Scenario base = bench::dense();
  const auto predictor = bench::valueOf(analysis::Predictor::make(bench::catalog(), base));
  std::vector<double> tpot_s(256 * 256);
  for (auto _ : state) {
    tbb::parallel_for(0, 256, [&](int row) {
      Scenario scenario = base;
      Prediction out;
      scenario.workload.concurrency = 1 + row;
      for (int column = 0; column < 256; ++column) {
        scenario.workload.context_tokens = 256.0 * (1 + column);
        predictor->predictFast(scenario, out);
        tpot_s[static_cast<std::size_t>(row * 256 + column)] = out.tpot_s;
      }
    });
    benchmark::DoNotOptimize(tpot_s.data());
  }
  state.SetItemsProcessed(state.iterations() * 256 * 256);
}
BENCHMARK(map256)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
