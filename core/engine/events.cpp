// The order of things: which event is next, and what it does.
#include "engine/fingerprint.h"
#include "engine/impl.h"
#include "topology/faults.h"

#include <fmt/format.h>
#include <algorithm>

namespace decodescope::engine {

namespace {

bool isLater(const RemotePrefill& a, const RemotePrefill& b) {
  return a.ready_ns != b.ready_ns ? a.ready_ns > b.ready_ns : a.request.id > b.request.id;
}

const char* limiterText(std::uint8_t reasons) {
  const auto has = [reasons](ThrottleReason r) { return (reasons & static_cast<std::uint8_t>(r)) != 0; };
  if (has(ThrottleReason::HwThermal)) return "hardware slowdown: too hot";
  if (has(ThrottleReason::SwThermal)) return "thermal limit";
  return "power cap";
}

}  // namespace

// Ties: iterations by replica, then arrivals, faults and the tick, so that a tick sees what ended with it.
Engine::Impl::Due Engine::Impl::nextEvent() const {
  Due due;
  for (std::size_t r = 0; r < flight_end_ns.size(); ++r) {
    if (flight_end_ns[r] < due.time_ns) due = {flight_end_ns[r], Next::IterationEnd, r};
  }
  const auto consider = [&due](TimeNs time_ns, Next kind) {
    if (time_ns < due.time_ns) due = {time_ns, kind, 0};
  };
  if (!remote.empty()) consider(remote.front().ready_ns, Next::RemoteReady);
  consider(arrivals.nextTime_ns(), Next::Arrival);
  if (!pending_faults.empty())
    consider(std::max(now_ns, nanosecondsOf(pending_faults.back().at_s)), Next::Fault);
  consider(next_tick_ns, Next::Tick);
  return due;
}

void Engine::Impl::handle(const Due& due) {
  now_ns = std::max(now_ns, due.time_ns);
  ++handled;
  switch (due.kind) {
    case Next::IterationEnd:
      endIteration(due.replica);
      if (scenario->workload.mode == WorkloadMode::Trace) stopWhenDone();
      break;
    case Next::RemoteReady:
      remoteReady();
      break;
    case Next::Arrival:
      arrive();
      break;
    case Next::Fault:
      applyDueFaults();
      break;
    case Next::Tick:
      tick();
      break;
  }
}

// A trace that was served to its end leaves nothing to do.
void Engine::Impl::stopWhenDone() {
  if (arrivals.nextTime_ns() != kNever || !remote.empty()) return;
  const auto is_busy = [](const Replica& r) { return r.flight.is_active || r.scheduler.inFlight() > 0; };
  if (std::ranges::none_of(replicas, is_busy)) stop("All requests of the trace are served.");
}

void Engine::Impl::advanceUntil(TimeNs time) {
  while (!halted) {
    const Due due = nextEvent();
    if (due.time_ns > time) break;
    handle(due);
  }
  if (!halted) now_ns = std::max(now_ns, time);
}

void Engine::Impl::arrive() {
  const serving::Arrival arrival = arrivals.take();
  serving::Request request;
  request.id = next_request++;
  request.prompt_tokens = arrival.prompt_tokens;
  request.output_tokens = arrival.output_tokens;
  request.arrival_ns = arrival.time_ns;
  note(EventKind::Arrival, 1);
  const std::size_t index = leastLoaded();
  submit(index, request);
  if (!replicas[index].flight.is_active) startIteration(index);
}

void Engine::Impl::remoteReady() {
  std::ranges::pop_heap(remote, isLater);
  const RemotePrefill ready = remote.back();
  remote.pop_back();
  Replica& replica = replicas[ready.replica];
  --replica.in_remote_prefill;
  replica.scheduler.submit(ready.request);
  if (!replica.flight.is_active) startIteration(ready.replica);
}

void Engine::Impl::tick() {
  next_tick_ns += kTick;
  ++totals.ticks;
  for (std::size_t r = 0; r < replicas.size(); ++r) {
    Replica& replica = replicas[r];
    meter(replica, now_ns);
    decode::StepResult nominal = replica.interval;
    ReplicaActivity& activity = activities[r];
    activity.is_idle = nominal.step_s <= 0;
    replica.interval.step_s = Machine::kTick_s;
    activity.actual = analysis::activityOf(replica.interval);
    const double throttle_s = nominal.breakdown_s[StepPart::Throttle];
    nominal.breakdown_s[StepPart::Throttle] = 0;
    nominal.step_s = std::max(Machine::kTick_s - throttle_s, 1e-9);
    nominal.busy_s = std::max(nominal.busy_s - throttle_s, 0.0);
    activity.at_nominal = analysis::activityOf(nominal);
    replica.interval = {};
  }
  const TickChange change = machine->tick(activities);
  totals.throttle_reasons |= change.reasons;
  fingerprint.thermal = machine->fingerprint(fingerprint.thermal);
  if (change.throttled > 0) {
    note(EventKind::ThrottleOn, static_cast<std::uint32_t>(change.throttled), limiterText(change.reasons));
  }
  if (change.released > 0) note(EventKind::ThrottleOff, static_cast<std::uint32_t>(change.released));
  if (change.shut_down > 0) {
    note(EventKind::Shutdown, static_cast<std::uint32_t>(change.shut_down), "chips shut down: too hot");
    retireReplicas();
  }
  for (std::size_t r = 0; r < replicas.size(); ++r) retime(r);
}

// A chip that shut down takes its replica with it; what it was serving starts again elsewhere.
void Engine::Impl::retireReplicas() {
  for (std::size_t r = 0; r < replicas.size(); ++r) {
    if (replicas[r].is_down || machine->slowestClock(r) > 0) continue;
    replicas[r].is_down = true;
    replicas[r].flight.is_active = false;
    flight_end_ns[r] = kNever;
  }
  const auto alive = std::ranges::find_if(replicas, [](const Replica& r) { return !r.is_down; });
  if (alive == replicas.end()) {
    stop(
        "A chip shut down from heat and its group failed; nothing is left that could decode. Cool it and "
        "restart.");
    return;
  }
  lead = static_cast<std::size_t>(alive - replicas.begin());
  for (Replica& replica : replicas) {
    if (!replica.is_down) continue;
    for (serving::Request& request : replica.scheduler.drain()) {
      request.is_prefilled = false;
      request.prefilled_tokens = 0;
      request.last_token_ns = now_ns;
      const std::size_t target = leastLoaded();
      replicas[target].quota += replica.quota > 0 ? 1 : 0;
      replicas[target].scheduler.submit(request);
      if (!replicas[target].flight.is_active) startIteration(target);
    }
    replica.quota = 0;
  }
}

void Engine::Impl::applyDueFaults() {
  while (!pending_faults.empty() && nanosecondsOf(pending_faults.back().at_s) <= now_ns) {
    active_faults.push_back(pending_faults.back());
    pending_faults.pop_back();
    const Fault& fault = active_faults.back();
    note(EventKind::Fault, 1,
         fmt::format("{} {} at {:.0f} %", fault.kind, fault.target, 100 * fault.capacity_ratio));
  }
  rebuildView();
  // Iterations under way meet the fault with what is left of them.
  for (std::size_t r = 0; r < replicas.size(); ++r) {
    meter(replicas[r], now_ns);
    retime(r, true);
  }
}

void Engine::Impl::note(EventKind kind, std::uint32_t count, std::string text) {
  EngineEvent event;
  event.kind = kind;
  event.time_ns = now_ns;
  event.token = token;
  event.count = count;
  event.text = std::move(text);
  events.add(std::move(event));
}

}  // namespace decodescope::engine
