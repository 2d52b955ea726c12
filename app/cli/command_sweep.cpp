// sweep: predictions on a grid of parameters, streamed as CSV.
#include "commands.h"
#include "sweep_stream.h"

#include "base/csv.h"

#include <fmt/format.h>
#include <tbb/info.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <optional>

namespace decodescope::cli {
namespace {

struct Options {
  ScenarioArguments scenario;
  std::vector<std::string> axes, columns;
  std::string plan, shard = "1/1", output;
  int threads = 0;
  bool progress = false;
};

std::atomic<bool> cancelled{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");
void onInterrupt(int) {
  cancelled.store(true);
}

struct Shard {
  std::uint64_t number = 1, of = 1;
};

Expected<Shard> parseShard(const std::string& text) {
  const std::size_t slash = text.find('/');
  const auto number = csv::parseNumber(text.substr(0, slash));
  const auto of = slash == std::string::npos ? std::nullopt : csv::parseNumber(text.substr(slash + 1));
  const bool whole = number && of && *number == static_cast<double>(static_cast<std::uint64_t>(*number)) &&
                     *of == static_cast<double>(static_cast<std::uint64_t>(*of));
  if (!whole || *number < 1 || *of > 1e6 || *number > *of)
    return Unexpected(Error{ErrorCode::BadInput, "", "--shard", text, "is no shard",
                            "write I/N with I from 1 to N, such as 2/4"});
  return Shard{static_cast<std::uint64_t>(*number), static_cast<std::uint64_t>(*of)};
}

analysis::SweepPlan planOf(const std::string& text) {
  if (text == "fixed") return analysis::SweepPlan::Fixed;
  return text == "best" ? analysis::SweepPlan::Best : analysis::SweepPlan::AsStated;
}

/// The file, or standard output.
class Output {
 public:
  explicit Output(const std::string& name) : name_(name.empty() || name == "-" ? "standard output" : name) {
    const bool standard = name.empty() || name == "-";
    file_ = standard ? stdout : std::fopen(name.c_str(), "wb");
    owned_ = !standard;
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output() {
    if (owned_ && file_ != nullptr) std::fclose(file_);
  }
  [[nodiscard]] std::FILE* get() const { return file_; }
  [[nodiscard]] Error error() const {
    return {ErrorCode::Io,
            name_,
            "",
            "",
            fmt::format("cannot be written: {}", std::strerror(errno)),
            "choose a place that you may write to and that has room"};
  }

 private:
  std::string name_;
  std::FILE* file_ = nullptr;
  bool owned_ = false;
};

ExitCode stream(Context& context, const Options& options, const analysis::Sweep& sweep, Shard shard) {
  const Output output(options.output);
  if (output.get() == nullptr) return context.fail(output.error());
  SweepJob job;
  job.range = analysis::shardRange(sweep.size(), shard.number, shard.of);
  job.threads = options.threads > 0 ? options.threads : tbb::info::default_concurrency();
  job.shows_progress = options.progress || isatty(STDERR_FILENO) != 0;
  if (shard.number == 1) std::fputs(sweep.header().c_str(), output.get());
  cancelled.store(false);
  std::signal(SIGINT, onInterrupt);
  streamSweep(sweep, output.get(), cancelled, job);
  std::signal(SIGINT, SIG_DFL);
  if (job.failed || std::fflush(output.get()) != 0) return context.fail(output.error());
  if (job.written == job.range.size()) return ExitCode::Ok;
  fmt::print(stderr, "decodescope-cli: cancelled: {} of {} points, the first ones, are written\n",
             job.written, job.range.size());
  return ExitCode::Cancelled;
}

ExitCode run(Context& context, const Options& options) {
  const auto shard = parseShard(options.shard);
  if (!shard) return context.fail(shard.error());
  const auto catalog = context.catalog();
  if (!catalog) return context.fail(catalog.error());
  const auto scenario = context.scenario(options.scenario.file, options.scenario.overrides);
  if (!scenario) return context.fail(scenario.error());
  analysis::SweepOptions how;
  how.plan = planOf(options.plan);
  how.columns = options.columns;
  how.version = DECODESCOPE_VERSION;
  const auto sweep = analysis::Sweep::make(*catalog, *scenario, options.axes, std::move(how));
  if (!sweep) return context.fail(sweep.error());
  return stream(context, options, *sweep, *shard);
}

}  // namespace

Run addSweepCommand(CLI::App& command) {
  auto options = std::make_shared<Options>();
  options->scenario.add(command);
  command
      .add_option("--vary", options->axes,
                  "Values of one parameter: path=from:to:count[:log] or path=a,b,c; the first is outermost")
      ->required()
      ->allow_extra_args(false)
      ->type_name("PATH=VALUES");
  command
      .add_option("--plan", options->plan,
                  "fixed: the plan of the scenario at every point; best: the best plan of every point; "
                  "without: as the scenario says, where automatic is the best")
      ->check(CLI::IsMember({"fixed", "best"}));
  command.add_option("--columns", options->columns, "Only these results, such as tpot_s,deployable")
      ->delimiter(',')
      ->type_name("KEY,...");
  command.add_option("--threads", options->threads, "Threads (default: one for each processor)")
      ->check(CLI::Range(1, 1024));
  command.add_option("--shard", options->shard, "Only the I-th of N consecutive parts; I=1 has the header")
      ->type_name("I/N");
  command.add_option("-o,--output", options->output, "CSV file (default: standard output)")
      ->type_name("FILE");
  command.add_flag("--progress", options->progress, "Show rate and time left even when no one watches");
  return [options](Context& context) { return run(context, *options); };
}

}  // namespace decodescope::cli
