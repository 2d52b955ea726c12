// How close two names are, to suggest the one that was meant.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace decodescope {

/// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b` (optimal string
/// alignment), case ignored.
[[nodiscard]] std::size_t editDistance(std::string_view a, std::string_view b);

/// The candidate closest to `name`, or empty when none is close enough to be meant (more than a third of it
/// differs).
[[nodiscard]] std::string_view nearestName(std::string_view name,
                                           std::span<const std::string_view> candidates);
/// Up to `count` candidates: those that contain `name` first, then by distance.
[[nodiscard]] std::vector<std::string_view> nearestNames(std::string_view name,
                                                         std::span<const std::string_view> candidates,
                                                         std::size_t count);
/// "did you mean a, b or c?" or empty.
[[nodiscard]] std::string didYouMean(std::string_view name, std::span<const std::string_view> candidates,
                                     std::size_t count = 1);

}  // namespace decodescope
