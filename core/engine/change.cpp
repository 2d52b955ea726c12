// Scenarios: building the machine, and changing what it does while it runs.
#include "engine/fingerprint.h"
#include "engine/impl.h"
#include "topology/faults.h"
#include "topology/topology.h"

#include <fmt/format.h>
#include <algorithm>
#include <nlohmann/json.hpp>

namespace decodescope::engine {

namespace {

std::string reasonsText(const Prediction& prediction) {
  std::string text;
  for (const Violation& violation : prediction.violations) {
    text += (text.empty() ? "" : "; ") + violation.message;
  }
  return text.empty() ? "Nothing can run in this scenario." : text;
}

bool isFlowFault(const Fault& fault) {
  return fault.kind == "flow";
}

}  // namespace

void Engine::Impl::judge() {
  model = predictor->stepModel();
  halted = !prediction->feasible || !model;
  halt_reason = halted ? reasonsText(*prediction) : std::string();
}

Expected<void> Engine::Impl::rebuild(const Scenario& next) {
  auto made = analysis::Predictor::make(catalog, next);
  if (!made) return Unexpected(made.error());
  const double done = replicas.empty() ? 0 : replicas[lead].flight.progressAt(now_ns);
  const bool same_machine = machine && scenario && scenario->system == next.system &&
                            scenario->chips == next.chips && scenario->jitter == next.jitter &&
                            scenario->seed == next.seed;
  predictor = *std::move(made);
  scenario = std::make_shared<const Scenario>(next);
  prediction = std::make_shared<const Prediction>(predictor->predict(next));
  judge();
  cache.reset();
  blocks.reset();
  links.reset();
  healthy_links.reset();
  timeline.reset();
  timeline_number = UINT64_MAX;
  replicas.clear();
  flight_end_ns.clear();
  remote.clear();
  arrivals = {};
  takeFaults();
  const std::optional<Machine> before = std::move(machine);
  machine.reset();
  if (view) {
    const int per_replica = model ? model->plan().chipsPerReplica() : 1;
    machine.emplace(*view, predictor->chipPower(), per_replica, next.jitter, next.seed);
    configureMachine();
  }
  if (halted) return {};
  if (!machine) {
    halted = true;
    halt_reason = "The machine's graph could not be built.";
    return {};
  }
  cache.emplace(model);
  jitter.emplace(*model, next.jitter, next.seed);
  buildReplicas();
  seed();
  if (same_machine && before) {
    machine->inherit(*before);
  } else {
    warmUp();
    totals.ticks = 0;
  }
  startAll(done);
  return {};
}

void Engine::Impl::startAll(double done) {
  for (std::size_t r = 0; r < replicas.size(); ++r) startIteration(r, done);
}

void Engine::Impl::configureMachine() {
  MachineSettings settings;
  const auto cooling = predictor->cooling(*scenario);
  if (!cooling || !machine) return;
  settings.cooling = *cooling;
  settings.limits = predictor->clockLimits(*scenario);
  if (!cooling->liquid) {
    const auto field = physical::inletField(catalog->document("physical"), cooling->supply_c, true);
    if (field) {
      settings.has_inlet_field = true;
      settings.inlet = *field;
      const double cap_w = prediction->power.rack_cap_w;
      settings.rack_load_ratio = cap_w > 0 ? std::clamp(prediction->power.rack_w / cap_w, 0.0, 2.0) : 1;
    }
  }
  machine->configure(settings);
  for (const Fault& fault : active_faults) {
    if (!isFlowFault(fault)) continue;
    Scenario reduced = *scenario;
    const Scenario& resolved = predictor->scenario();
    const double left = std::max(fault.capacity_ratio, 0.01);
    reduced.physical.flow_l_per_min_per_chip = resolved.physical.flow_l_per_min_per_chip.value_or(1) * left;
    reduced.physical.airflow_ratio = resolved.physical.airflow_ratio.value_or(1) * left;
    const auto here = predictor->cooling(reduced);
    for (std::uint32_t t = 0; here && t < view->trays.size(); ++t) {
      const TopologyTray& tray = view->trays[t];
      const bool is_meant = std::ranges::any_of(
          tray.nodes, [&](NodeId node) { return nodeLabel(*view, node).starts_with(fault.target); });
      if (is_meant) machine->setTrayCooling(TrayId{t}, *here);
    }
  }
}

// Temperatures and clocks at which the mean iteration of each replica settles.
void Engine::Impl::warmUp() {
  const bool is_loop =
      scenario->workload.mode == WorkloadMode::Closed || scenario->workload.mode == WorkloadMode::Static;
  for (std::size_t r = 0; r < replicas.size(); ++r) {
    ReplicaActivity& activity = activities[r];
    activity = {};
    activity.actual.duty_ratio = activity.at_nominal.duty_ratio = 0;
    if (!is_loop || replicas[r].quota <= 0) continue;
    activity.is_idle = false;
    activity.at_nominal = activity.actual =
        analysis::activityOf(analysis::steadyStep(*model, mixOf(r), 1).mean);
  }
  machine->settle(activities);
}

// Faults of the scenario act at their time; those of the past act at once.
void Engine::Impl::takeFaults() {
  active_faults.clear();
  pending_faults.clear();
  for (const Fault& fault : scenario->faults) {
    (nanosecondsOf(fault.at_s) <= now_ns ? active_faults : pending_faults).push_back(fault);
  }
  std::ranges::stable_sort(pending_faults, std::ranges::greater(), &Fault::at_s);
  rebuildView();
}

void Engine::Impl::rebuildView() {
  const bool has_faults = !scenario->faults.empty() || !active_faults.empty();
  if (!healthy_view || cache == std::nullopt) {
    healthy_view.reset();
    const auto& built = predictor->topology();
    if (built) healthy_view = built->sharedView();
    if (built && model && !scenario->faults.empty()) {
      const auto whole =
          topology::buildDeployment(model->system(), model->chip(), scenario->chips, scenario->fabric);
      if (whole) healthy_view = whole->sharedView();
    }
  }
  view = healthy_view;
  if (has_faults && healthy_view) {
    TopologyView broken = *healthy_view;
    for (const Fault& fault : active_faults) {
      if (isFlowFault(fault)) continue;
      if (const auto applied = topology::applyFaults(broken, std::span(&fault, 1)); !applied) {
        note(EventKind::Fault, 0, applied.error().text());
      }
    }
    view = std::make_shared<const TopologyView>(std::move(broken));
  }
  links.reset();
  healthy_links.reset();
  if (view && model) {
    links.emplace(model, view);
    healthy_links.emplace(model, healthy_view);
  }
  if (machine && machine->size() > 0) configureMachine();
}

bool Engine::Impl::loadChanged(const Scenario& before) const {
  const Workload& a = before.workload;
  const Workload& b = scenario->workload;
  const bool same_lengths = a.prompt == b.prompt && a.output == b.output;
  const auto same = [](double x, double y) { return !(x < y) && !(x > y); };
  const bool same_rates = same(a.concurrency, b.concurrency) && same(a.context_tokens, b.context_tokens) &&
                          same(a.arrivals_per_s, b.arrivals_per_s) && same(a.burstiness_cv, b.burstiness_cv);
  return !same_lengths || !same_rates || a.mode != b.mode || !(before.serving == scenario->serving) ||
         before.seed != scenario->seed;
}

// A new load starts at its own steady state, in the middle of the iteration that was under way.
void Engine::Impl::reseed() {
  const double done = replicas.empty() ? 0 : replicas[lead].flight.progressAt(now_ns);
  for (Replica& replica : replicas) meter(replica, now_ns);
  if (!cache) cache.emplace(model);
  if (!jitter) jitter.emplace(*model, scenario->jitter, scenario->seed);
  if (!links && view) rebuildView();
  std::vector<std::uint64_t> iterations;
  for (const Replica& replica : replicas) iterations.push_back(replica.iterations);
  buildReplicas();
  for (std::size_t r = 0; r < std::min(iterations.size(), replicas.size()); ++r)
    replicas[r].iterations = iterations[r];
  seed();
  latency.forgetRecent();
  rate_begin = rate_size = 0;
  startAll(done);
}

void Engine::Impl::noteChange(std::uint64_t next_revision) {
  note(EventKind::ScenarioChange, 1);
  fingerprint.tokens = mix(fingerprint.tokens, now_ns);
  revision = next_revision;
}

Expected<void> Engine::setScenario(const Scenario& next, std::uint64_t revision) {
  Impl& m = *impl_;
  if (!m.predictor->covers(next)) {
    if (auto rebuilt = m.rebuild(next); !rebuilt) return rebuilt;
    m.noteChange(revision);
    m.latency.forgetRecent();
    m.rate_begin = m.rate_size = 0;
    return {};
  }
  const Scenario before = *m.scenario;
  const bool was_halted = m.halted;
  m.scenario = std::make_shared<const Scenario>(next);
  m.prediction = std::make_shared<const Prediction>(m.predictor->predict(next));
  m.noteChange(revision);
  m.judge();
  if (m.halted) {
    m.stop(m.halt_reason);
    return {};
  }
  if (!(before.physical == next.physical)) m.configureMachine();
  if (was_halted || m.loadChanged(before)) m.reseed();
  return {};
}

void Engine::inject(const Fault& fault) {
  impl_->pending_faults.push_back(fault);
  impl_->pending_faults.back().at_s = 0;
  impl_->applyDueFaults();
}

}  // namespace decodescope::engine
