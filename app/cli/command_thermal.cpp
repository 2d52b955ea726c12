// thermal: the physical model on single cases, by the functions that the engine steps.
#include "base/json_document.h"
#include "commands.h"
#include "physical/cases.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace decodescope::cli {
namespace {

struct Arguments {
  std::string cases, output;
  bool json = false;
};

ExitCode thermal(Context& context, const Arguments& arguments) {
  const auto catalog = context.catalog();
  if (!catalog) return context.fail(catalog.error());
  const auto document = json::parseFile(arguments.cases);
  if (!document) return context.fail(document.error());
  Warnings warnings;
  const auto computed = physical::computeCases(**catalog, *document, arguments.cases, &warnings);
  for (const Error& warning : warnings) fmt::print(stderr, "warning: {}\n", warning.text());
  if (!computed) return context.fail(computed.error());
  const auto written = writeOutput(arguments.output, computed->dump(1) + "\n");
  return written ? ExitCode::Ok : context.fail(written.error());
}

}  // namespace

Run addThermalCommand(CLI::App& command) {
  auto arguments = std::make_shared<Arguments>();
  std::string kinds;
  for (const std::string& kind : physical::caseKinds()) kinds += "\n  " + kind;
  command
      .add_option("CASES", arguments->cases,
                  "JSON file {\"cases\": [{\"id\", \"kind\", \"inputs\"}]}, or - for standard input")
      ->required();
  command.add_option("-o,--output", arguments->output, "Write to this file instead of standard output");
  command.add_flag("--json", arguments->json, "JSON is the only format; accepted like everywhere else");
  command.footer("Kinds of cases:" + kinds);
  return [arguments](Context& context) { return thermal(context, *arguments); };
}

}  // namespace decodescope::cli
