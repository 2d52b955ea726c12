// sensitivity: what 10 % more of each resource would buy, sorted.
#include "analysis/sensitivity.h"
#include "commands.h"

#include <fmt/format.h>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

namespace decodescope::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  ScenarioArguments scenario;
  std::string objective = "tpot";
  bool json = false, strict = false;
};

Json asJson(const analysis::Sensitivity& s) {
  Json out = {{"objective", analysis::objectiveId(s.objective)}, {"feasible", s.base.feasible}};
  Json base = Json::object();
  if (s.base.feasible) {
    for (const auto& metric : analysis::headlineMetrics())
      base[std::string(metric.key)] = metric.value(s.base);
  }
  out["base"] = std::move(base);
  out["resources"] = Json::array();
  for (const auto& gain : s.gains) {
    Json ratios = Json::object();
    for (std::size_t i = 0; i < gain.change_ratio.size(); ++i)
      ratios[std::string(analysis::headlineMetrics()[i].key)] = gain.change_ratio[i];
    out["resources"].push_back({{"id", gain.id},
                                {"label", gain.label},
                                {"change", gain.change},
                                {"gain_ratio", analysis::gainOf(gain, s.objective)},
                                {"change_ratio", std::move(ratios)}});
  }
  out["skipped"] = s.skipped;
  return out;
}

std::string percent(double ratio) {
  return std::fabs(ratio) < 5e-5 ? std::string("0") : fmt::format("{:+.2f} %", ratio * 100);
}

std::string asText(const Scenario& scenario, const analysis::Sensitivity& s) {
  if (!s.base.feasible)
    return fmt::format("{}: infeasible\n  {}\n", scenario.name,
                       s.base.violations.empty() ? "" : s.base.violations.front().message);
  std::string out = fmt::format(
      "{}: {:.3f} ms per token, {:.1f} tokens/s per chip\n10 % more of one resource, all else and the plan "
      "as they "
      "are, gives\n\n{:>10} {:>14} {:>10} {:>10}  {}\n",
      scenario.name, s.base.tpot_s * 1e3, s.base.output_tokens_per_s_per_chip, "TPOT", "tok/s/chip",
      "USD/Mtok", "J/token", "of");
  for (const auto& gain : s.gains)
    out += fmt::format("{:>10} {:>14} {:>10} {:>10}  {} ({})\n", percent(gain.change_ratio[0]),
                       percent(gain.change_ratio[1]), percent(gain.change_ratio[2]),
                       percent(gain.change_ratio[3]), gain.label, gain.change);
  if (!s.skipped.empty()) out += "\nLeft out\n";
  for (const std::string& why : s.skipped) out += fmt::format("  {}\n", why);
  return out;
}

ExitCode run(Context& context, const Options& options) {
  const auto objective = analysis::parseObjective(options.objective);
  if (!objective) return context.fail(objective.error());
  const auto catalog = context.catalog();
  if (!catalog) return context.fail(catalog.error());
  const auto scenario = context.scenario(options.scenario.file, options.scenario.overrides);
  if (!scenario) return context.fail(scenario.error());
  const auto found = analysis::sensitivity(*catalog, *scenario, *objective);
  if (!found) return context.fail(found.error());
  std::string text;
  if (options.json) {
    Json out = asJson(*found);
    out["version"] = DECODESCOPE_VERSION;
    out["catalog_hash"] = (*catalog)->hash();
    text = out.dump(2) + "\n";
  } else {
    text = asText(*scenario, *found);
  }
  if (const auto written = writeOutput("", text); !written) return context.fail(written.error());
  return options.strict && !found->base.feasible ? ExitCode::Infeasible : ExitCode::Ok;
}

}  // namespace

Run addSensitivityCommand(CLI::App& command) {
  auto options = std::make_shared<Options>();
  options->scenario.add(command);
  command
      .add_option("--objective", options->objective, "Sort by the gain in tpot, throughput, cost or energy")
      ->check(CLI::IsMember({"tpot", "throughput", "cost", "energy"}));
  command.add_flag("--json", options->json, "Print one JSON object in SI units");
  command.add_flag("--strict", options->strict, "Exit with 3 when the scenario is infeasible");
  return [options](Context& context) { return run(context, *options); };
}

}  // namespace decodescope::cli
