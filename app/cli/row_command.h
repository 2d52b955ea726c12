// The arguments and the run that `kernels` and `collectives` share.
#pragma once

#include "commands.h"
#include "row_report.h"

#include <functional>

namespace decodescope::cli {

struct RowArguments {
  std::string rows, output, exclude_chip;
  bool leave_one_out = false, json = false;
  void add(CLI::App& command);
};

struct RowTask {
  std::string command, predicted_column;
  /// Column with the measurement, and those without which no row can be read.
  std::string_view measured;
  std::vector<std::string_view> required;
  std::function<std::vector<RowResult>(const Catalog&, const csv::Table&, const RowArguments&)> predict;
};

/// Reads the rows, predicts, writes the table (to stdout unless -o or --json) and the summary of errors.
[[nodiscard]] ExitCode runRows(Context&, const RowArguments&, const RowTask&);

}  // namespace decodescope::cli
