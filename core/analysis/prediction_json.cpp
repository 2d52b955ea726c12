#include "analysis/prediction_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace decodescope::analysis {
namespace {

using Json = nlohmann::ordered_json;

/// JSON has no infinity; what has no finite value is null.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json planJson(const PlanSummary& plan) {
  const ParallelDegrees& d = plan.degrees;
  return {{"tp", d.tp},
          {"pp", d.pp},
          {"ep", d.ep},
          {"dp", d.dp},
          {"cp", d.cp},
          {"attention", d.attention == AttentionSharding::Data ? "dp" : "tp"},
          {"replicas", plan.replicas},
          {"reason", plan.reason}};
}

Json memoryJson(const MemoryAccount& m) {
  return {{"weights_bytes_per_chip", m.weights_bytes_per_chip},
          {"kv_bytes_per_token", m.kv_bytes_per_token},
          {"kv_bytes_per_chip", m.kv_bytes_per_chip},
          {"activation_bytes_per_chip", m.activation_bytes_per_chip},
          {"reserve_bytes_per_chip", m.reserve_bytes_per_chip},
          {"usable_bytes_per_chip", m.usable_bytes_per_chip},
          {"capacity_bytes_per_chip", m.capacity_bytes_per_chip}};
}

Json scoreboardJson(const Scoreboard& b) {
  return {{"tpot_stability_ratio", number(b.tpot_stability_ratio)},
          {"long_context_retention_ratio", number(b.long_context_retention_ratio)},
          {"interconnect_benefit_ratio", number(b.interconnect_benefit_ratio)},
          {"interconnect_cost_ratio", number(b.interconnect_cost_ratio)},
          {"tokens_per_joule", number(b.tokens_per_joule)},
          {"deployability_margin_ratio", number(b.deployability_margin_ratio)},
          {"scale_limited_by", b.scale_limited_by}};
}

void addResults(Json& out, const Prediction& p) {
  out["tpot_s"] = p.tpot_s;
  out["ttft_s"] = p.ttft_s;
  out["step_time_s"] = p.step_time_s;
  out["output_tokens_per_s"] = p.output_tokens_per_s;
  out["output_tokens_per_s_per_chip"] = p.output_tokens_per_s_per_chip;
  out["output_tokens_per_s_per_user"] = p.output_tokens_per_s_per_user;
  out["total_tokens_per_s"] = p.total_tokens_per_s;
  out["concurrency"] = p.concurrency;
  out["max_concurrency"] = p.max_concurrency;
  out["mean_context_tokens"] = p.mean_context_tokens;
  out["breakdown_s"] = breakdownJson(p.breakdown_s);
  out["bound"] = kStepPartKeys[static_cast<std::size_t>(p.bound)];
}

void addMachine(Json& out, const Prediction& p) {
  out["links"] = {{"peak_utilization_ratio", p.links.peak_utilization_ratio},
                  {"peak_link", p.links.peak_link},
                  {"mean_utilization_ratio", p.links.mean_utilization_ratio}};
  out["power"] = {{"chip_w", p.power.chip_w},
                  {"rack_w", p.power.rack_w},
                  {"it_w", p.power.it_w},
                  {"facility_w", p.power.facility_w},
                  {"pue_ratio", p.power.pue_ratio},
                  {"rack_cap_w", p.power.rack_cap_w},
                  {"chip_cap_w", p.power.chip_cap_w}};
  out["joules_per_token"] = p.joules_per_token;
  out["thermal"] = {{"max_chip_c", p.thermal.max_chip_c},
                    {"mean_chip_c", p.thermal.mean_chip_c},
                    {"clock_ratio", p.thermal.clock_ratio},
                    {"limited_by", clockLimitId(p.thermal.limited_by)},
                    {"limit_c", p.thermal.limit_c}};
  out["cost"] = {{"usd_per_hour", p.cost.usd_per_hour},
                 {"usd_per_million_output_tokens", p.cost.usd_per_million_output_tokens},
                 {"interconnect_capex_share", p.cost.interconnect_capex_share}};
  out["triangle"] = {{"compute", p.triangle.compute},
                     {"interconnect", p.triangle.interconnect},
                     {"physical", p.triangle.physical},
                     {"binding", p.triangle.binding},
                     {"interconnect_is", p.triangle.interconnect_is},
                     {"physical_is", p.triangle.physical_is},
                     {"time_share",
                      {{"math", p.triangle_time_share[0]},
                       {"moving_state", p.triangle_time_share[1]},
                       {"physical", p.triangle_time_share[2]}}}};
  out["scoreboard"] = scoreboardJson(p.scoreboard);
  out["deployable"] = p.deployable;
}

}  // namespace

std::string_view clockLimitId(ClockLimit limit) {
  switch (limit) {
    case ClockLimit::None:
      return "none";
    case ClockLimit::Power:
      return "power";
    case ClockLimit::Thermal:
      return "thermal";
  }
  return "none";
}

Json breakdownJson(const StepBreakdown& b) {
  Json out = Json::object();
  for (std::size_t i = 0; i < kStepPartCount; ++i) out[std::string(kStepPartKeys[i])] = b.part_s[i];
  return out;
}

Json violationJson(const Violation& v) {
  Json out = {{"rule", v.rule}, {"value", number(v.value)}, {"limit", number(v.limit)},
              {"unit", v.unit}, {"message", v.message},     {"fix", v.fix}};
  if (!v.fix_path.empty()) {
    out["fix_path"] = v.fix_path;
    out["fix_value"] = v.fix_value;
  }
  return out;
}

Json predictionJson(const Prediction& p) {
  Json out = {{"feasible", p.feasible}};
  Json violations = Json::array();
  for (const Violation& v : p.violations) violations.push_back(violationJson(v));
  out["violations"] = std::move(violations);
  if (p.feasible) addResults(out, p);
  out["plan"] = planJson(p.plan);
  if (p.memory.capacity_bytes_per_chip > 0) out["memory"] = memoryJson(p.memory);
  if (p.feasible) addMachine(out, p);
  out["assumptions"] = p.assumptions;
  return out;
}

}  // namespace decodescope::analysis
