// Derivations of latency, throughput and the parts of an iteration.
#include "analysis/explain_quantity.h"
#include "decode/step_impl.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>

namespace decodescope::analysis {
namespace {

using decode::combined;
using decode::leaf;

using Kind = SteadyMix::Kind;

/// Mean over kinds of iteration, weighted by `share`.
Derivation meanIteration(const ExplainPoint& e, const std::string& id, const char* label, double Kind::*share,
                         const char* share_source) {
  constexpr std::array<const char*, 3> kKinds{"without prompt tokens", "with a full prefill chunk",
                                              "with the rest of a prompt"};
  std::vector<Derivation> kinds;
  for (std::size_t i = 0; i < e.settled.loop.mix.kinds.size(); ++i) {
    const auto& kind = e.settled.loop.mix.kinds[i];
    if (!(kind.*share > 0)) continue;
    decode::StepInput in = kind.input;
    in.clock_ratio = e.settled.hottest.clock_ratio;
    Derivation step = e.model.step->explain(in);
    if (kind.*share == 1) {
      step.id = id;
      return step;
    }
    step.id = fmt::format("{}/{}", id, i);
    step.label = fmt::format("An iteration {}", kKinds[i]);
    kinds.push_back(productNode(fmt::format("{}/kind/{}", id, i), fmt::format("Iterations {}", kKinds[i]),
                                "s",
                                {leaf(fmt::format("{}/share/{}", id, i), "Share of iterations", kind.*share,
                                      "1", SourceKind::Derived, share_source),
                                 std::move(step)}));
  }
  return combined(id, label, "s", Combine::Sum, "sum over kinds of iteration of share x time",
                  std::move(kinds));
}

Derivation totalTokens(const ExplainPoint& e) {
  std::vector<Derivation> parts;
  parts.push_back(throughput(e));
  parts.push_back(leaf("prompt_tokens_per_s", "Prompt tokens per second",
                       e.numbers.total_tokens_per_s - e.numbers.output_tokens_per_s, "tokens/s",
                       SourceKind::Derived, "requests per second x prompt tokens"));
  return combined("total_tokens_per_s", "Output and prompt tokens per second", "tokens/s", Combine::Sum,
                  "output + prompt", std::move(parts));
}

Derivation ttft(const ExplainPoint& e) {
  const ClosedLoop& loop = e.settled.loop;
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

Derivation concurrency(const ExplainPoint& e) {
  return productNode("concurrency", "Sequences decoding", "sequences",
                     {leaf("decoding", "On one replica", e.settled.loop.mix.decoding, "sequences",
                           SourceKind::Derived, "in flight less those prefilling", "workload.concurrency"),
                      leaf("replicas", "Busy replicas", e.settled.loop.admission.busy_replicas, "1",
                           SourceKind::Derived, "plan")});
}

Derivation maxConcurrency(const ExplainPoint& e) {
  const double groups =
      e.model.step->plan().attentionGroups() * static_cast<double>(e.model.step->plan().replicas);
  return productNode(
      "max_concurrency", "Sequences that memory holds", "sequences",
      {leaf("per_group", "In one attention group", e.numbers.max_concurrency / groups, "sequences",
            SourceKind::Derived,
            fmt::format(
                "({:.4g} GB usable - {:.4g} GB weights - {:.4g} GB activations) / {:.4g} MB per "
                "sequence, whole blocks, 1 % kept free",
                e.numbers.memory.usable_bytes_per_chip / 1e9, e.numbers.memory.weights_bytes_per_chip / 1e9,
                e.numbers.memory.activation_bytes_per_chip / 1e9,
                e.model.step->memory().kv_bytes_per_sequence_per_chip(e.settled.loop.mix.context_tokens) /
                    1e6)),
       leaf("groups", "Attention groups", groups, "1", SourceKind::Derived, "plan", "parallel")});
}

Derivation one() {
  return leaf("one", "One token", 1, "tokens", SourceKind::Derived, "definition");
}

Derivation perChip(const ExplainPoint& e) {
  return ratioNode("output_tokens_per_s_per_chip", "Output tokens per second and chip", "tokens/s",
                   throughput(e), chips(e));
}

Derivation perUser(const ExplainPoint& e) {
  return ratioNode("output_tokens_per_s_per_user", "Output tokens per second of one user", "tokens/s", one(),
                   tpot(e));
}

/// A part of the mean iteration.
Derivation part(const ExplainPoint& e, StepPart which) {
  const std::string id = "breakdown_s." + std::string(kStepPartKeys[static_cast<std::size_t>(which)]);
  std::vector<Derivation> kinds;
  for (const Kind& kind : e.settled.loop.mix.kinds) {
    if (!(kind.share > 0)) continue;
    decode::StepInput in = kind.input;
    in.clock_ratio = e.settled.hottest.clock_ratio;
    Derivation of_kind = e.model.step->explainPart(in, which);
    if (kind.share == 1) return of_kind;
    const std::string place = fmt::format("{}/kind/{}", id, kinds.size());
    of_kind.id = place + "/part";
    kinds.push_back(productNode(
        place, kind.input.prefill_tokens > 0 ? "Iterations with prompt tokens" : "Iterations without", "s",
        {leaf(place + "/share", "Share of iterations", kind.share, "1", SourceKind::Derived,
              "completions per iteration x iterations that one prompt takes"),
         std::move(of_kind)}));
  }
  return combined(id, std::string(stepPartLabel(which)), "s", Combine::Sum,
                  "sum over kinds of iteration of share x time", std::move(kinds));
}

template <StepPart kPart>
Derivation partOf(const ExplainPoint& e) {
  return part(e, kPart);
}

constexpr std::array<ExplainRow, 18> kRows{{
    {"tpot_s", tpot},
    {"step_time_s", stepTime},
    {"output_tokens_per_s", throughput},
    {"output_tokens_per_s_per_chip", perChip},
    {"output_tokens_per_s_per_user", perUser},
    {"total_tokens_per_s", totalTokens},
    {"ttft_s", ttft},
    {"concurrency", concurrency},
    {"max_concurrency", maxConcurrency},
    {"breakdown_s.weights_hbm", partOf<StepPart::WeightsHbm>},
    {"breakdown_s.kv_hbm", partOf<StepPart::KvHbm>},
    {"breakdown_s.math", partOf<StepPart::Math>},
    {"breakdown_s.launch", partOf<StepPart::Launch>},
    {"breakdown_s.collectives", partOf<StepPart::Collectives>},
    {"breakdown_s.wait", partOf<StepPart::Wait>},
    {"breakdown_s.host", partOf<StepPart::Host>},
    {"breakdown_s.throttle", partOf<StepPart::Throttle>},
    {"breakdown_s.overlap", partOf<StepPart::Overlap>},
}};

}  // namespace

Derivation stepTime(const ExplainPoint& e) {
  return meanIteration(e, "step_time_s", "Mean time of one iteration", &Kind::share,
                       "completions per iteration x iterations that one prompt takes");
}

Derivation tpot(const ExplainPoint& e) {
  Derivation step =
      meanIteration(e, "tpot_s/step", "Mean iteration of a decoding request", &Kind::seen_share,
                    "iterations that one prompt takes x other requests / its decode iterations");
  const double tokens = e.model.step->tokensPerStep();
  return ratioNode(
      "tpot_s", "Time per output token", "s", std::move(step),
      leaf("tokens_per_step", "Tokens that a sequence gains in one step", tokens, "tokens",
           SourceKind::Derived, tokens > 1 ? "sum of acceptance^i (Leviathan et al. 2023)" : "no speculation",
           "serving.speculation"));
}

Derivation throughput(const ExplainPoint& e) {
  const ClosedLoop& loop = e.settled.loop;
  const bool fixed = e.scenario.workload.mode == WorkloadMode::Static;
  std::vector<Derivation> made;
  if (fixed) {
    made.push_back(leaf("decoding", "Sequences decoding on one replica", loop.mix.decoding, "sequences",
                        SourceKind::Derived, "concurrency that fits", "workload.concurrency"));
    made.push_back(leaf("tokens_per_step", "Tokens per sequence and step", e.model.step->tokensPerStep(),
                        "tokens", SourceKind::Derived, "speculation"));
  } else {
    made.push_back(leaf("completions", "Requests finished per iteration on one replica",
                        loop.mix.completions_per_step, "1", SourceKind::Derived,
                        "requests in flight / iterations of one request (Little's law)",
                        "workload.concurrency"));
    made.push_back(leaf("output", "Output tokens of a request", e.settled.lengths.output_tokens, "tokens",
                        SourceKind::UserSet, "scenario", "workload.output_tokens"));
  }
  made.push_back(
      leaf("replicas", "Busy replicas", loop.admission.busy_replicas, "1", SourceKind::Derived, "plan"));
  return ratioNode(
      "output_tokens_per_s", "Output tokens per second", "tokens/s",
      productNode("tokens_per_iteration", "Output tokens per iteration", "tokens", std::move(made)),
      stepTime(e));
}

std::span<const ExplainRow> servingRows() {
  return kRows;
}

}  // namespace decodescope::analysis
