// topology: builds the graph of a specification or of a scenario's machine; its facts, or the graph in a file
// format.
#include "commands.h"
#include "decode/specs.h"
#include "topology/registry.h"
#include "topology/topology.h"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace decodescope::cli {
namespace {

using topology::ExportFormat;
using topology::Topology;

struct Arguments {
  std::string subject, format, output;
  std::vector<std::string> overrides;
  bool facts = false, json = false;
};

/// A specification has a colon or is the name of a kind; an existing file is a scenario whatever its name.
bool isSpecification(const std::string& subject) {
  std::error_code ignored;
  if (std::filesystem::exists(subject, ignored)) return false;
  const std::string_view kind = std::string_view(subject).substr(0, subject.find_first_of(":@"));
  const auto kinds = topology::builders();
  const bool is_kind =
      std::any_of(kinds.begin(), kinds.end(), [&](const auto& entry) { return entry.kind == kind; });
  return is_kind || subject.find_first_of(":@") != std::string::npos;
}

Expected<Topology> buildSubject(Context& context, const Arguments& arguments) {
  if (isSpecification(arguments.subject)) return topology::buildFromSpec(arguments.subject);
  const auto scenario = context.scenario(arguments.subject, arguments.overrides);
  if (!scenario) return Unexpected(scenario.error());
  const auto catalog = context.catalog();
  if (!catalog) return Unexpected(catalog.error());
  const auto specs = decode::resolveSpecs(**catalog, *scenario);
  if (!specs) return Unexpected(specs.error());
  return topology::buildDeployment(specs->system, specs->chip, scenario->chips, scenario->fabric,
                                   scenario->faults);
}

std::string factsText(const topology::Facts& facts, bool as_json) {
  if (as_json) {
    const nlohmann::ordered_json out{{"vertices", facts.vertices},
                                     {"bundles", facts.bundles},
                                     {"links", facts.links},
                                     {"diameter", facts.diameter},
                                     {"average_distance", facts.average_distance},
                                     {"bisection_bytes_per_s", facts.bisection_bytes_per_s}};
    return out.dump(1) + "\n";
  }
  constexpr double kGbPerByte = 1e-9;
  return fmt::format(
      "vertices          {}\nbundles           {}\nlinks             {}\ndiameter          {} hops\n"
      "average distance  {:.6f} hops\nbisection         {:g} GB/s per direction\n",
      facts.vertices, facts.bundles, facts.links, facts.diameter, facts.average_distance,
      facts.bisection_bytes_per_s * kGbPerByte);
}

ExitCode runTopology(Context& context, const Arguments& arguments) {
  const auto built = buildSubject(context, arguments);
  if (!built) return context.fail(built.error());
  std::string text;
  if (arguments.format == "graphml") {
    text = topology::exportGraph(built->view(), ExportFormat::Graphml);
  } else if (arguments.format == "dot") {
    text = topology::exportGraph(built->view(), ExportFormat::Dot);
  } else if (arguments.format == "json") {
    text = topology::exportGraph(built->view(), ExportFormat::Json);
  } else {
    text = factsText(built->facts(), arguments.json);
  }
  const auto written = writeOutput(arguments.output, text);
  return written ? ExitCode::Ok : context.fail(written.error());
}

}  // namespace

Run addTopologyCommand(CLI::App& command) {
  auto arguments = std::make_shared<Arguments>();
  command
      .add_option("SCENARIO|SPEC", arguments->subject,
                  "Scenario file, or a specification such as torus:4x4x4@90")
      ->required();
  command
      .add_option("--set", arguments->overrides,
                  "Override one value of the scenario, such as chips=8; may be repeated")
      ->type_name("PATH=VALUE");
  auto* facts = command.add_flag("--facts", arguments->facts,
                                 "Print what was counted and measured on the graph (default)");
  command.add_option("--format", arguments->format, "Print the graph itself")
      ->check(CLI::IsMember({"graphml", "dot", "json"}))
      ->excludes(facts);
  command.add_flag("--json", arguments->json, "Facts as one JSON object");
  command.add_option("-o,--output", arguments->output, "Write to this file instead of standard output");
  command.footer(
      "Specifications, with GB/s of one link per direction after @ (50 when left out):\n" +
      topology::specHelp() +
      "Distances count links between chips. Bisection is the smallest maximum flow between balanced halves "
      "that were tried: all of them up to 8 chips, above that blocks, axes, groups and domains.");
  return [arguments](Context& context) { return runTopology(context, *arguments); };
}

}  // namespace decodescope::cli
