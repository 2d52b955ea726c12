// The state of the simulated machine at one instant: immutable, shared, built by the engine for whoever shows
// it.
#pragma once

#include <decodescope/ids.h>
#include <decodescope/prediction.h>
#include <decodescope/scenario.h>
#include <decodescope/timeline.h>
#include <decodescope/topology_view.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace decodescope {

/// Why a chip's clock is below nominal, bits as NVML names them.
enum class ThrottleReason : std::uint8_t {
  None = 0,
  PowerCap = 0x04,
  HwSlowdown = 0x08,
  SwThermal = 0x20,
  HwThermal = 0x40
};

struct LatencySummary {
  double mean_s = 0, p50_s = 0, p95_s = 0, p99_s = 0;
  std::int64_t count = 0;
};

/// One decode iteration as it happened.
struct TokenRecord {
  std::int64_t token = 0;  ///< iteration number since the start
  std::int64_t start_ns = 0, duration_ns = 0;
  float running = 0;  ///< sequences decoding
  float mean_context_tokens = 0;
  float prefill_tokens = 0;  ///< prompt tokens that rode along
  float max_chip_c = 0, chip_w = 0, clock_ratio = 1;
  float peak_link_ratio = 0;
  std::array<float, kStepPartCount> part_s{};
};

enum class EventKind : std::uint8_t {
  Arrival,
  Completion,
  Preemption,
  ThrottleOn,
  ThrottleOff,
  Fault,
  ScenarioChange,
  Shutdown
};
struct EngineEvent {
  EventKind kind = EventKind::Arrival;
  std::int64_t time_ns = 0;
  std::int64_t token = 0;
  std::uint32_t count = 1;  ///< sequences or chips
  std::string text;
};

struct ServingState {
  std::int64_t running = 0, waiting = 0, prefilling = 0;
  std::int64_t completed = 0, preempted = 0;
  std::int64_t kv_blocks_used = 0, kv_blocks_total = 0;
  std::int64_t output_tokens = 0, prompt_tokens = 0;
};

/// Arrays are indexed by chip, by rack or by directed link (`directedIndex`).
struct Snapshot {
  std::uint64_t sequence = 0;     ///< grows with every snapshot
  std::uint64_t revision = 0;     ///< of the parameters it was computed with
  std::int64_t time_ns = 0;       ///< simulated
  std::int64_t token = 0;         ///< iterations finished
  double iteration_progress = 0;  ///< 0 to 1 within the running iteration
  std::int32_t layer = -1;        ///< layer under way while stepping by layer or in slow motion
  std::int32_t phase = -1;        ///< index into timeline->phases, likewise

  std::shared_ptr<const Scenario> scenario;
  std::shared_ptr<const TopologyView> topology;
  std::shared_ptr<const Prediction> prediction;       ///< steady point of this scenario
  std::shared_ptr<const IterationTimeline> timeline;  ///< of the running iteration; null unless asked for

  std::vector<float> chip_temperature_c, chip_power_w, chip_clock_ratio, chip_kv_used_ratio;
  std::vector<std::uint8_t> chip_throttle;    ///< ThrottleReason bits
  std::vector<float> link_utilization_ratio;  ///< per direction, mean over the last step
  std::vector<float> link_phase_ratio;        ///< per direction, bytes over capacity during its busiest phase
  std::vector<float> rack_power_w;

  StepBreakdown breakdown_s;  ///< of the last iteration
  LatencySummary tpot, ttft;  ///< over the last 1,000 tokens / requests
  ServingState serving;
  double output_tokens_per_s = 0;   ///< over the last 1,000 iterations
  std::vector<TokenRecord> recent;  ///< iterations since the previous snapshot, oldest first
  std::vector<EngineEvent> events;  ///< likewise
  bool halted = false;              ///< infeasible, or stopped by an invariant
  std::string halt_reason;
};

}  // namespace decodescope
