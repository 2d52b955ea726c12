#include "run_report.h"

#include "analysis/prediction_json.h"
#include "base/csv.h"

#include <fmt/format.h>
#include <algorithm>
#include <nlohmann/json.hpp>

namespace decodescope::cli {

namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t kMostIterations = 200000;

struct Column {
  const char* name;
  double (*value)(const IntervalRecord&);
};

template <class T>
double asDouble(T value) {
  return static_cast<double>(value);
}

constexpr Column kColumns[] = {
    {"start_s", [](const IntervalRecord& r) { return r.start_s; }},
    {"end_s", [](const IntervalRecord& r) { return r.end_s; }},
    {"iterations_count", [](const IntervalRecord& r) { return asDouble(r.iterations); }},
    {"output_tokens", [](const IntervalRecord& r) { return asDouble(r.output_tokens); }},
    {"requests_count", [](const IntervalRecord& r) { return asDouble(r.requests); }},
    {"output_tokens_per_s", [](const IntervalRecord& r) { return r.output_tokens_per_s; }},
    {"step_time_s", [](const IntervalRecord& r) { return r.step_time_s; }},
    {"itl_mean_s", [](const IntervalRecord& r) { return r.itl.mean_s; }},
    {"itl_p50_s", [](const IntervalRecord& r) { return r.itl.p50_s; }},
    {"itl_p99_s", [](const IntervalRecord& r) { return r.itl.p99_s; }},
    {"ttft_mean_s", [](const IntervalRecord& r) { return r.ttft.mean_s; }},
    {"running_count", [](const IntervalRecord& r) { return asDouble(r.serving.running); }},
    {"prefilling_count", [](const IntervalRecord& r) { return asDouble(r.serving.prefilling); }},
    {"waiting_count", [](const IntervalRecord& r) { return asDouble(r.serving.waiting); }},
    {"preempted_count", [](const IntervalRecord& r) { return asDouble(r.serving.preempted); }},
    {"mean_context_tokens", [](const IntervalRecord& r) { return r.mean_context_tokens; }},
    {"kv_used_ratio", [](const IntervalRecord& r) { return r.kv_used_ratio; }},
    {"max_chip_c", [](const IntervalRecord& r) { return r.max_chip_c; }},
    {"mean_chip_c", [](const IntervalRecord& r) { return r.mean_chip_c; }},
    {"chip_w", [](const IntervalRecord& r) { return r.chip_w; }},
    {"clock_ratio", [](const IntervalRecord& r) { return r.clock_ratio; }},
    {"peak_link_ratio", [](const IntervalRecord& r) { return r.peak_link_ratio; }},
};

double meanOf(const std::vector<float>& values) {
  double sum = 0;
  for (const float v : values) sum += static_cast<double>(v);
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double largestOf(const std::vector<float>& values) {
  return values.empty() ? 0 : static_cast<double>(*std::ranges::max_element(values));
}

void addPercentiles(Json& out, const std::string& name, const LatencySummary& latency) {
  out[name + "_p50_s"] = latency.p50_s;
  out[name + "_p95_s"] = latency.p95_s;
  out[name + "_p99_s"] = latency.p99_s;
}

}  // namespace

void IntervalRecorder::record(engine::Engine& engine) {
  const engine::RunSummary now = engine.summary();
  const std::shared_ptr<const Snapshot> snapshot = engine.snapshot();
  for (const TokenRecord& iteration : snapshot->recent) {
    if (iterations_.size() < kMostIterations) iterations_.push_back(iteration);
  }
  const double span_s = now.simulated_s - before_.simulated_s;
  if (span_s <= 0) return;
  IntervalRecord out;
  out.start_s = before_.simulated_s;
  out.end_s = now.simulated_s;
  out.iterations = now.iterations - before_.iterations;
  out.output_tokens = now.output_tokens - before_.output_tokens;
  out.requests = now.requests - before_.requests;
  out.output_tokens_per_s = static_cast<double>(out.output_tokens) / span_s;
  // Means of a part are differences of sums.
  const double after = now.all_iterations, before = before_.all_iterations;
  if (after > before) {
    out.step_time_s = (now.step_time_s * after - before_.step_time_s * before) / (after - before);
    for (std::size_t i = 0; i < kStepPartCount; ++i) {
      out.breakdown_s.part_s[i] =
          (now.breakdown_s.part_s[i] * after - before_.breakdown_s.part_s[i] * before) / (after - before);
    }
  }
  out.itl = snapshot->tpot;
  out.ttft = snapshot->ttft;
  out.serving = snapshot->serving;
  const auto total = static_cast<double>(snapshot->serving.kv_blocks_total);
  out.kv_used_ratio = total > 0 ? static_cast<double>(snapshot->serving.kv_blocks_used) / total : 0;
  out.max_chip_c = largestOf(snapshot->chip_temperature_c);
  out.mean_chip_c = meanOf(snapshot->chip_temperature_c);
  out.chip_w = meanOf(snapshot->chip_power_w);
  if (!snapshot->recent.empty()) {
    const TokenRecord& last = snapshot->recent.back();
    out.mean_context_tokens = static_cast<double>(last.mean_context_tokens);
    out.clock_ratio = static_cast<double>(last.clock_ratio);
    out.peak_link_ratio = static_cast<double>(last.peak_link_ratio);
  }
  records_.push_back(out);
  before_ = now;
}

std::string intervalsCsv(const std::vector<IntervalRecord>& records, const std::string& version,
                         const std::string& hash) {
  std::vector<std::string> cells;
  for (const Column& column : kColumns) cells.emplace_back(column.name);
  for (const std::string_view key : kStepPartKeys) cells.push_back(fmt::format("breakdown_{}_s", key));
  cells.emplace_back("version");
  cells.emplace_back("catalog_hash");
  std::string text;
  csv::appendRecord(text, cells);
  for (const IntervalRecord& record : records) {
    cells.clear();
    for (const Column& column : kColumns) cells.push_back(csv::formatNumber(column.value(record)));
    for (const double part_s : record.breakdown_s.part_s) cells.push_back(csv::formatNumber(part_s));
    cells.push_back(version);
    cells.push_back(hash);
    csv::appendRecord(text, cells);
  }
  return text;
}

Json intervalsJson(const std::vector<IntervalRecord>& records) {
  Json out = Json::array();
  for (const IntervalRecord& record : records) {
    Json row;
    for (const Column& column : kColumns) row[column.name] = column.value(record);
    row["breakdown_s"] = analysis::breakdownJson(record.breakdown_s);
    out.push_back(std::move(row));
  }
  return out;
}

Json summaryJson(const engine::RunSummary& run, const Prediction& measured) {
  Json out = analysis::predictionJson(measured);
  if (!measured.feasible) return out;
  out["output_tokens"] = run.output_tokens;
  out["iterations"] = run.iterations;
  out["requests"] = run.requests;
  out["simulated_s"] = run.simulated_s;
  addPercentiles(out, "tpot", run.tpot);
  addPercentiles(out, "ttft", run.ttft);
  addPercentiles(out, "itl", run.itl);
  addPercentiles(out, "e2e", run.e2e);
  out["energy_j"] = run.energy_j;
  out["heat_out_j"] = run.heat_out_j;
  out["heat_stored_j"] = run.heat_stored_j;
  out["fingerprint"] = run.fingerprint.text();
  return out;
}

std::string summaryText(const Scenario& scenario, const engine::RunSummary& run, const Prediction& p) {
  std::string out = fmt::format("{}: {} on {} chips of {}\n", scenario.name, scenario.model, scenario.chips,
                                scenario.system);
  out += fmt::format("simulated {:.3f} s: {} iterations, {} tokens, {} requests completed\n\n",
                     run.simulated_s, run.iterations, run.output_tokens, run.requests);
  const auto latency = [&out](const char* name, const LatencySummary& l) {
    if (l.count == 0) return;
    out += fmt::format("  {:<6} mean {:>10.3f} ms   p50 {:>10.3f}   p95 {:>10.3f}   p99 {:>10.3f}\n", name,
                       l.mean_s * 1e3, l.p50_s * 1e3, l.p95_s * 1e3, l.p99_s * 1e3);
  };
  latency("TPOT", run.tpot);
  latency("TTFT", run.ttft);
  latency("E2E", run.e2e);
  out += fmt::format("  {:.1f} output tokens/s, {:.2f} per chip; {:.1f} sequences decoding\n",
                     p.output_tokens_per_s, p.output_tokens_per_s_per_chip, p.concurrency);
  out += fmt::format("  step {:.3f} ms, bound by {}\n", p.step_time_s * 1e3, stepPartLabel(p.bound));
  for (std::size_t i = 0; i < kStepPartCount; ++i) {
    if (p.breakdown_s.part_s[i] > 0 || p.breakdown_s.part_s[i] < 0) {
      out += fmt::format("    {:<18} {:>9.4f} ms\n", stepPartLabel(static_cast<StepPart>(i)),
                         p.breakdown_s.part_s[i] * 1e3);
    }
  }
  out +=
      fmt::format("  chip {:.0f} W, hottest {:.1f} C, clock {:.1f} %; rack {:.1f} kW; {:.3f} J per token\n",
                  p.power.chip_w, p.thermal.max_chip_c, p.thermal.clock_ratio * 100, p.power.rack_w / 1e3,
                  p.joules_per_token);
  out += fmt::format("  fingerprint {}\n", run.fingerprint.text());
  return out;
}

}  // namespace decodescope::cli
