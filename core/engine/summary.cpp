// A run in numbers.
#include "engine/impl.h"

namespace decodescope::engine {

RunSummary Engine::Impl::summary() const {
  RunSummary out;
  out.simulated_s = secondsOf(now_ns - totals.started_ns);
  out.iterations = totals.iterations;
  out.all_iterations = totals.all_iterations;
  out.output_tokens = totals.output_tokens;
  out.requests = totals.requests;
  out.tpot = serving::summarize(latency.tpot());
  out.ttft = serving::summarize(latency.ttft());
  out.itl = serving::summarize(latency.itl());
  out.e2e = serving::summarize(latency.e2e());
  // No request has ended yet, or none ever does: the mean gap between tokens is the same mean over tokens.
  if (out.tpot.count == 0) out.tpot = out.itl;
  out.tpot_s = out.tpot.mean_s;
  if (totals.all_iterations > 0) {
    const double n = totals.all_iterations;
    out.step_time_s = totals.iteration_s / n;
    for (std::size_t i = 0; i < kStepPartCount; ++i) out.breakdown_s.part_s[i] = totals.parts_s.part_s[i] / n;
  }
  if (out.simulated_s > 0) {
    out.output_tokens_per_s = static_cast<double>(out.output_tokens) / out.simulated_s;
    out.mean_sequences = totals.sequence_s / out.simulated_s;
  }
  if (machine) {
    out.energy_j = machine->energy_j();
    out.heat_out_j = machine->heatOut_j();
    out.heat_stored_j = machine->heatStored_j();
    out.controlled_s = static_cast<double>(totals.ticks) * Machine::kTick_s;
    out.max_chip_c = machine->hottestEver_c();
    out.mean_chip_c = machine->meanDie_c();
    const double chip_s = out.controlled_s * static_cast<double>(machine->size());
    out.mean_chip_w = chip_s > 0 ? out.energy_j / chip_s : machine->meanPower_w();
  }
  if (totals.lead_s > 0) {
    out.clock_ratio = totals.clock_s / totals.lead_s;
    out.peak_link_ratio = totals.link_s / totals.lead_s;
  }
  out.throttle_reasons = totals.throttle_reasons;
  out.fingerprint = fingerprint;
  return out;
}

}  // namespace decodescope::engine
