#include "serving/trace.h"

#include "base/csv.h"
#include "base/units.h"
#include "serving/lengths.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

namespace decodescope::serving {

namespace {

constexpr const char* kFormatRemedy =
    "a trace is CSV with TIMESTAMP,ContextTokens,GeneratedTokens or timestamp,prompt_tokens,output_tokens, "
    "or JSON lines "
    "with timestamp, input_length, output_length";

Error lineError(const std::string& name, std::size_t line, const std::string& field, std::string value,
                std::string message, std::string remedy) {
  return {ErrorCode::BadInput,
          name,
          fmt::format("line {}, {}", line, field),
          std::move(value),
          std::move(message),
          std::move(remedy)};
}

// Days since 1970-01-01 of the proleptic Gregorian calendar.
std::int64_t daysFromCivil(std::int64_t year, std::int64_t month, std::int64_t day) {
  const std::int64_t y = month <= 2 ? year - 1 : year;
  const std::int64_t era = (y >= 0 ? y : y - 399) / 400;
  const std::int64_t year_of_era = y - era * 400;
  const std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

// "2023-11-16 18:17:03.9799600" to ns since the epoch.
std::optional<std::int64_t> parseDateTime(std::string_view text) {
  if (text.size() < 19 || text[4] != '-' || text[7] != '-' || (text[10] != ' ' && text[10] != 'T')) return {};
  const auto part = [&](std::size_t begin, std::size_t length) {
    return csv::parseNumber(text.substr(begin, length));
  };
  const std::array parts{part(0, 4), part(5, 2), part(8, 2), part(11, 2), part(14, 2)};
  std::string_view second = text.substr(17);
  if (second.ends_with('Z')) second.remove_suffix(1);
  const auto seconds = csv::parseNumber(second);
  if (!seconds || !std::ranges::all_of(parts, [](const auto& p) { return p.has_value(); })) return {};
  const auto whole = [&](std::size_t i) { return static_cast<std::int64_t>(*parts[i]); };
  const std::int64_t minutes = (daysFromCivil(whole(0), whole(1), whole(2)) * 24 + whole(3)) * 60 + whole(4);
  return minutes * 60'000'000'000 + static_cast<std::int64_t>(std::llround(*seconds * kGiga));
}

struct Columns {
  const char *time, *prompt, *output;
};
constexpr Columns kColumns[] = {
    {"TIMESTAMP", "ContextTokens", "GeneratedTokens"},
    {"timestamp", "prompt_tokens", "output_tokens"},
};

Expected<std::int32_t> tokensOf(const csv::Table& table, std::size_t row, const char* column) {
  const auto number = table.number(row, column);
  if (!number) return Unexpected(number.error());
  const bool is_whole =
      *number && **number >= 1 && **number <= kMaxContextTokens && std::floor(**number) == **number;
  if (!is_whole) {
    return Unexpected(table.error(row, column, "is no number of tokens",
                                  fmt::format("a whole number from 1 to {}", kMaxContextTokens)));
  }
  return static_cast<std::int32_t>(**number);
}

Expected<std::int64_t> timeOf(const csv::Table& table, std::size_t row, const char* column) {
  const std::string_view cell = table.cell(row, column);
  if (const auto date = parseDateTime(cell)) return *date;
  const auto seconds = csv::parseNumber(cell);
  if (!seconds || !(std::fabs(*seconds) < 9e9)) {
    return Unexpected(
        table.error(row, column, "is no time", "seconds, or a date such as 2023-11-16 18:17:03.97"));
  }
  return static_cast<std::int64_t>(std::llround(*seconds * kGiga));
}

Expected<Trace> parseCsv(std::string_view text, const std::string& name) {
  const auto table = csv::Table::parse(text, name);
  if (!table) return Unexpected(table.error());
  const auto columns = std::ranges::find_if(kColumns, [&](const Columns& c) {
    return table->columnIndex(c.time) && table->columnIndex(c.prompt) && table->columnIndex(c.output);
  });
  if (columns == std::end(kColumns)) {
    return Unexpected(
        lineError(name, 1, "header", "", "has none of the known sets of columns", kFormatRemedy));
  }
  Trace trace;
  trace.reserve(table->size());
  for (std::size_t row = 0; row < table->size(); ++row) {
    const auto time_ns = timeOf(*table, row, columns->time);
    if (!time_ns) return Unexpected(time_ns.error());
    const auto prompt = tokensOf(*table, row, columns->prompt);
    if (!prompt) return Unexpected(prompt.error());
    const auto output = tokensOf(*table, row, columns->output);
    if (!output) return Unexpected(output.error());
    trace.push_back({*time_ns, *prompt, *output});
  }
  return trace;
}

Expected<double> memberOf(const nlohmann::json& record, const char* key, double smallest, double largest,
                          const std::string& name, std::size_t line) {
  const auto member = record.find(key);
  if (member == record.end()) return Unexpected(lineError(name, line, key, "", "is missing", kFormatRemedy));
  const double value = member->is_number() ? member->get<double>() : -1;
  if (!member->is_number() || !(value >= smallest && value <= largest)) {
    return Unexpected(lineError(name, line, key, member->dump(), "is out of range",
                                fmt::format("a number from {} to {}", smallest, largest)));
  }
  return value;
}

Expected<Trace> parseJsonLines(std::string_view text, const std::string& name) {
  Trace trace;
  std::size_t line = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view row = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    ++line;
    if (row.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const auto record = nlohmann::json::parse(row, nullptr, false);
    if (!record.is_object()) {
      return Unexpected(lineError(name, line, "record", std::string(row.substr(0, 40)), "is no JSON object",
                                  kFormatRemedy));
    }
    const auto time_ms = memberOf(record, "timestamp", 0, 9e12, name, line);
    if (!time_ms) return Unexpected(time_ms.error());
    const auto prompt = memberOf(record, "input_length", 1, kMaxContextTokens, name, line);
    if (!prompt) return Unexpected(prompt.error());
    const auto output = memberOf(record, "output_length", 1, kMaxContextTokens, name, line);
    if (!output) return Unexpected(output.error());
    trace.push_back({static_cast<std::int64_t>(std::llround(*time_ms * kMega)),
                     static_cast<std::int32_t>(*prompt), static_cast<std::int32_t>(*output)});
  }
  return trace;
}

}  // namespace

Expected<Trace> parseTrace(std::string_view text, const std::string& name) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool is_json = first != std::string_view::npos && text[first] == '{';
  auto trace = is_json ? parseJsonLines(text, name) : parseCsv(text, name);
  if (!trace) return trace;
  if (trace->empty()) {
    return Unexpected(Error{ErrorCode::BadInput, name, "", "", "has no requests", kFormatRemedy});
  }
  std::ranges::stable_sort(*trace, {}, &TraceRequest::time_ns);
  const std::int64_t origin_ns = trace->front().time_ns;
  for (TraceRequest& request : *trace) request.time_ns -= origin_ns;
  return trace;
}

Expected<Trace> loadTrace(const std::string& file) {
  if (file.empty()) {
    return Unexpected(Error{ErrorCode::BadInput, "", "workload.trace_file", "", "is not set",
                            "name a trace file, or choose another workload mode"});
  }
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in && text.empty()) {
    return Unexpected(Error{ErrorCode::Io, file, "", "", "cannot be read", "check workload.trace_file"});
  }
  return parseTrace(text, file);
}

}  // namespace decodescope::serving
