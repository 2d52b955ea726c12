// decodescope-cli collectives: the collective model on rows of measured collectives.
#include "network/collective_rows.h"
#include "row_command.h"

namespace decodescope::cli {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string groupOf(std::string_view collective) {
  if (contains(collective, "custom"))
    return contains(collective, "eager") ? "custom_all_reduce(eager)" : "custom_all_reduce";
  if (contains(collective, "deepep_v2")) return "deepep_v2";
  if (contains(collective, "deepep_ll")) return "deepep_low_latency";
  if (contains(collective, "deepep")) return "deepep_normal";
  if (collective.starts_with("ep_")) return "nvlink_all_to_all";
  if (collective == "all_reduce" || collective == "all_gather" || collective == "reduce_scatter" ||
      collective == "alltoall") {
    return "nccl";
  }
  return std::string(collective);
}

std::vector<RowResult> predictCollectives(const Catalog& catalog, const csv::Table& table,
                                          const RowArguments& arguments) {
  network::CollectiveRowPredictor predictor(catalog, arguments.exclude_chip, arguments.leave_one_out);
  std::vector<RowResult> results;
  results.reserve(table.size());
  for (std::size_t row = 0; row < table.size(); ++row) {
    results.push_back({predictor.predict(table, row), groupOf(table.cell(row, "collective")),
                       predictor.chipOf(table, row)});
  }
  return results;
}

}  // namespace

Run addCollectivesCommand(CLI::App& command) {
  auto arguments = std::make_shared<RowArguments>();
  arguments->add(command);
  command.footer(
      "Columns: system n_ranks collective bytes tokens_per_rank metric note, and value for the summary of "
      "errors. Empty "
      "bytes: tokens_per_rank tells the size. Adds predicted (in the row's metric), status, predicted_by.");
  return [arguments](Context& context) {
    return runRows(context, *arguments,
                   {"collectives",
                    "predicted",
                    "value",
                    {"system", "n_ranks", "collective", "metric"},
                    predictCollectives});
  };
}

}  // namespace decodescope::cli
