// Chains of hashes over the state: each event mixes what it changed into the chain of its subsystem.
#pragma once

#include "engine/engine.h"

#include <cstdint>

namespace decodescope::engine {

/// One step of a chain: order matters, and no value is lost (splitmix64's finaliser over state and value).
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t state, std::uint64_t value) {
  std::uint64_t z = state * 0x9E3779B97F4A7C15U + value + 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t state, std::int64_t value) {
  return mix(state, static_cast<std::uint64_t>(value));
}

}  // namespace decodescope::engine
