// "Explain this number": how a quantity came about, down to catalog values. Built from the same operation
// list that computed it; children recombine to the parent within 1e-9 relative by the stated rule.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace decodescope {

/// How a node's value follows from its children's values.
enum class Combine : std::uint8_t {
  Leaf,  ///< no children
  Sum,
  Product,
  Quotient,  ///< first divided by the product of the others
  Max,
  Min,
  PowerNorm,  ///< (sum of c^p)^(1/p), p in `exponent`: a smooth maximum
  Sqrt,       ///< first child is a factor, second the radicand: a * sqrt(b)
};
enum class SourceKind : std::uint8_t { UserSet, Catalog, Derived, Calibrated, Simulated, Assumption };

struct Derivation {
  std::string id;  ///< stable: "tpot_s", "step/attention/memory"
  std::string label;
  std::string formula;       ///< in symbols: "bytes / (bandwidth x efficiency)"
  std::string with_numbers;  ///< the same with this point's numbers and units
  double value = 0;
  std::string unit;  ///< SI
  double share = 0;  ///< of the root, for Sum children; else 0
  Combine combine = Combine::Leaf;
  double exponent = 1;
  SourceKind source_kind = SourceKind::Derived;
  std::string source;  ///< citation, parameter path, or rule
  std::string
      confidence;  ///< of a leaf: high medium low estimate (catalog), fitted, assumed, stated, derived
  std::string parameter_path;  ///< control that sets this value, if one does
  std::vector<Derivation> children;
};

/// The value that the children of `node` give under its rule.
[[nodiscard]] double recombine(const Derivation& node);

}  // namespace decodescope
