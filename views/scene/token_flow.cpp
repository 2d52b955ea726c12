#include "scene/token_flow.h"

#include <algorithm>

namespace decodescope::scene {
namespace {

std::string captionOf(const IterationTimeline& timeline, const TimelinePhase& phase) {
  const std::string name =
      phase.operation < timeline.operation_names.size() ? timeline.operation_names[phase.operation] : "";
  const std::string stage = timeline.stages > 1 ? ", stage " + std::to_string(phase.stage + 1) : "";
  if (phase.layer < 0) return name + stage;
  return "Layer " + std::to_string(phase.layer + 1) + " of " + std::to_string(timeline.layers) + stage +
         ": " + name;
}

std::vector<bool> chipsOfStage(const IterationTimeline& timeline, std::int32_t stage,
                               std::uint32_t chip_count) {
  const auto index = static_cast<std::size_t>(stage);
  if (stage < 0 || index >= timeline.stage_chips.size() || timeline.stage_chips.size() < 2) return {};
  std::vector<bool> working(chip_count, false);
  for (const ChipId chip : timeline.stage_chips[index]) {
    if (chip.value < chip_count) working[chip.value] = true;
  }
  return working;
}

}  // namespace

std::int32_t phaseAt(const IterationTimeline& timeline, double progress) {
  const double now_s = progress * timeline.step_s;
  const auto after =
      std::upper_bound(timeline.phases.begin(), timeline.phases.end(), now_s,
                       [](double time_s, const TimelinePhase& phase) { return time_s < phase.start_s; });
  return static_cast<std::int32_t>(after - timeline.phases.begin()) - 1;
}

TokenFlow tokenFlow(const Snapshot& snapshot) {
  TokenFlow flow;
  if (!snapshot.timeline || snapshot.phase < 0) return flow;
  const IterationTimeline& timeline = *snapshot.timeline;
  const auto index = static_cast<std::size_t>(snapshot.phase);
  if (index >= timeline.phases.size()) return flow;
  const TimelinePhase& phase = timeline.phases[index];
  flow.active = true;
  flow.kind = phase.kind;
  flow.collective = phase.kind == PhaseKind::Collective || phase.kind == PhaseKind::PointToPoint;
  flow.caption = captionOf(timeline, phase);
  const bool chips_work = phase.kind == PhaseKind::Compute || phase.kind == PhaseKind::Attention ||
                          phase.kind == PhaseKind::Experts;
  const std::uint32_t chip_count = snapshot.topology ? snapshot.topology->chip_count : 0;
  flow.working =
      chips_work ? chipsOfStage(timeline, phase.stage, chip_count) : std::vector<bool>(chip_count, false);
  return flow;
}

}  // namespace decodescope::scene
