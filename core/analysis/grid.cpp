#include "analysis/grid.h"

#include "base/csv.h"
#include "base/numeric.h"
#include "scenario/overrides.h"
#include "scenario/parameter_rows.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace decodescope::analysis {
namespace {

constexpr std::uint64_t kMostPoints = 1'000'000'000'000;

Error axisError(std::string_view text, std::string message, std::string remedy) {
  return Error{ErrorCode::BadInput, "", "--vary", std::string(text), std::move(message), std::move(remedy)};
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t end = text.find(separator);
    out.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
}

double roundHalfUp(double value) {
  return std::floor(value + 0.5);
}

/// from:to:count with the spacing as a fourth part.
Expected<void> readRange(std::string_view text, std::string_view values, GridAxis& axis) {
  const auto parts = split(values, ':');
  const auto from = csv::parseNumber(parts[0]);
  const auto to = parts.size() > 1 ? csv::parseNumber(parts[1]) : std::nullopt;
  const auto count = parts.size() > 2 ? csv::parseNumber(parts[2]) : std::nullopt;
  if (parts.size() < 3 || parts.size() > 4 || !from || !to || !count)
    return Unexpected(axisError(text, "is no range", "write path=from:to:count, such as chips=8:72:9"));
  if (parts.size() == 4 && parts[3] != "log" && parts[3] != "lin")
    return Unexpected(axisError(text, fmt::format("'{}' is no spacing", parts[3]), "log or lin"));
  if (!(*count >= 1) || *count != std::floor(*count) || *count > 1e9)
    return Unexpected(axisError(text, "has no such number of points", "a whole number from 1 to 1e9"));
  axis.logarithmic = parts.size() == 4 && parts[3] == "log";
  if (axis.logarithmic && !(*from > 0 && *to > 0))
    return Unexpected(axisError(text, "cannot be spaced logarithmically", "both ends above zero"));
  axis.from = *from;
  axis.to = *to;
  axis.count = static_cast<std::uint64_t>(*count);
  return {};
}

ParameterValue listValue(const GridAxis& axis, std::string_view text) {
  const bool choice = axis.row != nullptr && axis.row->descriptor.scale == ParameterScale::Choice;
  if (choice) return std::string(text);
  if (axis.row != nullptr && axis.row->descriptor.scale == ParameterScale::Switch) {
    if (text == "on" || text == "true") return 1.0;
    if (text == "off" || text == "false") return 0.0;
  }
  if (const auto number = csv::parseNumber(text)) return axis.integral ? roundHalfUp(*number) : *number;
  return std::string(text);
}

/// The value set without a further look at its range, which is known to hold.
Expected<void> set(Scenario& scenario, const GridAxis& axis, const ParameterValue& value) {
  if (axis.row != nullptr) {
    axis.row->set(scenario, value);
    return {};
  }
  auto changed = scenario::applySet(scenario, fmt::format("{}={}", axis.path, valueText(value)));
  if (!changed) return Unexpected(changed.error());
  scenario = *std::move(changed);
  return {};
}

Expected<Scenario> setChecked(const Scenario& scenario, const GridAxis& axis, const ParameterValue& value) {
  return axis.row != nullptr
             ? scenario::setParameter(scenario, *axis.row, value)
             : scenario::applySet(scenario, fmt::format("{}={}", axis.path, valueText(value)));
}

/// A key of the file that takes 2 but not 2.5, between the ends of the range, is a whole number.
bool takesWholeNumbersOnly(const Scenario& base, const GridAxis& axis) {
  const double whole = std::floor((axis.from + axis.to) / 2);
  return setChecked(base, axis, whole).has_value() && !setChecked(base, axis, whole + 0.5).has_value();
}

Expected<void> check(const Scenario& base, const GridAxis& axis, std::uint64_t i) {
  if (auto set = setChecked(base, axis, axis.value(i)); !set) return Unexpected(set.error());
  return {};
}

Expected<void> checkAxis(const Scenario& base, const GridAxis& axis) {
  if (axis.list.empty()) {
    // Ranges of values have no holes: between two legal ends all is legal.
    if (auto first = check(base, axis, 0); !first) return first;
    return check(base, axis, axis.count - 1);
  }
  for (std::uint64_t i = 0; i < axis.count; ++i) {
    if (auto legal = check(base, axis, i); !legal) return legal;
  }
  return {};
}

}  // namespace

std::string valueText(const ParameterValue& value) {
  const double* number = std::get_if<double>(&value);
  return number != nullptr ? csv::formatNumber(*number) : std::get<std::string>(value);
}

ParameterValue GridAxis::value(std::uint64_t i) const {
  if (!list.empty()) return list[i];
  double value = from;
  if (i > 0) {
    const double ratio = static_cast<double>(i) / static_cast<double>(count - 1);
    if (i == count - 1)
      value = to;
    else
      value = logarithmic ? from * numeric::portablePow(to / from, ratio) : from + (to - from) * ratio;
  }
  return integral ? roundHalfUp(value) : value;
}

Expected<GridAxis> parseAxis(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size())
    return Unexpected(
        axisError(text, "is not of the form path=values", "write path=from:to:count[:log] or path=a,b,c"));
  GridAxis axis;
  axis.path = std::string(text.substr(0, equals));
  axis.row = scenario::findRow(axis.path);
  axis.integral = axis.row != nullptr && axis.row->descriptor.integral;
  const std::string_view values = text.substr(equals + 1);
  const bool choice = axis.row != nullptr && axis.row->descriptor.scale == ParameterScale::Choice;
  if (values.find(':') != std::string_view::npos && !choice) {
    if (auto range = readRange(text, values, axis); !range) return Unexpected(range.error());
    return axis;
  }
  for (const std::string_view value : split(values, ',')) axis.list.push_back(listValue(axis, value));
  axis.count = axis.list.size();
  return axis;
}

Expected<Grid> Grid::make(const Scenario& base, std::span<const std::string> axes) {
  Grid grid;
  grid.base_ = base;
  for (const std::string& text : axes) {
    auto axis = parseAxis(text);
    if (!axis) return Unexpected(axis.error());
    for (const GridAxis& other : grid.axes_) {
      if (other.path == axis->path)
        return Unexpected(axisError(text, "varies a value a second time", "one --vary for each path"));
    }
    if (axis->row == nullptr && axis->list.empty()) axis->integral = takesWholeNumbersOnly(base, *axis);
    if (auto legal = checkAxis(base, *axis); !legal) return Unexpected(legal.error());
    if (axis->count > kMostPoints / grid.size_)
      return Unexpected(axisError(text, "makes the grid too large", "at most 1e12 points in all"));
    grid.size_ *= axis->count;
    grid.axes_.push_back(*std::move(axis));
  }
  std::uint64_t stride = grid.size_;
  for (const GridAxis& axis : grid.axes_) grid.stride_.push_back(stride /= axis.count);
  return grid;
}

std::uint64_t Grid::position(std::uint64_t index, std::size_t axis) const {
  return index / stride_[axis] % axes_[axis].count;
}

Expected<Scenario> Grid::at(std::uint64_t index) const {
  Scenario scenario = base_;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    if (auto done = set(scenario, axes_[i], value(index, i)); !done) return Unexpected(done.error());
  }
  return scenario;
}

bool Grid::varies(std::string_view path_prefix) const {
  return std::any_of(axes_.begin(), axes_.end(),
                     [&](const GridAxis& axis) { return axis.path.starts_with(path_prefix); });
}

}  // namespace decodescope::analysis
