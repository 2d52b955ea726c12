#include "network/flow_files.h"

#include "base/csv.h"
#include "network/flow_solver.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace decodescope::network {

namespace {

constexpr std::size_t kMaxColumns = 4096;

/// Paths have any length, so the header gets as many columns as the longest line.
std::string widenHeader(std::string_view text) {
  std::size_t widest = 0, header_end = std::min(text.find('\n'), text.size());
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t to = std::min(text.find('\n', from), text.size());
    widest = std::max(
        widest, static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(from),
                                                    text.begin() + static_cast<std::ptrdiff_t>(to), ',')));
    from = to + 1;
  }
  if (header_end > 0 && text[header_end - 1] == '\r') --header_end;
  std::string out(text.substr(0, header_end));
  const auto columns = static_cast<std::size_t>(std::count(out.begin(), out.end(), ','));
  for (std::size_t c = columns; c < std::min(widest, kMaxColumns); ++c) out += fmt::format(",link{}", c);
  return out.append(text.substr(header_end));
}

struct NamedRoutes {
  std::map<std::pair<std::string, std::string>, std::vector<std::uint32_t>> by_pair;
  std::size_t edges = 0;
};

Expected<NamedRoutes> readRoutes(std::string_view text, const std::string& name) {
  const auto table = csv::Table::parse(widenHeader(text), name);
  if (!table) return Unexpected(table.error());
  constexpr std::string_view kColumns[] = {"src", "dst"};
  if (auto ok = table->requireColumns(kColumns); !ok) return Unexpected(ok.error());
  const std::size_t source = *table->columnIndex("src"), sink = *table->columnIndex("dst");
  NamedRoutes out;
  std::unordered_map<std::string, std::uint32_t> edge_of;
  for (std::size_t r = 0; r < table->size(); ++r) {
    const auto row = table->row(r);
    std::vector<std::uint32_t> route;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c == source || c == sink || row[c].empty()) continue;
      route.push_back(edge_of.try_emplace(row[c], static_cast<std::uint32_t>(edge_of.size())).first->second);
    }
    if (row[source].empty() || row[sink].empty())
      return Unexpected(
          table->error(r, row[source].empty() ? "src" : "dst", "the host is missing", "name both ends"));
    if (route.empty() && row[source] != row[sink])
      return Unexpected(table->error(r, "dst", "the route has no links", "name the links of the path"));
    if (!out.by_pair.try_emplace({row[source], row[sink]}, std::move(route)).second)
      return Unexpected(table->error(r, "src", "the pair has a route already", "keep one row for each pair"));
  }
  out.edges = edge_of.size();
  return out;
}

struct Flow {
  double phase = 0, bytes = 0;
  const std::vector<std::uint32_t>* route = nullptr;
};

Expected<double> numberIn(const csv::Table& table, std::size_t row, std::string_view column, double minimum) {
  const auto number = table.number(row, column);
  if (!number) return Unexpected(number.error());
  if (!number->has_value())
    return Unexpected(table.error(row, column, "the number is missing", "give a number"));
  if (**number < minimum) return Unexpected(table.error(row, column, "is negative", "give a number from 0"));
  return **number;
}

Expected<std::vector<Flow>> readFlows(const csv::Table& table, const NamedRoutes& routes) {
  constexpr std::string_view kColumns[] = {"phase", "src", "dst", "bytes"};
  if (auto ok = table.requireColumns(kColumns); !ok) return Unexpected(ok.error());
  std::vector<Flow> flows;
  for (std::size_t r = 0; r < table.size(); ++r) {
    const auto phase = numberIn(table, r, "phase", 0), bytes = numberIn(table, r, "bytes", 0);
    if (!phase) return Unexpected(phase.error());
    if (!bytes) return Unexpected(bytes.error());
    const std::pair<std::string, std::string> ends{table.cell(r, "src"), table.cell(r, "dst")};
    const auto route = routes.by_pair.find(ends);
    static const std::vector<std::uint32_t> kNoLinks;
    if (route == routes.by_pair.end() && ends.first != ends.second)
      return Unexpected(table.error(r, "dst",
                                    fmt::format("there is no route from {} to {}", ends.first, ends.second),
                                    "add the pair to the routes file"));
    flows.push_back({*phase, *bytes, route == routes.by_pair.end() ? &kNoLinks : &route->second});
  }
  return flows;
}

/// Phases are barriers: the flows of one start when all of the one before have finished.
std::vector<double> finishTimes(const std::vector<Flow>& flows, std::size_t edges,
                                double capacity_bytes_per_s) {
  std::map<double, std::vector<std::size_t>> phases;
  for (std::size_t f = 0; f < flows.size(); ++f) phases[flows[f].phase].push_back(f);
  const std::vector<double> capacities(edges, capacity_bytes_per_s);
  std::vector<double> finish_s(flows.size(), 0);
  double start_s = 0;
  for (const auto& [phase, members] : phases) {
    FlowRoutes routes;
    std::vector<double> bytes;
    for (const std::size_t f : members) {
      routes.append(*flows[f].route);
      bytes.push_back(flows[f].bytes);
    }
    const std::vector<double> times_s = completionTimes(routes, bytes, capacities);
    double end_s = start_s;
    for (std::size_t i = 0; i < members.size(); ++i) {
      finish_s[members[i]] = start_s + times_s[i];
      end_s = std::max(end_s, finish_s[members[i]]);
    }
    start_s = end_s;
  }
  return finish_s;
}

std::string appendColumn(const csv::Table& table, const std::vector<double>& finish_s) {
  constexpr std::string_view kColumn = "finish_s";
  const auto replaced = table.columnIndex(kColumn);
  std::string out;
  const auto append = [&](std::span<const std::string> cells, std::string last) {
    std::vector<std::string> record(cells.begin(), cells.end());
    if (replaced) record.erase(record.begin() + static_cast<std::ptrdiff_t>(*replaced));
    record.push_back(std::move(last));
    csv::appendRecord(out, record);
  };
  append(table.header(), std::string(kColumn));
  for (std::size_t r = 0; r < table.size(); ++r) append(table.row(r), csv::formatNumber(finish_s[r]));
  return out;
}

}  // namespace

Expected<std::string> solveFlowTables(std::string_view routes_text, const std::string& routes_name,
                                      std::string_view flows_text, const std::string& flows_name,
                                      double capacity_bytes_per_s) {
  if (!std::isfinite(capacity_bytes_per_s) || capacity_bytes_per_s <= 0)
    return Unexpected(Error{ErrorCode::BadInput, "", "--capacity", csv::formatNumber(capacity_bytes_per_s),
                            "must be a number of bytes/s above 0", "write for example 50e9"});
  const auto routes = readRoutes(routes_text, routes_name);
  if (!routes) return Unexpected(routes.error());
  const auto table = csv::Table::parse(flows_text, flows_name);
  if (!table) return Unexpected(table.error());
  const auto flows = readFlows(*table, *routes);
  if (!flows) return Unexpected(flows.error());
  return appendColumn(*table, finishTimes(*flows, routes->edges, capacity_bytes_per_s));
}

}  // namespace decodescope::network
