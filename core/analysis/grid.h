// The grid of a sweep: axes of values, first axis outermost, and the scenario at each of its points.
#pragma once

#include <decodescope/expected.h>
#include <decodescope/parameters.h>
#include <decodescope/scenario.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace decodescope::scenario {
struct ParameterRow;
}

namespace decodescope::analysis {

/// "path=from:to:count", "path=from:to:count:log" or "path=a,b,c".
struct GridAxis {
  std::string path;
  const scenario::ParameterRow* row = nullptr;  ///< null: a key of the scenario file, set as text
  bool integral = false;                        ///< values are rounded, half up
  bool logarithmic = false;
  double from = 0, to = 0;
  std::uint64_t count = 0;
  std::vector<ParameterValue> list;  ///< empty: a range

  /// The value used at position `i`: both ends of a range are exact.
  [[nodiscard]] ParameterValue value(std::uint64_t i) const;
};
[[nodiscard]] Expected<GridAxis> parseAxis(std::string_view text);

/// Value as it stands in a row of the sweep.
[[nodiscard]] std::string valueText(const ParameterValue&);

class Grid {
 public:
  /// Values out of their hard range, unknown paths and choices are errors here, not at some point of the
  /// grid.
  [[nodiscard]] static Expected<Grid> make(const Scenario& base, std::span<const std::string> axes);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::span<const GridAxis> axes() const { return axes_; }
  /// Position on axis `axis` of point `index`.
  [[nodiscard]] std::uint64_t position(std::uint64_t index, std::size_t axis) const;
  [[nodiscard]] ParameterValue value(std::uint64_t index, std::size_t axis) const {
    return axes_[axis].value(position(index, axis));
  }
  /// The base with the point's values set, in the order of the axes.
  [[nodiscard]] Expected<Scenario> at(std::uint64_t index) const;
  /// The base that the points change.
  [[nodiscard]] const Scenario& base() const { return base_; }
  [[nodiscard]] bool varies(std::string_view path_prefix) const;
  void rebase(Scenario base) { base_ = std::move(base); }

 private:
  Scenario base_;
  std::vector<GridAxis> axes_;
  std::vector<std::uint64_t> stride_;  ///< points between neighbours on an axis
  std::uint64_t size_ = 1;
};

}  // namespace decodescope::analysis
