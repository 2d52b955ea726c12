// What the screen gets.
#include "engine/impl.h"
#include "physical/facility.h"

#include <algorithm>

namespace decodescope::engine {

namespace {

void fillChips(const Engine::Impl& m, Snapshot& out) {
  const std::size_t chips = m.machine ? m.machine->size() : 0;
  out.chip_temperature_c.resize(chips);
  out.chip_power_w.resize(chips);
  out.chip_clock_ratio.resize(chips);
  out.chip_throttle.resize(chips);
  out.chip_kv_used_ratio.assign(chips, 0);
  for (std::size_t chip = 0; chip < chips; ++chip) {
    out.chip_temperature_c[chip] = static_cast<float>(m.machine->thermal(chip).die_c);
    out.chip_power_w[chip] = static_cast<float>(m.machine->power_w(chip));
    out.chip_clock_ratio[chip] = static_cast<float>(m.machine->clock(chip).clock_ratio);
    out.chip_throttle[chip] = m.machine->clock(chip).reasons;
  }
  if (!m.model || m.replicas.empty()) return;
  const parallel::Plan& plan = m.model->plan();
  const ParallelDegrees& d = plan.degrees;
  const auto per_replica = static_cast<std::size_t>(std::max(plan.chipsPerReplica(), 1));
  for (std::size_t chip = 0; chip < chips; ++chip) {
    // Rank order: tp innermost, then cp, dp, pp.
    const int rank = static_cast<int>(chip % per_replica);
    const int data_rank = rank / (d.tp * d.cp) % d.dp;
    const int group = plan.attentionTp() == d.tp ? data_rank : data_rank * d.tp + rank % d.tp;
    const Replica& replica = m.replicas[chip / per_replica % m.replicas.size()];
    out.chip_kv_used_ratio[chip] = static_cast<float>(replica.scheduler.groupUsedRatio(group));
  }
}

void fillRacks(const Engine::Impl& m, Snapshot& out) {
  if (!m.view || !m.machine || !m.model) return;
  const auto racks = m.view->racks.size();
  std::vector<double> sum_w(racks, 0);
  std::vector<int> chips(racks, 0);
  for (std::uint32_t chip = 0; chip < m.view->chip_count; ++chip) {
    const RackId rack = m.view->trays[m.view->nodes[chip].tray.value].rack;
    sum_w[rack.value] += m.machine->power_w(chip);
    ++chips[rack.value];
  }
  const bool liquid =
      m.predictor->cooling(*m.scenario).transform([](const auto& c) { return c.liquid; }).value_or(true);
  out.rack_power_w.assign(racks, 0);
  for (std::size_t r = 0; r < racks; ++r) {
    if (chips[r] == 0) continue;
    out.rack_power_w[r] = static_cast<float>(
        physical::rackPower(*m.catalog, m.model->system(), sum_w[r] / chips[r], chips[r], liquid).total_w());
  }
}

void fillServing(const Engine::Impl& m, Snapshot& out) {
  for (const Replica& replica : m.replicas) {
    const serving::SchedulerCounts counts = replica.scheduler.counts();
    out.serving.running += counts.decoding * replica.weight;
    out.serving.prefilling += (counts.prefilling + replica.in_remote_prefill) * replica.weight;
    out.serving.waiting += counts.waiting * replica.weight;
    out.serving.preempted += counts.preempted * replica.weight;
    out.serving.prompt_tokens += counts.prompt_tokens * replica.weight;
    out.serving.kv_blocks_used += counts.blocks_used * replica.weight;
    out.serving.kv_blocks_total += counts.blocks_total * replica.weight;
  }
  out.serving.completed = m.totals.requests;
  out.serving.output_tokens = m.totals.output_tokens;
  out.tpot = m.latency.recentItl();
  out.ttft = m.latency.recentTtft();
  out.breakdown_s = m.last_parts_s;
  if (m.rate_size < 2) return;
  const auto& first = m.rate_marks[m.rate_begin];
  const auto& last = m.rate_marks[(m.rate_begin + m.rate_size - 1) % m.rate_marks.size()];
  const double span_s = secondsOf(last.time_ns - first.time_ns);
  if (span_s > 0)
    out.output_tokens_per_s = static_cast<double>(last.output_tokens - first.output_tokens) / span_s;
}

void fillLinks(Engine::Impl& m, Snapshot& out) {
  const std::size_t directed = m.view ? m.view->links.size() * 2 : 0;
  const bool is_busy = m.links && !m.replicas.empty() && m.replicas[m.lead].flight.is_active;
  if (!is_busy) {
    out.link_utilization_ratio.assign(directed, 0);
    out.link_phase_ratio.assign(directed, 0);
    return;
  }
  const Flight& flight = m.replicas[m.lead].flight;
  m.links->fill(flight.input, flight.result.step_s, out.link_utilization_ratio, out.link_phase_ratio);
}

// The phase under way: the timeline is at nominal noise, so positions are shares of its length.
void fillPosition(Snapshot& out) {
  if (!out.timeline || out.timeline->phases.empty()) return;
  const double at_s = out.iteration_progress * out.timeline->step_s;
  const auto after =
      std::ranges::upper_bound(out.timeline->phases, at_s + 1e-12, {}, &TimelinePhase::start_s);
  const auto index = std::max<std::ptrdiff_t>(after - out.timeline->phases.begin() - 1, 0);
  out.phase = static_cast<std::int32_t>(index);
  out.layer = out.timeline->phases[static_cast<std::size_t>(index)].layer;
}

}  // namespace

void Engine::Impl::layOut() {
  if (replicas.empty() || !replicas[lead].flight.is_active) {
    timeline.reset();
    timeline_number = UINT64_MAX;
    return;
  }
  const Flight& flight = replicas[lead].flight;
  const bool same_clock =
      !(timeline_clock < flight.input.clock_ratio) && !(timeline_clock > flight.input.clock_ratio);
  if (timeline && timeline_number == flight.number && same_clock) return;
  timeline = std::make_shared<const IterationTimeline>(model->timeline(flight.input, view.get()));
  timeline_number = flight.number;
  timeline_clock = flight.input.clock_ratio;
}

std::shared_ptr<const Snapshot> Engine::Impl::snapshot(bool with_timeline) {
  auto out = std::make_shared<Snapshot>();
  out->sequence = ++snapshot_sequence;
  out->revision = revision;
  out->time_ns = now_ns;
  out->token = token;
  out->scenario = scenario;
  out->topology = view;
  out->prediction = prediction;
  out->halted = halted;
  out->halt_reason = halt_reason;
  if (!replicas.empty())
    out->iteration_progress = std::clamp(replicas[lead].flight.progressAt(now_ns), 0.0, 1.0);
  fillChips(*this, *out);
  fillRacks(*this, *out);
  fillServing(*this, *out);
  fillLinks(*this, *out);
  if (with_timeline && !halted) {
    layOut();
    out->timeline = timeline;
    fillPosition(*out);
  }
  out->recent = recent.take();
  out->events = events.take();
  return out;
}

// To where the next layer begins; past the last one, to the end of the iteration.
void Engine::Impl::stepLayer() {
  while (!halted && !(replicas[lead].flight.is_active)) handle(nextEvent());
  if (halted) return;
  layOut();
  const Flight& flight = replicas[lead].flight;
  const double at_s = flight.progressAt(now_ns) * timeline->step_s;
  std::int32_t layer = -2;
  double target_s = timeline->step_s;
  for (const TimelinePhase& phase : timeline->phases) {
    if (phase.start_s <= at_s + 1e-12) {
      layer = phase.layer;
    } else if (phase.layer != layer) {
      target_s = phase.start_s;
      break;
    }
  }
  const std::int64_t before = token;
  const double done = timeline->step_s > 0 ? target_s / timeline->step_s : 1;
  const double share = (done - flight.done_at_segment) / std::max(1 - flight.done_at_segment, 1e-12);
  const auto span_ns = static_cast<double>(flight.end_ns - flight.segment_start_ns);
  // Rounded up, so that the layer has begun.
  const TimeNs target_ns = flight.segment_start_ns + static_cast<TimeNs>(span_ns * share) + 1;
  if (done >= 1) {
    while (!halted && token == before) handle(nextEvent());
  } else {
    advanceUntil(std::max(std::min(target_ns, flight.end_ns - 1), now_ns));
  }
}

}  // namespace decodescope::engine
