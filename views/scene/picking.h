// What a primitive stands for, packed into the 32 bits of a PickId, and the search for the topmost one under
// a point.
#pragma once

#include "scene/draw_list.h"

#include <cstdint>

namespace decodescope::scene {

/// Chip..Rack carry ids of the topology; the others index lists of the scene that made them.
enum class PickKind : std::uint8_t {
  None,
  Chip,
  Switch,
  Link,
  Tray,
  Rack,
  Group,
  Plane,
  Cell,
  Button,
  Event
};

struct Pick {
  PickKind kind = PickKind::None;
  std::uint32_t index = 0;
  friend bool operator==(const Pick&, const Pick&) = default;
};

inline constexpr int kPickIndexBits = 28;
inline constexpr std::uint32_t kPickIndexMax = (1u << kPickIndexBits) - 1;
static_assert(static_cast<unsigned>(PickKind::Event) < (1u << (32 - kPickIndexBits)),
              "kinds must fit beside the index");
static_assert(sizeof(PickId) == 4);

[[nodiscard]] constexpr PickId packPick(PickKind kind, std::uint32_t index) {
  return (static_cast<PickId>(kind) << kPickIndexBits) | (index & kPickIndexMax);
}
[[nodiscard]] constexpr Pick unpackPick(PickId id) {
  return {static_cast<PickKind>(id >> kPickIndexBits), id & kPickIndexMax};
}

/// The topmost pickable primitive at `point`, or 0. Lines are hit within `tolerance_px` of their edge.
[[nodiscard]] PickId hitTest(const DrawList& list, Point point, float tolerance_px = 4);

/// A point of a curve, `t` from 0 to 1, and the shortest distance from `point` to it.
[[nodiscard]] Point pointOn(const Curve& curve, float t);
[[nodiscard]] float distanceTo(const Curve& curve, Point point);

}  // namespace decodescope::scene
