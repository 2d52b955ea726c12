#include "base/parse_value.h"

#include "base/format.h"

#include <QRegularExpression>
#include <cmath>

namespace decodescope::views {
namespace {

/// A unit as a factor to the unit of its kind without prefix.
struct KnownUnit {
  const char* name;
  const char* kind;
  double factor;
};
constexpr KnownUnit kUnits[] = {
    {"s", "time", 1},
    {"ms", "time", 1e-3},
    {"us", "time", 1e-6},
    {"µs", "time", 1e-6},
    {"ns", "time", 1e-9},
    {"min", "time", 60},
    {"h", "time", 3600},
    {"W", "power", 1},
    {"kW", "power", 1e3},
    {"MW", "power", 1e6},
    {"B", "bytes", 1},
    {"bytes", "bytes", 1},
    {"kB", "bytes", 1e3},
    {"MB", "bytes", 1e6},
    {"GB", "bytes", 1e9},
    {"TB", "bytes", 1e12},
    {"KiB", "bytes", 1024.0},
    {"MiB", "bytes", 1048576.0},
    {"GiB", "bytes", 1073741824.0},
    {"TiB", "bytes", 1099511627776.0},
    {"B/s", "rate", 1},
    {"kB/s", "rate", 1e3},
    {"MB/s", "rate", 1e6},
    {"GB/s", "rate", 1e9},
    {"TB/s", "rate", 1e12},
    {"GiB/s", "rate", 1073741824.0},
    {"TiB/s", "rate", 1099511627776.0},
    {"Hz", "frequency", 1},
    {"kHz", "frequency", 1e3},
    {"MHz", "frequency", 1e6},
    {"GHz", "frequency", 1e9},
    {"%", "ratio", 0.01},
    {"ratio", "ratio", 1},
    {"FLOP/s", "flops", 1},
    {"GFLOP/s", "flops", 1e9},
    {"TFLOP/s", "flops", 1e12},
    {"PFLOP/s", "flops", 1e15},
};

const KnownUnit* findUnit(const QString& name) {
  for (const KnownUnit& u : kUnits)
    if (name == QString::fromUtf8(u.name)) return &u;
  // Byte units in any case ("gb/s"); time and power not: mW is not MW.
  for (const KnownUnit& u : kUnits)
    if (name.compare(QString::fromUtf8(u.name), Qt::CaseInsensitive) == 0 &&
        (name.contains(QLatin1Char('b'), Qt::CaseInsensitive) || name.startsWith(QLatin1String("k"))))
      return &u;
  return nullptr;
}

std::optional<double> prefixFactor(const QString& prefix, bool is_count) {
  if (prefix == QLatin1String("k") || prefix == QLatin1String("K")) return 1e3;
  if (prefix == QLatin1String("M") || (is_count && prefix == QLatin1String("m"))) return 1e6;
  if (prefix == QLatin1String("G") || (is_count && prefix == QLatin1String("g"))) return 1e9;
  if (prefix == QLatin1String("T")) return 1e12;
  if (!is_count && prefix == QLatin1String("m")) return 1e-3;
  if (!is_count && (prefix == QLatin1String("u") || prefix == QString::fromUtf8("µ"))) return 1e-6;
  if (prefix.compare(QLatin1String("Ki"), Qt::CaseInsensitive) == 0) return 1024.0;
  if (prefix.compare(QLatin1String("Mi"), Qt::CaseInsensitive) == 0) return 1048576.0;
  if (prefix.compare(QLatin1String("Gi"), Qt::CaseInsensitive) == 0) return 1073741824.0;
  if (prefix.compare(QLatin1String("Ti"), Qt::CaseInsensitive) == 0) return 1099511627776.0;
  return std::nullopt;
}

std::optional<double> parseNumber(QString digits) {
  digits.replace(QChar(0x2212), QLatin1Char('-'));
  digits.remove(QRegularExpression(QStringLiteral("[\\s\\x{00A0}\\x{202F}\\x{2009}'_]")));
  static const QRegularExpression grouped(QStringLiteral("^[-+]?\\d{1,3}(,\\d{3})+(\\.\\d*)?$"));
  static const QRegularExpression grouped_dots(QStringLiteral("^[-+]?\\d{1,3}(\\.\\d{3})+(,\\d*)?$"));
  const bool comma_is_decimal = numberLocale().decimalPoint() == QLatin1String(",");
  if (comma_is_decimal && grouped_dots.match(digits).hasMatch())
    digits.remove(QLatin1Char('.')).replace(QLatin1Char(','), QLatin1Char('.'));
  else if (!comma_is_decimal && grouped.match(digits).hasMatch())
    digits.remove(QLatin1Char(','));
  else
    digits.replace(QLatin1Char(','), QLatin1Char('.'));
  bool ok = false;
  const double value = digits.toDouble(&ok);
  if (!ok || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

std::optional<double> parseValue(const QString& text, const QString& unit) {
  static const QRegularExpression split(QStringLiteral(
      "^([-+\\x{2212}]?[\\d.,'_\\s\\x{00A0}\\x{202F}\\x{2009}]*\\d\\.?(?:[eE][-+]?\\d+)?)\\s*(.*)$"));
  const QRegularExpressionMatch match = split.match(text.trimmed());
  if (!match.hasMatch()) return std::nullopt;
  const std::optional<double> number = parseNumber(match.captured(1).trimmed());
  if (!number) return std::nullopt;
  const QString rest = match.captured(2).trimmed();
  if (rest.isEmpty() || rest == unit) return number;

  const KnownUnit* shown = findUnit(unit);
  if (const KnownUnit* typed = findUnit(rest); typed != nullptr && shown != nullptr) {
    if (qstrcmp(typed->kind, shown->kind) != 0) return std::nullopt;
    return *number * typed->factor / shown->factor;
  }
  if (const auto factor = prefixFactor(rest, shown == nullptr))
    return *number * *factor / (shown != nullptr ? shown->factor : 1.0);
  if (shown != nullptr) return std::nullopt;
  // A count: the word itself, its beginning ("tok"), or a multiplier before it ("128 k tokens").
  if (rest.size() >= 2 && unit.startsWith(rest, Qt::CaseInsensitive)) return number;
  static const QRegularExpression multiplied(QStringLiteral("^([kKMmGgT]i?)\\s*(\\S.*)$"));
  const QRegularExpressionMatch word = multiplied.match(rest);
  if (!word.hasMatch() || !unit.startsWith(word.captured(2), Qt::CaseInsensitive)) return std::nullopt;
  const auto factor = prefixFactor(word.captured(1), true);
  return factor ? std::optional(*number * *factor) : std::nullopt;
}

}  // namespace decodescope::views
