// Replicas and the requests they start with.
#include "engine/impl.h"
#include "serving/lengths.h"

#include <algorithm>
#include <cmath>

namespace decodescope::engine {

namespace {

bool isStatic(const Scenario& s) {
  return s.workload.mode == WorkloadMode::Static;
}

bool isLater(const RemotePrefill& a, const RemotePrefill& b) {
  return a.ready_ns != b.ready_ns ? a.ready_ns > b.ready_ns : a.request.id > b.request.id;
}

}  // namespace

serving::SchedulerOptions Engine::Impl::schedulerOptions() const {
  serving::SchedulerOptions options;
  options.prefill = isStatic(*scenario) ? PrefillMode::None : scenario->serving.prefill;
  options.chunk_tokens = std::max(scenario->serving.chunk_tokens, 1);
  options.max_sequences = scenario->serving.max_batch_per_replica;
  options.groups = model->plan().attentionGroups();
  options.grows = !isStatic(*scenario);
  options.speculation = scenario->serving.speculation;
  options.jitter = scenario->jitter;
  options.seed = scenario->seed;
  return options;
}

void Engine::Impl::buildReplicas() {
  if (!blocks) {
    const decode::MemoryPlan& memory = model->memory();
    const double free_bytes =
        memory.usable_bytes_per_chip - memory.weights_bytes_per_chip - memory.activation_bytes_per_chip;
    blocks = std::make_shared<serving::KvBlockTable>(
        [model = model](double tokens) { return model->memory().kv_bytes_per_sequence_per_chip(tokens); },
        memory.kv_block_tokens, std::max(free_bytes, 0.0));
  }
  const int real = std::max(model->plan().replicas, 1);
  const int simulated = std::min(real, kMostReplicas);
  replicas.clear();
  replicas.reserve(static_cast<std::size_t>(simulated));
  for (int r = 0; r < simulated; ++r) {
    Replica& replica = replicas.emplace_back(serving::Scheduler(schedulerOptions(), blocks));
    replica.weight = real / simulated + (r < real % simulated ? 1 : 0);
    replica.metered_until_ns = now_ns;
  }
  flight_end_ns.assign(replicas.size(), kNever);
  activities.assign(replicas.size(), {});
  lead = 0;
  remote.clear();
}

void Engine::Impl::assignQuotas() {
  const double wanted = std::max(std::floor(scenario->workload.concurrency + 0.5), 1.0);
  const double share = static_cast<double>(replicas.size()) / std::max(model->plan().replicas, 1);
  const auto total = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::floor(wanted * share + 0.5)));
  const auto count = static_cast<std::int64_t>(replicas.size());
  for (std::int64_t r = 0; r < count; ++r) {
    replicas[static_cast<std::size_t>(r)].quota = total / count + (r < total % count ? 1 : 0);
  }
}

serving::Request Engine::Impl::newRequest() {
  serving::Request request;
  request.id = next_request++;
  const Workload& workload = scenario->workload;
  request.prompt_tokens =
      serving::drawLength(workload.prompt, scenario->seed, rng::Stream::PromptLength, request.id);
  request.output_tokens =
      serving::drawLength(workload.output, scenario->seed, rng::Stream::OutputLength, request.id);
  return request;
}

std::size_t Engine::Impl::leastLoaded() const {
  std::size_t best = lead;
  const auto load = [this](std::size_t r) {
    return replicas[r].scheduler.inFlight() + replicas[r].in_remote_prefill;
  };
  for (std::size_t r = 0; r < replicas.size(); ++r) {
    if (!replicas[r].is_down && load(r) < load(best)) best = r;
  }
  return best;
}

void Engine::Impl::submit(std::size_t index, serving::Request request) {
  if (scenario->serving.prefill == PrefillMode::Disaggregated &&
      scenario->workload.mode != WorkloadMode::Static) {
    prefillRemotely(index, request);
  } else {
    replicas[index].scheduler.submit(request);
  }
}

// The pool has an instance for every prompt: it computes the prompt chunk by chunk as a replica of this plan
// would, hands out the first token, then sends the KV of every chip's share over that chip's NIC.
void Engine::Impl::prefillRemotely(std::size_t index, serving::Request request) {
  const double prompt = request.prompt_tokens;
  const double chunk = std::max(scenario->serving.chunk_tokens, 1);
  const double full = std::floor(prompt / chunk);
  const double rest = prompt - full * chunk;
  decode::StepInput in;
  in.sequences = in.busiest_group_sequences = 0;
  double prefill_s = 0;
  if (full > 0) {
    in.prefill_tokens = chunk;
    in.prefill_past_tokens = (full - 1) / 2 * chunk;
    prefill_s += full * cache->evaluate(in).step_s;
  }
  if (rest > 0) {
    in.prefill_tokens = rest;
    in.prefill_past_tokens = full * chunk;
    prefill_s += cache->evaluate(in).step_s;
  }
  const SystemSpec& system = model->system();
  const double nic = system.nic_bytes_per_s_per_chip > 0 ? system.nic_bytes_per_s_per_chip
                                                         : model->chip().scale_out_bytes_per_s;
  const double kv_bytes = model->memory().kv_bytes_per_sequence_per_chip(prompt);
  const double transfer_s = nic > 0 ? kv_bytes / nic : 0;
  request.is_prefilled = true;
  request.generated_tokens = 1;
  request.observed_generated = 1;
  request.observed_from_ns = request.last_token_ns = now_ns + nanosecondsOf(prefill_s);
  latency.addTtft(request.observed_from_ns - request.arrival_ns);
  totals.output_tokens += replicas[index].weight;
  ++replicas[index].in_remote_prefill;
  remote.push_back(
      {request.observed_from_ns + nanosecondsOf(transfer_s), static_cast<std::uint32_t>(index), request});
  std::ranges::push_heap(remote, isLater);
}

analysis::SteadyMix Engine::Impl::mixOf(std::size_t index) const {
  const analysis::MeanLengths lengths = analysis::meanLengths(scenario->workload);
  const double replicas_all = std::max(model->plan().replicas, 1);
  const double context = isStatic(*scenario) ? scenario->workload.context_tokens
                                             : lengths.prompt_tokens + lengths.decoding_age_tokens;
  const double fits = analysis::fittingSequences(*model, *scenario, context) / replicas_all;
  return analysis::steadyMix(*model, *scenario, lengths,
                             std::min(static_cast<double>(replicas[index].quota), fits));
}

void Engine::Impl::seed() {
  arrivals = {};
  startArrivals();
  if (scenario->workload.mode != WorkloadMode::Closed && !isStatic(*scenario)) return;
  assignQuotas();
  for (std::size_t r = 0; r < replicas.size(); ++r) seedClosedLoop(r);
}

// Ages are spread evenly over a request's life, so that the loop starts at its steady state: those that
// decode have made evenly spaced shares of their output, one is in the middle of its prefill, the rest wait.
void Engine::Impl::seedClosedLoop(std::size_t index) {
  Replica& replica = replicas[index];
  if (replica.quota <= 0) return;
  const analysis::SteadyMix mix = mixOf(index);
  const std::int64_t decoding =
      std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(mix.decoding + 0.5)), 1, replica.quota);
  const double step_s = prediction->step_time_s;
  for (std::int64_t k = 0; k < replica.quota; ++k) {
    serving::Request request = newRequest();
    request.observed_from_ns = request.last_token_ns = now_ns;
    if (isStatic(*scenario)) {
      request.prompt_tokens = static_cast<std::int32_t>(scenario->workload.context_tokens);
      request.output_tokens = INT32_MAX;
      request.generated_tokens = 1;
      replica.scheduler.place(request);
    } else if (k < decoding) {
      // Oldest first: the share of the output that is done falls with k.
      const double age = (static_cast<double>(decoding - k) - 0.5) / static_cast<double>(decoding);
      request.output_tokens = serving::drawLengthInFlight(scenario->workload.output, scenario->seed,
                                                          rng::Stream::OutputLength, request.id);
      const int last = std::max(request.output_tokens - 1, 0);
      const int least = std::min(1, last);
      request.generated_tokens = std::clamp(static_cast<int>(age * request.output_tokens), least, last);
      request.observed_generated = request.generated_tokens;
      request.is_prefilled = true;
      request.arrival_ns = now_ns - nanosecondsOf(age * request.output_tokens * step_s + prediction->ttft_s);
      replica.scheduler.place(request);
    } else {
      const double place =
          (static_cast<double>(k - decoding) + 0.5) / static_cast<double>(replica.quota - decoding);
      request.arrival_ns = now_ns - nanosecondsOf((1 - place) * prediction->ttft_s);
      if (k == decoding && scenario->serving.prefill == PrefillMode::Chunked) {
        request.prefilled_tokens = std::min(request.prompt_tokens / 2, request.prompt_tokens - 1);
        replica.scheduler.place(request);
      } else {
        submit(index, request);
      }
    }
  }
}

void Engine::Impl::startArrivals() {
  const Workload& workload = scenario->workload;
  if (workload.mode == WorkloadMode::Open) {
    arrivals = serving::ArrivalProcess::open(workload, scenario->seed, now_ns);
  } else if (workload.mode == WorkloadMode::Trace) {
    if (auto trace = serving::loadTrace(workload.trace_file)) {
      arrivals =
          serving::ArrivalProcess::replay(std::make_shared<const serving::Trace>(*std::move(trace)), now_ns);
    }
  }
}

}  // namespace decodescope::engine
