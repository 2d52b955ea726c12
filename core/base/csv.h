// Comma-separated values as RFC 4180 defines them, with errors located as file:line:column.
#pragma once

#include <decodescope/expected.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace decodescope::csv {

/// A table with a header line. Cells are text; numbers are converted on demand so that errors name their
/// place.
class Table {
 public:
  /// `name` stands in error messages. Quoted cells may hold commas, doubled quotes and line breaks; CRLF and
  /// a UTF-8 byte-order mark are accepted; empty lines are skipped. Rows longer than the header are errors,
  /// shorter ones are filled with empty cells.
  [[nodiscard]] static Expected<Table> parse(std::string_view text, std::string name);
  /// "-" reads standard input.
  [[nodiscard]] static Expected<Table> readFile(const std::string& path);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::span<const std::string> header() const { return header_; }
  [[nodiscard]] std::size_t size() const { return lines_.size(); }
  [[nodiscard]] std::optional<std::size_t> columnIndex(std::string_view column) const;
  /// An error that names the first of `columns` that the header lacks.
  [[nodiscard]] Expected<void> requireColumns(std::span<const std::string_view> columns) const;

  [[nodiscard]] std::span<const std::string> row(std::size_t index) const;
  /// Line of the file, from 1, at which the row starts.
  [[nodiscard]] std::size_t line(std::size_t index) const { return lines_[index]; }
  /// Empty when the column does not exist.
  [[nodiscard]] std::string_view cell(std::size_t index, std::string_view column) const;
  /// No value when the cell is empty; an error when it is not a finite number.
  [[nodiscard]] Expected<std::optional<double>> number(std::size_t index, std::string_view column) const;
  /// An error at this cell.
  [[nodiscard]] Error error(std::size_t index, std::string_view column, std::string message,
                            std::string remedy) const;

 private:
  std::string name_;
  std::vector<std::string> header_;
  std::vector<std::string> cells_;  ///< row-major, header_.size() per row
  std::vector<std::size_t> lines_;
};

/// Appends one record, quoting where needed, with a line feed.
void appendRecord(std::string& out, std::span<const std::string> cells);
/// Decimal text to a double, all of it or nothing; independent of the locale.
[[nodiscard]] std::optional<double> parseNumber(std::string_view text);
/// Shortest text that reads back as the same double.
[[nodiscard]] std::string formatNumber(double value);

}  // namespace decodescope::csv
