#include "topology/spec.h"

#include "base/text_distance.h"
#include "base/units.h"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <cmath>

namespace decodescope::topology {

namespace {

constexpr double kDefaultLinkBytesPerS = 50 * kGiga;  // one NVLink 5 link
constexpr double kMaxGbPerS = 1e6;
constexpr double kMaxVertices = 1.2e6, kMaxBundles = 12e6;
constexpr int kMaxPlanes = 1024, kMaxLinksPerPlane = 4096;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t from = 0;;) {
    const std::size_t to = text.find(separator, from);
    parts.push_back(text.substr(from, to == std::string_view::npos ? to : to - from));
    if (to == std::string_view::npos) return parts;
    from = to + 1;
  }
}

bool parseRate(std::string_view text, double& bytes_per_s) {
  double gb_per_s = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), gb_per_s);
  if (failure != std::errc{} || end != text.data() + text.size()) return false;
  if (!std::isfinite(gb_per_s) || gb_per_s <= 0 || gb_per_s > kMaxGbPerS) return false;
  bytes_per_s = gb_per_s * kGiga;
  return true;
}

}  // namespace

std::string_view SpecParameters::kindOf(std::string_view spec) {
  return spec.substr(0, spec.find_first_of(":@"));
}

Expected<SpecParameters> SpecParameters::parse(std::string_view spec, std::string_view example) {
  SpecParameters out;
  out.example_ = example;
  out.text_ = spec;
  out.link_bytes_per_s_ = kDefaultLinkBytesPerS;
  const std::size_t at = spec.rfind('@');
  const std::string_view body = spec.substr(0, at);
  const std::size_t colon = body.find(':');
  out.kind_ = kindOf(spec);
  if (at != std::string_view::npos && !parseRate(spec.substr(at + 1), out.link_bytes_per_s_))
    return Unexpected(
        out.error("@", spec.substr(at + 1),
                  fmt::format("the link rate must be a number of GB/s above 0, at most {:.0f}", kMaxGbPerS)));
  if (colon == std::string_view::npos) return out;
  for (const std::string_view part : split(body.substr(colon + 1), ',')) {
    if (auto added = out.addParameter(part); !added) return Unexpected(added.error());
  }
  return out;
}

Expected<void> SpecParameters::addParameter(std::string_view part) {
  const std::size_t equals = part.find('=');
  if (part.empty()) return Unexpected(error("", "", "a parameter is empty"));
  if (equals == std::string_view::npos) {
    if (!first_.empty() || !named_.empty()) return Unexpected(error("", part, "a parameter has no name"));
    first_ = part;
    return {};
  }
  const std::string_view key = part.substr(0, equals);
  if (has(key)) return Unexpected(error(key, part.substr(equals + 1), "the parameter is given twice"));
  named_.emplace_back(key, part.substr(equals + 1));
  return {};
}

Error SpecParameters::error(std::string_view key, std::string_view value, std::string message) const {
  Error out;
  out.field =
      key.empty() ? fmt::format("topology \"{}\"", text_) : fmt::format("topology \"{}\", {}", text_, key);
  out.value = value;
  out.message = std::move(message);
  if (!example_.empty()) out.remedy = fmt::format("write for example {}", example_);
  return out;
}

bool SpecParameters::has(std::string_view key) const {
  return std::any_of(named_.begin(), named_.end(), [key](const auto& entry) { return entry.first == key; });
}

std::string_view SpecParameters::value(std::string_view key) const {
  for (const auto& [name, text] : named_) {
    if (name == key) return text;
  }
  return {};
}

Expected<void> SpecParameters::allowOnly(std::span<const std::string_view> keys, bool has_first) const {
  if (!first_.empty() && !has_first) return Unexpected(error("", first_, "a parameter has no name"));
  if (first_.empty() && has_first) return Unexpected(error("", "", "the size is missing"));
  for (const auto& [name, text] : named_) {
    if (std::find(keys.begin(), keys.end(), name) != keys.end()) continue;
    std::string known = fmt::format("{} has no such parameter", kind_);
    if (const std::string hint = didYouMean(name, keys); !hint.empty()) known += "; " + hint;
    return Unexpected(error(name, text, known));
  }
  return {};
}

Expected<int> SpecParameters::number(std::string_view key, std::string_view text, int minimum,
                                     int maximum) const {
  int number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = failure == std::errc{} && end == text.data() + text.size();
  if (is_whole && number >= minimum && number <= maximum) return number;
  return Unexpected(error(key, text, fmt::format("must be a whole number from {} to {}", minimum, maximum)));
}

Expected<int> SpecParameters::integer(std::string_view key, int minimum, int maximum) const {
  if (!has(key)) return Unexpected(error(key, "", "the parameter is missing"));
  return number(key, value(key), minimum, maximum);
}

Expected<int> SpecParameters::integerOr(std::string_view key, int fallback, int minimum, int maximum) const {
  return has(key) ? integer(key, minimum, maximum) : Expected<int>(fallback);
}

Expected<double> SpecParameters::gigabytesPerSOr(std::string_view key, double fallback_bytes_per_s) const {
  double bytes_per_s = fallback_bytes_per_s;
  if (has(key) && !parseRate(value(key), bytes_per_s))
    return Unexpected(error(key, value(key), "must be a number of GB/s above 0"));
  return bytes_per_s;
}

Expected<std::vector<int>> SpecParameters::planes(std::string_view key) const {
  if (!has(key)) return Unexpected(error(key, "", "the parameter is missing"));
  std::vector<int> out;
  const auto terms = split(value(key), '+');
  for (const std::string_view term : terms) {
    const std::size_t times = term.find('x');
    const bool is_count = times != std::string_view::npos || terms.size() == 1;
    const auto count = is_count ? number(key, term.substr(0, times), 1, kMaxPlanes) : Expected<int>(1);
    if (!count) return Unexpected(count.error());
    const std::string_view links_text =
        times == std::string_view::npos ? (is_count ? "1" : term) : term.substr(times + 1);
    const auto links = number(key, links_text, 1, kMaxLinksPerPlane);
    if (!links) return Unexpected(links.error());
    out.insert(out.end(), static_cast<std::size_t>(*count), *links);
  }
  return out;
}

Expected<std::vector<int>> SpecParameters::sizes(std::size_t count, int minimum, int maximum) const {
  std::vector<int> out;
  for (const std::string_view part : split(first_, 'x')) {
    const auto size = number("size", part, minimum, maximum);
    if (!size) return Unexpected(size.error());
    out.push_back(*size);
  }
  if (out.size() > count)
    return Unexpected(error("size", first_, fmt::format("has more than {} axes", count)));
  return out;
}

Expected<void> SpecParameters::checkSize(double vertices, double bundles) const {
  if (vertices <= kMaxVertices && bundles <= kMaxBundles) return {};
  return Unexpected(
      error("", "",
            fmt::format("is too large: {:.0f} vertices and {:.0f} bundles, at most {:.0f} and {:.0f}",
                        vertices, bundles, kMaxVertices, kMaxBundles)));
}

}  // namespace decodescope::topology
