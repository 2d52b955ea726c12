// Bisection bandwidth: how much two halves of the chips can send to each other.
#pragma once

#include <decodescope/topology_view.h>

#include <cstdint>
#include <vector>

namespace decodescope::topology {

/// Maximum flow, one direction, from the chips with side[c] != 0 to the others; bytes/s. Switches help both.
[[nodiscard]] double cutBytesPerS(const TopologyView&, const std::vector<std::uint8_t>& side);

/// Smallest cut over balanced halves. Up to kExhaustiveChips chips every balanced half is tried; above,
/// structured ones: blocks of every size that divides the chips evenly (halves of every axis of a torus,
/// groups, alternation) and, for several domains, whole domains. An upper bound where an unstructured half
/// would cut less.
[[nodiscard]] double bisectionBytesPerS(const TopologyView&);
inline constexpr std::uint32_t kExhaustiveChips = 8;

/// Every balanced half, whatever the size: for tests of small graphs.
[[nodiscard]] double exhaustiveBisectionBytesPerS(const TopologyView&);

}  // namespace decodescope::topology
