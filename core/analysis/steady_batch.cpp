#include "analysis/steady_batch.h"

#include <algorithm>
#include <cmath>

namespace decodescope::analysis {
namespace {

/// Share of the KV blocks that admission leaves free for growth, as the scheduler does (core/serving).
constexpr double kWatermarkRatio = 0.01;

bool carriesPrefill(const Scenario& s) {
  return s.workload.mode != WorkloadMode::Static && s.serving.prefill == PrefillMode::Chunked;
}

/// Decoding sequences of the group that has most, when `decoding` of `in_flight` decode: as long as fewer
/// prefill than there are groups, some group has none that does.
double busiestGroup(double in_flight, double decoding, double groups) {
  if (groups <= 1) return decoding;
  const double full = std::ceil(in_flight / groups - 1e-9);
  const double missing = std::floor((in_flight - decoding) / groups);
  return std::max(decoding / groups, std::min(decoding, full - missing));
}

decode::StepInput baseInput(const SteadyMix& mix, double groups, double age_spread_tokens) {
  decode::StepInput in;
  in.sequences = mix.decoding;
  in.busiest_group_sequences = busiestGroup(mix.in_flight, mix.decoding, groups);
  // The busiest group is the one whose sequences are oldest: with b evenly spaced ages it is half a spacing
  // above the mean.
  const double per_group = std::max(1.0, mix.decoding / groups);
  const double older = groups > 1 ? age_spread_tokens / (2 * per_group) * (1 - 1 / groups) : 0;
  in.context_tokens = mix.context_tokens + older;
  return in;
}

void carryChunks(SteadyMix& mix, double prompt, double chunk, const decode::StepInput& base) {
  const double full_chunks = std::floor(prompt / chunk), rest = prompt - full_chunks * chunk;
  const double demand = mix.completions_per_step * mix.prefill_steps;
  auto& [plain, full, part] = mix.kinds;
  if (demand >= 1) {
    // Prompts queue up and share chunks: every iteration carries the mean.
    full.share = full.seen_share = 1;
    full.input.prefill_tokens = std::min(chunk, mix.completions_per_step * prompt);
    full.input.prefill_sequences = std::max(1.0, full.input.prefill_tokens / prompt);
    full.input.prefill_past_tokens = std::max(0.0, (prompt - full.input.prefill_tokens) / 2);
    return;
  }
  full.share = mix.completions_per_step * full_chunks;
  full.input.prefill_tokens = chunk;
  full.input.prefill_past_tokens = std::max(0.0, (full_chunks - 1) / 2 * chunk);
  part.share = rest > 0 ? mix.completions_per_step : 0;
  part.input = base;
  part.input.prefill_tokens = rest;
  part.input.prefill_past_tokens = full_chunks * chunk;
  plain.share = std::max(0.0, 1 - full.share - part.share);

  // Its own prompt is behind it: C - 1 of the C prompts are left, met in decode rather than in all
  // iterations.
  const double others = (mix.in_flight - 1) / mix.in_flight;
  const double carrying = full.share + part.share;
  const double decode_share = mix.decoding / mix.in_flight;
  const double seen = std::clamp(carrying * others / std::max(decode_share, 1e-9), 0.0, 1.0);
  for (auto* kind : {&full, &part}) kind->seen_share = carrying > 0 ? kind->share / carrying * seen : 0;
  plain.seen_share = 1 - seen;
}

}  // namespace

SteadyMix steadyMix(const decode::StepModel& model, const Scenario& scenario, const MeanLengths& lengths,
                    double in_flight) {
  SteadyMix mix;
  const double groups = model.plan().attentionGroups();
  mix.in_flight = in_flight;
  auto& [plain, full, part] = mix.kinds;
  plain.share = plain.seen_share = 1;
  if (scenario.workload.mode == WorkloadMode::Static) {
    mix.decoding = in_flight;
    mix.context_tokens = scenario.workload.context_tokens;
    plain.input = baseInput(mix, groups, 0);
    return mix;
  }
  const bool carries = carriesPrefill(scenario);
  const double prompt = std::max(1.0, lengths.prompt_tokens),
               chunk = std::max(1, scenario.serving.chunk_tokens);
  mix.prefill_steps = carries ? std::ceil(prompt / chunk) : 0;
  // The prefill gives the first token; the others take an iteration each, or fewer with speculation.
  const double decode_steps =
      std::max(1e-3, (lengths.output_tokens - (carries ? 1 : 0)) / model.tokensPerStep());
  mix.completions_per_step = in_flight / (decode_steps + mix.prefill_steps);
  if (carries) mix.completions_per_step = std::min(mix.completions_per_step, chunk / prompt);
  mix.decoding = mix.completions_per_step * decode_steps;
  mix.context_tokens = prompt + lengths.decoding_age_tokens;
  plain.input = baseInput(mix, groups, lengths.output_tokens);
  full.input = part.input = plain.input;
  if (carries) {
    plain.share = plain.seen_share = 0;
    carryChunks(mix, prompt, chunk, plain.input);
  }
  return mix;
}

SteadyStep steadyStep(const decode::StepModel& model, const SteadyMix& mix, double clock_ratio) {
  SteadyStep out;
  for (std::size_t i = 0; i < mix.kinds.size(); ++i) {
    const auto& kind = mix.kinds[i];
    if (!(kind.share > 0 || kind.seen_share > 0)) continue;
    decode::StepInput in = kind.input;
    in.clock_ratio = clock_ratio;
    const decode::StepResult r = model.evaluate(in);
    out.seen_s += kind.seen_share * r.step_s;
    if (i == 0) out.plain_s = r.step_s;
    for (std::size_t p = 0; p < kStepPartCount; ++p)
      out.mean.breakdown_s.part_s[p] += kind.share * r.breakdown_s.part_s[p];
    out.mean.hbm_bytes += kind.share * r.hbm_bytes;
    out.mean.bf16_flop += kind.share * r.bf16_flop;
    out.mean.fp8_flop += kind.share * r.fp8_flop;
    out.mean.fp4_flop += kind.share * r.fp4_flop;
    out.mean.wire_bytes += kind.share * r.wire_bytes;
    out.mean.busy_s += kind.share * r.busy_s;
    out.mean.collective_s += kind.share * r.collective_s;
    out.mean.host_s += kind.share * r.host_s;
    if (i > 0) {
      out.carrying_s += kind.share * r.step_s;
      out.carrying_share += kind.share;
    }
  }
  if (out.carrying_share > 0) out.carrying_s /= out.carrying_share;
  out.mean.step_s = out.mean.breakdown_s.total_s();
  return out;
}

double fittingSequences(const decode::StepModel& model, const Scenario& scenario, double context_tokens) {
  const double groups = model.plan().attentionGroups(), replicas = model.plan().replicas;
  const bool static_batch = scenario.workload.mode == WorkloadMode::Static;
  const double per_group =
      model.memory().maxSequencesPerGroup(context_tokens, static_batch ? 0 : kWatermarkRatio);
  double per_replica = per_group * groups;
  if (scenario.serving.max_batch_per_replica > 0)
    per_replica = std::min<double>(per_replica, scenario.serving.max_batch_per_replica);
  return per_replica * replicas;
}

Admission admit(const decode::StepModel& model, const Scenario& scenario, const MeanLengths& lengths,
                double wanted) {
  Admission a;
  const double context = scenario.workload.mode == WorkloadMode::Static
                             ? scenario.workload.context_tokens
                             : lengths.prompt_tokens + lengths.decoding_age_tokens;
  a.wanted = wanted;
  a.fits = fittingSequences(model, scenario, context);
  a.admitted = std::min(wanted, a.fits);
  const double replicas = model.plan().replicas;
  // Fewer requests than replicas leave some idle.
  a.busy_replicas = std::min(replicas, std::max(1.0, a.admitted));
  a.per_replica = a.admitted / a.busy_replicas;
  return a;
}

ClosedLoop closedLoop(const decode::StepModel& model, const Scenario& scenario, const MeanLengths& lengths,
                      double wanted, double clock_ratio) {
  ClosedLoop loop;
  loop.admission = admit(model, scenario, lengths, wanted);
  loop.mix = steadyMix(model, scenario, lengths, loop.admission.per_replica);
  loop.step = steadyStep(model, loop.mix, clock_ratio);
  const double step_s = loop.step.mean.step_s;
  loop.tpot_s = loop.step.seen_s / model.tokensPerStep();
  if (!(step_s > 0)) return loop;
  if (scenario.workload.mode == WorkloadMode::Static) {
    loop.output_tokens_per_s =
        loop.mix.decoding * model.tokensPerStep() / step_s * loop.admission.busy_replicas;
    return loop;
  }
  loop.requests_per_s = loop.mix.completions_per_step / step_s * loop.admission.busy_replicas;
  loop.output_tokens_per_s = loop.requests_per_s * lengths.output_tokens;
  const double queue =
      std::max(0.0, loop.admission.wanted - loop.mix.in_flight * loop.admission.busy_replicas);
  const double waiting_s = loop.requests_per_s > 0 ? queue / loop.requests_per_s : 0;
  // When prompts queue for chunks, those who neither decode nor wait for memory are being prefilled.
  const double prefilling = loop.mix.in_flight - loop.mix.decoding;
  const double own_s = loop.mix.prefill_steps > 0
                           ? std::max(loop.mix.prefill_steps * loop.step.carrying_s,
                                      prefilling / loop.mix.completions_per_step * step_s)
                           : 0;
  loop.ttft_s = waiting_s + (own_s > 0 ? own_s : step_s);
  return loop;
}

ClosedLoop operatingLoop(const decode::StepModel& model, const Scenario& scenario, const MeanLengths& lengths,
                         double arrivals_per_s, double clock_ratio, double* overload_ratio) {
  *overload_ratio = 0;
  const bool open =
      scenario.workload.mode == WorkloadMode::Open || scenario.workload.mode == WorkloadMode::Trace;
  if (!open) return closedLoop(model, scenario, lengths, scenario.workload.concurrency, clock_ratio);
  const double most = admit(model, scenario, lengths, 1e12).fits;
  ClosedLoop loop = closedLoop(model, scenario, lengths, most, clock_ratio);
  *overload_ratio = loop.requests_per_s > 0 ? arrivals_per_s / loop.requests_per_s : 1e9;
  if (*overload_ratio >= 1) return loop;
  // Requests in flight grow with the load; find those whose completions keep pace with arrivals.
  double low = 0, high = most;
  for (int i = 0; i < 48 && high - low > 1e-6 * high; ++i) {
    const double middle = (low + high) / 2;
    loop = closedLoop(model, scenario, lengths, middle, clock_ratio);
    (loop.requests_per_s < arrivals_per_s ? low : high) = middle;
  }
  return loop;
}

}  // namespace decodescope::analysis
