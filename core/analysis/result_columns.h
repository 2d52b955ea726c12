// The scalar results of a prediction as columns: the keys of `predict --json`, nested ones joined by dots.
#pragma once

#include <decodescope/prediction.h>

#include <span>
#include <string>
#include <string_view>

namespace decodescope::analysis {

/// How much of a prediction a column takes, cheapest first.
enum class ColumnNeeds { Numbers, Rules, Links, Scoreboard };

struct ResultColumn {
  std::string key;
  ColumnNeeds needs = ColumnNeeds::Numbers;
  /// Appends the value: numbers as the shortest text that reads back alike, nothing when not finite.
  void (*append)(const Prediction&, std::string&) = nullptr;
};
/// In the order of the JSON.
[[nodiscard]] std::span<const ResultColumn> resultColumns();

void appendNumber(std::string&, double);

}  // namespace decodescope::analysis
