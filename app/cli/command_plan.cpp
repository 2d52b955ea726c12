// plan: all legal parallel plans of a scenario, ranked for an objective, each with its reason.
#include "analysis/planner.h"
#include "analysis/prediction_json.h"
#include "analysis/ranking.h"
#include "commands.h"

#include <fmt/format.h>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

namespace decodescope::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  ScenarioArguments scenario;
  std::string objective = "tpot";
  double slo_tpot_ms = 0;
  std::size_t top = 0;
  bool json = false, strict = false;
};
constexpr std::size_t kTopOfText = 20;

double perChipBytes(const Prediction& p) {
  return p.memory.weights_bytes_per_chip + p.memory.activation_bytes_per_chip + p.memory.kv_bytes_per_chip;
}

Json degreesJson(const parallel::Plan& plan) {
  const ParallelDegrees& d = plan.degrees;
  return {{"tp", d.tp},
          {"pp", d.pp},
          {"ep", d.ep},
          {"dp", d.dp},
          {"cp", d.cp},
          {"attention", d.attention == AttentionSharding::Data ? "dp" : "tp"},
          {"replicas", plan.replicas}};
}

Json planJson(const analysis::PlanOutcome& o, std::size_t rank) {
  const Prediction& p = o.prediction;
  Json out = {{"rank", rank},
              {"plan", degreesJson(o.plan)},
              {"name", analysis::planText(o.plan)},
              {"standing", analysis::planStandingId(o.standing)},
              {"reason", o.reason}};
  out["feasible"] = p.feasible;
  if (p.feasible) {
    out["tpot_s"] = p.tpot_s;
    out["ttft_s"] = p.ttft_s;
    out["output_tokens_per_s"] = p.output_tokens_per_s;
    out["output_tokens_per_s_per_chip"] = p.output_tokens_per_s_per_chip;
    out["usd_per_million_output_tokens"] = p.cost.usd_per_million_output_tokens;
    out["joules_per_token"] = p.joules_per_token;
    out["tokens_per_joule"] = p.joules_per_token > 0 ? 1 / p.joules_per_token : 0;
    out["concurrency"] = p.concurrency;
    out["max_concurrency"] = p.max_concurrency;
    out["breakdown_s"] = analysis::breakdownJson(p.breakdown_s);
  } else {
    out["missing_bytes_per_chip"] = o.missing_bytes_per_chip;
  }
  out["memory_bytes_per_chip"] = perChipBytes(p);
  out["usable_bytes_per_chip"] = p.memory.usable_bytes_per_chip;
  out["violations"] = Json::array();
  for (const Violation& v : p.violations) out["violations"].push_back(analysis::violationJson(v));
  return out;
}

Json asJson(const analysis::PlanRanking& ranking, std::size_t top) {
  Json out = {{"objective", analysis::objectiveId(ranking.objective)},
              {"slo_tpot_s", ranking.slo_tpot_ms * 1e-3},
              {"legal_plans", ranking.plans.size()}};
  out["violations"] = Json::array();
  for (const Violation& v : ranking.structural) out["violations"].push_back(analysis::violationJson(v));
  out["plans"] = Json::array();
  for (std::size_t i = 0; i < std::min(top, ranking.plans.size()); ++i)
    out["plans"].push_back(planJson(ranking.plans[i], i + 1));
  return out;
}

std::string planLine(const analysis::PlanOutcome& o, std::size_t rank) {
  const Prediction& p = o.prediction;
  const std::string name = analysis::planText(o.plan);
  if (!p.feasible)
    return fmt::format("{:>4}  {:<38} {:>9} {:>11} {:>9} {:>8} {:>7.1f}  {}\n", rank, name, "-", "-", "-",
                       "-", perChipBytes(p) / 1e9, o.reason);
  return fmt::format("{:>4}  {:<38} {:>9.2f} {:>11.1f} {:>9.3f} {:>8.3f} {:>7.1f}  {}\n", rank, name,
                     p.tpot_s * 1e3, p.output_tokens_per_s_per_chip, p.cost.usd_per_million_output_tokens,
                     p.joules_per_token > 0 ? 1 / p.joules_per_token : 0, perChipBytes(p) / 1e9, o.reason);
}

std::string asText(const Scenario& s, const analysis::PlanRanking& ranking, std::size_t top) {
  std::string out = fmt::format("{}: {} legal plans of {} chips for {}, target {:.4g} ms per token\n\n",
                                s.name, ranking.plans.size(), s.chips,
                                analysis::objectiveId(ranking.objective), ranking.slo_tpot_ms);
  for (const Violation& v : ranking.structural) out += fmt::format("{}: {}; {}\n", v.rule, v.message, v.fix);
  if (ranking.plans.empty()) return out;
  out += fmt::format("{:>4}  {:<38} {:>9} {:>11} {:>9} {:>8} {:>7}  {}\n", "rank", "plan", "ms/token",
                     "tok/s/chip", "USD/Mtok", "tok/J", "GB/chip", "reason");
  for (std::size_t i = 0; i < std::min(top, ranking.plans.size()); ++i)
    out += planLine(ranking.plans[i], i + 1);
  if (top < ranking.plans.size())
    out += fmt::format("      {} more, see --top\n", ranking.plans.size() - top);
  return out;
}

ExitCode run(Context& context, const Options& options) {
  const auto objective = analysis::parseObjective(options.objective);
  if (!objective) return context.fail(objective.error());
  const auto catalog = context.catalog();
  if (!catalog) return context.fail(catalog.error());
  auto scenario = context.scenario(options.scenario.file, options.scenario.overrides);
  if (!scenario) return context.fail(scenario.error());
  if (options.slo_tpot_ms > 0) scenario->workload.slo_tpot_ms = options.slo_tpot_ms;
  const auto ranking = analysis::rankPlansFor(*catalog, *scenario, *objective);
  if (!ranking) return context.fail(ranking.error());
  const std::size_t all = ranking->plans.size();
  std::string text;
  if (options.json) {
    Json out = asJson(*ranking, options.top > 0 ? options.top : all);
    out["version"] = DECODESCOPE_VERSION;
    out["catalog_hash"] = (*catalog)->hash();
    text = out.dump(2) + "\n";
  } else {
    text = asText(*scenario, *ranking, options.top > 0 ? options.top : kTopOfText);
  }
  if (const auto written = writeOutput("", text); !written) return context.fail(written.error());
  const bool none = ranking->plans.empty() || !ranking->plans.front().prediction.feasible;
  return options.strict && none ? ExitCode::Infeasible : ExitCode::Ok;
}

}  // namespace

Run addPlanCommand(CLI::App& command) {
  auto options = std::make_shared<Options>();
  options->scenario.add(command);
  command
      .add_option(
          "--objective", options->objective,
          "What is best: tpot, throughput, cost or energy; the last three among plans within the target")
      ->check(CLI::IsMember({"tpot", "throughput", "cost", "energy"}));
  command
      .add_option("--slo-tpot", options->slo_tpot_ms, "Target of time per token in place of the scenario's")
      ->check(CLI::Range(1e-6, 1e9))
      ->type_name("MS");
  command.add_option("--top", options->top, "Only the first N plans (text: 20 unless stated)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}))
      ->type_name("N");
  command.add_flag("--json", options->json, "Print one JSON object in SI units");
  command.add_flag("--strict", options->strict, "Exit with 3 when no plan fits");
  return [options](Context& context) { return run(context, *options); };
}

}  // namespace decodescope::cli
