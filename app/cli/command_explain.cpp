// explain: how a number came about, as a tree down to catalog values.
#include "analysis/predict.h"
#include "commands.h"

#include <decodescope/derivation_text.h>

#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace decodescope::cli {
namespace {

struct Options {
  ScenarioArguments scenario;
  std::string quantity;
  std::string format = "text";
  int depth = 4;
  bool json = false;
};

/// The JSON object with what made it.
std::string stamped(const std::string& json, const std::string& catalog_hash) {
  auto out = nlohmann::ordered_json::parse(json);
  out["version"] = DECODESCOPE_VERSION;
  out["catalog_hash"] = catalog_hash;
  return out.dump(2) + "\n";
}

ExitCode run(Context& context, const Options& options) {
  const auto catalog = context.catalog();
  if (!catalog) return context.fail(catalog.error());
  const auto scenario = context.scenario(options.scenario.file, options.scenario.overrides);
  if (!scenario) return context.fail(scenario.error());
  const auto predictor = analysis::Predictor::make(*catalog, *scenario);
  if (!predictor) return context.fail(predictor.error());
  const auto tree = (*predictor)->explain((*predictor)->scenario(), options.quantity);
  if (!tree) return context.fail(tree.error());
  const DerivationFormat format =
      options.json ? DerivationFormat::Json : derivationFormatFrom(options.format).value();
  std::string text = derivationText(*tree, format, options.depth);
  if (format == DerivationFormat::Json) text = stamped(text, (*catalog)->hash());
  if (const auto written = writeOutput("", text); !written) return context.fail(written.error());
  return ExitCode::Ok;
}

}  // namespace

Run addExplainCommand(CLI::App& command) {
  auto options = std::make_shared<Options>();
  options->scenario.add(command);
  std::string known;
  for (const std::string_view q : analysis::Predictor::quantities())
    known += (known.empty() ? "" : ", ") + std::string(q);
  command.add_option("QUANTITY", options->quantity, "One of " + known)->required();
  command.add_option("--depth", options->depth, "Levels of the tree to print")->check(CLI::Range(0, 100));
  std::vector<std::string> formats(derivationFormatIds().begin(), derivationFormatIds().end());
  auto* format = command.add_option("--format", options->format, "text, or a tree to paste elsewhere")
                     ->check(CLI::IsMember(std::move(formats)));
  command.add_flag("--json", options->json, "Print one JSON object in SI units; the same as --format json")
      ->excludes(format);
  return [options](Context& context) { return run(context, *options); };
}

}  // namespace decodescope::cli
