// Numbers as people read them: three significant digits, grouped by the locale, always with a unit. The one
// place where SI becomes ms, GB, kW and %.
#pragma once

#include <QLocale>
#include <QString>

namespace decodescope::views {

/// A number and its unit, for widgets that set them in different type.
struct ValueText {
  QString number;
  QString unit;
  /// With a narrow no-break space between, a full one before words: "24.8 ms", "88.1 °C", "8,192 tokens".
  [[nodiscard]] QString text() const;
};

/// Bytes are decimal (GB = 1e9) unless the user asks for GiB, then everywhere at once.
enum class ByteUnits { Decimal, Binary };
void setByteUnits(ByteUnits units);
[[nodiscard]] ByteUnits byteUnits();

/// The user's locale; English grouping in place of the C locale, which has none.
[[nodiscard]] QLocale numberLocale();

/// `digits` significant digits; whole numbers from 1000 on, grouped; "–" when not finite.
[[nodiscard]] QString numberText(double value, int digits = 3);
/// Exactly as many decimals as asked for, grouped.
[[nodiscard]] QString fixedText(double value, int decimals);
/// Whole things: chips, sequences.
[[nodiscard]] QString countText(double count);
/// Everything the value has, up to 6 decimals, for fields that can be edited.
[[nodiscard]] QString exactText(double value);
/// 8,192 -> "8k" (multiples of 1,024 by 1,024), 1,200 -> "1.2k", 1,048,576 -> "1M": for axis ticks and
/// sentences.
[[nodiscard]] QString shortCountText(double value);

/// A unit of time chosen once, for a whole axis or table.
enum class TimeUnit { Microseconds, Milliseconds, Seconds };
[[nodiscard]] TimeUnit timeUnitFor(double largest_s);
[[nodiscard]] double perSecond(TimeUnit unit);      ///< 1e3 for milliseconds
[[nodiscard]] QString timeUnitName(TimeUnit unit);  ///< "ms"
[[nodiscard]] ValueText timeText(double seconds, int digits = 3);
[[nodiscard]] ValueText timeText(double seconds, TimeUnit unit, int digits = 3);

[[nodiscard]] ValueText bytesText(double bytes, int digits = 3);
[[nodiscard]] ValueText byteRateText(double bytes_per_s, int digits = 3);
[[nodiscard]] ValueText powerText(double watts, int digits = 4);
[[nodiscard]] ValueText ratioText(double ratio, int digits = 2);  ///< 0.184 -> 18 %
[[nodiscard]] ValueText temperatureText(double celsius);          ///< 88.1 °C
[[nodiscard]] ValueText tokensPerSecondText(double tokens_per_s, int digits = 3);
[[nodiscard]] ValueText energyPerTokenText(double joules, int digits = 3);
[[nodiscard]] ValueText costText(double usd_per_million_tokens, int digits = 3);

/// By the SI unit that core states ("s", "bytes", "bytes/s", "W", "ratio", "tokens/s", "" ...); others are
/// kept as written.
[[nodiscard]] ValueText quantityText(double value, const QString& si_unit, int digits = 3);

/// "+19 %", "−3 %", "±0 %" of `now` over `before`.
[[nodiscard]] QString changeText(double now, double before);

}  // namespace decodescope::views
