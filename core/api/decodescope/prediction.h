// One steady operating point: the results of `predict`, of every slider move and of every sweep point.
#pragma once

#include <decodescope/scenario.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace decodescope {

/// Where the time of a step goes. Sums to the step; Overlap is a credit, zero or negative.
enum class StepPart : std::uint8_t {
  WeightsHbm,
  KvHbm,
  Math,
  Launch,
  Collectives,
  Wait,
  Host,
  Throttle,
  Overlap
};
inline constexpr std::size_t kStepPartCount = 9;
/// Keys of `breakdown_s`.
inline constexpr std::array<std::string_view, kStepPartCount> kStepPartKeys{
    "weights_hbm", "kv_hbm", "math", "launch", "collectives", "wait", "host", "throttle", "overlap"};
[[nodiscard]] std::string_view stepPartLabel(StepPart);

struct StepBreakdown {
  std::array<double, kStepPartCount> part_s{};
  [[nodiscard]] double& operator[](StepPart part) { return part_s[static_cast<std::size_t>(part)]; }
  [[nodiscard]] double operator[](StepPart part) const { return part_s[static_cast<std::size_t>(part)]; }
  [[nodiscard]] double total_s() const {
    double sum = 0;
    for (const double s : part_s) sum += s;
    return sum;
  }
  [[nodiscard]] StepPart largest() const;
};

/// Why a scenario cannot work, or a rule it breaks. `fix` is one change that would mend it, with `fix_path`
/// and `fix_value` as for --set when it is a single parameter.
struct Violation {
  std::string rule;  ///< memory parallel system cooling power heat copper weight tpot ...
  double value = 0, limit = 0;
  std::string unit;
  std::string message;
  std::string fix;
  std::string fix_path;
  std::string fix_value;
};

struct PlanSummary {
  ParallelDegrees degrees;
  int replicas = 1;
  std::string reason;  ///< why the automatic choice fell on it; empty when given
};

struct MemoryAccount {
  double weights_bytes_per_chip = 0;
  double kv_bytes_per_token = 0;  ///< whole model, marginal at the given context
  double kv_bytes_per_chip = 0;   ///< in use at this operating point
  double activation_bytes_per_chip = 0;
  double reserve_bytes_per_chip = 0;
  double capacity_bytes_per_chip = 0;  ///< of the chip
  double usable_bytes_per_chip = 0;    ///< after the serving engine's limit
};

struct LinkSummary {
  double peak_utilization_ratio = 0;  ///< step average of the busiest direction
  std::string peak_link;
  double mean_utilization_ratio = 0;
};

enum class ClockLimit : std::uint8_t { None, Power, Thermal };
struct PowerSummary {
  double chip_w = 0, rack_w = 0, it_w = 0, facility_w = 0;
  double pue_ratio = 1;
  double rack_cap_w = 0;
  double chip_cap_w = 0;
};
struct ThermalSummary {
  double max_chip_c = 0, mean_chip_c = 0, clock_ratio = 1;
  ClockLimit limited_by = ClockLimit::None;
  double limit_c = 0;  ///< where throttling begins
};
struct CostSummary {
  double usd_per_hour = 0;  ///< whole deployment
  double usd_per_million_output_tokens = 0;
  double interconnect_capex_share = 0;
};
struct TrianglePoint {
  double compute = 0, interconnect = 0, physical = 0;
  std::string binding;          ///< compute interconnect physical balanced
  std::string interconnect_is;  ///< "HBM" or "links", physical_is likewise
  std::string physical_is;
};
struct Scoreboard {
  double tpot_stability_ratio = 1;          ///< p99 over p50
  double long_context_retention_ratio = 1;  ///< throughput at 8x the context over throughput now
  double interconnect_benefit_ratio = 1;    ///< speed-up over the best plan inside one smaller tier
  double interconnect_cost_ratio = 0;       ///< the tier's share of capex
  double tokens_per_joule = 0;
  double deployability_margin_ratio = 0;  ///< smallest margin of the rules
  std::string scale_limited_by;
};

struct Prediction {
  bool feasible = false;
  std::vector<Violation> violations;
  double tpot_s = 0, ttft_s = 0, step_time_s = 0;
  double output_tokens_per_s = 0, output_tokens_per_s_per_chip = 0, output_tokens_per_s_per_user = 0;
  double total_tokens_per_s = 0;
  double concurrency = 0;      ///< sequences decoding, over the deployment
  double max_concurrency = 0;  ///< what memory allows
  double mean_context_tokens = 0;
  StepBreakdown breakdown_s;
  StepPart bound = StepPart::Math;
  PlanSummary plan;
  MemoryAccount memory;
  LinkSummary links;
  PowerSummary power;
  double joules_per_token = 0;
  ThermalSummary thermal;
  CostSummary cost;
  TrianglePoint triangle;
  std::array<double, 3> triangle_time_share{};  ///< math, moving state, physical: sums to 1
  Scoreboard scoreboard;
  bool deployable = false;
  std::vector<std::string> assumptions;
};

}  // namespace decodescope
