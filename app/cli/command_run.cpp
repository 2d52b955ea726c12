// run: the discrete simulation of a scenario.
#include "chrome_trace.h"
#include "commands.h"
#include "run_report.h"

#include "base/csv.h"
#include "engine/engine.h"

#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

namespace decodescope::cli {

namespace {

struct Options {
  ScenarioArguments scenario;
  std::string duration, interval;
  std::int64_t tokens = 0;
  std::string output, trace_output;
  bool json = false, strict = false;
};

volatile std::sig_atomic_t interrupted = 0;
void onInterrupt(int) {
  interrupted = 1;
}

constexpr double kDefaultDuration_s = 60;
constexpr double kRecords = 200;
/// Simulated time between looks at the interrupt flag.
constexpr double kSlice_s = 1;

// "60s", "500ms", "2h", "1.5min"; a bare number is seconds.
std::optional<double> parseDuration_s(const std::string& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789.+eE"), text.size());
  const auto number = csv::parseNumber(text.substr(0, digits));
  if (!number || !(*number > 0)) return {};
  const std::string unit = text.substr(digits);
  constexpr std::pair<const char*, double> kUnits[] = {{"", 1},      {"s", 1},    {"ms", 1e-3}, {"us", 1e-6},
                                                       {"ns", 1e-9}, {"min", 60}, {"m", 60},    {"h", 3600}};
  for (const auto& [name, seconds] : kUnits) {
    if (unit == name) return *number * seconds <= 3.2e7 ? std::optional(*number * seconds) : std::nullopt;
  }
  return {};
}

Error durationError(const char* option, const std::string& text) {
  return {ErrorCode::BadInput,
          "",
          option,
          text,
          "is no duration",
          "such as 60s, 500ms, 1.5min or 2h, at most a year"};
}

void showProgress(double done) {
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r{:3.0f} %", 100 * std::clamp(done, 0.0, 1.0));
}

void endProgress() {
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r     \r");
}

bool goesOn(const engine::Engine& engine) {
  return interrupted == 0 && !engine.isHalted();
}

void playFor(engine::Engine& engine, IntervalRecorder& recorder, double duration_s, double interval_s) {
  const TimeNs end = nanosecondsOf(duration_s), interval = nanosecondsOf(interval_s);
  for (TimeNs due = std::min(interval, end); goesOn(engine); due = std::min(due + interval, end)) {
    while (goesOn(engine) && engine.now() < due)
      engine.advanceUntil(std::min(engine.now() + nanosecondsOf(kSlice_s), due));
    recorder.record(engine);
    showProgress(secondsOf(engine.now()) / duration_s);
    if (due >= end) return;
  }
}

void playTokens(engine::Engine& engine, IntervalRecorder& recorder, std::int64_t tokens,
                std::optional<double> interval_s) {
  const auto part =
      std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(tokens) / kRecords));
  TimeNs due = interval_s ? nanosecondsOf(*interval_s) : 0;
  while (goesOn(engine) && engine.token() < tokens) {
    engine.advanceTokens(std::min(interval_s ? 1 : part, tokens - engine.token()));
    if (engine.now() < due) continue;
    recorder.record(engine);
    if (interval_s) due = engine.now() + nanosecondsOf(*interval_s);
    showProgress(static_cast<double>(engine.token()) / static_cast<double>(tokens));
  }
  recorder.record(engine);
}

std::string traceText(const Scenario& scenario, const IntervalRecorder& recorder, const std::string& hash) {
  ChromeTrace trace;
  trace.nameProcess(scenario.name);
  trace.nameTrack(0, "Iterations");
  for (const TokenRecord& r : recorder.iterations()) {
    const double start_s = secondsOf(r.start_ns);
    trace.slice(0, fmt::format("Token {}", r.token), start_s, secondsOf(r.duration_ns),
                fmt::format(R"({{"sequences":{},"context_tokens":{:.0f},"prefill_tokens":{}}})", r.running,
                            r.mean_context_tokens, r.prefill_tokens));
    trace.counter("Sequences decoding", start_s, static_cast<double>(r.running), "sequences");
    trace.counter("Prompt tokens", start_s, static_cast<double>(r.prefill_tokens), "tokens");
    trace.counter("Hottest chip", start_s, static_cast<double>(r.max_chip_c), "degrees_c");
    trace.counter("Chip power", start_s, static_cast<double>(r.chip_w), "w");
    trace.counter("Clock", start_s, static_cast<double>(r.clock_ratio), "ratio");
  }
  return trace.finish(DECODESCOPE_VERSION, hash);
}

Expected<void> writeFiles(const Options& options, const Scenario& scenario, const IntervalRecorder& recorder,
                          const nlohmann::ordered_json& summary, const std::string& hash) {
  if (!options.trace_output.empty()) {
    if (auto written = writeOutput(options.trace_output, traceText(scenario, recorder, hash)); !written)
      return written;
  }
  if (options.output.empty()) return {};
  if (!options.output.ends_with(".json"))
    return writeOutput(options.output, intervalsCsv(recorder.records(), DECODESCOPE_VERSION, hash));
  nlohmann::ordered_json out = {{"version", DECODESCOPE_VERSION}, {"catalog_hash", hash}};
  out["scenario"] = scenario.name;
  out["summary"] = summary;
  out["intervals"] = intervalsJson(recorder.records());
  return writeOutput(options.output, out.dump(2) + "\n");
}

std::string reasonsText(const Prediction& prediction) {
  std::string out = "infeasible\n";
  for (const Violation& v : prediction.violations) {
    out += fmt::format("  {}: {}{}{}\n", v.rule, v.message, v.fix.empty() ? "" : "; ", v.fix);
  }
  return out;
}

ExitCode run(Context& context, const Options& options) {
  const std::optional<double> duration_s =
      options.duration.empty() ? kDefaultDuration_s : parseDuration_s(options.duration);
  if (!duration_s) return context.fail(durationError("--for", options.duration));
  std::optional<double> interval_s;
  if (!options.interval.empty()) {
    interval_s = parseDuration_s(options.interval);
    if (!interval_s) return context.fail(durationError("--interval", options.interval));
  }
  const auto catalog = context.catalog();
  if (!catalog) return context.fail(catalog.error());
  const auto scenario = context.scenario(options.scenario.file, options.scenario.overrides);
  if (!scenario) return context.fail(scenario.error());
  auto engine = engine::Engine::make(*catalog, *scenario);
  if (!engine) return context.fail(engine.error());

  interrupted = 0;
  std::signal(SIGINT, onInterrupt);
  IntervalRecorder recorder;
  if (options.tokens > 0) {
    playTokens(**engine, recorder, options.tokens, interval_s);
  } else {
    playFor(**engine, recorder, *duration_s, interval_s.value_or(*duration_s / kRecords));
  }
  endProgress();
  std::signal(SIGINT, SIG_DFL);

  const engine::RunSummary summary = (*engine)->summary();
  const Prediction measured = engine::measuredPoint(summary, (*engine)->predictor(), *scenario);
  nlohmann::ordered_json json = summaryJson(summary, measured);
  json["version"] = DECODESCOPE_VERSION;
  json["catalog_hash"] = (*catalog)->hash();
  if (auto written = writeFiles(options, *scenario, recorder, json, (*catalog)->hash()); !written)
    return context.fail(written.error());
  const std::string text = options.json        ? json.dump(2) + "\n"
                           : measured.feasible ? summaryText(*scenario, summary, measured)
                                               : scenario->name + ": " + reasonsText(measured);
  if (const auto written = writeOutput("", text); !written) return context.fail(written.error());
  if (interrupted != 0) {
    fmt::print(stderr,
               "decodescope-cli: cancelled after {:.3f} simulated seconds; what was done is written\n",
               summary.simulated_s);
    return ExitCode::Cancelled;
  }
  if (measured.feasible && (*engine)->isHalted())
    fmt::print(stderr, "note: {}\n", (*engine)->snapshot()->halt_reason);
  return options.strict && !measured.feasible ? ExitCode::Infeasible : ExitCode::Ok;
}

}  // namespace

Run addRunCommand(CLI::App& command) {
  auto options = std::make_shared<Options>();
  options->scenario.add(command);
  auto* duration = command.add_option("--for", options->duration,
                                      "Simulated time, such as 60s, 500ms or 2h (default 60s)");
  auto* tokens =
      command.add_option("--tokens", options->tokens, "Iterations of the first replica instead of a time");
  tokens->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}))->excludes(duration);
  command.add_option("--interval", options->interval,
                     "Simulated time of one record (default a 200th of the run)");
  command
      .add_option("-o,--output", options->output,
                  "Records per interval: CSV, or JSON with the summary by the file's ending")
      ->type_name("FILE");
  command.add_option("--trace-out", options->trace_output, "Iterations as a Chrome trace")->type_name("FILE");
  command.add_flag("--json", options->json, "Print one JSON object in SI units");
  command.add_flag("--strict", options->strict, "Exit with 3 when the scenario is infeasible");
  return [options](Context& context) { return run(context, *options); };
}

}  // namespace decodescope::cli
