// trace: iterations laid out operation by operation, as a Chrome trace.
#include "chrome_trace.h"
#include "commands.h"

#include "engine/engine.h"

#include <fmt/format.h>
#include <memory>

namespace decodescope::cli {

namespace {

struct Options {
  ScenarioArguments scenario;
  std::int64_t tokens = 1;
  std::string output;
  bool strict = false;
};

const char* kindText(PhaseKind kind) {
  switch (kind) {
    case PhaseKind::Compute:
      return "compute";
    case PhaseKind::Attention:
      return "attention";
    case PhaseKind::Experts:
      return "experts";
    case PhaseKind::Collective:
      return "collective";
    case PhaseKind::PointToPoint:
      return "point to point";
    case PhaseKind::Host:
      return "host";
    case PhaseKind::Wait:
      return "wait";
  }
  return "";
}

bool usesLinks(PhaseKind kind) {
  return kind == PhaseKind::Collective || kind == PhaseKind::PointToPoint;
}

// Track 0 shows iterations; each stage has one track for its chips and one for its links.
int trackOf(const TimelinePhase& phase) {
  return 1 + 2 * phase.stage + (usesLinks(phase.kind) ? 1 : 0);
}

void nameTracks(ChromeTrace& trace, const IterationTimeline& timeline) {
  trace.nameTrack(0, "Iterations");
  for (int stage = 0; stage < timeline.stages; ++stage) {
    const std::string prefix = timeline.stages > 1 ? fmt::format("Stage {} ", stage + 1) : std::string();
    const std::size_t chips = timeline.stage_chips[static_cast<std::size_t>(stage)].size();
    trace.nameTrack(1 + 2 * stage, fmt::format("{}{} chips", prefix, chips));
    trace.nameTrack(2 + 2 * stage, fmt::format("{}links", prefix));
  }
}

// The timeline holds the iteration at its expected noise; it is stretched to the time that the iteration
// took.
void addIteration(ChromeTrace& trace, const IterationTimeline& timeline, const TokenRecord& record) {
  const double start_s = static_cast<double>(record.start_ns) * 1e-9;
  const double duration_s = static_cast<double>(record.duration_ns) * 1e-9;
  trace.slice(
      0, fmt::format("Token {}", record.token), start_s, duration_s,
      fmt::format(R"({{"sequences":{},"context_tokens":{:.0f},"prefill_tokens":{},"clock_ratio":{:.4f}}})",
                  record.running, record.mean_context_tokens, record.prefill_tokens, record.clock_ratio));
  trace.counter("Sequences decoding", start_s, record.running, "sequences");
  trace.counter("Hottest chip", start_s, record.max_chip_c, "degrees_c");
  trace.counter("Chip power", start_s, record.chip_w, "w");
  trace.counter("Busiest link", start_s, record.peak_link_ratio, "ratio");
  const double stretch = timeline.step_s > 0 ? duration_s / timeline.step_s : 0;
  for (const TimelinePhase& phase : timeline.phases) {
    const std::string arguments =
        phase.layer < 0 ? fmt::format(R"({{"kind":"{}"}})", kindText(phase.kind))
                        : fmt::format(R"({{"kind":"{}","layer":{}}})", kindText(phase.kind), phase.layer);
    trace.slice(trackOf(phase), timeline.operation_names[phase.operation], start_s + phase.start_s * stretch,
                phase.duration_s * stretch, arguments);
  }
}

ExitCode run(Context& context, const Options& options) {
  const auto catalog = context.catalog();
  if (!catalog) return context.fail(catalog.error());
  const auto scenario = context.scenario(options.scenario.file, options.scenario.overrides);
  if (!scenario) return context.fail(scenario.error());
  const auto engine = engine::Engine::make(*catalog, *scenario);
  if (!engine) return context.fail(engine.error());
  ChromeTrace trace;
  trace.nameProcess(scenario->name);
  bool named = false;
  for (std::int64_t done = 0; done < options.tokens && !(*engine)->isHalted(); ++done) {
    std::shared_ptr<const IterationTimeline> timeline;
    // An open loop may have to wait for its first request.
    while (!timeline && !(*engine)->isHalted()) {
      timeline = (*engine)->snapshot(true)->timeline;
      if (!timeline) (*engine)->stepEvent();
    }
    if (!timeline) break;
    if (!named) nameTracks(trace, *timeline);
    named = true;
    (*engine)->advanceTokens(1);
    const std::shared_ptr<const Snapshot> after = (*engine)->snapshot();
    for (const TokenRecord& record : after->recent) addIteration(trace, *timeline, record);
  }
  if (!named) {
    fmt::print(stderr, "decodescope-cli: nothing to trace: {}\n", (*engine)->snapshot()->halt_reason);
    if (options.strict) return ExitCode::Infeasible;
  }
  const std::string text = trace.finish(DECODESCOPE_VERSION, (*catalog)->hash());
  if (const auto written = writeOutput(options.output, text); !written) return context.fail(written.error());
  return ExitCode::Ok;
}

}  // namespace

Run addTraceCommand(CLI::App& command) {
  auto options = std::make_shared<Options>();
  options->scenario.add(command);
  command.add_option("--tokens", options->tokens, "Iterations to lay out")
      ->check(CLI::Range(1, 100000))
      ->required();
  command.add_option("-o,--output", options->output, "File to write, or - for standard output")
      ->type_name("FILE.json");
  command.add_flag("--strict", options->strict, "Exit with 3 when the scenario is infeasible");
  command.footer("Open the file in https://ui.perfetto.dev or chrome://tracing.");
  return [options](Context& context) { return run(context, *options); };
}

}  // namespace decodescope::cli
