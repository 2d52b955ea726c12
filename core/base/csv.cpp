#include "base/csv.h"

#include "base/json_document.h"

#include <fmt/format.h>
#include <algorithm>
#include <boost/tokenizer.hpp>
#include <charconv>
#include <cmath>
#include <iterator>

namespace decodescope::csv {
namespace {

struct Field {
  std::string text;
  bool ends_record = false;
  bool quoted = false;
  std::size_t line = 1, column = 1;  ///< where the field starts
  const char* problem = nullptr;
};

/// Splits text into fields for boost::tokenizer, which has no RFC 4180 rule of its own
/// (escaped_list_separator wants backslashes).
class Rfc4180Fields {
 public:
  void reset() { *this = Rfc4180Fields(); }

  template <class Iterator, class Token>
  bool operator()(Iterator& next, Iterator end, Token& field) {
    if (next == end && !pending_) return false;
    field = Token{};
    field.line = line_;
    field.column = column_;
    pending_ = false;
    if (next != end && *next == '"') readQuoted(next, end, field);
    readPlain(next, end, field);
    if (next == end) {
      field.ends_record = true;
    } else if (*next == ',') {
      advance(next);
      pending_ = true;  // a comma at the end of the file still opens an empty field
    } else {
      advance(next);
      field.ends_record = true;
    }
    if (field.ends_record && !field.quoted && !field.text.empty() && field.text.back() == '\r')
      field.text.pop_back();
    return true;
  }

 private:
  template <class Iterator>
  void advance(Iterator& next) {
    if (*next == '\n') {
      ++line_;
      column_ = 1;
    } else {
      ++column_;
    }
    ++next;
  }

  template <class Iterator, class Token>
  void readQuoted(Iterator& next, Iterator end, Token& field) {
    field.quoted = true;
    advance(next);
    while (true) {
      if (next == end) {
        field.problem = "a quoted cell is never closed";
        return;
      }
      const char c = *next;
      advance(next);
      if (c == '"') {
        if (next == end || *next != '"') return;
        advance(next);
      }
      field.text += c;
    }
  }

  template <class Iterator, class Token>
  void readPlain(Iterator& next, Iterator end, Token& field) {
    while (next != end && *next != ',' && *next != '\n') {
      if (field.quoted ? *next != '\r' : *next == '"')
        field.problem = "a quote inside a cell must be doubled and the cell quoted";
      if (!field.quoted) field.text += *next;
      advance(next);
    }
  }

  std::size_t line_ = 1, column_ = 1;
  bool pending_ = false;
};

using Fields = boost::tokenizer<Rfc4180Fields, std::string_view::const_iterator, Field>;

Error located(const std::string& name, std::size_t line, std::size_t column, std::string message,
              std::string remedy) {
  return Error{ErrorCode::BadInput, fmt::format("{}:{}:{}", name, line, column), "", "", std::move(message),
               std::move(remedy)};
}

}  // namespace

Expected<Table> Table::parse(std::string_view text, std::string name) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  Table table;
  table.name_ = std::move(name);
  std::vector<std::string> record;
  std::size_t record_line = 1;
  for (const Field& field : Fields(text.begin(), text.end(), Rfc4180Fields())) {
    if (record.empty()) record_line = field.line;
    if (field.problem != nullptr) {
      return Unexpected(
          located(table.name_, field.line, field.column, field.problem, "write it as RFC 4180 does"));
    }
    const bool blank_line = field.ends_record && record.empty() && field.text.empty() && !field.quoted;
    if (blank_line) continue;
    if (!table.header_.empty() && record.size() == table.header_.size()) {
      return Unexpected(located(table.name_, field.line, field.column,
                                fmt::format("more cells than the header's {}", table.header_.size()),
                                "quote cells that hold commas"));
    }
    record.push_back(field.text);
    if (!field.ends_record) continue;
    if (table.header_.empty()) {
      table.header_ = std::move(record);
    } else {
      record.resize(table.header_.size());
      std::move(record.begin(), record.end(), std::back_inserter(table.cells_));
      table.lines_.push_back(record_line);
    }
    record.clear();
  }
  if (table.header_.empty())
    return Unexpected(located(table.name_, 1, 1, "the file is empty", "the first line names the columns"));
  return table;
}

Expected<Table> Table::readFile(const std::string& path) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 30U;
  const auto text = json::readText(path, kMaxBytes);
  if (!text) return Unexpected(text.error());
  return parse(*text, path == "-" ? "standard input" : path);
}

std::optional<std::size_t> Table::columnIndex(std::string_view column) const {
  const auto found = std::find(header_.begin(), header_.end(), column);
  if (found == header_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header_.begin());
}

Expected<void> Table::requireColumns(std::span<const std::string_view> columns) const {
  for (const std::string_view column : columns) {
    if (!columnIndex(column)) {
      return Unexpected(located(name_, 1, 1, fmt::format("column '{}' is missing", column),
                                "the header names the columns"));
    }
  }
  return {};
}

std::span<const std::string> Table::row(std::size_t index) const {
  return std::span<const std::string>(cells_).subspan(index * header_.size(), header_.size());
}

std::string_view Table::cell(std::size_t index, std::string_view column) const {
  const auto at = columnIndex(column);
  return at ? std::string_view(row(index)[*at]) : std::string_view();
}

Expected<std::optional<double>> Table::number(std::size_t index, std::string_view column) const {
  const std::string_view text = cell(index, column);
  if (text.empty()) return std::optional<double>();
  const auto value = parseNumber(text);
  if (!value) return Unexpected(error(index, column, "not a number", "write digits, such as 4096 or 1.5e6"));
  return value;
}

Error Table::error(std::size_t index, std::string_view column, std::string message,
                   std::string remedy) const {
  const auto at = columnIndex(column);
  return Error{ErrorCode::BadInput, fmt::format("{}:{}:{}", name_, line(index), at ? *at + 1 : 0),
               std::string(column), std::string(cell(index, column)),
               std::move(message),  std::move(remedy)};
}

void appendRecord(std::string& out, std::span<const std::string> cells) {
  bool first = true;
  for (const std::string& cell : cells) {
    if (!first) out += ',';
    first = false;
    if (cell.find_first_of(",\"\r\n") == std::string::npos) {
      out += cell;
      continue;
    }
    out += '"';
    for (const char c : cell) {
      if (c == '"') out += '"';
      out += c;
    }
    out += '"';
  }
  out += '\n';
}

std::optional<double> parseNumber(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::string formatNumber(double value) {
  return fmt::format("{}", value);
}

}  // namespace decodescope::csv
