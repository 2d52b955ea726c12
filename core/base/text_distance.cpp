#include "base/text_distance.h"

#include <algorithm>
#include <utility>

namespace decodescope {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lowered(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

std::size_t tolerance(std::string_view name) {
  return std::max<std::size_t>(2, name.size() / 3);
}

/// Last part of a dotted path: people remember "tp" rather than "parallel.tp".
std::string_view lastPart(std::string_view path) {
  const auto dot = path.rfind('.');
  return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

/// Distance with a discount for candidates that contain the name or share its last part.
std::size_t rank(std::string_view name, std::string_view candidate) {
  const std::string needle = lowered(name), hay = lowered(candidate);
  if (needle.size() >= 2 && hay.find(needle) != std::string::npos) return hay.size() == needle.size() ? 0 : 1;
  const std::string tail = lowered(lastPart(candidate));
  if (tail.size() >= 2 && tail == lowered(lastPart(name))) return 1;
  return editDistance(name, candidate);
}

}  // namespace

std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0U : 1U)});
      const bool swapped =
          i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::vector<std::string_view> nearestNames(std::string_view name,
                                           std::span<const std::string_view> candidates, std::size_t count) {
  constexpr std::size_t kLongestName = 200;  // nobody mistypes more, and the search is quadratic
  if (name.size() > kLongestName) return {};
  std::vector<std::pair<std::size_t, std::string_view>> ranked;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = rank(name, candidate);
    if (distance <= tolerance(name)) ranked.emplace_back(distance, candidate);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string_view> out;
  for (const auto& [distance, candidate] : ranked) {
    if (out.size() < count) out.push_back(candidate);
  }
  return out;
}

std::string_view nearestName(std::string_view name, std::span<const std::string_view> candidates) {
  const auto names = nearestNames(name, candidates, 1);
  return names.empty() ? std::string_view{} : names.front();
}

std::string didYouMean(std::string_view name, std::span<const std::string_view> candidates,
                       std::size_t count) {
  const auto names = nearestNames(name, candidates, count);
  if (names.empty()) return {};
  std::string out = "did you mean ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += i + 1 == names.size() ? " or " : ", ";
    out += names[i];
  }
  return out + "?";
}

}  // namespace decodescope
