// The eight headline numbers: what they are, from a snapshot. Pure; the strip draws them.
#pragma once

#include "base/format.h"

#include <decodescope/snapshot.h>

#include <QString>
#include <array>
#include <vector>

namespace decodescope::views {

enum class Tone { Neutral, Warning, Better, Worse };

struct HeadlineTileContent {
  QString quantity;            ///< key to explain, "tpot_s"
  QString title, short_title;  ///< the short one where the long one does not fit
  QString corner;              ///< top right
  ValueText value;
  QString note, short_note;  ///< bottom right; the short one, or none, where it does not fit
  Tone corner_tone = Tone::Neutral, note_tone = Tone::Neutral;
  double bar_ratio = -1;  ///< 0 to 1 and beyond; negative: no bar
};

inline constexpr std::size_t kHeadlineCount = 8;
using HeadlineValues = std::array<double, kHeadlineCount>;

/// In SI and in the order of the tiles: TPOT p50, p99, output tokens/s per user, per chip, J/token, $/Mtok,
/// power, hottest chip. NaN where unknown. Latency, throughput, power and temperature as measured; energy and
/// cost as predicted.
[[nodiscard]] HeadlineValues headlineValues(const Snapshot& snapshot);
/// Of a steady point alone: no percentiles.
[[nodiscard]] HeadlineValues headlineValues(const Prediction& prediction);

/// `pinned` may be null. Deltas say in words whether the change is for the better.
[[nodiscard]] std::vector<HeadlineTileContent> headlineTiles(const Snapshot& snapshot,
                                                             const HeadlineValues* pinned);

/// Position of the hottest chip; the first one while nothing is known.
[[nodiscard]] std::size_t hottestChip(const Snapshot& snapshot);
[[nodiscard]] int throttledChips(const Snapshot& snapshot);

}  // namespace decodescope::views
