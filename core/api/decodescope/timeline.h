// One decode iteration laid out in time, operation by operation: step-layer mode, slow motion, Chrome trace.
#pragma once

#include <decodescope/ids.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace decodescope {

enum class PhaseKind : std::uint8_t { Compute, Attention, Experts, Collective, PointToPoint, Host, Wait };

/// What a phase occupies, shared by all phases of the same collective.
struct PhaseTraffic {
  std::string name;                     ///< "all-reduce over TP", "EP dispatch"
  std::vector<std::uint32_t> directed;  ///< directed link indices that carry bytes
  std::vector<float> bytes;             ///< per directed index, of one execution
};

struct TimelinePhase {
  PhaseKind kind = PhaseKind::Compute;
  std::int32_t layer = -1;      ///< -1: before or after the layers
  std::int32_t stage = 0;       ///< pipeline stage; 0 when pp = 1
  std::uint32_t operation = 0;  ///< index into IterationTimeline::operation_names
  double start_s = 0, duration_s = 0;
  std::int32_t traffic = -1;  ///< index into IterationTimeline::traffic
};

/// Phases are in order of start and add up to step_s (overlap credit is taken from the phases it applies to).
struct IterationTimeline {
  double step_s = 0;
  std::int32_t layers = 0;
  std::int32_t stages = 1;
  std::vector<std::string> operation_names;
  std::vector<TimelinePhase> phases;
  std::vector<std::shared_ptr<const PhaseTraffic>> traffic;
  /// Chips of each pipeline stage: a compute phase occupies all chips of its stage.
  std::vector<std::vector<ChipId>> stage_chips;
};

}  // namespace decodescope
