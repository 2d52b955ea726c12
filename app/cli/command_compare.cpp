// compare: two scenarios, what differs in them and in their results, and which input brings how much.
#include "analysis/compare.h"
#include "analysis/prediction_json.h"
#include "commands.h"

#include <fmt/format.h>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

namespace decodescope::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string a, b;
  std::vector<std::string> set_a, set_b, set_both;
  bool json = false, strict = false;
};

Json sideJson(const Scenario& s, const Prediction& p) {
  Json out = analysis::predictionJson(p);
  out.erase("scoreboard");
  out.erase("links");  // not computed here
  return {{"name", s.name}, {"prediction", std::move(out)}};
}

double ratioOf(const analysis::ResultDelta& d) {
  return d.a != 0 ? d.b / d.a - 1 : 0;
}

Json asJson(const analysis::Comparison& c, const Scenario& a, const Scenario& b) {
  Json out = {{"a", sideJson(a, c.a)}, {"b", sideJson(b, c.b)}};
  out["inputs"] = Json::array();
  for (const auto& input : c.inputs)
    out["inputs"].push_back({{"path", input.path}, {"a", input.a}, {"b", input.b}});
  out["results"] = Json::array();
  for (const auto& d : c.results)
    out["results"].push_back({{"key", d.metric->key},
                              {"a", d.a},
                              {"b", d.b},
                              {"delta", d.b - d.a},
                              {"delta_ratio", ratioOf(d)},
                              {"higher_is_better", d.metric->higher_is_better},
                              {"verdict", analysis::verdict(*d.metric, d.a, d.b)}});
  Json effects = Json::array();
  for (const auto& effect : c.effects) {
    Json share = Json::object();
    for (std::size_t i = 0; i < effect.share.size(); ++i)
      share[std::string(analysis::headlineMetrics()[i].key)] = effect.share[i];
    effects.push_back({{"paths", effect.paths}, {"share", std::move(share)}});
  }
  out["attribution"] = {{"method", c.exact ? "shapley, all orders" : "shapley, sampled orders"},
                        {"effects", std::move(effects)},
                        {"note", c.note}};
  return out;
}

std::string inputsText(const analysis::Comparison& c) {
  std::string out = "Inputs that differ\n";
  for (const auto& input : c.inputs) out += fmt::format("  {:<34} {} -> {}\n", input.path, input.a, input.b);
  return c.inputs.empty() ? std::string("No input differs\n") : out;
}

std::string resultsText(const analysis::Comparison& c) {
  if (c.results.empty()) return {};
  std::string out = fmt::format("\n{:<58} {:>12} {:>12} {:>12} {:>9}\n", "Results", "A", "B", "B - A", "");
  for (const auto& d : c.results) {
    const double unit = d.metric->to_unit;
    out += fmt::format("{:<58} {:>12.5g} {:>12.5g} {:>+12.4g} {:>+8.1f} %  {}\n",
                       fmt::format("{}, {}", d.metric->label, d.metric->unit), d.a * unit, d.b * unit,
                       (d.b - d.a) * unit, ratioOf(d) * 100, analysis::verdict(*d.metric, d.a, d.b));
  }
  return out;
}

std::string effectsText(const analysis::Comparison& c) {
  if (c.effects.empty()) return {};
  std::string out =
      fmt::format("\nWhat made the difference ({})\n  {:>14} {:>22}  input\n",
                  c.exact ? "mean over all orders of change" : "mean over sampled orders of change",
                  "ms/token", "tokens/s per chip");
  double tpot_s = 0, throughput = 0;
  for (const auto& effect : c.effects) {
    out += fmt::format("  {:>+14.4g} {:>+22.4g}  {}\n", effect.share[0] * 1e3, effect.share[1],
                       fmt::join(effect.paths, " with "));
    tpot_s += effect.share[0];
    throughput += effect.share[1];
  }
  return out + fmt::format("  {:>+14.4g} {:>+22.4g}  together\n", tpot_s * 1e3, throughput);
}

std::string violationsText(const char* side, const Prediction& p) {
  std::string out;
  for (const Violation& v : p.violations)
    out += fmt::format("{} {} {}: {}\n", side, p.feasible ? "breaks" : "cannot run,", v.rule, v.message);
  return out;
}

std::string asText(const analysis::Comparison& c, const Scenario& a, const Scenario& b) {
  std::string out =
      fmt::format("A  {}\nB  {}\n\n", a.name, b.name) + inputsText(c) + resultsText(c) + effectsText(c);
  if (!c.note.empty()) out += "\n" + c.note + "\n";
  const std::string violations = violationsText("A", c.a) + violationsText("B", c.b);
  return violations.empty() ? out : out + "\n" + violations;
}

Expected<Scenario> side(Context& context, const Options& options, const std::string& file,
                        std::vector<std::string> overrides) {
  overrides.insert(overrides.begin(), options.set_both.begin(), options.set_both.end());
  return context.scenario(file, overrides);
}

ExitCode run(Context& context, const Options& options) {
  const auto catalog = context.catalog();
  if (!catalog) return context.fail(catalog.error());
  const auto a = side(context, options, options.a, options.set_a);
  if (!a) return context.fail(a.error());
  const auto b = side(context, options, options.b, options.set_b);
  if (!b) return context.fail(b.error());
  const auto compared = analysis::compare(*catalog, *a, *b);
  if (!compared) return context.fail(compared.error());
  std::string text;
  if (options.json) {
    Json out = asJson(*compared, *a, *b);
    out["version"] = DECODESCOPE_VERSION;
    out["catalog_hash"] = (*catalog)->hash();
    text = out.dump(2) + "\n";
  } else {
    text = asText(*compared, *a, *b);
  }
  if (const auto written = writeOutput("", text); !written) return context.fail(written.error());
  const bool both = compared->a.feasible && compared->b.feasible;
  return options.strict && !both ? ExitCode::Infeasible : ExitCode::Ok;
}

}  // namespace

Run addCompareCommand(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("A", options->a, "Scenario file, id of a shipped scenario, or - for standard input")
      ->required();
  command.add_option("B", options->b, "The scenario to compare it with")->required();
  const auto set = [&](const char* name, std::vector<std::string>& to, const char* help) {
    command.add_option(name, to, help)->allow_extra_args(false)->type_name("PATH=VALUE");
  };
  set("--set", options->set_both, "Override one value on both sides; may be repeated");
  set("--set-a", options->set_a, "Override one value of A");
  set("--set-b", options->set_b, "Override one value of B");
  command.add_flag("--json", options->json, "Print one JSON object in SI units");
  command.add_flag("--strict", options->strict, "Exit with 3 when either scenario is infeasible");
  return [options](Context& context) { return run(context, *options); };
}

}  // namespace decodescope::cli
