#include "row_command.h"

#include <fmt/format.h>

namespace decodescope::cli {

void RowArguments::add(CLI::App& command) {
  command.add_option("ROWS", rows, "CSV file with a header line, or - for standard input")->required();
  command.add_option("-o,--output", output, "Write the rows with predictions to this file")
      ->type_name("FILE");
  auto* exclude =
      command.add_option("--exclude-chip", exclude_chip, "Predict without the constants fitted on this chip")
          ->type_name("ID");
  command
      .add_flag("--leave-one-out", leave_one_out,
                "Predict every row without the constants fitted on its own chip")
      ->excludes(exclude);
  command.add_flag("--json", json, "Print the summary of errors as JSON");
}

ExitCode runRows(Context& context, const RowArguments& arguments, const RowTask& task) {
  const auto catalog = context.catalog();
  if (!catalog) return context.fail(catalog.error());
  if (!arguments.exclude_chip.empty()) {
    if (const auto known = (*catalog)->chip(arguments.exclude_chip); !known)
      return context.fail(known.error());
  }
  const auto table = csv::Table::readFile(arguments.rows);
  if (!table) return context.fail(table.error());
  if (const auto complete = table->requireColumns(task.required); !complete)
    return context.fail(complete.error());

  const std::vector<RowResult> results = task.predict(**catalog, *table, arguments);
  const auto statistics = errorStatistics(*table, results, task.measured);
  if (!arguments.output.empty() || !arguments.json) {
    const std::string by = fmt::format("decodescope {} catalog {}", DECODESCOPE_VERSION, (*catalog)->hash());
    const auto written =
        writeOutput(arguments.output, predictedCsv(*table, results, task.predicted_column, by));
    if (!written) return context.fail(written.error());
  }
  fmt::print(stderr, "{}", statisticsText(statistics));
  // Rows and summary share stdout only when rows were not asked for there.
  if (arguments.json && arguments.output != "-") {
    const auto printed = writeOutput("-", statisticsJson(statistics, task.command, (*catalog)->hash()));
    if (!printed) return context.fail(printed.error());
  }
  return ExitCode::Ok;
}

}  // namespace decodescope::cli
