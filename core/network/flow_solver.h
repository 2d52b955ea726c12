// Max-min fair bandwidth sharing on given routes, and completion times with re-allocation.
//
// Flows f cross directed edges e of capacity c_e. Progressive filling raises all rates together and freezes
// the flows of each edge as it saturates; the result is the unique allocation in which every flow has a
// saturated edge on which no other flow is faster. Cost O(sum of route lengths + E log E). Source: Bertsekas
// and Gallager, Data Networks, 6.5.2.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace decodescope::network {

/// Routes of all flows, one after another: edges[begin[f] .. begin[f + 1]). Fractional routes carry `share`
/// per entry.
struct FlowRoutes {
  std::vector<std::uint32_t> begin{0};
  std::vector<std::uint32_t> edges;
  std::vector<double> share;  ///< empty: all 1

  [[nodiscard]] std::size_t size() const { return begin.size() - 1; }
  void append(std::span<const std::uint32_t> route);
};

/// Rates in bytes/s. `active` (optional, per flow) leaves finished flows out; their rate is 0.
[[nodiscard]] std::vector<double> maxMinRates(const FlowRoutes&, std::span<const double> capacity_bytes_per_s,
                                              std::span<const std::uint8_t> active = {});

/// Finish time of each flow, all starting at 0, with re-allocation whenever one ends. Simultaneous ends merge
/// within 1e-12 s. Edges with zero capacity make their flows finish at infinity.
[[nodiscard]] std::vector<double> completionTimes(const FlowRoutes&, std::span<const double> bytes,
                                                  std::span<const double> capacity_bytes_per_s);

}  // namespace decodescope::network
