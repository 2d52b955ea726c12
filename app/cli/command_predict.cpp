// predict: one steady operating point, as text for people or JSON for programs.
#include "analysis/predict.h"
#include "analysis/prediction_json.h"
#include "commands.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

namespace decodescope::cli {
namespace {

struct Options {
  ScenarioArguments scenario;
  bool json = false, strict = false;
};

std::string gigabytes(double bytes) {
  return fmt::format("{:.1f} GB", bytes / 1e9);
}

std::string bar(double ratio) {
  constexpr int kWidth = 32;
  const int filled = std::clamp(static_cast<int>(std::lround(ratio * kWidth)), 0, kWidth);
  return std::string(static_cast<std::size_t>(filled), '#');
}

std::string headline(const Scenario& s, const Prediction& p) {
  std::string out = fmt::format("{}: {} on {} chips of {}\n\n", s.name, s.model, s.chips, s.system);
  out += fmt::format("  {:>10.2f} ms    per output token\n", p.tpot_s * 1e3);
  out += fmt::format("  {:>10.1f}       output tokens/s, {:.1f} per chip, {:.1f} per user\n",
                     p.output_tokens_per_s, p.output_tokens_per_s_per_chip, p.output_tokens_per_s_per_user);
  if (p.ttft_s > 0) out += fmt::format("  {:>10.1f} ms    to the first token\n", p.ttft_s * 1e3);
  out += fmt::format(
      "  {:>10.0f}       sequences decoding, {:.0f} fit in memory, {:.0f} tokens of context each\n",
      p.concurrency, p.max_concurrency, p.mean_context_tokens);
  out += fmt::format("  {:>10.2f} USD   per million output tokens, {:.2f} J per token\n\n",
                     p.cost.usd_per_million_output_tokens, p.joules_per_token);
  return out;
}

std::string breakdown(const Prediction& p) {
  std::string out =
      fmt::format("Step of {:.3f} ms, bound by {}\n", p.step_time_s * 1e3, stepPartLabel(p.bound));
  for (std::size_t i = 0; i < kStepPartCount; ++i) {
    const double part = p.breakdown_s.part_s[i];
    if (part == 0) continue;
    out += fmt::format("  {:<18} {:>9.3f} ms {:>6.1f} % {}\n", stepPartLabel(static_cast<StepPart>(i)),
                       part * 1e3, part / p.step_time_s * 100, bar(std::fabs(part) / p.step_time_s));
  }
  return out + "\n";
}

std::string planAndMemory(const Prediction& p) {
  const ParallelDegrees& d = p.plan.degrees;
  std::string out =
      fmt::format("Plan  tp {} pp {} ep {} dp {} cp {}, attention {}, {} replica{}\n", d.tp, d.pp, d.ep, d.dp,
                  d.cp, d.attention == AttentionSharding::Data ? "data-parallel" : "tensor-parallel",
                  p.plan.replicas, p.plan.replicas == 1 ? "" : "s");
  if (!p.plan.reason.empty()) out += fmt::format("  {}\n", p.plan.reason);
  const MemoryAccount& m = p.memory;
  if (m.capacity_bytes_per_chip > 0)
    out += fmt::format(
        "Memory of a chip  weights {}, KV cache {}, activations {}, reserve {}; usable {} of {}\n",
        gigabytes(m.weights_bytes_per_chip), gigabytes(m.kv_bytes_per_chip),
        gigabytes(m.activation_bytes_per_chip), gigabytes(m.reserve_bytes_per_chip),
        gigabytes(m.usable_bytes_per_chip), gigabytes(m.capacity_bytes_per_chip));
  return out;
}

std::string machine(const Prediction& p) {
  std::string out;
  if (!p.links.peak_link.empty())
    out += fmt::format("Links  busiest {} at {:.1f} %, mean {:.1f} %\n", p.links.peak_link,
                       p.links.peak_utilization_ratio * 100, p.links.mean_utilization_ratio * 100);
  out += fmt::format("Power  chip {:.0f} W of {:.0f}, rack {:.1f} kW, facility {:.1f} kW (PUE {:.2f})\n",
                     p.power.chip_w, p.power.chip_cap_w, p.power.rack_w / 1e3, p.power.facility_w / 1e3,
                     p.power.pue_ratio);
  out += fmt::format("Heat  hottest chip {:.1f} C, clock {:.0f} %, limited by {}\n", p.thermal.max_chip_c,
                     p.thermal.clock_ratio * 100, analysis::clockLimitId(p.thermal.limited_by));
  out += fmt::format("Triangle  compute {:.2f}, interconnect {:.2f} ({}), physical {:.2f} ({}): {}\n",
                     p.triangle.compute, p.triangle.interconnect, p.triangle.interconnect_is,
                     p.triangle.physical, p.triangle.physical_is, p.triangle.binding);
  return out;
}

std::string lists(const Prediction& p) {
  std::string out;
  for (const Violation& v : p.violations) {
    out += fmt::format("\nViolation {}: {}\n", v.rule, v.message);
    if (!v.fix.empty())
      out += fmt::format("  Fix: {}{}\n", v.fix,
                         v.fix_path.empty() ? "" : fmt::format(" (--set {}={})", v.fix_path, v.fix_value));
  }
  if (!p.assumptions.empty()) out += "\nAssumed\n";
  for (const std::string& a : p.assumptions) out += fmt::format("  {}\n", a);
  return out;
}

std::string asText(const Scenario& s, const Prediction& p) {
  if (!p.feasible) return fmt::format("{}: infeasible\n\n", s.name) + planAndMemory(p) + lists(p);
  return headline(s, p) + breakdown(p) + planAndMemory(p) + machine(p) + lists(p);
}

ExitCode run(Context& context, const Options& options) {
  const auto catalog = context.catalog();
  if (!catalog) return context.fail(catalog.error());
  const auto scenario = context.scenario(options.scenario.file, options.scenario.overrides);
  if (!scenario) return context.fail(scenario.error());
  const auto prediction = analysis::predict(*catalog, *scenario);
  if (!prediction) return context.fail(prediction.error());
  std::string text;
  if (options.json) {
    nlohmann::ordered_json out = analysis::predictionJson(*prediction);
    out["version"] = DECODESCOPE_VERSION;
    out["catalog_hash"] = (*catalog)->hash();
    text = out.dump(2) + "\n";
  } else {
    text = asText(*scenario, *prediction);
  }
  if (const auto written = writeOutput("", text); !written) return context.fail(written.error());
  return options.strict && !prediction->feasible ? ExitCode::Infeasible : ExitCode::Ok;
}

}  // namespace

Run addPredictCommand(CLI::App& command) {
  auto options = std::make_shared<Options>();
  options->scenario.add(command);
  command.add_flag("--json", options->json, "Print one JSON object in SI units");
  command.add_flag("--strict", options->strict, "Exit with 3 when the scenario is infeasible");
  return [options](Context& context) { return run(context, *options); };
}

}  // namespace decodescope::cli
