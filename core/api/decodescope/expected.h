// How core reports bad input: a value, or an Error that says where, what and what would be right.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace decodescope {

enum class ErrorCode { BadInput, NotFound, Io, TooNew, Cancelled };

/// A located diagnostic. Empty parts are left out of text().
struct Error {
  ErrorCode code = ErrorCode::BadInput;
  std::string file;     ///< file or stream name, empty for the command line
  std::string field;    ///< JSON pointer, CSV column with line, or option name
  std::string value;    ///< the offending value as written
  std::string message;  ///< what is wrong
  std::string remedy;   ///< what would be right

  /// "file: field = value: message; remedy"
  [[nodiscard]] std::string text() const {
    std::string out;
    if (!file.empty()) out += file + ": ";
    if (!field.empty()) out += field + (value.empty() ? "" : " = " + value) + ": ";
    out += message;
    if (!remedy.empty()) out += "; " + remedy;
    return out;
  }
};

template <class T>
using Expected = tl::expected<T, Error>;
using Unexpected = tl::unexpected<Error>;

/// A warning has the same parts as an error, but the value is used.
using Warnings = std::vector<Error>;

}  // namespace decodescope
