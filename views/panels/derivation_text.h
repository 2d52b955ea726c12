// A derivation tree to paste elsewhere.
#pragma once

#include <decodescope/derivation.h>

#include <QString>

namespace decodescope::views {

enum class DerivationFormat { Text, Markdown, Latex, Json };

/// The whole tree. JSON states SI values; the others numbers as shown.
[[nodiscard]] QString derivationText(const Derivation& root, DerivationFormat format);

}  // namespace decodescope::views
