// A topology in words: "kind:first,key=value,...@GB/s".
#pragma once

#include <decodescope/expected.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace decodescope::topology {

/// Parsed, not yet interpreted. Reads by name return located errors that end in the example of the kind.
class SpecParameters {
 public:
  /// `example` ends the errors.
  [[nodiscard]] static Expected<SpecParameters> parse(std::string_view spec, std::string_view example);
  /// The text before ":" or "@".
  [[nodiscard]] static std::string_view kindOf(std::string_view spec);

  [[nodiscard]] const std::string& kind() const { return kind_; }
  [[nodiscard]] const std::string& text() const { return text_; }
  /// Rate of one link, bytes/s per direction; 50 GB/s when the text has no "@".
  [[nodiscard]] double linkBytesPerS() const { return link_bytes_per_s_; }

  /// Fails on a name not in `keys`, and on an unnamed first parameter unless `has_first`.
  [[nodiscard]] Expected<void> allowOnly(std::span<const std::string_view> keys, bool has_first) const;
  [[nodiscard]] bool has(std::string_view key) const;
  [[nodiscard]] Expected<int> integer(std::string_view key, int minimum, int maximum) const;
  /// `fallback` when absent.
  [[nodiscard]] Expected<int> integerOr(std::string_view key, int fallback, int minimum, int maximum) const;
  [[nodiscard]] Expected<double> gigabytesPerSOr(std::string_view key, double fallback_bytes_per_s) const;
  /// "18x1" (18 planes of 1 link), "18" (the same), "5+4+4+5", "2x5+2x4".
  [[nodiscard]] Expected<std::vector<int>> planes(std::string_view key) const;
  /// The unnamed parameter: "8", or "4x4x2" with up to `count` sizes.
  [[nodiscard]] Expected<std::vector<int>> sizes(std::size_t count, int minimum, int maximum) const;
  [[nodiscard]] std::string_view value(std::string_view key) const;
  [[nodiscard]] Error error(std::string_view key, std::string_view value, std::string message) const;
  /// Fails when the graph would be larger than a machine holds.
  [[nodiscard]] Expected<void> checkSize(double vertices, double bundles) const;

 private:
  [[nodiscard]] Expected<int> number(std::string_view key, std::string_view text, int minimum,
                                     int maximum) const;
  [[nodiscard]] Expected<void> addParameter(std::string_view part);

  std::string text_, kind_, first_, example_;
  std::vector<std::pair<std::string, std::string>> named_;
  double link_bytes_per_s_ = 0;
};

}  // namespace decodescope::topology
