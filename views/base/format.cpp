#include "base/format.h"

#include <array>
#include <cmath>

namespace decodescope::views {
namespace {

constexpr QChar kThinSpace(0x202F), kMinus(0x2212), kDash(0x2013);
ByteUnits chosen_byte_units = ByteUnits::Decimal;

struct Prefix {
  double factor;
  const char* symbol;
};
constexpr std::array<Prefix, 7> kDecimal{
    {{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {0, ""}}};
constexpr std::array<Prefix, 7> kBinary{{{1125899906842624.0, "Pi"},
                                         {1099511627776.0, "Ti"},
                                         {1073741824.0, "Gi"},
                                         {1048576.0, "Mi"},
                                         {1024.0, "Ki"},
                                         {1, ""},
                                         {0, ""}}};

const Prefix& prefixFor(double value, const std::array<Prefix, 7>& prefixes) {
  // Half a unit in the fourth digit, so that 999.96 MB becomes 1.00 GB rather than 1,000 MB.
  const double magnitude = std::abs(value) * 1.0005;
  for (const Prefix& p : prefixes)
    if (p.factor > 0 && magnitude >= p.factor) return p;
  return prefixes[5];
}

ValueText scaledText(double value, const QString& unit, const std::array<Prefix, 7>& prefixes, int digits) {
  const Prefix& p = prefixFor(value, prefixes);
  return {numberText(value / p.factor, digits), QLatin1String(p.symbol) + unit};
}

QString withTypographicMinus(QString text) {
  return text.replace(QLatin1Char('-'), kMinus);
}

const std::array<Prefix, 7>& bytePrefixes() {
  return chosen_byte_units == ByteUnits::Binary ? kBinary : kDecimal;
}

}  // namespace

QString ValueText::text() const {
  if (unit.isEmpty()) return number;
  // A narrow space is lost before a word.
  return number + (unit.size() > 4 && !unit.contains(QLatin1Char('/')) ? QChar(QChar::Nbsp) : kThinSpace) +
         unit;
}

void setByteUnits(ByteUnits units) {
  chosen_byte_units = units;
}
ByteUnits byteUnits() {
  return chosen_byte_units;
}

QLocale numberLocale() {
  QLocale locale;
  if (locale.language() == QLocale::C) locale = QLocale(QLocale::English, QLocale::UnitedStates);
  locale.setNumberOptions(QLocale::DefaultNumberOptions);
  return locale;
}

QString numberText(double value, int digits) {
  if (!std::isfinite(value)) return kDash;
  if (value == 0) return QStringLiteral("0");
  const int exponent =
      static_cast<int>(std::floor(std::log10(std::abs(value) * (1 + 0.5 * std::pow(10.0, -digits)))));
  const int decimals = digits - 1 - exponent;
  if (decimals > 9) return withTypographicMinus(numberLocale().toString(value, 'g', digits));
  return fixedText(value, decimals < 0 ? 0 : decimals);
}

QString fixedText(double value, int decimals) {
  if (!std::isfinite(value)) return kDash;
  return withTypographicMinus(numberLocale().toString(value, 'f', decimals));
}

QString exactText(double value) {
  if (!std::isfinite(value)) return kDash;
  if (std::abs(value) < 1e-3 && value != 0)
    return withTypographicMinus(numberLocale().toString(value, 'g', 6));
  QString text = numberLocale().toString(value, 'f', 6);
  const QString point = numberLocale().decimalPoint();
  if (text.contains(point)) {
    while (text.endsWith(QLatin1Char('0'))) text.chop(1);
    if (text.endsWith(point)) text.chop(point.size());
  }
  return withTypographicMinus(text);
}

QString countText(double count) {
  return fixedText(count, 0);
}

QString shortCountText(double value) {
  if (!std::isfinite(value)) return kDash;
  const struct {
    double binary, decimal;
    const char* symbol;
  } steps[] = {{1048576.0, 1e6, "M"}, {1024.0, 1e3, "k"}};
  const double magnitude = std::abs(value);
  for (const auto& step : steps) {
    if (magnitude >= step.binary && std::fmod(magnitude, step.binary) == 0 &&
        std::fmod(magnitude, step.decimal) != 0)
      return exactText(value / step.binary) + QLatin1String(step.symbol);
    if (magnitude >= step.decimal)
      return exactText(std::round(value / step.decimal * 10) / 10) + QLatin1String(step.symbol);
  }
  return value == std::round(value) ? exactText(value) : numberText(value, 3);
}

TimeUnit timeUnitFor(double largest_s) {
  if (largest_s >= 1) return TimeUnit::Seconds;
  return largest_s >= 1e-3 ? TimeUnit::Milliseconds : TimeUnit::Microseconds;
}

double perSecond(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::Seconds:
      return 1;
    case TimeUnit::Milliseconds:
      return 1e3;
    case TimeUnit::Microseconds:
      return 1e6;
  }
  return 1;
}

QString timeUnitName(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::Seconds:
      return QStringLiteral("s");
    case TimeUnit::Milliseconds:
      return QStringLiteral("ms");
    case TimeUnit::Microseconds:
      return QStringLiteral("µs");
  }
  return {};
}

ValueText timeText(double seconds, int digits) {
  return timeText(seconds, timeUnitFor(std::abs(seconds) * 1.0005), digits);
}
ValueText timeText(double seconds, TimeUnit unit, int digits) {
  return {numberText(seconds * perSecond(unit), digits), timeUnitName(unit)};
}

ValueText bytesText(double bytes, int digits) {
  return scaledText(bytes, QStringLiteral("B"), bytePrefixes(), digits);
}
ValueText byteRateText(double bytes_per_s, int digits) {
  return scaledText(bytes_per_s, QStringLiteral("B/s"), bytePrefixes(), digits);
}
ValueText powerText(double watts, int digits) {
  // Chips are compared in W up to a few kW; racks and sites in kW and MW.
  if (std::abs(watts) < 5000) return {numberText(watts, digits), QStringLiteral("W")};
  if (std::abs(watts) < 5e6) return {numberText(watts / 1e3, digits), QStringLiteral("kW")};
  return {numberText(watts / 1e6, digits), QStringLiteral("MW")};
}
ValueText ratioText(double ratio, int digits) {
  const double percent = ratio * 100;
  return {std::abs(percent) >= 10 ? fixedText(percent, 0) : numberText(percent, digits), QStringLiteral("%")};
}
ValueText temperatureText(double celsius) {
  return {fixedText(celsius, 1), QStringLiteral("°C")};
}
ValueText tokensPerSecondText(double tokens_per_s, int digits) {
  if (std::abs(tokens_per_s) >= 1e5)
    return scaledText(tokens_per_s, QStringLiteral(" tok/s"), kDecimal, digits);
  return {numberText(tokens_per_s, digits), QStringLiteral("tok/s")};
}
ValueText energyPerTokenText(double joules, int digits) {
  return {numberText(joules, digits), QStringLiteral("J/token")};
}
ValueText costText(double usd_per_million_tokens, int digits) {
  return {numberText(usd_per_million_tokens, digits), QStringLiteral("$/Mtok")};
}

ValueText quantityText(double value, const QString& si_unit, int digits) {
  if (si_unit == QLatin1String("s")) return timeText(value, digits);
  if (si_unit == QLatin1String("bytes") || si_unit == QLatin1String("B")) return bytesText(value, digits);
  if (si_unit == QLatin1String("bytes/s") || si_unit == QLatin1String("B/s"))
    return byteRateText(value, digits);
  if (si_unit == QLatin1String("W")) return powerText(value, digits);
  if (si_unit == QLatin1String("ratio")) return ratioText(value, digits);
  if (si_unit == QLatin1String("C") || si_unit == QLatin1String("°C")) return temperatureText(value);
  if (si_unit == QLatin1String("tokens/s")) return tokensPerSecondText(value, digits);
  if (si_unit == QLatin1String("flop") || si_unit == QLatin1String("FLOP"))
    return scaledText(value, QStringLiteral("FLOP"), kDecimal, digits);
  if (si_unit == QLatin1String("flop/s") || si_unit == QLatin1String("FLOP/s"))
    return scaledText(value, QStringLiteral("FLOP/s"), kDecimal, digits);
  if (si_unit == QLatin1String("1")) return {numberText(value, digits), {}};
  if (si_unit == QLatin1String("J")) return scaledText(value, QStringLiteral("J"), kDecimal, digits);
  if (std::abs(value) >= 1e6) {
    const Prefix& p = prefixFor(value, kDecimal);
    const QString prefixed = si_unit.isEmpty() ? QString(QLatin1String(p.symbol))
                                               : QLatin1String(p.symbol) + QLatin1Char(' ') + si_unit;
    return {numberText(value / p.factor, digits), prefixed};
  }
  return {numberText(value, digits), si_unit};
}

QString changeText(double now, double before) {
  if (!std::isfinite(now) || !std::isfinite(before) || before == 0) return kDash;
  const double percent = (now / before - 1) * 100;
  const double rounded = std::abs(percent) < 10 ? std::round(percent * 10) / 10 : std::round(percent);
  if (rounded == 0) return QStringLiteral("±0") + kThinSpace + QLatin1Char('%');
  const QString number =
      std::abs(percent) < 10 ? exactText(std::abs(rounded)) : fixedText(std::abs(rounded), 0);
  return (rounded > 0 ? QLatin1Char('+') : QChar(kMinus)) + number + kThinSpace + QLatin1Char('%');
}

}  // namespace decodescope::views
