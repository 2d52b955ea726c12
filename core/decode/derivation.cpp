#include <decodescope/derivation.h>

#include <algorithm>
#include <cmath>

namespace decodescope {
namespace {

/// Scaled by the largest, as the kernels compute it.
double powerNorm(const std::vector<Derivation>& children, double p) {
  double largest = 0;
  for (const Derivation& c : children) largest = std::max(largest, c.value);
  if (!(largest > 0)) return 0;
  double sum = 0;
  for (const Derivation& c : children) sum += std::pow(c.value / largest, p);
  return largest * std::pow(sum, 1 / p);
}

double fold(const std::vector<Derivation>& children, double (*join)(double, double)) {
  double out = children.front().value;
  for (std::size_t i = 1; i < children.size(); ++i) out = join(out, children[i].value);
  return out;
}

}  // namespace

double recombine(const Derivation& node) {
  if (node.children.empty()) return node.value;
  switch (node.combine) {
    case Combine::Leaf:
      return node.value;
    case Combine::Sum:
      return fold(node.children, [](double a, double b) { return a + b; });
    case Combine::Product:
      return fold(node.children, [](double a, double b) { return a * b; });
    case Combine::Quotient:
      return fold(node.children, [](double a, double b) { return a / b; });
    case Combine::Max:
      return fold(node.children, [](double a, double b) { return std::max(a, b); });
    case Combine::Min:
      return fold(node.children, [](double a, double b) { return std::min(a, b); });
    case Combine::PowerNorm:
      return powerNorm(node.children, node.exponent);
    case Combine::Sqrt:
      return node.children.size() < 2 ? node.value
                                      : node.children[0].value * std::sqrt(node.children[1].value);
  }
  return node.value;
}

}  // namespace decodescope
