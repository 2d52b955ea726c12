#include "analysis/result_columns.h"

#include "analysis/prediction_json.h"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

namespace decodescope::analysis {
namespace {

using P = const Prediction&;
using Out = std::string&;

template <std::size_t Part>
void appendPart(P p, Out out) {
  appendNumber(out, p.breakdown_s.part_s[Part]);
}

template <std::size_t... Part>
void addBreakdown(std::vector<ResultColumn>& columns, std::index_sequence<Part...>) {
  (columns.push_back(
       {"breakdown_s." + std::string(kStepPartKeys[Part]), ColumnNeeds::Numbers, &appendPart<Part>}),
   ...);
}

void addRates(std::vector<ResultColumn>& columns) {
  constexpr auto kNeeds = ColumnNeeds::Numbers;
  columns.insert(
      columns.end(),
      {{"tpot_s", kNeeds, [](P p, Out o) { appendNumber(o, p.tpot_s); }},
       {"ttft_s", kNeeds, [](P p, Out o) { appendNumber(o, p.ttft_s); }},
       {"step_time_s", kNeeds, [](P p, Out o) { appendNumber(o, p.step_time_s); }},
       {"output_tokens_per_s", kNeeds, [](P p, Out o) { appendNumber(o, p.output_tokens_per_s); }},
       {"output_tokens_per_s_per_chip", kNeeds,
        [](P p, Out o) { appendNumber(o, p.output_tokens_per_s_per_chip); }},
       {"output_tokens_per_s_per_user", kNeeds,
        [](P p, Out o) { appendNumber(o, p.output_tokens_per_s_per_user); }},
       {"total_tokens_per_s", kNeeds, [](P p, Out o) { appendNumber(o, p.total_tokens_per_s); }},
       {"concurrency", kNeeds, [](P p, Out o) { appendNumber(o, p.concurrency); }},
       {"max_concurrency", kNeeds, [](P p, Out o) { appendNumber(o, p.max_concurrency); }},
       {"mean_context_tokens", kNeeds, [](P p, Out o) { appendNumber(o, p.mean_context_tokens); }}});
  addBreakdown(columns, std::make_index_sequence<kStepPartCount>{});
  columns.push_back(
      {"bound", kNeeds, [](P p, Out o) { o += kStepPartKeys[static_cast<std::size_t>(p.bound)]; }});
}

void addPlan(std::vector<ResultColumn>& columns) {
  constexpr auto kNeeds = ColumnNeeds::Numbers;
  columns.insert(
      columns.end(),
      {{"plan.tp", kNeeds, [](P p, Out o) { appendNumber(o, p.plan.degrees.tp); }},
       {"plan.pp", kNeeds, [](P p, Out o) { appendNumber(o, p.plan.degrees.pp); }},
       {"plan.ep", kNeeds, [](P p, Out o) { appendNumber(o, p.plan.degrees.ep); }},
       {"plan.dp", kNeeds, [](P p, Out o) { appendNumber(o, p.plan.degrees.dp); }},
       {"plan.cp", kNeeds, [](P p, Out o) { appendNumber(o, p.plan.degrees.cp); }},
       {"plan.attention", kNeeds,
        [](P p, Out o) { o += p.plan.degrees.attention == AttentionSharding::Data ? "dp" : "tp"; }},
       {"plan.replicas", kNeeds, [](P p, Out o) { appendNumber(o, p.plan.replicas); }}});
}

void addMemory(std::vector<ResultColumn>& columns) {
  constexpr auto kNeeds = ColumnNeeds::Numbers;
  columns.insert(columns.end(), {{"memory.weights_bytes_per_chip", kNeeds,
                                  [](P p, Out o) { appendNumber(o, p.memory.weights_bytes_per_chip); }},
                                 {"memory.kv_bytes_per_token", kNeeds,
                                  [](P p, Out o) { appendNumber(o, p.memory.kv_bytes_per_token); }},
                                 {"memory.kv_bytes_per_chip", kNeeds,
                                  [](P p, Out o) { appendNumber(o, p.memory.kv_bytes_per_chip); }},
                                 {"memory.activation_bytes_per_chip", kNeeds,
                                  [](P p, Out o) { appendNumber(o, p.memory.activation_bytes_per_chip); }},
                                 {"memory.reserve_bytes_per_chip", kNeeds,
                                  [](P p, Out o) { appendNumber(o, p.memory.reserve_bytes_per_chip); }},
                                 {"memory.usable_bytes_per_chip", kNeeds,
                                  [](P p, Out o) { appendNumber(o, p.memory.usable_bytes_per_chip); }},
                                 {"memory.capacity_bytes_per_chip", kNeeds,
                                  [](P p, Out o) { appendNumber(o, p.memory.capacity_bytes_per_chip); }}});
}

void addLinksAndPower(std::vector<ResultColumn>& columns) {
  constexpr auto kLinks = ColumnNeeds::Links, kNeeds = ColumnNeeds::Numbers;
  columns.insert(columns.end(),
                 {{"links.peak_utilization_ratio", kLinks,
                   [](P p, Out o) { appendNumber(o, p.links.peak_utilization_ratio); }},
                  {"links.peak_link", kLinks, [](P p, Out o) { o += p.links.peak_link; }},
                  {"links.mean_utilization_ratio", kLinks,
                   [](P p, Out o) { appendNumber(o, p.links.mean_utilization_ratio); }},
                  {"power.chip_w", kNeeds, [](P p, Out o) { appendNumber(o, p.power.chip_w); }},
                  {"power.rack_w", kNeeds, [](P p, Out o) { appendNumber(o, p.power.rack_w); }},
                  {"power.it_w", kNeeds, [](P p, Out o) { appendNumber(o, p.power.it_w); }},
                  {"power.facility_w", kNeeds, [](P p, Out o) { appendNumber(o, p.power.facility_w); }},
                  {"power.pue_ratio", kNeeds, [](P p, Out o) { appendNumber(o, p.power.pue_ratio); }},
                  {"power.rack_cap_w", kNeeds, [](P p, Out o) { appendNumber(o, p.power.rack_cap_w); }},
                  {"power.chip_cap_w", kNeeds, [](P p, Out o) { appendNumber(o, p.power.chip_cap_w); }},
                  {"joules_per_token", kNeeds, [](P p, Out o) { appendNumber(o, p.joules_per_token); }}});
}

void addHeatAndCost(std::vector<ResultColumn>& columns) {
  constexpr auto kNeeds = ColumnNeeds::Numbers;
  columns.insert(columns.end(),
                 {{"thermal.max_chip_c", kNeeds, [](P p, Out o) { appendNumber(o, p.thermal.max_chip_c); }},
                  {"thermal.mean_chip_c", kNeeds, [](P p, Out o) { appendNumber(o, p.thermal.mean_chip_c); }},
                  {"thermal.clock_ratio", kNeeds, [](P p, Out o) { appendNumber(o, p.thermal.clock_ratio); }},
                  {"thermal.limited_by", kNeeds, [](P p, Out o) { o += clockLimitId(p.thermal.limited_by); }},
                  {"thermal.limit_c", kNeeds, [](P p, Out o) { appendNumber(o, p.thermal.limit_c); }},
                  {"cost.usd_per_hour", kNeeds, [](P p, Out o) { appendNumber(o, p.cost.usd_per_hour); }},
                  {"cost.usd_per_million_output_tokens", kNeeds,
                   [](P p, Out o) { appendNumber(o, p.cost.usd_per_million_output_tokens); }},
                  {"cost.interconnect_capex_share", kNeeds,
                   [](P p, Out o) { appendNumber(o, p.cost.interconnect_capex_share); }}});
}

/// The triangle's corners look at the busiest link and at the site's rules.
void addTriangle(std::vector<ResultColumn>& columns) {
  constexpr auto kLinks = ColumnNeeds::Links;
  columns.insert(
      columns.end(),
      {{"triangle.compute", kLinks, [](P p, Out o) { appendNumber(o, p.triangle.compute); }},
       {"triangle.interconnect", kLinks, [](P p, Out o) { appendNumber(o, p.triangle.interconnect); }},
       {"triangle.physical", kLinks, [](P p, Out o) { appendNumber(o, p.triangle.physical); }},
       {"triangle.binding", kLinks, [](P p, Out o) { o += p.triangle.binding; }},
       {"triangle.interconnect_is", kLinks, [](P p, Out o) { o += p.triangle.interconnect_is; }},
       {"triangle.physical_is", kLinks, [](P p, Out o) { o += p.triangle.physical_is; }},
       {"triangle.time_share.math", kLinks, [](P p, Out o) { appendNumber(o, p.triangle_time_share[0]); }},
       {"triangle.time_share.moving_state", kLinks,
        [](P p, Out o) { appendNumber(o, p.triangle_time_share[1]); }},
       {"triangle.time_share.physical", kLinks,
        [](P p, Out o) { appendNumber(o, p.triangle_time_share[2]); }}});
}

void addScoreboard(std::vector<ResultColumn>& columns) {
  constexpr auto kBoard = ColumnNeeds::Scoreboard;
  columns.insert(
      columns.end(),
      {{"scoreboard.tpot_stability_ratio", kBoard,
        [](P p, Out o) { appendNumber(o, p.scoreboard.tpot_stability_ratio); }},
       {"scoreboard.long_context_retention_ratio", kBoard,
        [](P p, Out o) { appendNumber(o, p.scoreboard.long_context_retention_ratio); }},
       {"scoreboard.interconnect_benefit_ratio", kBoard,
        [](P p, Out o) { appendNumber(o, p.scoreboard.interconnect_benefit_ratio); }},
       {"scoreboard.interconnect_cost_ratio", kBoard,
        [](P p, Out o) { appendNumber(o, p.scoreboard.interconnect_cost_ratio); }},
       {"scoreboard.tokens_per_joule", kBoard,
        [](P p, Out o) { appendNumber(o, p.scoreboard.tokens_per_joule); }},
       {"scoreboard.deployability_margin_ratio", kBoard,
        [](P p, Out o) { appendNumber(o, p.scoreboard.deployability_margin_ratio); }},
       {"scoreboard.scale_limited_by", kBoard, [](P p, Out o) { o += p.scoreboard.scale_limited_by; }},
       {"deployable", ColumnNeeds::Rules, [](P p, Out o) { o += p.deployable ? "true" : "false"; }}});
}

}  // namespace

void appendNumber(std::string& out, double value) {
  if (!std::isfinite(value)) return;
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  out.append(text.data(), end.ptr);
}

std::span<const ResultColumn> resultColumns() {
  static const std::vector<ResultColumn> columns = [] {
    std::vector<ResultColumn> all;
    addRates(all);
    addPlan(all);
    addMemory(all);
    addLinksAndPower(all);
    addHeatAndCost(all);
    addTriangle(all);
    addScoreboard(all);
    return all;
  }();
  return columns;
}

}  // namespace decodescope::analysis
