#include "commands.h"

#include "decode/specs.h"
#include "scenario/overrides.h"
#include "scenario/scenario_json.h"
#include "topology/topology.h"

#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace decodescope::cli {

// Defined in command_<name>.cpp.
Run addCatalogCommand(CLI::App& command);
Run addCollectivesCommand(CLI::App& command);
Run addCompareCommand(CLI::App& command);
Run addExplainCommand(CLI::App& command);
Run addFlowsCommand(CLI::App& command);
Run addImportModelCommand(CLI::App& command);
Run addKernelsCommand(CLI::App& command);
Run addParetoCommand(CLI::App& command);
Run addPlanCommand(CLI::App& command);
Run addPredictCommand(CLI::App& command);
Run addRunCommand(CLI::App& command);
Run addSensitivityCommand(CLI::App& command);
Run addSweepCommand(CLI::App& command);
Run addThermalCommand(CLI::App& command);
Run addTopologyCommand(CLI::App& command);
Run addTraceCommand(CLI::App& command);
Run addValidateCommand(CLI::App& command);

namespace {

constexpr Command kCommands[] = {
    {"catalog", "List or show catalog entries with their sources", addCatalogCommand},
    {"collectives", "Predict rows of measured collectives", addCollectivesCommand},
    {"compare", "Compare two scenarios and say what makes the difference", addCompareCommand},
    {"explain", "Show how a quantity comes about", addExplainCommand},
    {"flows", "Solve flows on given routes", addFlowsCommand},
    {"import-model", "Turn a Hugging Face config.json into a catalog entry", addImportModelCommand},
    {"kernels", "Predict rows of measured kernels", addKernelsCommand},
    {"pareto", "Speed of a user against yield of the chips, over plans and batches", addParetoCommand},
    {"plan", "Rank the parallel plans of a scenario", addPlanCommand},
    {"predict", "Predict one steady operating point", addPredictCommand},
    {"run", "Simulate a scenario event by event", addRunCommand},
    {"sensitivity", "What 10 % more of each resource would buy", addSensitivityCommand},
    {"sweep", "Predict a grid of parameters as CSV", addSweepCommand},
    {"thermal", "Compute cases of the physical model", addThermalCommand},
    {"topology", "Build a graph: its facts, or the graph itself", addTopologyCommand},
    {"trace", "Lay iterations out as a Chrome trace", addTraceCommand},
    {"validate", "Compare predictions with measured points", addValidateCommand},
};

}  // namespace

namespace {

/// A value or key of a file may be megabytes long.
std::string shortened(const std::string& text) {
  constexpr std::size_t kMost = 1000, kTail = 200;
  if (text.size() <= kMost) return text;
  return text.substr(0, kMost - kTail) + " ... " + text.substr(text.size() - kTail);
}

void printWarnings(const Warnings& warnings) {
  constexpr std::size_t kMost = 20;
  for (std::size_t i = 0; i < std::min(kMost, warnings.size()); ++i)
    fmt::print(stderr, "warning: {}\n", shortened(warnings[i].text()));
  if (warnings.size() > kMost)
    fmt::print(stderr, "warning: and {} more like these\n", warnings.size() - kMost);
}

/// A fault names a part of the machine: one that there is.
Expected<void> checkFaults(const Catalog& catalog, const Scenario& scenario) {
  const auto specs = decode::resolveSpecs(catalog, scenario);
  if (!specs) return Unexpected(specs.error());
  const auto built = [&](std::span<const Fault> faults) {
    return topology::buildDeployment(specs->system, specs->chip, scenario.chips, scenario.fabric, faults);
  };
  if (!built({})) return {};  // a machine that cannot stand is a result with reasons
  if (const auto broken = built(scenario.faults); !broken) return Unexpected(broken.error());
  return {};
}

}  // namespace

std::span<const Command> commands() {
  return kCommands;
}

void ScenarioArguments::add(CLI::App& command) {
  command.add_option("SCENARIO", file, "Scenario file, id of a shipped scenario, or - for standard input")
      ->required();
  command
      .add_option("--set", overrides, "Override one value, such as workload.concurrency=64; may be repeated")
      ->type_name("PATH=VALUE");
}

Expected<std::shared_ptr<const Catalog>> Context::catalog() {
  if (!catalog_) {
    Warnings warnings;
    auto loaded = Catalog::load(Catalog::defaultFolders(), &warnings);
    printWarnings(warnings);
    if (!loaded) return Unexpected(loaded.error());
    catalog_ = *std::move(loaded);
  }
  return catalog_;
}

Expected<Scenario> Context::scenario(const std::string& file, std::span<const std::string> overrides) {
  Warnings warnings;
  auto scenario = scenario::loadScenario(file, &warnings);
  printWarnings(warnings);
  for (const std::string& assignment : overrides) {
    if (!scenario) break;
    scenario = scenario::applySet(*scenario, assignment);
  }
  if (!scenario) return scenario;
  entries_of_files_[scenario->model] = entries_of_files_[scenario->system] =
      entries_of_files_[scenario->serving.engine] = overrides.empty() ? file : "";
  if (scenario->faults.empty()) return scenario;
  const auto known = catalog();
  if (!known) return Unexpected(known.error());
  if (const auto checked = checkFaults(**known, *scenario); !checked) return Unexpected(checked.error());
  return scenario;
}

ExitCode Context::fail(const Error& error) const {
  Error located = error;
  // The catalog does not know who named an entry that it lacks.
  const auto named = entries_of_files_.find(error.value);
  if (error.code == ErrorCode::NotFound && error.file.empty() && named != entries_of_files_.end())
    located.file = named->second == "-" ? "standard input" : named->second;
  fmt::print(stderr, "decodescope-cli: {}\n", shortened(located.text()));
  switch (error.code) {
    case ErrorCode::Io:
      return ExitCode::Io;
    case ErrorCode::Cancelled:
      return ExitCode::Cancelled;
    case ErrorCode::BadInput:
    case ErrorCode::NotFound:
    case ErrorCode::TooNew:
      return ExitCode::BadInput;
  }
  return ExitCode::BadInput;
}

namespace {

Expected<void> writeInPlace(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (out) return {};
  return Unexpected(
      Error{ErrorCode::Io, file, "", "", "cannot be written", "choose a file you may write to"});
}

}  // namespace

Expected<void> writeOutput(const std::string& file, const std::string& text) {
  if (file.empty() || file == "-") {
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (std::fflush(stdout) == 0) return {};
    return Unexpected(
        Error{ErrorCode::Io, "standard output", "", "", "cannot be written", "is the pipe still open?"});
  }
  std::error_code ignored;
  // A device or a pipe is written, never replaced; a link's target is, not the link.
  if (std::filesystem::exists(file, ignored) && std::filesystem::is_other(file, ignored))
    return writeInPlace(file, text);
  const std::filesystem::path resolved = std::filesystem::weakly_canonical(file, ignored);
  const std::string target = resolved.empty() ? file : resolved.string();
  // Write beside, then rename: a reader never sees half a file.
  const std::string temporary = fmt::format("{}.{}.tmp", target, getpid());
  {
    std::ofstream out(temporary, std::ios::binary);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (!out) {
      std::filesystem::remove(temporary, ignored);
      return Unexpected(
          Error{ErrorCode::Io, file, "", "", "cannot be written", "choose a folder you may write to"});
    }
  }
  std::error_code failure;
  std::filesystem::rename(temporary, target, failure);
  if (failure) {
    std::filesystem::remove(temporary, ignored);
    return Unexpected(Error{ErrorCode::Io, file, "", "", "cannot be replaced: " + failure.message(),
                            "choose another name"});
  }
  return {};
}

}  // namespace decodescope::cli
