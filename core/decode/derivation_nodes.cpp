#include "decode/derivation_nodes.h"

#include "catalog/entry_reader.h"

#include <fmt/format.h>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace decodescope::decode {
namespace {

std::string_view joiner(Combine combine) {
  switch (combine) {
    case Combine::Sum:
      return " + ";
    case Combine::Product:
      return " x ";
    case Combine::Quotient:
      return " / ";
    default:
      return ", ";
  }
}

std::string numbers(const Derivation& node) {
  std::string out;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    if (i > 0) out += joiner(node.combine);
    out += quantityText(node.children[i].value, node.children[i].unit);
  }
  switch (node.combine) {
    case Combine::Max:
      return "max(" + out + ")";
    case Combine::Min:
      return "min(" + out + ")";
    case Combine::PowerNorm:
      return fmt::format("norm_{:.3g}({})", node.exponent, out);
    case Combine::Sqrt:
      return "sqrt: " + out;
    default:
      return out;
  }
}

void setShares(Derivation& node, double whole, double factor) {
  const bool scales = node.combine == Combine::Product || node.combine == Combine::Quotient;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    Derivation& child = node.children[i];
    child.share = node.combine == Combine::Sum && whole != 0 ? child.value * factor / whole : 0;
    // Below a product of a count and a time, the time stands for `count` of them; above a divisor likewise.
    const bool carries = node.combine == Combine::Sum || node.combine == Combine::Product ||
                         (node.combine == Combine::Quotient && i == 0);
    const double below = scales && child.value != 0 ? factor * node.value / child.value : factor;
    setShares(child, carries ? whole : 0, below);
  }
}

}  // namespace

std::string quantityText(double value, const std::string& unit) {
  if (unit.empty() || unit == "1" || unit == "ratio" || unit == "tokens" || unit == "sequences" ||
      unit == "chips" || unit == "c" || unit == "usd" || unit == "h" || unit == "years")
    return unit.empty() || unit == "1" || unit == "ratio" ? fmt::format("{:.6g}", value)
                                                          : fmt::format("{:.6g} {}", value, unit);
  constexpr std::array<std::pair<double, const char*>, 9> kPrefixes{{{1e15, "P"},
                                                                     {1e12, "T"},
                                                                     {1e9, "G"},
                                                                     {1e6, "M"},
                                                                     {1e3, "k"},
                                                                     {1, ""},
                                                                     {1e-3, "m"},
                                                                     {1e-6, "u"},
                                                                     {1e-9, "n"}}};
  const double size = std::fabs(value);
  if (size == 0) return "0 " + unit;
  for (const auto& [scale, prefix] : kPrefixes) {
    if (size >= scale || scale == 1e-9) return fmt::format("{:.4g} {}{}", value / scale, prefix, unit);
  }
  return fmt::format("{:.4g} {}", value, unit);
}

namespace {

/// What a leaf's kind says by itself. Catalog entries state theirs; without, a value is an estimate.
std::string_view confidenceOf(SourceKind kind) {
  switch (kind) {
    case SourceKind::UserSet:
      return "stated";
    case SourceKind::Catalog:
      return "estimate";
    case SourceKind::Calibrated:
      return "fitted";
    case SourceKind::Assumption:
      return "assumed";
    case SourceKind::Derived:
    case SourceKind::Simulated:
      return "derived";
  }
  return "derived";
}

}  // namespace

Derivation leaf(std::string id, std::string label, double value, std::string unit, SourceKind kind,
                std::string source, std::string parameter_path) {
  Derivation d;
  d.id = std::move(id);
  d.label = std::move(label);
  d.value = value;
  d.unit = std::move(unit);
  d.source_kind = kind;
  d.source = std::move(source);
  d.confidence = confidenceOf(kind);
  d.parameter_path = std::move(parameter_path);
  d.with_numbers = quantityText(value, d.unit);
  return d;
}

Derivation catalogLeaf(std::string id, std::string label, double value, std::string unit,
                       const std::string& entry, const SourceTable& sources, std::string_view field,
                       std::string parameter_path) {
  Derivation d = leaf(std::move(id), std::move(label), value, std::move(unit), SourceKind::Catalog,
                      entry + " in the catalog", std::move(parameter_path));
  const auto found = sources.find(field);
  if (found == sources.end()) return d;
  if (!found->second.title.empty()) d.source += ": " + found->second.title;
  d.confidence = catalog::confidenceId(found->second.confidence);
  return d;
}

Derivation combined(std::string id, std::string label, std::string unit, Combine combine, std::string formula,
                    std::vector<Derivation> children, double exponent) {
  Derivation d;
  d.id = std::move(id);
  d.label = std::move(label);
  d.unit = std::move(unit);
  d.combine = combine;
  d.formula = std::move(formula);
  d.exponent = exponent;
  d.children = std::move(children);
  d.value = recombine(d);
  d.with_numbers = numbers(d);
  return d;
}

void setShares(Derivation& root) {
  root.share = 1;
  setShares(root, root.value, 1);
}

}  // namespace decodescope::decode
