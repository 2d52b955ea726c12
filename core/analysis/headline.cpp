#include "analysis/headline.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace decodescope::analysis {
namespace {

using P = const Prediction&;

constexpr std::array<HeadlineMetric, 10> kMetrics{{
    {"tpot_s", "Time per output token", "ms", false, [](P p) { return p.tpot_s; }, 1e3},
    {"output_tokens_per_s_per_chip", "Output tokens per second and chip", "tokens/s", true,
     [](P p) { return p.output_tokens_per_s_per_chip; }},
    {"cost.usd_per_million_output_tokens", "Cost of a million output tokens", "USD", false,
     [](P p) { return p.cost.usd_per_million_output_tokens; }},
    {"joules_per_token", "Energy per output token", "J", false, [](P p) { return p.joules_per_token; }},
    {"output_tokens_per_s", "Output tokens per second", "tokens/s", true,
     [](P p) { return p.output_tokens_per_s; }},
    {"output_tokens_per_s_per_user", "Output tokens per second and user", "tokens/s", true,
     [](P p) { return p.output_tokens_per_s_per_user; }},
    {"ttft_s", "Time to the first token", "ms", false, [](P p) { return p.ttft_s; }, 1e3},
    {"output_tokens_per_s_per_mw", "Output tokens per second and facility megawatt", "tokens/s", true,
     [](P p) { return p.power.facility_w > 0 ? p.output_tokens_per_s / (p.power.facility_w * 1e-6) : 0; }},
    {"max_concurrency", "Sequences that fit in memory", "sequences", true,
     [](P p) { return p.max_concurrency; }},
    {"power.rack_w", "Power of a rack", "kW", false, [](P p) { return p.power.rack_w; }, 1e-3},
}};

struct Named {
  std::string_view id;
  Objective objective;
  std::size_t metric;
};
constexpr std::array<Named, 4> kObjectives{{{"tpot", Objective::Tpot, 0},
                                            {"throughput", Objective::Throughput, 1},
                                            {"cost", Objective::Cost, 2},
                                            {"energy", Objective::Energy, 3}}};

const Named& named(Objective objective) {
  return *std::find_if(kObjectives.begin(), kObjectives.end(),
                       [&](const Named& n) { return n.objective == objective; });
}

}  // namespace

std::span<const HeadlineMetric> headlineMetrics() {
  return kMetrics;
}

Expected<Objective> parseObjective(std::string_view id) {
  for (const Named& n : kObjectives) {
    if (n.id == id) return n.objective;
  }
  return Unexpected(Error{ErrorCode::BadInput, "", "--objective", std::string(id), "is no objective",
                          "choose tpot, throughput, cost or energy"});
}

std::string_view objectiveId(Objective objective) {
  return named(objective).id;
}

std::size_t objectiveIndex(Objective objective) {
  return named(objective).metric;
}

const HeadlineMetric& objectiveMetric(Objective objective) {
  return kMetrics[objectiveIndex(objective)];
}

std::string_view verdict(const HeadlineMetric& metric, double before, double after) {
  constexpr double kSame = 0.01;
  if (std::fabs(after - before) <= kSame * std::fabs(before)) return "same";
  return (after > before) == metric.higher_is_better ? "better" : "worse";
}

}  // namespace decodescope::analysis
