// validate: published points against predictions, one row each, and the errors by group.
#include "analysis/validate.h"
#include "commands.h"

#include <fmt/format.h>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

namespace decodescope::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string file, output;
  bool json = false;
};

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : "; ") + part;
  return out;
}

std::string asCsv(const csv::Table& table, const std::vector<analysis::PointResult>& results) {
  std::string out;
  std::vector<std::string> cells(table.header().begin(), table.header().end());
  for (const char* column : {"predicted", "ratio", "abs_error_pct", "status", "assumed"})
    cells.emplace_back(column);
  csv::appendRecord(out, cells);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const analysis::PointResult& r = results[i];
    const auto row = table.row(i);
    cells.assign(row.begin(), row.end());
    cells.push_back(r.ok ? csv::formatNumber(r.predicted) : "");
    cells.push_back(r.ok ? csv::formatNumber(r.ratio) : "");
    cells.push_back(r.ok ? csv::formatNumber(r.abs_error_pct) : "");
    cells.push_back(r.ok ? "ok" : "skipped: " + r.reason);
    cells.push_back(joined(r.assumed));
    csv::appendRecord(out, cells);
  }
  return out;
}

double medianTau(const std::vector<analysis::SourceRanking>& rankings) {
  std::vector<double> taus;
  for (const auto& r : rankings) taus.push_back(r.kendall_tau);
  if (taus.empty()) return 0;
  std::sort(taus.begin(), taus.end());
  const std::size_t half = taus.size() / 2;
  return taus.size() % 2 == 1 ? taus[half] : (taus[half - 1] + taus[half]) / 2;
}

std::string asText(const std::vector<analysis::ErrorGroup>& groups,
                   const std::vector<analysis::SourceRanking>& rankings) {
  std::string out = fmt::format("{:<12}{:<52}{:>7}{:>9}{:>10}{:>10}{:>10}\n", "by", "group", "rows",
                                "skipped", "median %", "P90 %", "bias %");
  for (const auto& g : groups)
    out += fmt::format("{:<12}{:<52}{:>7}{:>9}{:>10.1f}{:>10.1f}{:>+10.1f}\n", g.by, g.name.substr(0, 51),
                       g.count, g.skipped, g.median_abs_pct, g.p90_abs_pct, g.bias_pct);
  out += fmt::format("\n{:<64}{:>8}{:>14}\n", "source", "pairs", "Kendall tau");
  for (const auto& r : rankings)
    out += fmt::format("{:<64}{:>8}{:>14.2f}\n", r.source.substr(0, 63), r.pairs, r.kendall_tau);
  out += fmt::format("{:<72}{:>14.2f}\n", "median", medianTau(rankings));
  return out;
}

Json summaryJson(const std::vector<analysis::ErrorGroup>& groups,
                 const std::vector<analysis::SourceRanking>& rankings) {
  Json out;
  for (const auto& g : groups) {
    Json entry = {{"count", g.count},
                  {"skipped", g.skipped},
                  {"median_abs_error_pct", g.median_abs_pct},
                  {"p90_abs_error_pct", g.p90_abs_pct},
                  {"bias_pct", g.bias_pct}};
    if (g.by == "all")
      out["all"] = std::move(entry);
    else
      out["by_" + g.by][g.name] = std::move(entry);
  }
  Json taus = Json::object();
  for (const auto& r : rankings) taus[r.source] = {{"pairs", r.pairs}, {"kendall_tau", r.kendall_tau}};
  out["ranking"] = {{"median_kendall_tau", medianTau(rankings)}, {"by_source", std::move(taus)}};
  return out;
}

Json rowsJson(const std::vector<analysis::PointResult>& results) {
  Json rows = Json::array();
  for (const auto& r : results) {
    Json row = {{"id", r.point.id}, {"status", r.ok ? "ok" : "skipped"}};
    if (r.ok) {
      row["value"] = r.point.value;
      row["predicted"] = r.predicted;
      row["ratio"] = r.ratio;
      row["abs_error_pct"] = r.abs_error_pct;
    } else {
      row["reason"] = r.reason;
    }
    row["assumed"] = r.assumed;
    rows.push_back(std::move(row));
  }
  return rows;
}

ExitCode run(Context& context, const Options& options) {
  const auto catalog = context.catalog();
  if (!catalog) return context.fail(catalog.error());
  const auto table = csv::Table::readFile(options.file);
  if (!table) return context.fail(table.error());
  const auto results = analysis::validatePoints(*catalog, *table);
  if (!results) return context.fail(results.error());
  if (!options.output.empty()) {
    if (const auto written = writeOutput(options.output, asCsv(*table, *results)); !written)
      return context.fail(written.error());
  }
  const auto groups = analysis::errorGroups(*results);
  const auto rankings = analysis::rankings(*results);
  std::string text = asText(groups, rankings);
  if (options.json) {
    Json out = {{"summary", summaryJson(groups, rankings)}, {"rows", rowsJson(*results)}};
    out["version"] = DECODESCOPE_VERSION;
    out["catalog_hash"] = (*catalog)->hash();
    // Cells may hold any bytes.
    text = out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  }
  // Rows and table share stdout only when rows were not asked for there.
  if (options.output == "-") return ExitCode::Ok;
  if (const auto written = writeOutput("", text); !written) return context.fail(written.error());
  return ExitCode::Ok;
}

}  // namespace

Run addValidateCommand(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("POINTS", options->file, "CSV of measured points, or - for standard input")->required();
  command.add_option(
      "-o,--output", options->output,
      "Write the rows with predicted, ratio, abs_error_pct, status and assumed to this CSV file");
  command.add_flag("--json", options->json, "Print the summary and all rows as one JSON object");
  return [options](Context& context) { return run(context, *options); };
}

}  // namespace decodescope::cli
