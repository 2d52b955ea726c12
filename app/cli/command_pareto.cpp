// pareto: tokens per second and user against tokens per chip, dollar or joule, over plans and concurrencies.
#include "analysis/grid.h"
#include "analysis/pareto.h"
#include "analysis/planner.h"
#include "base/csv.h"
#include "commands.h"

#include <fmt/format.h>
#include <array>
#include <memory>

namespace decodescope::cli {
namespace {

struct Options {
  ScenarioArguments scenario;
  std::string objective = "throughput", concurrency, output;
  bool frontier_only = false;
};

constexpr std::array<const char*, 27> kHeader{"point",
                                              "plan",
                                              "tp",
                                              "pp",
                                              "ep",
                                              "dp",
                                              "cp",
                                              "attention",
                                              "replicas",
                                              "workload.concurrency",
                                              "output_tokens_per_s_per_user",
                                              "output_tokens_per_s_per_chip",
                                              "tpot_s",
                                              "ttft_s",
                                              "output_tokens_per_s",
                                              "usd_per_million_output_tokens",
                                              "joules_per_token",
                                              "max_concurrency",
                                              "bound",
                                              "deployable",
                                              "rules_broken",
                                              "frontier",
                                              "dominated",
                                              "dominated_by",
                                              "why_dominated",
                                              "version",
                                              "catalog_hash"};

std::string brokenRules(const Prediction& p) {
  std::string out;
  for (const Violation& v : p.violations) out += (out.empty() ? "" : ";") + v.rule;
  return out;
}

std::vector<std::string> cells(const analysis::ParetoFront& front, std::size_t i, const std::string& hash) {
  const analysis::ParetoPoint& point = front.points[i];
  const Prediction& p = point.prediction;
  const parallel::Plan& plan = front.plans[point.plan];
  const ParallelDegrees& d = plan.degrees;
  const bool dominated = point.dominated_by != analysis::kNotDominated;
  std::vector<std::string> out{std::to_string(i + 1), analysis::planText(plan)};
  for (const int degree : {d.tp, d.pp, d.ep, d.dp, d.cp}) out.push_back(std::to_string(degree));
  out.emplace_back(d.attention == AttentionSharding::Data ? "dp" : "tp");
  out.push_back(std::to_string(plan.replicas));
  for (const double value :
       {point.concurrency, p.output_tokens_per_s_per_user, p.output_tokens_per_s_per_chip, p.tpot_s, p.ttft_s,
        p.output_tokens_per_s, p.cost.usd_per_million_output_tokens, p.joules_per_token, p.max_concurrency})
    out.push_back(csv::formatNumber(value));
  out.emplace_back(kStepPartKeys[static_cast<std::size_t>(p.bound)]);
  out.emplace_back(p.deployable ? "true" : "false");
  out.push_back(brokenRules(p));
  out.emplace_back(dominated ? "false" : "true");
  out.emplace_back(dominated ? "true" : "false");
  out.push_back(dominated ? std::to_string(point.dominated_by + 1) : "");
  out.push_back(point.why);
  out.emplace_back(DECODESCOPE_VERSION);
  out.push_back(hash);
  return out;
}

std::string table(const analysis::ParetoFront& front, const std::string& hash, bool frontier_only) {
  std::string out;
  csv::appendRecord(out, std::vector<std::string>(kHeader.begin(), kHeader.end()));
  for (std::size_t i = 0; i < front.points.size(); ++i) {
    if (frontier_only && front.points[i].dominated_by != analysis::kNotDominated) continue;
    csv::appendRecord(out, cells(front, i, hash));
  }
  return out;
}

/// Values as of `sweep --vary`: 1:4096:13:log or 1,8,64.
Expected<std::vector<double>> concurrencies(const Scenario& scenario, const std::string& text) {
  if (text.empty()) return std::vector<double>{};
  const std::array axes{"workload.concurrency=" + text};
  const auto grid = analysis::Grid::make(scenario, axes);
  if (!grid) return Unexpected(grid.error());
  std::vector<double> out;
  for (std::uint64_t i = 0; i < grid->size(); ++i) out.push_back(std::get<double>(grid->value(i, 0)));
  return out;
}

void summarise(const analysis::ParetoFront& front) {
  std::size_t on_front = 0;
  for (const analysis::ParetoPoint& p : front.points) on_front += p.dominated_by == analysis::kNotDominated;
  fmt::print(stderr, "{} points of {} plans that fit, of {} legal ones; {} on the frontier\n",
             front.points.size(), front.plans_that_fit, front.plans.size(), on_front);
  for (const Violation& v : front.structural) fmt::print(stderr, "{}: {}; {}\n", v.rule, v.message, v.fix);
}

ExitCode run(Context& context, const Options& options) {
  const auto objective = analysis::parseObjective(options.objective);
  if (!objective) return context.fail(objective.error());
  const auto catalog = context.catalog();
  if (!catalog) return context.fail(catalog.error());
  const auto scenario = context.scenario(options.scenario.file, options.scenario.overrides);
  if (!scenario) return context.fail(scenario.error());
  const auto asked = concurrencies(*scenario, options.concurrency);
  if (!asked) return context.fail(asked.error());
  const auto front = analysis::paretoFront(*catalog, *scenario, *objective, *asked);
  if (!front) return context.fail(front.error());
  const std::string text = table(*front, (*catalog)->hash(), options.frontier_only);
  if (const auto written = writeOutput(options.output, text); !written) return context.fail(written.error());
  summarise(*front);
  return ExitCode::Ok;
}

}  // namespace

Run addParetoCommand(CLI::App& command) {
  auto options = std::make_shared<Options>();
  options->scenario.add(command);
  command
      .add_option("--objective", options->objective,
                  "Against tokens/s per user: throughput (tokens/s per chip), cost (tokens per dollar) or "
                  "energy (tokens per joule)")
      ->check(CLI::IsMember({"throughput", "cost", "energy"}));
  command
      .add_option("--concurrency", options->concurrency,
                  "Sequences to try, from:to:count[:log] or a list (default: doublings up to what fits)")
      ->type_name("VALUES");
  command.add_option("-o,--output", options->output, "CSV file (default: standard output)")
      ->type_name("FILE");
  command.add_flag("--frontier-only", options->frontier_only, "Leave dominated points out");
  return [options](Context& context) { return run(context, *options); };
}

}  // namespace decodescope::cli
