// A derivation tree to paste elsewhere: what `explain` prints and what the window copies.
#pragma once

#include <decodescope/derivation.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace decodescope {

enum class DerivationFormat : std::uint8_t { Text, Markdown, Latex, Json };

/// "text", "markdown", "latex", "json", in the order of the enumeration.
[[nodiscard]] std::span<const std::string_view> derivationFormatIds();
[[nodiscard]] std::optional<DerivationFormat> derivationFormatFrom(std::string_view id);

/// The root and `depth` levels below it. JSON states SI values in full, null for one
/// without bound; the others round and give metric prefixes. Ends with a line break.
[[nodiscard]] std::string derivationText(const Derivation& root, DerivationFormat format, int depth = 100);

/// "catalog", "calibrated", ...: stable, as in the text and JSON forms.
[[nodiscard]] std::string_view sourceKindId(SourceKind);

}  // namespace decodescope
