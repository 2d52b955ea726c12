// Derivations of the result keys: from the settled point down to the step's own tree.
#include "analysis/predictor_impl.h"
#include "decode/derivation_nodes.h"
#include "decode/step_impl.h"
#include "model/arithmetic.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>

namespace decodescope::analysis {
namespace {

using decode::combined;
using decode::leaf;

constexpr std::array<std::string_view, 20> kQuantities{"tpot_s",
                                                       "step_time_s",
                                                       "output_tokens_per_s",
                                                       "output_tokens_per_s_per_chip",
                                                       "output_tokens_per_s_per_user",
                                                       "total_tokens_per_s",
                                                       "ttft_s",
                                                       "concurrency",
                                                       "max_concurrency",
                                                       "memory.kv_bytes_per_chip",
                                                       "memory.kv_bytes_per_token",
                                                       "memory.weights_bytes_per_chip",
                                                       "power.chip_w",
                                                       "power.rack_w",
                                                       "power.it_w",
                                                       "power.facility_w",
                                                       "joules_per_token",
                                                       "thermal.max_chip_c",
                                                       "cost.usd_per_hour",
                                                       "cost.usd_per_million_output_tokens"};

class Quantities {
 public:
  Quantities(const Predictor::Impl& m, const Scenario& s, const SettledPoint& p, const Prediction& numbers)
      : m_(m), s_(s), p_(p), n_(numbers) {}

  [[nodiscard]] Derivation of(std::string_view q) const {
    if (q == "step_time_s") return stepTime();
    if (q == "tpot_s") return tpot();
    if (q == "output_tokens_per_s") return throughput();
    if (q == "output_tokens_per_s_per_chip")
      return ratio("output_tokens_per_s_per_chip", "Output tokens per second and chip", "tokens/s",
                   throughput(), chips());
    if (q == "output_tokens_per_s_per_user")
      return ratio("output_tokens_per_s_per_user", "Output tokens per second of one user", "tokens/s", one(),
                   tpot());
    if (q == "total_tokens_per_s") return totalTokens();
    if (q == "ttft_s") return ttft();
    if (q == "concurrency") return concurrency();
    if (q == "max_concurrency") return maxConcurrency();
    if (q == "memory.kv_bytes_per_chip") return kvPerChip();
    if (q == "memory.kv_bytes_per_token")
      return leaf("memory.kv_bytes_per_token", "KV cache of one more token, whole model",
                  n_.memory.kv_bytes_per_token, "B", SourceKind::Derived, m_.step->model().name);
    if (q == "memory.weights_bytes_per_chip") return weights();
    if (q == "power.chip_w")
      return leaf("power.chip_w", "Power of one chip", n_.power.chip_w, "W", SourceKind::Calibrated,
                  m_.power.provenance);
    if (q == "power.rack_w") return rack();
    if (q == "power.it_w") return itPower();
    if (q == "power.facility_w") return facility();
    if (q == "joules_per_token")
      return ratio("joules_per_token", "IT energy per output token", "J", itPower(), throughput());
    if (q == "thermal.max_chip_c") return temperature();
    if (q == "cost.usd_per_hour") return costPerHour();
    return costPerMillion();
  }

 private:
  const Predictor::Impl& m_;
  const Scenario& s_;
  const SettledPoint& p_;
  const Prediction& n_;

  [[nodiscard]] static Derivation one() {
    return leaf("one", "One token", 1, "tokens", SourceKind::Derived, "");
  }
  [[nodiscard]] Derivation chips() const {
    return leaf("chips", "Chips", m_.resolved.chips, "chips", SourceKind::UserSet, "scenario", "chips");
  }
  [[nodiscard]] static Derivation ratio(std::string id, std::string label, std::string unit, Derivation above,
                                        Derivation below) {
    const std::string formula = above.label + " / " + below.label;
    std::vector<Derivation> parts;
    parts.push_back(std::move(above));
    parts.push_back(std::move(below));
    return combined(std::move(id), std::move(label), std::move(unit), Combine::Quotient, formula,
                    std::move(parts));
  }
  [[nodiscard]] static Derivation product(std::string id, std::string label, std::string unit,
                                          std::vector<Derivation> parts) {
    return combined(std::move(id), std::move(label), std::move(unit), Combine::Product, "product",
                    std::move(parts));
  }

  using Kind = SteadyMix::Kind;
  [[nodiscard]] Derivation stepTime() const {
    return meanIteration("step_time_s", "Mean time of one iteration", &Kind::share,
                         "completions per iteration x iterations that one prompt takes");
  }
  /// Mean over kinds of iteration, weighted by `share`.
  [[nodiscard]] Derivation meanIteration(const std::string& id, const char* label, double Kind::*share,
                                         const char* share_source) const {
    constexpr std::array<const char*, 3> kKinds{"without prompt tokens", "with a full prefill chunk",
                                                "with the rest of a prompt"};
    std::vector<Derivation> kinds;
    for (std::size_t i = 0; i < p_.loop.mix.kinds.size(); ++i) {
      const auto& kind = p_.loop.mix.kinds[i];
      if (!(kind.*share > 0)) continue;
      decode::StepInput in = kind.input;
      in.clock_ratio = p_.hottest.clock_ratio;
      Derivation step = m_.step->explain(in);
      if (kind.*share == 1) {
        step.id = id;
        return step;
      }
      step.id = fmt::format("{}/{}", id, i);
      step.label = fmt::format("An iteration {}", kKinds[i]);
      kinds.push_back(product(fmt::format("{}/kind/{}", id, i), fmt::format("Iterations {}", kKinds[i]), "s",
                              {leaf(fmt::format("{}/share/{}", id, i), "Share of iterations", kind.*share,
                                    "1", SourceKind::Derived, share_source),
                               std::move(step)}));
    }
    return combined(id, label, "s", Combine::Sum, "sum over kinds of iteration of share x time",
                    std::move(kinds));
  }

  [[nodiscard]] Derivation tpot() const {
    Derivation step =
        meanIteration("tpot_s/step", "Mean iteration of a decoding request", &Kind::seen_share,
                      "iterations that one prompt takes x other requests / its decode iterations");
    const double tokens = m_.step->tokensPerStep();
    return ratio("tpot_s", "Time per output token", "s", std::move(step),
                 leaf("tokens_per_step", "Tokens that a sequence gains in one step", tokens, "tokens",
                      SourceKind::Derived,
                      tokens > 1 ? "sum of acceptance^i (Leviathan et al. 2023)" : "no speculation",
                      "serving.speculation"));
  }

  [[nodiscard]] Derivation throughput() const {
    const ClosedLoop& loop = p_.loop;
    const bool fixed = s_.workload.mode == WorkloadMode::Static;
    std::vector<Derivation> made;
    if (fixed) {
      made.push_back(leaf("decoding", "Sequences decoding on one replica", loop.mix.decoding, "sequences",
                          SourceKind::Derived, "concurrency that fits", "workload.concurrency"));
      made.push_back(leaf("tokens_per_step", "Tokens per sequence and step", m_.step->tokensPerStep(),
                          "tokens", SourceKind::Derived, ""));
    } else {
      made.push_back(leaf("completions", "Requests finished per iteration on one replica",
                          loop.mix.completions_per_step, "1", SourceKind::Derived,
                          "requests in flight / iterations of one request (Little's law)",
                          "workload.concurrency"));
      made.push_back(leaf("output", "Output tokens of a request", p_.lengths.output_tokens, "tokens",
                          SourceKind::UserSet, "scenario", "workload.output_tokens"));
    }
    made.push_back(
        leaf("replicas", "Busy replicas", loop.admission.busy_replicas, "1", SourceKind::Derived, "plan"));
    return ratio("output_tokens_per_s", "Output tokens per second", "tokens/s",
                 product("tokens_per_iteration", "Output tokens per iteration", "tokens", std::move(made)),
                 stepTime());
  }

  [[nodiscard]] Derivation totalTokens() const {
    std::vector<Derivation> parts;
    parts.push_back(throughput());
    parts.push_back(leaf("prompt_tokens_per_s", "Prompt tokens per second",
                         n_.total_tokens_per_s - n_.output_tokens_per_s, "tokens/s", SourceKind::Derived,
                         "requests per second x prompt tokens"));
    return combined("total_tokens_per_s", "Output and prompt tokens per second", "tokens/s", Combine::Sum,
                    "output + prompt", std::move(parts));
  }

  [[nodiscard]] Derivation ttft() const {
    const ClosedLoop& loop = p_.loop;
    const double queue =
        std::max(0.0, loop.admission.wanted - loop.mix.in_flight * loop.admission.busy_replicas);
    const double waiting_s = loop.requests_per_s > 0 ? queue / loop.requests_per_s : 0;
    std::vector<Derivation> parts;
    parts.push_back(leaf("ttft_s/queue", "Wait for memory", waiting_s, "s", SourceKind::Derived,
                         "requests that do not fit / requests per second"));
    parts.push_back(leaf("ttft_s/prefill", "Iterations that carry the prompt", loop.ttft_s - waiting_s, "s",
                         SourceKind::Derived, "prefill iterations x their time", "serving.chunk_tokens"));
    return combined("ttft_s", "Time to first token", "s", Combine::Sum, "queue + prefill", std::move(parts));
  }

  [[nodiscard]] Derivation concurrency() const {
    return product("concurrency", "Sequences decoding", "sequences",
                   {leaf("decoding", "On one replica", p_.loop.mix.decoding, "sequences", SourceKind::Derived,
                         "in flight less those prefilling", "workload.concurrency"),
                    leaf("replicas", "Busy replicas", p_.loop.admission.busy_replicas, "1",
                         SourceKind::Derived, "plan")});
  }

  [[nodiscard]] Derivation maxConcurrency() const {
    const double groups = m_.step->plan().attentionGroups() * static_cast<double>(m_.step->plan().replicas);
    return product(
        "max_concurrency", "Sequences that memory holds", "sequences",
        {leaf(
             "per_group", "In one attention group", n_.max_concurrency / groups, "sequences",
             SourceKind::Derived,
             fmt::format("({:.4g} GB usable - {:.4g} GB weights - {:.4g} GB activations) / {:.4g} MB per "
                         "sequence, whole blocks, 1 % kept free",
                         n_.memory.usable_bytes_per_chip / 1e9, n_.memory.weights_bytes_per_chip / 1e9,
                         n_.memory.activation_bytes_per_chip / 1e9,
                         m_.step->memory().kv_bytes_per_sequence_per_chip(p_.loop.mix.context_tokens) / 1e6)),
         leaf("groups", "Attention groups", groups, "1", SourceKind::Derived, "plan", "parallel")});
  }

  [[nodiscard]] Derivation kvPerChip() const {
    return product("memory.kv_bytes_per_chip", "KV cache on one chip", "B",
                   {leaf("sequences_per_group", "Sequences of its attention group",
                         p_.loop.mix.in_flight / m_.step->plan().attentionGroups(), "sequences",
                         SourceKind::Derived, "in flight / groups", "workload.concurrency"),
                    leaf("kv_per_sequence", "KV cache of one, on this chip",
                         m_.step->memory().kv_bytes_per_sequence_per_chip(p_.loop.mix.context_tokens), "B",
                         SourceKind::Derived,
                         fmt::format("{:.0f} tokens in blocks of {}, divided over {:.0f} chips",
                                     p_.loop.mix.context_tokens, m_.step->memory().kv_block_tokens,
                                     m_.step->memory().kv_shard),
                         "workload.context_tokens")});
  }

  [[nodiscard]] Derivation weights() const {
    return leaf("memory.weights_bytes_per_chip", "Weights on one chip", n_.memory.weights_bytes_per_chip, "B",
                SourceKind::Derived,
                fmt::format("operation list of {} under the plan, {}", m_.step->model().name,
                            m_.resolved.precision.weights),
                "precision.weights");
  }

  [[nodiscard]] Derivation rack() const {
    const physical::RackPower& r = p_.rack;
    const std::string source = "physical.json and the catalog entry of the system";
    std::vector<Derivation> parts;
    const std::pair<const char*, double> rows[] = {
        {"Chips", r.chips_w},   {"CPUs", r.cpus_w}, {"Switches", r.switches_w},           {"NICs", r.nics_w},
        {"Optics", r.optics_w}, {"Fans", r.fans_w}, {"Conversion and rest", r.overhead_w}};
    for (const auto& [label, w] : rows)
      parts.push_back(
          leaf(fmt::format("power.rack_w/{}", label), label, w, "W", SourceKind::Catalog, source));
    return combined("power.rack_w", "Power of one rack", "W", Combine::Sum, "sum of its parts",
                    std::move(parts));
  }

  [[nodiscard]] Derivation itPower() const {
    return ratio("power.it_w", "IT power of the deployment", "W",
                 leaf("rack_dc_w", "Racks, at the busbar", p_.rack_dc_w, "W", SourceKind::Derived,
                      fmt::format("{} racks", p_.racks)),
                 leaf("psu", "Efficiency of the supplies", p_.rack_dc_w / p_.facility.it_w, "1",
                      SourceKind::Catalog, "physical.json"));
  }

  [[nodiscard]] Derivation facility() const {
    const physical::FacilityPower& f = p_.facility;
    std::vector<Derivation> parts;
    parts.push_back(itPower());
    const std::pair<const char*, double> rows[] = {{"Pumps", f.pumps_w},
                                                   {"Room air handlers", f.crah_w},
                                                   {"Heat rejection of liquid", f.liquid_rejection_w},
                                                   {"Heat rejection of air", f.air_rejection_w},
                                                   {"UPS losses", f.ups_loss_w}};
    for (const auto& [label, w] : rows)
      parts.push_back(leaf(fmt::format("power.facility_w/{}", label), label, w, "W", SourceKind::Calibrated,
                           "physical.json", "physical.supply_c"));
    return combined("power.facility_w", "Facility power", "W", Combine::Sum, "IT + cooling + losses",
                    std::move(parts));
  }

  [[nodiscard]] Derivation temperature() const {
    std::vector<Derivation> parts;
    const double supply = m_.supply_c(s_);
    parts.push_back(leaf("supply_c", "Supply", supply, "c", SourceKind::UserSet, "scenario or system",
                         "physical.supply_c"));
    std::vector<Derivation> rise;
    rise.push_back(leaf("chip_w", "Power of the hottest chip", p_.hottest.power_w, "W",
                        SourceKind::Calibrated, m_.power.provenance));
    rise.push_back(leaf("k_per_w", "Resistance to the supply, with what is upstream",
                        p_.hottest.power_w > 0 ? (p_.hottest.junction_c - supply) / p_.hottest.power_w : 0,
                        "K/W", SourceKind::Calibrated, m_.cooling.provenance));
    parts.push_back(product("rise", "Rise", "K", std::move(rise)));
    return combined("thermal.max_chip_c", "Hottest junction", "c", Combine::Sum,
                    "supply + resistance x power", std::move(parts));
  }

  [[nodiscard]] Derivation costPerHour() const {
    const physical::CostRate& c = p_.cost;
    std::vector<Derivation> parts;
    const std::pair<const char*, double> rows[] = {{"Capital", c.capital_usd_per_hour},
                                                   {"Hosting", c.hosting_usd_per_hour},
                                                   {"Energy", c.energy_usd_per_hour}};
    for (const auto& [label, usd] : rows)
      parts.push_back(leaf(fmt::format("cost/{}", label), label, usd, "usd", SourceKind::Derived,
                           "prices of the scenario", "economics.years"));
    Derivation each = combined("cost/chip_hour", "One chip, one hour", "usd", Combine::Sum,
                               "capital + hosting + energy", std::move(parts));
    std::vector<Derivation> all;
    all.push_back(std::move(each));
    all.push_back(chips());
    return product("cost.usd_per_hour", "Cost of the deployment per hour", "usd", std::move(all));
  }

  [[nodiscard]] Derivation costPerMillion() const {
    std::vector<Derivation> parts;
    parts.push_back(costPerHour());
    std::vector<Derivation> sold;
    sold.push_back(throughput());
    sold.push_back(leaf("hour", "Seconds of an hour, per million", 3600 / 1e6, "1", SourceKind::Derived, ""));
    sold.push_back(leaf("utilization", "Utilisation", s_.economics.utilization, "1", SourceKind::UserSet,
                        "scenario", "economics.utilization"));
    parts.push_back(product("millions", "Millions of tokens sold per hour", "1", std::move(sold)));
    return combined("cost.usd_per_million_output_tokens", "Cost per million output tokens", "usd",
                    Combine::Quotient, "cost per hour / millions of tokens per hour", std::move(parts));
  }
};

}  // namespace

std::span<const std::string_view> Predictor::quantities() {
  return kQuantities;
}

Expected<Derivation> Predictor::explain(const Scenario& s, std::string_view quantity) const {
  const Impl& m = *impl_;
  if (std::find(kQuantities.begin(), kQuantities.end(), quantity) == kQuantities.end()) {
    std::string known;
    for (const std::string_view q : kQuantities) known += (known.empty() ? "" : ", ") + std::string(q);
    return Unexpected(Error{ErrorCode::NotFound, "", "QUANTITY", std::string(quantity),
                            "is not a quantity that can be explained", known});
  }
  if (!m.step || !fitsMemory(m, s)) {
    const std::string why = m.step                 ? memoryViolation(m, s).message
                            : m.structural.empty() ? "no legal plan"
                                                   : m.structural.front().message;
    return Unexpected(
        Error{ErrorCode::BadInput, "", "scenario", s.name, "is infeasible: " + why, "see predict"});
  }
  const SettledPoint p = settle(m, s);
  Prediction numbers;
  fillNumbers(m, s, p, numbers);
  Derivation root = Quantities(m, s, p, numbers).of(quantity);
  decode::setShares(root);
  return root;
}

}  // namespace decodescope::analysis
