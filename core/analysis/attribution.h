// Shapley values: how much of a difference each input brings, averaged over all orders in which the inputs
// could be changed one after another. They sum to the whole difference. Shapley, "A value for n-person
// games", 1953.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace decodescope::analysis {

/// Inputs taken from the second side, one bit each.
using Coalition = std::uint64_t;
/// Values of several results when these inputs are changed; nothing where that cannot be.
using CoalitionValue = std::function<std::optional<std::vector<double>>(Coalition)>;

struct Attribution {
  /// Inputs that only make sense together are one group; each holds positions of inputs.
  std::vector<std::vector<std::size_t>> groups;
  std::vector<std::vector<double>> shares;  ///< [group][result]: sums over groups to the difference
  bool exact = true;                        ///< false: a fixed sample of orders
};

/// Up to this many groups are taken in all orders.
inline constexpr std::size_t kExactInputs = 6;
/// Nothing when no input is changed, or either end has no value. At most 60 inputs.
[[nodiscard]] std::optional<Attribution> shapley(std::size_t inputs, const CoalitionValue& value);

}  // namespace decodescope::analysis
