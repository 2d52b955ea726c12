// Typed access to a JSON object of untrusted origin. Every getter checks type and range; the first error of a
// document is kept with its JSON pointer, value and remedy, so that reading code stays linear; keys nobody
// asked for are reported with the nearest known name.
#pragma once

#include <decodescope/expected.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace decodescope::json {

/// What a number may be. Bounds belong to the range.
struct Range {
  double min = -std::numeric_limits<double>::max(), max = std::numeric_limits<double>::max();
  std::string_view unit = "";
  bool integral = false;
};
inline constexpr Range kNotNegative{0, std::numeric_limits<double>::max()};
inline constexpr Range kPositive{std::numeric_limits<double>::min(), std::numeric_limits<double>::max()};
inline constexpr Range kCount{0, 2147483647.0, "", true};

/// One document being read: its name, the first error, and the warnings.
class Reading {
 public:
  explicit Reading(std::string file, Warnings* warnings = nullptr)
      : file_(std::move(file)), warnings_(warnings) {}

  void fail(std::string pointer, std::string value, std::string message, std::string remedy,
            ErrorCode code = ErrorCode::BadInput);
  void warn(std::string pointer, std::string value, std::string message, std::string remedy);
  [[nodiscard]] bool ok() const { return !error_; }
  [[nodiscard]] const Error& error() const { return *error_; }
  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  std::string file_;
  Warnings* warnings_;
  std::optional<Error> error_;
};

/// Checks one value against a range; the error goes to `reading`.
[[nodiscard]] std::optional<double> readNumber(Reading&, const nlohmann::json& value,
                                               const std::string& pointer, const Range&);
/// A value as it stands in messages, cut when long.
[[nodiscard]] std::string shown(const nlohmann::json& value);

class Object {
 public:
  /// Fails when `value` is not an object; then the reader behaves like an empty one.
  Object(Reading&, const nlohmann::json& value, std::string pointer);

  /// The member, or null when it is absent or JSON null. Marks the key as known.
  [[nodiscard]] const nlohmann::json* find(std::string_view key);
  [[nodiscard]] bool has(std::string_view key) { return find(key) != nullptr; }

  [[nodiscard]] double number(std::string_view key, double fallback, const Range& = {});
  [[nodiscard]] std::optional<double> optionalNumber(std::string_view key, const Range& = {});
  [[nodiscard]] int integer(std::string_view key, int fallback, Range = kCount);
  [[nodiscard]] std::uint64_t unsignedInteger(std::string_view key, std::uint64_t fallback);
  [[nodiscard]] std::string text(std::string_view key, std::string_view fallback);
  [[nodiscard]] bool flag(std::string_view key, bool fallback);
  /// Index of the text among `names`.
  [[nodiscard]] std::size_t choice(std::string_view key, std::span<const std::string_view> names,
                                   std::size_t fallback);
  /// The member as an object; an empty one when absent.
  [[nodiscard]] Object object(std::string_view key);

  /// Makes an absent member an error.
  void require(std::string_view key, std::string_view remedy);
  void fail(std::string_view key, std::string message, std::string remedy);

  [[nodiscard]] const std::string& pointer() const { return pointer_; }
  [[nodiscard]] std::string pointerTo(std::string_view key) const;
  [[nodiscard]] Reading& reading() { return *reading_; }
  /// Keys that were not asked for.
  [[nodiscard]] std::vector<std::string> unknownKeys() const;
  /// Warns about each of them with the nearest known name.
  void warnUnknownKeys() const;

 private:
  Reading* reading_;
  const nlohmann::json* value_;
  std::string pointer_;
  std::vector<std::string> known_;
};

}  // namespace decodescope::json
