// A new structure: plan search, operation list, topology and link loads.
#include "analysis/parameter_curve.h"
#include "analysis/predict.h"
#include "bench/bench_support.h"

#include <benchmark/benchmark.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <vector>

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

/// The curves under all sliders, automatic plan searched at every point that needs it.
void allSliderCurves(benchmark::State& state) {
  const auto chips = static_cast<int>(state.range(0));
  const Scenario scenario = bench::mixtureOfExperts(chips > 72 ? "nvl576" : "gb200-nvl72", chips);
  std::vector<const ParameterDescriptor*> sliders;
  for (const ParameterDescriptor& row : parameterTable()) {
    if (row.scale != ParameterScale::Choice && row.scale != ParameterScale::Switch) sliders.push_back(&row);
  }
  constexpr int kPoints = 25;
  for (auto _ : state) {
    const auto curves = bench::valueOf(analysis::ParameterCurves::make(bench::catalog(), scenario));
    const std::atomic<bool> never = false;
    tbb::parallel_for(std::size_t{0}, sliders.size(), [&](std::size_t i) {
      benchmark::DoNotOptimize(curves.curve(*sliders[i], kPoints, never).size());
    });
  }
  state.counters["sliders"] = static_cast<double>(sliders.size());
}
BENCHMARK(allSliderCurves)->Arg(72)->Arg(576)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
