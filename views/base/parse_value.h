// What people type into a number field: "128k", "0.5M", "64Ki", "1.8 TB/s", "30 ms".
#pragma once

#include <QString>
#include <optional>

namespace decodescope::views {

/// The value in `unit`, the unit that the field shows. A bare number is in that unit; a number with another
/// unit of the same kind is converted; k, M, G, T and Ki, Mi, Gi, Ti multiply (of the unit without its own
/// prefix, so "1.8T" in a field of GB/s is 1,800). Decimal point or comma, and the groups of the locale.
/// Empty when it cannot be read.
[[nodiscard]] std::optional<double> parseValue(const QString& text, const QString& unit);

}  // namespace decodescope::views
