// A token crossing the layers: what the iteration's timeline says is happening at this instant.
#pragma once

#include <decodescope/snapshot.h>

#include <cstdint>
#include <string>
#include <vector>

namespace decodescope::scene {

struct TokenFlow {
  bool active = false;      ///< slow motion or stepping by layer
  bool collective = false;  ///< links carry; else chips compute
  PhaseKind kind = PhaseKind::Compute;
  std::string caption;        ///< "Layer 31 of 61: MoE combine"
  std::vector<bool> working;  ///< by chip: part of the phase under way; empty: all
  [[nodiscard]] bool isWorking(std::uint32_t chip) const {
    return active && !collective && (working.empty() || (chip < working.size() && working[chip]));
  }
};

[[nodiscard]] TokenFlow tokenFlow(const Snapshot& snapshot);

/// The phase of `timeline` at `progress` (0 to 1) of the iteration; -1 when it has none.
[[nodiscard]] std::int32_t phaseAt(const IterationTimeline& timeline, double progress);

}  // namespace decodescope::scene
