// explain: how a number came about, as a tree down to catalog values.
#include "analysis/predict.h"
#include "commands.h"

#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace decodescope::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  ScenarioArguments scenario;
  std::string quantity;
  int depth = 4;
  bool json = false;
};

const char* combineId(Combine combine) {
  switch (combine) {
    case Combine::Leaf:
      return "leaf";
    case Combine::Sum:
      return "sum";
    case Combine::Product:
      return "product";
    case Combine::Quotient:
      return "quotient";
    case Combine::Max:
      return "max";
    case Combine::Min:
      return "min";
    case Combine::PowerNorm:
      return "power_norm";
    case Combine::Sqrt:
      return "sqrt";
  }
  return "leaf";
}

const char* sourceId(SourceKind kind) {
  switch (kind) {
    case SourceKind::UserSet:
      return "user";
    case SourceKind::Catalog:
      return "catalog";
    case SourceKind::Derived:
      return "derived";
    case SourceKind::Calibrated:
      return "calibrated";
    case SourceKind::Simulated:
      return "simulated";
    case SourceKind::Assumption:
      return "assumption";
  }
  return "derived";
}

Json asJson(const Derivation& d, int depth) {
  Json out = {{"id", d.id},
              {"label", d.label},
              {"value", d.value},
              {"unit", d.unit},
              {"formula", d.formula},
              {"with_numbers", d.with_numbers},
              {"combine", combineId(d.combine)}};
  if (d.combine == Combine::PowerNorm) out["exponent"] = d.exponent;
  if (d.share != 0) out["share"] = d.share;
  out["source_kind"] = sourceId(d.source_kind);
  out["source"] = d.source;
  if (!d.parameter_path.empty()) out["parameter_path"] = d.parameter_path;
  if (depth > 0 && !d.children.empty()) {
    Json children = Json::array();
    for (const Derivation& child : d.children) children.push_back(asJson(child, depth - 1));
    out["children"] = std::move(children);
  }
  return out;
}

void asText(const Derivation& d, int level, int depth, std::string& out) {
  const std::string indent(static_cast<std::size_t>(2 * level), ' ');
  const std::string share = d.share != 0 && level > 0 ? fmt::format("  {:.1f} %", d.share * 100) : "";
  const bool open = depth > 0 && !d.children.empty();
  const std::string value = d.children.empty() ? d.with_numbers : fmt::format("{:.6g} {}", d.value, d.unit);
  out += fmt::format("{}{}: {}{}", indent, d.label, value, share);
  if (open && !d.formula.empty()) out += fmt::format("  = {}", d.formula);
  if (!d.source.empty()) out += fmt::format("  [{}: {}]", sourceId(d.source_kind), d.source);
  if (!d.parameter_path.empty()) out += fmt::format("  (--set {})", d.parameter_path);
  out += "\n";
  if (!open) return;
  for (const Derivation& child : d.children) asText(child, level + 1, depth - 1, out);
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
  std::string text;
  if (options.json) {
    Json out = asJson(*tree, options.depth);
    out["version"] = DECODESCOPE_VERSION;
    out["catalog_hash"] = (*catalog)->hash();
    text = out.dump(2) + "\n";
  } else {
    asText(*tree, 0, options.depth, text);
  }
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
  command.add_flag("--json", options->json, "Print one JSON object in SI units");
  return [options](Context& context) { return run(context, *options); };
}

}  // namespace decodescope::cli
