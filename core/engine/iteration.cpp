// An iteration of one replica: start, stretch when clocks change, end.
#include "engine/fingerprint.h"
#include "engine/impl.h"

#include <algorithm>

namespace decodescope::engine {

namespace {

void addScaled(StepBreakdown& sum, const StepBreakdown& parts, double factor) {
  for (std::size_t i = 0; i < kStepPartCount; ++i) sum.part_s[i] += parts.part_s[i] * factor;
}

void addScaled(decode::StepResult& sum, const decode::StepResult& r, double factor) {
  addScaled(sum.breakdown_s, r.breakdown_s, factor);
  sum.step_s += r.step_s * factor;
  sum.hbm_bytes += r.hbm_bytes * factor;
  sum.bf16_flop += r.bf16_flop * factor;
  sum.fp8_flop += r.fp8_flop * factor;
  sum.fp4_flop += r.fp4_flop * factor;
  sum.wire_bytes += r.wire_bytes * factor;
  sum.busy_s += r.busy_s * factor;
  sum.collective_s += r.collective_s * factor;
  sum.host_s += r.host_s * factor;
}

decode::StepInput inputOf(const serving::IterationWork& work, double clock_ratio) {
  decode::StepInput in;
  in.sequences = work.sequences;
  in.busiest_group_sequences = work.busiest_sequences;
  in.context_tokens = work.context_tokens;
  in.prefill_tokens = work.prefill_tokens;
  in.prefill_past_tokens = work.prefill_past_tokens;
  in.prefill_sequences = std::max(work.prefill_sequences, 1.0);
  in.clock_ratio = clock_ratio;
  return in;
}

}  // namespace

double Flight::progressAt(TimeNs now) const {
  if (!is_active || end_ns <= segment_start_ns) return is_active ? 1 : 0;
  const double share =
      static_cast<double>(now - segment_start_ns) / static_cast<double>(end_ns - segment_start_ns);
  return done_at_segment + share * (1 - done_at_segment);
}

decode::StepResult Engine::Impl::stepAt(const decode::StepInput& in, const Jitter::Draw& noise) {
  decode::StepResult result = cache->evaluate(in);
  if (!active_faults.empty()) {
    // Collectives end when their most loaded link has passed its bytes.
    const double slowdown = links->slowdownAgainst(*healthy_links, in);
    result.breakdown_s[StepPart::Collectives] *= slowdown;
    result.collective_s *= slowdown;
    result.step_s = result.breakdown_s.total_s();
    result.busy_s = result.step_s - result.host_s;
  }
  jitter->apply(noise, in, result);
  return result;
}

void Engine::Impl::startIteration(std::size_t index, double done) {
  Replica& replica = replicas[index];
  Flight& flight = replica.flight;
  flight.is_active = false;
  flight_end_ns[index] = kNever;
  if (replica.is_down || halted) return;
  const serving::IterationWork& work = replica.scheduler.begin();
  if (work.isEmpty()) return;
  flight.is_active = true;
  flight.start_ns = now_ns;
  flight.segment_start_ns = now_ns;
  flight.done_at_segment = done;
  flight.parts_s = {};
  flight.number = ++replica.iterations;
  flight.input = inputOf(work, machine->slowestClock(index));
  flight.noise = jitter->draw(index, replica.iterations);
  flight.result = stepAt(flight.input, flight.noise);
  flight.end_ns = now_ns + nanosecondsOf(flight.result.step_s * (1 - done));
  flight_end_ns[index] = flight.end_ns;
  replica.metered_until_ns = now_ns;
}

void Engine::Impl::meter(Replica& replica, TimeNs until) {
  const Flight& flight = replica.flight;
  if (!flight.is_active || flight.result.step_s <= 0) return;
  const double share = secondsOf(until - replica.metered_until_ns) / flight.result.step_s;
  addScaled(replica.interval, flight.result, share);
  replica.metered_until_ns = until;
}

// What is left of the iteration goes on at the new clock.
void Engine::Impl::retime(std::size_t index, bool forced) {
  Replica& replica = replicas[index];
  Flight& flight = replica.flight;
  const double clock_ratio = machine->slowestClock(index);
  const bool is_changed = clock_ratio < flight.input.clock_ratio || clock_ratio > flight.input.clock_ratio;
  if (!flight.is_active || !(is_changed || forced)) return;
  const double done = flight.progressAt(now_ns);
  addScaled(flight.parts_s, flight.result.breakdown_s, done - flight.done_at_segment);
  flight.segment_start_ns = now_ns;
  flight.done_at_segment = done;
  flight.input.clock_ratio = clock_ratio;
  flight.result = stepAt(flight.input, flight.noise);
  flight.end_ns = now_ns + nanosecondsOf(flight.result.step_s * (1 - done));
  flight_end_ns[index] = flight.end_ns;
}

void Engine::Impl::endIteration(std::size_t index) {
  Replica& replica = replicas[index];
  Flight& flight = replica.flight;
  meter(replica, now_ns);
  StepBreakdown parts = flight.parts_s;
  addScaled(parts, flight.result.breakdown_s, 1 - flight.done_at_segment);
  const TimeNs duration_ns = now_ns - flight.start_ns;
  const serving::IterationOutcome outcome = replica.scheduler.finish(now_ns, duration_ns, latency);

  totals.output_tokens += outcome.output_tokens * replica.weight;
  totals.requests += outcome.completed * replica.weight;
  const auto weight = static_cast<double>(replica.weight);
  addScaled(totals.parts_s, parts, weight);
  totals.iteration_s += secondsOf(duration_ns) * weight;
  totals.all_iterations += weight;
  totals.sequence_s += flight.input.sequences * secondsOf(duration_ns) * weight;
  fingerprint.tokens = mix(mix(fingerprint.tokens, static_cast<std::uint64_t>(index)),
                           outcome.output_tokens * 65536 + outcome.completed);
  fingerprint.kv_blocks = mix(fingerprint.kv_blocks, replica.scheduler.blocksUsed());
  fingerprint.time = mix(fingerprint.time, now_ns);
  if (outcome.completed > 0) note(EventKind::Completion, static_cast<std::uint32_t>(outcome.completed));
  if (outcome.preempted > 0) note(EventKind::Preemption, static_cast<std::uint32_t>(outcome.preempted));
  if (index == lead) record(index, duration_ns, parts);
  refill(index);
  startIteration(index);
}

void Engine::Impl::record(std::size_t index, TimeNs duration_ns, const StepBreakdown& parts) {
  const Flight& flight = replicas[index].flight;
  const double duration_s = secondsOf(duration_ns);
  ++totals.iterations;
  totals.lead_s += duration_s;
  totals.clock_s += duration_s * flight.input.clock_ratio;
  last_parts_s = parts;

  TokenRecord out;
  out.token = token++;
  out.start_ns = flight.start_ns;
  out.duration_ns = duration_ns;
  out.running = static_cast<float>(flight.input.sequences);
  out.mean_context_tokens = static_cast<float>(flight.input.context_tokens);
  out.prefill_tokens = static_cast<float>(flight.input.prefill_tokens);
  out.max_chip_c = static_cast<float>(machine->maxDie_c());
  out.chip_w = static_cast<float>(machine->meanPower_w());
  out.clock_ratio = static_cast<float>(flight.input.clock_ratio);
  const double peak_link_ratio = links ? links->peakUtilization(flight.input, duration_s) : 0;
  totals.link_s += duration_s * peak_link_ratio;
  out.peak_link_ratio = static_cast<float>(peak_link_ratio);
  for (std::size_t i = 0; i < kStepPartCount; ++i) out.part_s[i] = static_cast<float>(parts.part_s[i]);
  recent.add(out);

  rate_marks[(rate_begin + rate_size) % rate_marks.size()] = {now_ns, totals.output_tokens};
  if (rate_size < rate_marks.size()) {
    ++rate_size;
  } else {
    rate_begin = (rate_begin + 1) % rate_marks.size();
  }
}

// A closed loop replaces what has completed.
void Engine::Impl::refill(std::size_t index) {
  Replica& replica = replicas[index];
  if (scenario->workload.mode != WorkloadMode::Closed) return;
  while (replica.scheduler.inFlight() + replica.in_remote_prefill < replica.quota) {
    serving::Request request = newRequest();
    request.arrival_ns = now_ns;
    submit(index, request);
  }
}

void Engine::Impl::stop(std::string reason) {
  halted = true;
  halt_reason = std::move(reason);
  for (std::size_t r = 0; r < replicas.size(); ++r) {
    replicas[r].flight.is_active = false;
    flight_end_ns[r] = kNever;
  }
}

}  // namespace decodescope::engine
