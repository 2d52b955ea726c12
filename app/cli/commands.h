// The subcommands of decodescope-cli. One file per command; one row per command in commands.cpp.
#pragma once

#include "catalog/catalog.h"

#include <decodescope/expected.h>
#include <decodescope/scenario.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace decodescope::cli {

/// Exit codes of the program.
enum class ExitCode : int { Ok = 0, Usage = 1, BadInput = 2, Infeasible = 3, Io = 4, Cancelled = 130 };

/// What a command runs with. Data goes to stdout, progress and messages to stderr.
class Context {
 public:
  /// Loaded on first use.
  [[nodiscard]] Expected<std::shared_ptr<const Catalog>> catalog();
  /// Reads a scenario file ("-" is stdin, or the id of a shipped one) and applies `--set` overrides, warnings
  /// to stderr.
  [[nodiscard]] Expected<Scenario> scenario(const std::string& file, std::span<const std::string> overrides);
  /// Prints the error to stderr and gives its exit code.
  [[nodiscard]] ExitCode fail(const Error&) const;

 private:
  std::shared_ptr<const Catalog> catalog_;
  std::map<std::string, std::string> entries_of_files_;  ///< ids that scenarios name, and their file
};

using Run = std::function<ExitCode(Context&)>;
/// Adds the command's options to `app` and returns what to run when it was chosen.
struct Command {
  const char* name;
  const char* summary;
  Run (*add)(CLI::App& command);
};
[[nodiscard]] std::span<const Command> commands();

/// Adds SCENARIO and --set.
struct ScenarioArguments {
  std::string file;
  std::vector<std::string> overrides;
  void add(CLI::App& command);
};

/// Writes `text` to `file`, or to stdout when it is empty or "-". Replaces the file atomically.
[[nodiscard]] Expected<void> writeOutput(const std::string& file, const std::string& text);

}  // namespace decodescope::cli
