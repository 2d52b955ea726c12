// Derivations of the token-speed triangle, the scoreboard and the busiest link.
#include "analysis/explain_quantity.h"
#include "decode/step_impl.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>

namespace decodescope::analysis {
namespace {

using decode::combined;
using decode::leaf;

Derivation partLeaf(const ExplainPoint& e, StepPart part) {
  const std::string key = "breakdown_s." + std::string(kStepPartKeys[static_cast<std::size_t>(part)]);
  return leaf(key, std::string(stepPartLabel(part)), e.numbers.breakdown_s[part], "s", SourceKind::Derived,
              "see " + key);
}

Derivation compute(const ExplainPoint& e) {
  return ratioNode("triangle.compute", "Compute: share of the step in math", "1", partLeaf(e, StepPart::Math),
                   stepTime(e));
}

/// Bytes that a chip moves in the mean iteration over what it could move in that time.
Derivation use(const ExplainPoint& e, const std::string& id, const char* label, double bytes,
               Derivation bandwidth) {
  return combined(id, label, "1", Combine::Quotient, "bytes / (step time x bandwidth)",
                  {leaf(id + "/bytes", "Bytes of one chip and iteration", bytes, "B", SourceKind::Derived,
                        "operation list"),
                   stepTime(e), std::move(bandwidth)});
}

Derivation interconnect(const ExplainPoint& e) {
  const ChipSpec& chip = e.model.context->specs.chip;
  const decode::StepResult& mean = e.settled.loop.step.mean;
  std::vector<Derivation> parts;
  if (chip.memory_bandwidth_bytes_per_s > 0)
    parts.push_back(
        use(e, "triangle.interconnect/hbm", "HBM", mean.hbm_bytes,
            decode::catalogLeaf("hbm_bandwidth", "HBM bandwidth", chip.memory_bandwidth_bytes_per_s, "B/s",
                                chip.name, chip.sources, "memory_bandwidth_bytes_per_s",
                                "chip.memory_bandwidth_gb_per_s")));
  if (chip.scale_up_bytes_per_s > 0)
    parts.push_back(
        use(e, "triangle.interconnect/own", "Own links", mean.wire_bytes,
            decode::catalogLeaf("scale_up_bandwidth", "Scale-up bandwidth", chip.scale_up_bytes_per_s, "B/s",
                                chip.name, chip.sources, "scale_up_bytes_per_s")));
  parts.push_back(leaf("triangle.interconnect/busiest", "Busiest link of the topology",
                       e.numbers.links.peak_utilization_ratio, "1", SourceKind::Derived,
                       "collectives routed over the topology: " + e.numbers.links.peak_link));
  return combined("triangle.interconnect", "Interconnect: moving state", "1", Combine::Max,
                  "largest of HBM and links", std::move(parts));
}

Derivation over(const std::string& id, const char* label, const char* unit, double value, double limit,
                const char* source, const char* path) {
  return ratioNode(id, label, "1",
                   leaf(id + "/value", "Value", value, unit, SourceKind::Derived, "predicted"),
                   leaf(id + "/limit", "Limit", limit, unit, SourceKind::Catalog, source, path));
}

Derivation physicalCorner(const ExplainPoint& e) {
  const std::string id = "triangle.physical";
  const PowerSummary& power = e.numbers.power;
  const double supply = e.model.supply_c(e.scenario), span = e.model.power.throttle_c - supply;
  std::vector<Derivation> parts;
  if (power.chip_cap_w > 0)
    parts.push_back(over(id + "/chip_power", "Chip power", "W", e.settled.chip_w, power.chip_cap_w,
                         "power cap or TDP", "physical.chip_power_cap_w"));
  if (span > 0)
    parts.push_back(over(id + "/heat", "Rise above the supply, of what the chip stands", "K",
                         e.settled.hottest.junction_c - supply, span, "throttling temperature less supply",
                         "physical.supply_c"));
  if (power.rack_cap_w > 0)
    parts.push_back(over(id + "/rack_power", "Rack power", "W", power.rack_w, power.rack_cap_w,
                         "rack power cap", "physical.rack_power_cap_kw"));
  parts.push_back(leaf(id + "/site", "Site limits: one less the smallest margin",
                       1 - e.numbers.scoreboard.deployability_margin_ratio, "1", SourceKind::Derived,
                       "rules of deployability: " + e.numbers.scoreboard.scale_limited_by));
  return combined(id, "Physical: the nearest limit", "1", Combine::Max, "largest of power, heat and site",
                  std::move(parts));
}

Derivation stability(const ExplainPoint& e) {
  const std::string id = "scoreboard.tpot_stability_ratio";
  const SteadyStep& step = e.settled.loop.step;
  const double wait = e.numbers.breakdown_s[StepPart::Wait], time = e.numbers.step_time_s;
  const double noise = 1 + (time > 0 ? 2 * wait / time : 0);
  Derivation late =
      leaf(id + "/late", "Late iterations over usual ones", e.numbers.scoreboard.tpot_stability_ratio / noise,
           "1", SourceKind::Derived,
           fmt::format("{:.3g} ms without and {:.3g} ms with prompt tokens, which {:.0f} % carry",
                       step.plain_s * 1e3, step.carrying_s * 1e3, step.carrying_share * 100),
           "serving.chunk_tokens");
  return productNode(id, "p99 over p50 of the time between tokens", "1",
                     {std::move(late), leaf(id + "/noise", "Spread of the slowest rank", noise, "1",
                                            SourceKind::Assumption, "1 + 2 x wait / step", "jitter")});
}

Derivation retention(const ExplainPoint& e) {
  const std::string id = "scoreboard.long_context_retention_ratio";
  const double ratio = e.numbers.scoreboard.long_context_retention_ratio;
  return ratioNode(id, "Throughput kept at eight times the context", "1",
                   leaf(id + "/long", "Output tokens per second at eight times the context",
                        ratio * e.numbers.output_tokens_per_s, "tokens/s", SourceKind::Derived,
                        "the same plan and load, predicted again", "workload.context_tokens"),
                   throughput(e));
}

Derivation benefit(const ExplainPoint& e) {
  const std::string id = "scoreboard.interconnect_benefit_ratio";
  const double ratio = e.numbers.scoreboard.interconnect_benefit_ratio;
  if (!std::isfinite(ratio))
    return leaf(id, "Speed-up over the next smaller tier", ratio, "1", SourceKind::Derived,
                "the model does not fit inside the next smaller tier");
  return ratioNode(id, "Speed-up over the next smaller tier", "1",
                   leaf(id + "/smaller", "Time per token of the best plan inside the smaller tier",
                        ratio * e.numbers.tpot_s, "s", SourceKind::Derived, "planner"),
                   tpot(e));
}

Derivation interconnectCost(const ExplainPoint& e) {
  const SystemSpec& system = e.model.context->specs.system;
  return decode::catalogLeaf("scoreboard.interconnect_cost_ratio", "Interconnect's share of the capital",
                             e.numbers.scoreboard.interconnect_cost_ratio, "1", system.name, system.sources,
                             "interconnect_capex_share");
}

Derivation tokensPerJoule(const ExplainPoint& e) {
  return ratioNode("scoreboard.tokens_per_joule", "Output tokens per joule of IT energy", "1", throughput(e),
                   itPower(e));
}

Derivation margin(const ExplainPoint& e) {
  return leaf("scoreboard.deployability_margin_ratio", "Smallest margin of the rules of deployability",
              e.numbers.scoreboard.deployability_margin_ratio, "1", SourceKind::Derived,
              "limited by " + e.numbers.scoreboard.scale_limited_by);
}

Derivation busiestLink(const ExplainPoint& e) {
  return leaf(
      "links.peak_utilization_ratio", "Use of the busiest link, averaged over the step",
      e.numbers.links.peak_utilization_ratio, "1", SourceKind::Derived,
      "bytes that all collectives route over " + e.numbers.links.peak_link + " / (capacity x step time)");
}

constexpr std::array<ExplainRow, 10> kRows{{
    {"links.peak_utilization_ratio", busiestLink},
    {"triangle.compute", compute},
    {"triangle.interconnect", interconnect},
    {"triangle.physical", physicalCorner},
    {"scoreboard.tpot_stability_ratio", stability},
    {"scoreboard.long_context_retention_ratio", retention},
    {"scoreboard.interconnect_benefit_ratio", benefit},
    {"scoreboard.interconnect_cost_ratio", interconnectCost},
    {"scoreboard.tokens_per_joule", tokensPerJoule},
    {"scoreboard.deployability_margin_ratio", margin},
}};

}  // namespace

std::span<const ExplainRow> criteriaRows() {
  return kRows;
}

}  // namespace decodescope::analysis
