#include "base/json_reader.h"

#include "base/text_distance.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace decodescope::json {
namespace {

const nlohmann::json& emptyObject() {
  static const nlohmann::json empty = nlohmann::json::object();
  return empty;
}

/// "a number", "a whole number from 1 to 64 tokens".
std::string rangeText(const Range& range) {
  const std::string kind = range.integral ? "a whole number" : "a number";
  const std::string unit = range.unit.empty() ? "" : fmt::format(" {}", range.unit);
  const bool low = range.min > -1e300, high = range.max < 1e300;
  if (range.min > 0 && range.min < 1e-300)
    return fmt::format("{} above 0{}{}", kind, unit, high ? fmt::format(", at most {}", range.max) : "");
  if (low && high) return fmt::format("{} from {} to {}{}", kind, range.min, range.max, unit);
  if (low) return fmt::format("{} of at least {}{}", kind, range.min, unit);
  if (high) return fmt::format("{} of at most {}{}", kind, range.max, unit);
  return kind + unit;
}

std::string escaped(std::string_view key) {
  std::string out;
  for (const char c : key) {
    if (c == '~')
      out += "~0";
    else if (c == '/')
      out += "~1";
    else
      out += c;
  }
  return out;
}

}  // namespace

void Reading::fail(std::string pointer, std::string value, std::string message, std::string remedy,
                   ErrorCode code) {
  if (error_) return;
  error_ = Error{code, file_, std::move(pointer), std::move(value), std::move(message), std::move(remedy)};
}

void Reading::warn(std::string pointer, std::string value, std::string message, std::string remedy) {
  if (warnings_ == nullptr) return;
  warnings_->push_back(Error{ErrorCode::BadInput, file_, std::move(pointer), std::move(value),
                             std::move(message), std::move(remedy)});
}

std::string shown(const nlohmann::json& value) {
  constexpr std::size_t kMost = 60;
  std::string text = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (text.size() > kMost) text = text.substr(0, kMost) + "...";
  return text;
}

std::optional<double> readNumber(Reading& reading, const nlohmann::json& value, const std::string& pointer,
                                 const Range& range) {
  if (!value.is_number()) {
    reading.fail(pointer, shown(value), "is not a number",
                 "write " + rangeText(range) + (value.is_string() ? ", without quotes" : ""));
    return std::nullopt;
  }
  const double number = value.get<double>();
  const bool whole = !range.integral || number == std::floor(number);
  if (!std::isfinite(number) || number < range.min || number > range.max || !whole) {
    reading.fail(pointer, shown(value), whole ? "is out of range" : "is not a whole number",
                 "write " + rangeText(range));
    return std::nullopt;
  }
  return number;
}

Object::Object(Reading& reading, const nlohmann::json& value, std::string pointer)
    : reading_(&reading), value_(&value), pointer_(std::move(pointer)) {
  if (value.is_object()) return;
  reading.fail(pointer_.empty() ? "/" : pointer_, shown(value), "is not an object",
               "write { \"key\": value, ... }");
  value_ = &emptyObject();
}

std::string Object::pointerTo(std::string_view key) const {
  return pointer_ + "/" + escaped(key);
}

const nlohmann::json* Object::find(std::string_view key) {
  known_.emplace_back(key);
  const auto it = value_->find(key);
  return it == value_->end() || it->is_null() ? nullptr : &*it;
}

std::optional<double> Object::optionalNumber(std::string_view key, const Range& range) {
  const nlohmann::json* value = find(key);
  return value == nullptr ? std::nullopt : readNumber(*reading_, *value, pointerTo(key), range);
}

double Object::number(std::string_view key, double fallback, const Range& range) {
  return optionalNumber(key, range).value_or(fallback);
}

int Object::integer(std::string_view key, int fallback, Range range) {
  range.integral = true;
  range.min = std::max(range.min, -2147483648.0);
  range.max = std::min(range.max, 2147483647.0);
  return static_cast<int>(number(key, fallback, range));
}

std::uint64_t Object::unsignedInteger(std::string_view key, std::uint64_t fallback) {
  const nlohmann::json* value = find(key);
  if (value == nullptr) return fallback;
  if (value->is_number_unsigned()) return value->get<std::uint64_t>();
  reading_->fail(pointerTo(key), shown(*value), "is not a whole number of at least 0",
                 "write a whole number below 2^64");
  return fallback;
}

std::string Object::text(std::string_view key, std::string_view fallback) {
  const nlohmann::json* value = find(key);
  if (value == nullptr) return std::string(fallback);
  if (value->is_string()) return value->get<std::string>();
  reading_->fail(pointerTo(key), shown(*value), "is not text", "write it in double quotes");
  return std::string(fallback);
}

bool Object::flag(std::string_view key, bool fallback) {
  const nlohmann::json* value = find(key);
  if (value == nullptr) return fallback;
  if (value->is_boolean()) return value->get<bool>();
  reading_->fail(pointerTo(key), shown(*value), "is neither true nor false",
                 "write true or false, without quotes");
  return fallback;
}

std::size_t Object::choice(std::string_view key, std::span<const std::string_view> names,
                           std::size_t fallback) {
  const nlohmann::json* value = find(key);
  if (value == nullptr) return fallback;
  const std::string given = value->is_string() ? value->get<std::string>() : std::string();
  const auto it = std::find(names.begin(), names.end(), given);
  if (value->is_string() && it != names.end()) return static_cast<std::size_t>(it - names.begin());
  std::string listed;
  for (const std::string_view name : names) {  // an empty name stands for "not given"
    if (!name.empty()) listed += (listed.empty() ? "" : ", ") + std::string(name);
  }
  reading_->fail(pointerTo(key), shown(*value), "is not a known choice", "write one of: " + listed);
  return fallback;
}

Object Object::object(std::string_view key) {
  const nlohmann::json* value = find(key);
  return Object(*reading_, value == nullptr ? emptyObject() : *value, pointerTo(key));
}

void Object::require(std::string_view key, std::string_view remedy) {
  if (value_->contains(key)) return;
  known_.emplace_back(key);
  reading_->fail(pointerTo(key), "", "is missing", std::string(remedy));
}

void Object::fail(std::string_view key, std::string message, std::string remedy) {
  const auto it = value_->find(key);
  reading_->fail(pointerTo(key), it == value_->end() ? "" : shown(*it), std::move(message),
                 std::move(remedy));
}

std::vector<std::string> Object::unknownKeys() const {
  std::vector<std::string> out;
  for (const auto& [key, value] : value_->items()) {
    if (std::find(known_.begin(), known_.end(), key) == known_.end()) out.push_back(key);
  }
  return out;
}

void Object::warnUnknownKeys() const {
  const std::vector<std::string_view> known(known_.begin(), known_.end());
  for (const std::string& key : unknownKeys()) {
    const std::string hint = didYouMean(key, known);
    reading_->warn(pointerTo(key), shown((*value_)[key]), "is not a known key; it is kept but has no effect",
                   hint.empty() ? "remove it, or see the schema for the keys there are" : hint);
  }
}

}  // namespace decodescope::json
