#include "analysis/predict.h"

#include "analysis/planner.h"
#include "analysis/predictor_impl.h"
#include "decode/step_impl.h"
#include "model/arithmetic.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace decodescope::analysis {
namespace {

double wholeRequest_tokens(const Predictor::Impl& m, const Scenario& s) {
  const MeanLengths lengths = m.lengthsOf(s);
  return s.workload.mode == WorkloadMode::Static ? s.workload.context_tokens
                                                 : lengths.prompt_tokens + lengths.output_tokens;
}

/// Chips, a power of two times what is asked for, at which sharded weights would fit.
int chipsThatFit(const Predictor::Impl& m) {
  const decode::MemoryPlan& memory = m.step->memory();
  const double all_bytes = memory.weights_bytes_per_chip * m.step->plan().chipsPerReplica();
  const double room = std::max(1.0, memory.usable_bytes_per_chip - memory.activation_bytes_per_chip);
  int chips = std::max(1, m.resolved.chips);
  while (chips < 1000000 && all_bytes / chips > 0.9 * room) chips *= 2;
  return chips == m.resolved.chips ? chips * 2 : chips;
}

void fillMemory(const Predictor::Impl& m, const SettledPoint& p, Prediction& out) {
  const decode::MemoryPlan& memory = m.step->memory();
  const double context = p.loop.mix.context_tokens;
  MemoryAccount& a = out.memory;
  a.weights_bytes_per_chip = memory.weights_bytes_per_chip;
  a.kv_bytes_per_token = model::kvBytesPerTokenMarginal(m.step->model(), memory.kv_dtype, context);
  const double groups = m.step->plan().attentionGroups();
  a.kv_bytes_per_chip = p.loop.mix.in_flight / groups * memory.kv_bytes_per_sequence_per_chip(context);
  a.activation_bytes_per_chip = memory.activation_bytes_per_chip;
  a.reserve_bytes_per_chip = memory.reserve_bytes_per_chip;
  a.capacity_bytes_per_chip = memory.capacity_bytes_per_chip;
  a.usable_bytes_per_chip = memory.usable_bytes_per_chip;
}

/// Chip power averaged over the deployment: replicas without requests idle.
double meanChip_w(const Predictor::Impl& m, const SettledPoint& p) {
  const double busy = p.loop.admission.busy_replicas / m.step->plan().replicas;
  return busy * p.chip_w + (1 - busy) * physical::idlePower_w(m.power, p.mean_chip_c, true);
}

void fillPower(const Predictor::Impl& m, const Scenario& s, const SettledPoint& p, Prediction& out) {
  out.power.chip_w = meanChip_w(m, p);
  out.power.rack_w = p.rack.total_w();
  out.power.it_w = p.facility.it_w;
  out.power.facility_w = p.facility.total_w();
  out.power.pue_ratio = p.facility.pue_ratio();
  out.power.rack_cap_w = m.rackCap_w(s);
  out.power.chip_cap_w = m.limits(s).power_cap_w;
  out.joules_per_token = out.output_tokens_per_s > 0 ? p.facility.it_w / out.output_tokens_per_s : 0;
  out.thermal.max_chip_c = p.hottest.junction_c;
  out.thermal.mean_chip_c = p.mean_chip_c;
  out.thermal.clock_ratio = p.hottest.clock_ratio;
  out.thermal.limited_by = p.hottest.limited_by;
  out.thermal.limit_c = m.power.throttle_c;
  out.cost.usd_per_hour = p.cost.usd_per_chip_hour * m.resolved.chips;
  out.cost.usd_per_million_output_tokens =
      out.output_tokens_per_s > 0
          ? physical::usdPerMillionTokens(p.cost.usd_per_chip_hour, out.output_tokens_per_s_per_chip,
                                          s.economics.utilization)
          : 0;
  out.cost.interconnect_capex_share = p.cost.interconnect_capex_share;
}

/// Loads every link of the machine and finds the busiest.
double fillLinks(const Predictor& predictor, const Predictor::Impl& m, const SettledPoint& p,
                 Prediction& out) {
  const auto& topology = predictor.topology();
  if (!topology) return 0;
  const TopologyView& view = topology->view();
  std::vector<double> bytes(2 * view.links.size(), 0.0), one(2 * view.links.size(), 0.0);
  for (const auto& kind : p.loop.mix.kinds) {
    if (!(kind.share > 0)) continue;
    std::fill(one.begin(), one.end(), 0.0);
    m.step->addLinkBytes(kind.input, view, one);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] += kind.share * one[i];
  }
  double sum = 0, peak = 0;
  std::size_t busiest = 0, counted = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const double capacity = view.links[i / 2].capacity_bytes_per_s;
    if (!(capacity > 0)) continue;
    const double ratio = bytes[i] / (capacity * p.loop.step.mean.step_s);
    sum += ratio;
    ++counted;
    if (ratio > peak) {
      peak = ratio;
      busiest = i / 2;
    }
  }
  out.links.peak_utilization_ratio = peak;
  out.links.mean_utilization_ratio = counted > 0 ? sum / static_cast<double>(counted) : 0;
  if (peak > 0) out.links.peak_link = linkLabel(view, LinkId{static_cast<std::uint32_t>(busiest)});
  return peak;
}

void addServiceViolations(const Scenario& s, const SettledPoint& p, Prediction& out) {
  if (p.overload_ratio >= 1) {
    Violation v;
    v.rule = "load";
    v.value = p.overload_ratio;
    v.limit = 1;
    v.unit = "ratio";
    v.message = fmt::format("Requests arrive {:.2f} times as fast as the deployment can finish them",
                            p.overload_ratio);
    v.fix = "Fewer arrivals, or more chips";
    v.fix_path = "workload.arrivals_per_s";
    v.fix_value = fmt::format("{:.3g}", s.workload.arrivals_per_s / p.overload_ratio * 0.9);
    out.violations.push_back(std::move(v));
  }
  if (s.workload.slo_tpot_ms > 0 && out.tpot_s * 1e3 > s.workload.slo_tpot_ms) {
    Violation v;
    v.rule = "tpot";
    v.value = out.tpot_s * 1e3;
    v.limit = s.workload.slo_tpot_ms;
    v.unit = "ms";
    v.message = fmt::format("A token takes {:.1f} ms, the target is {:.1f} ms", v.value, v.limit);
    v.fix = "Fewer concurrent sequences";
    v.fix_path = "workload.concurrency";
    v.fix_value = fmt::format("{:.0f}", std::max(1.0, std::floor(s.workload.concurrency / 2)));
    out.violations.push_back(std::move(v));
  }
}

void addNotes(const SettledPoint& p, Prediction& out) {
  if (p.loop.admission.wanted > p.loop.admission.fits)
    out.assumptions.push_back(
        fmt::format("{:.0f} sequences fit in memory; the other {:.0f} wait in the queue",
                    p.loop.admission.fits, p.loop.admission.wanted - p.loop.admission.fits));
  if (p.hottest.runaway)
    out.assumptions.emplace_back("No steady temperature exists at this cooling: leakage outgrows it");
}

}  // namespace

bool fitsMemory(const Predictor::Impl& m, const Scenario& s) {
  return m.step && m.step->memory().maxSequencesPerGroup(wholeRequest_tokens(m, s)) >= 1;
}

Violation memoryViolation(const Predictor::Impl& m, const Scenario& s) {
  const decode::MemoryPlan& memory = m.step->memory();
  Violation v;
  v.rule = "memory";
  v.unit = "bytes";
  v.limit = memory.usable_bytes_per_chip;
  const double fixed = memory.weights_bytes_per_chip + memory.activation_bytes_per_chip;
  if (fixed >= memory.usable_bytes_per_chip) {
    v.value = fixed;
    v.message = fmt::format(
        "Weights and activations need {:.1f} GB on each chip under {}, of which {:.1f} GB are usable",
        fixed / 1e9, planText(m.step->plan()), memory.usable_bytes_per_chip / 1e9);
  } else {
    const double tokens = wholeRequest_tokens(m, s);
    v.value = fixed + memory.kv_bytes_per_sequence_per_chip(tokens);
    v.message = fmt::format(
        "One sequence of {:.0f} tokens needs {:.1f} GB of KV cache on each chip, and {:.1f} GB are left "
        "beside the weights",
        tokens, memory.kv_bytes_per_sequence_per_chip(tokens) / 1e9,
        (memory.usable_bytes_per_chip - fixed) / 1e9);
  }
  const int chips = chipsThatFit(m);
  v.fix = m.resolved.parallel ? "Shard further, or use fewer bytes per weight"
                              : fmt::format("Use {} chips", chips);
  v.fix_path = m.resolved.parallel ? "parallel" : "chips";
  v.fix_value = m.resolved.parallel ? "auto" : std::to_string(chips);
  return v;
}

void fillNumbers(const Predictor::Impl& m, const Scenario& s, const SettledPoint& p, Prediction& out) {
  const ClosedLoop& loop = p.loop;
  out.feasible = true;
  out.tpot_s = loop.tpot_s;
  out.ttft_s = loop.ttft_s;
  out.step_time_s = loop.step.mean.step_s;
  out.output_tokens_per_s = loop.output_tokens_per_s;
  out.output_tokens_per_s_per_chip = loop.output_tokens_per_s / m.resolved.chips;
  out.output_tokens_per_s_per_user = loop.tpot_s > 0 ? 1 / loop.tpot_s : 0;
  const bool prefills = s.workload.mode != WorkloadMode::Static && s.serving.prefill == PrefillMode::Chunked;
  out.total_tokens_per_s =
      loop.output_tokens_per_s + (prefills ? loop.requests_per_s * p.lengths.prompt_tokens : 0);
  out.concurrency = loop.mix.decoding * loop.admission.busy_replicas;
  out.max_concurrency = loop.admission.fits;
  out.mean_context_tokens = loop.mix.context_tokens;
  out.breakdown_s = loop.step.mean.breakdown_s;
  out.bound = out.breakdown_s.largest();
  out.plan.degrees = m.step->plan().degrees;
  out.plan.replicas = m.step->plan().replicas;
  fillMemory(m, p, out);
  fillPower(m, s, p, out);
}

Prediction Predictor::predict(const Scenario& s, PredictOptions options) const {
  const Impl& m = *impl_;
  Prediction out;
  out.assumptions = m.assumptions;
  if (!m.step) {
    out.violations = m.structural;
    return out;
  }
  out.plan.reason = m.plan_reason;
  out.plan.degrees = m.step->plan().degrees;
  out.plan.replicas = m.step->plan().replicas;
  if (!fitsMemory(m, s)) {
    out.violations.push_back(memoryViolation(m, s));
    SettledPoint none;
    none.loop.mix.context_tokens = wholeRequest_tokens(m, s);
    fillMemory(m, none, out);
    return out;
  }
  const SettledPoint p = settle(m, s);
  fillNumbers(m, s, p, out);
  const decode::Specs& specs = m.context->specs;
  const bool liquid = m.isLiquid(s);
  const double links = options.link_loads ? fillLinks(*this, m, p, out) : 0;
  // Rules that look at a whole rack of the system are asked about one as full as the deployment makes it.
  const physical::Deployability rules =
      physical::deployability(m.site, s, specs.system, specs.chip, m.resolved.chips, p.rack.total_w(),
                              p.hottest.junction_c, m.power.throttle_c, liquid, m.supply_c(s));
  out.violations = rules.violations;
  out.deployable = rules.violations.empty();
  addServiceViolations(s, p, out);
  fillTriangle(m, s, p, links, rules.smallest_margin_ratio, out);
  if (options.scoreboard) fillScoreboard(m, s, p, rules, out);
  addNotes(p, out);
  return out;
}

void Predictor::predictFast(const Scenario& s, Prediction& out) const {
  const Impl& m = *impl_;
  if (!m.step || !fitsMemory(m, s)) {
    out.feasible = false;
    return;
  }
  const SettledPoint p = settle(m, s);
  fillNumbers(m, s, p, out);
  fillTriangle(m, s, p, 0, 1, out);
}

Expected<Prediction> predict(std::shared_ptr<const Catalog> catalog, const Scenario& scenario,
                             PredictOptions options) {
  auto predictor = Predictor::make(std::move(catalog), scenario);
  if (!predictor) return Unexpected(predictor.error());
  return (*predictor)->predict((*predictor)->scenario(), options);
}

}  // namespace decodescope::analysis
