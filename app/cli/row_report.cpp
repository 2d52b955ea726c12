#include "row_report.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace decodescope::cli {
namespace {

struct Errors {
  std::vector<double> signed_pct;
  std::size_t skipped = 0;
};

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto index = static_cast<std::size_t>(share * static_cast<double>(values.size()));
  return values[std::min(index, values.size() - 1)];
}

ErrorStatistics statisticsOf(const std::string& group, const std::string& chip, const Errors& errors) {
  std::vector<double> absolute;
  absolute.reserve(errors.signed_pct.size());
  for (const double error : errors.signed_pct) absolute.push_back(std::abs(error));
  return {group,
          chip,
          errors.signed_pct.size(),
          errors.skipped,
          quantile(absolute, 0.5),
          quantile(absolute, 0.9),
          quantile(errors.signed_pct, 0.5)};
}

}  // namespace

std::string predictedCsv(const csv::Table& table, const std::vector<RowResult>& results,
                         const std::string& column, const std::string& predicted_by) {
  std::vector<std::string> record(table.header().begin(), table.header().end());
  record.insert(record.end(), {column, "status", "predicted_by"});
  std::string text;
  csv::appendRecord(text, record);
  for (std::size_t row = 0; row < table.size(); ++row) {
    const auto cells = table.row(row);
    record.assign(cells.begin(), cells.end());
    const auto& predicted = results[row].predicted;
    record.push_back(predicted ? csv::formatNumber(*predicted) : "");
    record.push_back(predicted ? "ok" : predicted.error().text());
    record.push_back(predicted_by);
    csv::appendRecord(text, record);
  }
  return text;
}

std::vector<ErrorStatistics> errorStatistics(const csv::Table& table, const std::vector<RowResult>& results,
                                             std::string_view measured) {
  std::map<std::pair<std::string, std::string>, Errors> groups;
  for (std::size_t row = 0; row < table.size(); ++row) {
    const RowResult& result = results[row];
    const auto value = table.number(row, measured);
    const bool comparable = result.predicted && value && *value && **value > 0;
    for (const std::string& chip : {std::string(), result.chip}) {
      Errors& errors = groups[{result.group, chip}];
      if (comparable) {
        errors.signed_pct.push_back(100 * (*result.predicted / **value - 1));
      } else {
        ++errors.skipped;
      }
      if (result.chip.empty()) break;
    }
  }
  std::vector<ErrorStatistics> statistics;
  for (const auto& [key, errors] : groups) statistics.push_back(statisticsOf(key.first, key.second, errors));
  return statistics;
}

std::string statisticsText(const std::vector<ErrorStatistics>& statistics) {
  std::string text = fmt::format("{:32} {:14} {:>6} {:>8} {:>9} {:>9} {:>9}\n", "kind", "chip", "rows",
                                 "skipped", "median %", "P90 %", "bias %");
  for (const ErrorStatistics& line : statistics) {
    text += fmt::format("{:32} {:14} {:6} {:8} {:9.1f} {:9.1f} {:+9.1f}\n", line.group,
                        line.chip.empty() ? "all" : line.chip, line.count, line.skipped,
                        line.median_abs_error_pct, line.p90_abs_error_pct, line.bias_pct);
  }
  return text;
}

std::string statisticsJson(const std::vector<ErrorStatistics>& statistics, const std::string& command,
                           const std::string& catalog_hash) {
  nlohmann::ordered_json groups = nlohmann::ordered_json::array();
  for (const ErrorStatistics& line : statistics) {
    groups.push_back({{"kind", line.group},
                      {"chip", line.chip.empty() ? "all" : line.chip},
                      {"count", line.count},
                      {"skipped", line.skipped},
                      {"median_abs_error_pct", line.median_abs_error_pct},
                      {"p90_abs_error_pct", line.p90_abs_error_pct},
                      {"bias_pct", line.bias_pct}});
  }
  const nlohmann::ordered_json summary{{"command", command},
                                       {"version", DECODESCOPE_VERSION},
                                       {"catalog_hash", catalog_hash},
                                       {"groups", std::move(groups)}};
  // Cells may hold any bytes.
  return summary.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace decodescope::cli
