// What the commands `kernels` and `collectives` share: predicted rows out, errors by group to the reader.
#pragma once

#include "base/csv.h"

#include <decodescope/expected.h>

#include <string>
#include <string_view>
#include <vector>

namespace decodescope::cli {

/// One row of measurements with its prediction, or the reason why there is none.
struct RowResult {
  Expected<double> predicted;
  std::string group;  ///< kind of operation
  std::string chip;
};

struct ErrorStatistics {
  std::string group, chip;  ///< chip empty: all
  std::size_t count = 0, skipped = 0;
  double median_abs_error_pct = 0, p90_abs_error_pct = 0,
         bias_pct = 0;  ///< bias: median of predicted / measured - 1
};

/// The table with columns `predicted`, `status` ("ok" or the reason) and `predicted_by` (program version and
/// catalog).
[[nodiscard]] std::string predictedCsv(const csv::Table&, const std::vector<RowResult>&,
                                       const std::string& column, const std::string& predicted_by);
/// By group over all chips, then by group and chip, in order of name. `measured` is the column with the
/// measurement.
[[nodiscard]] std::vector<ErrorStatistics> errorStatistics(const csv::Table&, const std::vector<RowResult>&,
                                                           std::string_view measured);
[[nodiscard]] std::string statisticsText(const std::vector<ErrorStatistics>&);
[[nodiscard]] std::string statisticsJson(const std::vector<ErrorStatistics>&, const std::string& command,
                                         const std::string& catalog_hash);

}  // namespace decodescope::cli
