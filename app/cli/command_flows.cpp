// flows: finish times of flows on given routes, by the solver that the engine uses.
#include "base/json_document.h"
#include "commands.h"
#include "network/flow_files.h"

namespace decodescope::cli {
namespace {

struct Arguments {
  std::string routes, flows, output;
  double capacity_bytes_per_s = 0;
};

ExitCode runFlows(Context& context, const Arguments& arguments) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 30U;
  const auto routes = json::readText(arguments.routes, kMaxBytes);
  if (!routes) return context.fail(routes.error());
  const auto flows = json::readText(arguments.flows, kMaxBytes);
  if (!flows) return context.fail(flows.error());
  const auto solved = network::solveFlowTables(*routes, arguments.routes, *flows, arguments.flows,
                                               arguments.capacity_bytes_per_s);
  if (!solved) return context.fail(solved.error());
  const auto written = writeOutput(arguments.output, *solved);
  return written ? ExitCode::Ok : context.fail(written.error());
}

}  // namespace

Run addFlowsCommand(CLI::App& command) {
  auto arguments = std::make_shared<Arguments>();
  command.add_option("ROUTES", arguments->routes, "CSV: src, dst, then the names of the links of the path")
      ->required();
  command.add_option("FLOWS", arguments->flows, "CSV with columns phase, src, dst, bytes")->required();
  command.add_option("--capacity", arguments->capacity_bytes_per_s, "Bytes/s of every directed link")
      ->required();
  command.add_option("-o,--output", arguments->output, "Write to this file instead of standard output");
  command.footer(
      "Max-min fair sharing; rates are set anew whenever a flow ends. The flows of a phase start together "
      "when the phase "
      "before has finished. Adds finish_s, counted from the start of the first phase.");
  return [arguments](Context& context) { return runFlows(context, *arguments); };
}

}  // namespace decodescope::cli
