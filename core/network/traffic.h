// Who sends how much to whom in a collective, before any routing.
#pragma once

#include "network/collective.h"

#include <decodescope/topology_view.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace decodescope::network {

/// Every member sends `per_pair` to every other.
struct Exchange {
  std::vector<std::uint32_t> members;
  double per_pair = 0;
};

struct Pair {
  std::uint32_t from = 0, to = 0;
  double amount = 0;
};

/// Chips by index; amounts in bytes per byte that a rank sends.
struct Traffic {
  std::vector<Exchange> exchanges;
  std::vector<Pair> pairs;
};

/// See unitLoad for what each algorithm sends.
[[nodiscard]] Traffic trafficOf(const TopologyView&, Collective, std::string_view algorithm,
                                std::span<const std::vector<ChipId>> groups);

}  // namespace decodescope::network
