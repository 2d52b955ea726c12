// One published measurement, as its row states it.
#pragma once

#include "base/csv.h"

#include <decodescope/expected.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace decodescope::analysis {

struct MeasuredPoint {
  std::string id, tier, source, engine, chip, chip_as_published, scaleup_link, model, model_as_published,
      weight_dtype, kv_dtype, speculative, metric, includes_prefill, notes;
  std::optional<double> n_chips, nodes, tp, pp, ep, dp, batch, input_tokens, output_tokens,
      mean_context_tokens;
  double value = 0;

  /// "samples/s" of "41.1 samples/s", "QPS" of "QPS=2": the number beside a word of the notes, before it or
  /// after '='.
  [[nodiscard]] std::optional<double> noted(std::string_view word) const;
  [[nodiscard]] bool notes_have(std::string_view text) const;
};

inline constexpr std::array<std::string_view, 4> kRequiredPointColumns{"id", "chip", "metric", "value"};
/// Errors name file, line and column.
[[nodiscard]] Expected<MeasuredPoint> readPoint(const csv::Table&, std::size_t row);

}  // namespace decodescope::analysis
