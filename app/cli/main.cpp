// decodescope-cli: the engine without a window. See `decodescope-cli --help` and decodescope-cli(1).
#include "commands.h"

#include <fmt/format.h>
#include <exception>
#include <new>

using namespace decodescope;

namespace {

std::string versionText() {
  cli::Context context;
  const auto catalog = context.catalog();
  return fmt::format("decodescope-cli {}, catalog {}", DECODESCOPE_VERSION,
                     catalog ? (*catalog)->hash() : "missing");
}

/// What no check foresaw ends with a message, not with an abort.
int runGuarded(const cli::Run& run, cli::Context& context) {
  try {
    return static_cast<int>(run(context));
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "decodescope-cli: there is not enough memory for this; try fewer chips\n");
  } catch (const std::exception& problem) {
    fmt::print(stderr, "decodescope-cli: this input was not foreseen: {}; please report it\n",
               problem.what());
  }
  return static_cast<int>(cli::ExitCode::BadInput);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Predicts and simulates LLM decoding on a cluster: latency, throughput, links, power, heat and cost.",
      "decodescope-cli"};
  app.require_subcommand(1);
  app.set_version_flag("--version", versionText);
  app.footer(
      "Exit codes: 0 ok, 1 usage, 2 bad input, 3 infeasible (with --strict), 4 input/output, 130 cancelled.");

  std::vector<std::pair<CLI::App*, cli::Run>> runs;
  for (const cli::Command& command : cli::commands()) {
    CLI::App* sub = app.add_subcommand(command.name, command.summary);
    runs.emplace_back(sub, command.add(*sub));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(cli::ExitCode::Usage);
  }
  cli::Context context;
  for (auto& [sub, run] : runs) {
    if (sub->parsed()) return runGuarded(run, context);
  }
  return static_cast<int>(cli::ExitCode::Usage);
}
