// Typed indices. An id is a position in an array; mixing a chip with a link does not compile.
#pragma once

#include <compare>
#include <cstdint>

namespace decodescope {

template <class Tag>
struct StrongId {
  std::uint32_t value = UINT32_MAX;

  constexpr StrongId() = default;
  constexpr explicit StrongId(std::uint32_t index) : value(index) {}
  [[nodiscard]] constexpr bool isValid() const { return value != UINT32_MAX; }
  friend constexpr auto operator<=>(StrongId, StrongId) = default;
};

/// A vertex of the topology. Chips come first: node i is chip i while i < chip_count.
using NodeId = StrongId<struct NodeTag>;
using ChipId = StrongId<struct ChipTag>;
/// A bundle of parallel cables between two vertices, both directions.
using LinkId = StrongId<struct LinkTag>;
using TrayId = StrongId<struct TrayTag>;
using RackId = StrongId<struct RackTag>;

[[nodiscard]] constexpr NodeId nodeOf(ChipId chip) {
  return NodeId{chip.value};
}

enum class Direction : std::uint8_t { Forward, Backward };

/// Position of one direction of a link in per-direction arrays (of size 2 * link count).
[[nodiscard]] constexpr std::size_t directedIndex(LinkId link, Direction direction) {
  return 2 * static_cast<std::size_t>(link.value) + static_cast<std::size_t>(direction);
}

}  // namespace decodescope
