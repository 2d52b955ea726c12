#include "decode/derivation_nodes.h"

#include <decodescope/derivation_text.h>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace decodescope {
namespace {

constexpr std::array<std::string_view, 4> kFormats{"text", "markdown", "latex", "json"};
constexpr std::array<std::string_view, 8> kRules{"leaf", "sum", "product",    "quotient",
                                                 "max",  "min", "power_norm", "sqrt"};
constexpr std::array<std::string_view, 6> kKinds{"user",       "catalog",   "derived",
                                                 "calibrated", "simulated", "assumption"};

std::string valueOf(const Derivation& d) {
  return decode::quantityText(d.value, d.unit);
}

/// "catalog, high: NVIDIA H100 datasheet".
std::string sourceOf(const Derivation& d) {
  std::string out(sourceKindId(d.source_kind));
  if (d.children.empty() && !d.confidence.empty() && d.confidence != out) out += ", " + d.confidence;
  if (!d.source.empty()) out += ": " + d.source;
  return out;
}

std::string textRow(const Derivation& d, int level) {
  std::string out = std::string(static_cast<std::size_t>(2 * level), ' ') + d.label + ": " + valueOf(d);
  if (d.share != 0 && level > 0) out += fmt::format("  {:.1f} %", d.share * 100);
  if (!d.formula.empty()) out += "  = " + d.formula;
  if (!d.children.empty() && !d.with_numbers.empty()) out += "  = " + d.with_numbers;
  if (d.children.empty() || !d.source.empty()) out += "  [" + sourceOf(d) + "]";
  if (!d.parameter_path.empty()) out += "  (--set " + d.parameter_path + ")";
  return out + "\n";
}

/// A bar would end the cell.
std::string markdownCell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string markdownRow(const Derivation& d, int level) {
  std::string indent;
  for (int i = 0; i < level; ++i) indent += "&emsp;";
  return fmt::format("| {}{} | {} | {} | {} | {} |\n", indent, markdownCell(d.label),
                     markdownCell(valueOf(d)), d.share > 0 ? fmt::format("{:.1f} %", d.share * 100) : "",
                     markdownCell(d.formula), markdownCell(sourceOf(d)));
}

/// Visits the tree in the order of its rows.
template <class Visit>
void forEachRow(const Derivation& d, int level, int depth, const Visit& visit) {
  visit(d, level);
  if (depth <= 0) return;
  for (const Derivation& child : d.children) forEachRow(child, level + 1, depth - 1, visit);
}

std::string latexEscaped(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kSigns{{
      {"\\", "\\textbackslash{}"},
      {"^", "\\textasciicircum{}"},
      {"~", "\\textasciitilde{}"},
      {"<", "\\textless{}"},
      {">", "\\textgreater{}"},
      {"&", "\\&"},
      {"%", "\\%"},
      {"$", "\\$"},
      {"#", "\\#"},
      {"_", "\\_"},
      {"{", "\\{"},
      {"}", "\\}"},
      {"\u00b0", "\\textdegree{}"},
      {"\u00b5", "\\textmu{}"},
      {"\u00d7", "$\\times$"},
      {"\u2212", "$-$"},
  }};
  std::string out;
  while (!text.empty()) {
    const auto sign = std::find_if(kSigns.begin(), kSigns.end(),
                                   [&](const auto& s) { return text.substr(0, s.first.size()) == s.first; });
    const std::size_t taken = sign == kSigns.end() ? 1 : sign->first.size();
    out += sign == kSigns.end() ? text.substr(0, 1) : sign->second;
    text.remove_prefix(taken);
  }
  return out;
}

std::string latexRow(const Derivation& d, int level) {
  return fmt::format("\\hspace*{{{}em}}{} & {} & {} & {} \\\\\n", level, latexEscaped(d.label),
                     latexEscaped(valueOf(d)), latexEscaped(d.formula), latexEscaped(sourceOf(d)));
}

nlohmann::ordered_json asJson(const Derivation& d, int depth) {
  nlohmann::ordered_json out = {{"id", d.id},
                                {"label", d.label},
                                {"value", d.value},
                                {"unit", d.unit},
                                {"formula", d.formula},
                                {"with_numbers", d.with_numbers},
                                {"combine", kRules[static_cast<std::size_t>(d.combine)]}};
  if (d.combine == Combine::PowerNorm) out["exponent"] = d.exponent;
  if (d.share != 0) out["share"] = d.share;
  out["source_kind"] = sourceKindId(d.source_kind);
  out["source"] = d.source;
  if (d.children.empty()) out["confidence"] = d.confidence;
  if (!d.parameter_path.empty()) out["parameter_path"] = d.parameter_path;
  if (depth <= 0 || d.children.empty()) return out;
  nlohmann::ordered_json children = nlohmann::ordered_json::array();
  for (const Derivation& child : d.children) children.push_back(asJson(child, depth - 1));
  out["children"] = std::move(children);
  return out;
}

}  // namespace

std::span<const std::string_view> derivationFormatIds() {
  return kFormats;
}

std::optional<DerivationFormat> derivationFormatFrom(std::string_view id) {
  const auto found = std::find(kFormats.begin(), kFormats.end(), id);
  if (found == kFormats.end()) return std::nullopt;
  return static_cast<DerivationFormat>(found - kFormats.begin());
}

std::string_view sourceKindId(SourceKind kind) {
  return kKinds[static_cast<std::size_t>(kind)];
}

std::string derivationText(const Derivation& root, DerivationFormat format, int depth) {
  std::string out;
  switch (format) {
    case DerivationFormat::Text:
      forEachRow(root, 0, depth, [&](const Derivation& d, int level) { out += textRow(d, level); });
      break;
    case DerivationFormat::Markdown:
      out = "| Quantity | Value | Share | Formula | Source |\n|---|---:|---:|---|---|\n";
      forEachRow(root, 0, depth, [&](const Derivation& d, int level) { out += markdownRow(d, level); });
      break;
    case DerivationFormat::Latex:
      out = "\\begin{tabular}{lrll}\nQuantity & Value & Formula & Source \\\\ \\hline\n";
      forEachRow(root, 0, depth, [&](const Derivation& d, int level) { out += latexRow(d, level); });
      out += "\\end{tabular}\n";
      break;
    case DerivationFormat::Json:
      out = asJson(root, depth).dump(2) + "\n";
      break;
  }
  return out;
}

}  // namespace decodescope
