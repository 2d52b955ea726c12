// Snapshots, catalogs and trees made by hand for the panels.
#pragma once

#include "support/tiny_cluster.h"

#include <decodescope/catalog_listing.h>
#include <decodescope/derivation.h>
#include <decodescope/snapshot.h>

#include <memory>
#include <vector>

namespace decodescope::test {

inline CatalogListing smallListing() {
  CatalogListing listing;
  listing.models = {{"deepseek-v3", "DeepSeek-V3 671B", "61 layers"},
                    {"llama-3.1-70b", "Llama 3.1 70B", "80 layers"}};
  for (int i = 0; i < 9; ++i)
    listing.models.push_back({"model-" + std::to_string(i), "Model number " + std::to_string(i), ""});
  listing.systems = {{"gb200-nvl72", "GB200 NVL72", "72 chips"}, {"hgx-h100", "HGX H100", "8 chips"}};
  listing.chips = {{"gb200", "GB200", ""}, {"h100-sxm", "H100 SXM", ""}};
  listing.engines = {{"vllm", "vLLM", ""}, {"trtllm", "TensorRT-LLM", ""}};
  return listing;
}

inline Prediction readyPrediction() {
  Prediction p;
  p.feasible = p.deployable = true;
  p.tpot_s = 0.0248;
  p.step_time_s = 0.0243;
  p.output_tokens_per_s = 330336;
  p.output_tokens_per_s_per_chip = 4588;
  p.output_tokens_per_s_per_user = 40.3;
  p.concurrency = 8192;
  p.mean_context_tokens = 8192;
  StepBreakdown& b = p.breakdown_s;
  b[StepPart::WeightsHbm] = 0.0026, b[StepPart::KvHbm] = 0.0037, b[StepPart::Math] = 0.0084,
  b[StepPart::Launch] = 0.0025;
  b[StepPart::Collectives] = 0.0052, b[StepPart::Wait] = 0.0016, b[StepPart::Host] = 0.0015,
  b[StepPart::Overlap] = -0.0012;
  p.bound = StepPart::Math;
  p.memory.kv_bytes_per_chip = 33.48e9;
  p.memory.weights_bytes_per_chip = 26.2e9;
  p.memory.capacity_bytes_per_chip = 186e9;
  p.power.it_w = p.power.rack_w = 115100;
  p.power.rack_cap_w = 132000;
  p.power.chip_cap_w = 1200;
  p.joules_per_token = 0.348;
  p.thermal.max_chip_c = 88.1;
  p.thermal.limit_c = 88;
  p.cost.usd_per_hour = 136.08;
  p.cost.usd_per_million_output_tokens = 0.114;
  p.assumptions = {"Prices come from 4 years of depreciation.",
                   "Imbalance follows the published expert load."};
  return p;
}

/// Token records of 20 ms, one in `every` of them `slow_s`.
inline std::vector<TokenRecord> records(std::int64_t from, std::int64_t to, std::int64_t every = 0,
                                        double slow_s = 0.04) {
  std::vector<TokenRecord> out;
  for (std::int64_t token = from; token < to; ++token) {
    TokenRecord r;
    r.token = token;
    const double duration_s = every > 0 && token % every == 0 ? slow_s : 0.020;
    r.duration_ns = static_cast<std::int64_t>(duration_s * 1e9 + 0.5);
    r.start_ns = token * 20'000'000;
    for (std::size_t i = 0; i + 1 < kStepPartCount; ++i)
      r.part_s[i] = static_cast<float>(duration_s * 1.1 / 8);
    r.part_s[kStepPartCount - 1] = static_cast<float>(-duration_s * 0.1);
    out.push_back(r);
  }
  return out;
}

inline std::shared_ptr<Snapshot> readySnapshot() {
  auto s = std::make_shared<Snapshot>();
  auto scenario = std::make_shared<Scenario>();
  scenario->workload.slo_tpot_ms = 30;
  scenario->workload.concurrency = 8192;
  s->scenario = scenario;
  s->topology = nvl72Machine();
  s->prediction = std::make_shared<Prediction>(readyPrediction());
  s->sequence = 1;
  s->token = 1204;
  s->time_ns = 29'860'000'000;
  s->chip_temperature_c.assign(72, 60.0F);
  s->chip_temperature_c[12] = 88.1F;
  s->chip_power_w.assign(72, 1050.0F);
  s->chip_power_w[12] = 1090.0F;
  s->chip_clock_ratio.assign(72, 1.0F);
  s->chip_clock_ratio[12] = 0.944F;
  s->chip_kv_used_ratio.assign(72, 0.42F);
  s->chip_throttle.assign(72, 0);
  s->chip_throttle[12] = static_cast<std::uint8_t>(ThrottleReason::SwThermal);
  s->link_utilization_ratio.assign(2 * s->topology->links.size(), 0.3F);
  s->link_phase_ratio.assign(2 * s->topology->links.size(), 0.6F);
  s->rack_power_w = {115100.0F};
  s->tpot = {0.0250, 0.0248, 0.0264, 0.0291, 1000};
  s->serving.running = 8192;
  s->output_tokens_per_s = 330336;
  s->recent = records(0, 1204, 50);
  s->events = {{EventKind::Preemption, 9'000'000'000, 420, 3, "3 sequences preempted"},
               {EventKind::Arrival, 9'000'000'000, 421, 1, "a request"},
               {EventKind::ThrottleOn, 25'000'000'000, 1002, 2, "2 chips throttle"}};
  return s;
}

inline Derivation leafNode(std::string id, std::string label, double value, SourceKind kind,
                           std::string path = {}) {
  Derivation d;
  d.id = std::move(id);
  d.label = std::move(label);
  d.value = value;
  d.unit = "s";
  d.share = value / 0.0248;
  d.source_kind = kind;
  d.source = "a | source";
  d.parameter_path = std::move(path);
  return d;
}

/// TPOT = step (compute + memory) + throttle, by hand: 24.8 = (8.4 + 15.9) + 0.5 ms.
inline std::shared_ptr<const Derivation> smallTree() {
  auto root = std::make_shared<Derivation>(
      leafNode("tpot_s", "TPOT, time per output token", 0.0248, SourceKind::Simulated));
  root->combine = Combine::Sum;
  root->formula = "step + throttle";
  root->with_numbers = "24.3 ms + 0.5 ms";
  Derivation step = leafNode("step", "Step at nominal clock", 0.0243, SourceKind::Derived);
  step.combine = Combine::Sum;
  step.children = {leafNode("step/math", "Math", 0.0084, SourceKind::Calibrated),
                   leafNode("step/memory", "HBM", 0.0159, SourceKind::UserSet, "workload.context_tokens")};
  root->children = {step, leafNode("throttle", "Throttle slowdown", 0.0005, SourceKind::Derived)};
  return root;
}

}  // namespace decodescope::test
