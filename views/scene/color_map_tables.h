// The published tables behind color_map.h, as 0xRRGGBB.
#pragma once

#include <array>
#include <cstdint>

namespace decodescope::scene {

extern const std::array<std::uint32_t, 256> kInferno, kViridis, kCividis;

}  // namespace decodescope::scene
