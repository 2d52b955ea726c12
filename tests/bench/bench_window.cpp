// The window's speed and memory, on whatever display it finds: start to first live frame, a moved slider to
// its picture, frames with the engine live. DECODESCOPE_BENCH_RENDERER=gl|software chooses the renderer; run
// under Xvfb without a display.
#include <QApplication>
#include <QEventLoop>
#include <QFile>
#include <QStandardPaths>

#include "app/main_window.h"
#include "app/transport_bar.h"
#include "base/app_style.h"
#include "bench/bench_support.h"
#include "engine/engine.h"
#include "rack/rack_page.h"

#include <benchmark/benchmark.h>

namespace {

using namespace decodescope;

views::RendererChoice rendererAsked() {
  const QByteArray asked = qgetenv("DECODESCOPE_BENCH_RENDERER");
  if (asked == "gl") return views::RendererChoice::Gl;
  return asked == "software" ? views::RendererChoice::Software : views::RendererChoice::Auto;
}

double residentMegabytes() {
  QFile statm(QStringLiteral("/proc/self/statm"));
  if (!statm.open(QIODevice::ReadOnly)) return 0;
  constexpr double kPageBytes = 4096;
  return statm.readAll().split(' ').value(1).toDouble() * kPageBytes / 1e6;
}

app::Options optionsFor(const QString& scenario) {
  app::Options options;
  options.scenario = scenario;
  options.theme = QStringLiteral("dark");
  options.renderer = rendererAsked();
  options.size = QSize(1600, 900);
  return options;
}

template <class Done>
void waitFor(Done done) {
  while (!done()) QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 50);
}

QString scenarioOf(std::int64_t chips) {
  return chips > 72 ? QStringLiteral("deepseek-r1-nvl576") : QStringLiteral("deepseek-r1-nvl72");
}

void startToFirstFrame(benchmark::State& state) {
  for (auto _ : state) {
    app::MainWindow window(optionsFor(scenarioOf(state.range(0))));
    window.show();
    window.start();
    waitFor([&] { return window.shown() != nullptr && window.shown()->token > 0; });
    window.rack().canvas().widget()->repaint();
    state.counters["resident_MB"] = residentMegabytes();
  }
}
BENCHMARK(startToFirstFrame)->Arg(72)->Arg(576)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(3);

void sliderToPicture(benchmark::State& state) {
  app::MainWindow window(optionsFor(scenarioOf(state.range(0))));
  window.show();
  window.start();
  waitFor([&] { return window.shown() != nullptr && window.shown()->token > 0; });
  double context = 4096;
  quint64 drag = 1;
  for (auto _ : state) {
    context = context > 60000 ? 4096 : context * 1.02;
    window.document().setParameter(QStringLiteral("workload.context_tokens"), context, drag);
    waitFor([&] { return window.shown()->revision >= window.document().revision(); });
    window.rack().rebuildNow();
    window.rack().canvas().widget()->repaint();
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(sliderToPicture)->Arg(72)->Arg(576)->Unit(benchmark::kMillisecond)->UseRealTime();

/// The rack page alone at 1600 x 900: every frame a new snapshot, a new draw list, a new picture.
void frames(benchmark::State& state) {
  const auto chips = static_cast<int>(state.range(0));
  const auto engine = bench::valueOf(engine::Engine::make(
      bench::catalog(),
      bench::mixtureOfExperts(chips > 72 && chips <= 576 ? "nvl576" : "gb200-nvl72", chips)));
  views::RackPage page(nullptr, rendererAsked());
  page.resize(1600, 900);
  page.show();
  QApplication::processEvents();
  for (auto _ : state) {
    engine->stepToken();
    page.showSnapshot(engine->snapshot());
    page.rebuildNow();
    page.canvas().widget()->repaint();
  }
  state.SetItemsProcessed(state.iterations());
  state.SetLabel(page.rendererDescription().toStdString());
}
BENCHMARK(frames)->Arg(72)->Arg(576)->Arg(10224)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace

int main(int argc, char** argv) {
  QStandardPaths::setTestModeEnabled(true);
  QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
  QCoreApplication::setOrganizationName(QStringLiteral("DecodescopeBench"));
  QApplication application(argc, argv);
  QApplication::setStyle(new views::AppStyle);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
