// Numbers as text and back. Expected texts are written by hand.
#include "base/format.h"
#include "base/parse_value.h"

#include <QTest>

using namespace decodescope::views;

namespace {

const QString kNarrow(QChar(0x202F));

QString with(const char* number, const char* unit) {
  return QString::fromUtf8(number) + kNarrow + QString::fromUtf8(unit);
}

}  // namespace

class TestFormat : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

  void threeDigitsAlways() {
    QCOMPARE(numberText(24.83), QStringLiteral("24.8"));
    QCOMPARE(numberText(0.1142), QStringLiteral("0.114"));
    QCOMPARE(numberText(4588.2), QStringLiteral("4,588"));
    QCOMPARE(numberText(999.96), QStringLiteral("1,000"));  // and not "1000.0"
    QCOMPARE(numberText(9.996), QStringLiteral("10.0"));
    QCOMPARE(numberText(0), QStringLiteral("0"));
    QCOMPARE(numberText(-12.34), QStringLiteral("−12.3"));
    QCOMPARE(numberText(std::nan("")), QStringLiteral("–"));
    QCOMPARE(numberText(INFINITY), QStringLiteral("–"));
  }

  void exactKeepsWhatTheValueHas() {
    QCOMPARE(exactText(131072), QStringLiteral("131,072"));
    QCOMPARE(exactText(0.0929), QStringLiteral("0.0929"));
    QCOMPARE(exactText(30), QStringLiteral("30"));
    QCOMPARE(exactText(1.6), QStringLiteral("1.6"));
    QCOMPARE(exactText(100), QStringLiteral("100"));  // zeros before the point stay
  }

  void timeTakesTheUnitThatSuits() {
    QCOMPARE(timeText(0.0248).text(), with("24.8", "ms"));
    QCOMPARE(timeText(4.1e-5).text(), with("41.0", "µs"));
    QCOMPARE(timeText(2.5).text(), with("2.50", "s"));
    QCOMPARE(timeText(0.99996).text(), with("1.00", "s"));
    QCOMPARE(timeText(0.0005, TimeUnit::Milliseconds).text(), with("0.500", "ms"));
  }

  void bytesAreDecimalUntilAskedOtherwise() {
    QCOMPARE(bytesText(186e9).text(), with("186", "GB"));
    QCOMPARE(byteRateText(8e12).text(), with("8.00", "TB/s"));
    QCOMPARE(bytesText(999.96e6).text(), with("1.00", "GB"));
    setByteUnits(ByteUnits::Binary);
    QCOMPARE(bytesText(80.0 * 1024 * 1024 * 1024).text(), with("80.0", "GiB"));
    setByteUnits(ByteUnits::Decimal);
  }

  void otherQuantities() {
    QCOMPARE(powerText(1090).text(), with("1,090", "W"));
    QCOMPARE(powerText(115100).text(), with("115.1", "kW"));
    QCOMPARE(powerText(132000, 3).text(), with("132", "kW"));
    QCOMPARE(powerText(12.5e6, 3).text(), with("12.5", "MW"));
    QCOMPARE(ratioText(0.184).text(), with("18", "%"));
    QCOMPARE(ratioText(0.0316).text(), with("3.2", "%"));
    QCOMPARE(temperatureText(88.06).text(), with("88.1", "°C"));
    QCOMPARE(costText(0.1142).text(), with("0.114", "$/Mtok"));
  }

  void siUnitsOfDerivations() {
    QCOMPARE(quantityText(0.0248, QStringLiteral("s")).text(), with("24.8", "ms"));
    QCOMPARE(quantityText(6.54e9, QStringLiteral("B")).text(), with("6.54", "GB"));
    QCOMPARE(quantityText(61, QStringLiteral("1")).text(), QStringLiteral("61.0"));
    QCOMPARE(quantityText(2.5e15, QStringLiteral("FLOP/s")).text(), with("2.50", "PFLOP/s"));
    QCOMPARE(quantityText(12, QStringLiteral("K/W")).text(), with("12.0", "K/W"));
  }

  void shortCounts() {
    QCOMPARE(shortCountText(8192), QStringLiteral("8k"));
    QCOMPARE(shortCountText(1048576), QStringLiteral("1M"));
    QCOMPARE(shortCountText(131072), QStringLiteral("128k"));
    QCOMPARE(shortCountText(128000), QStringLiteral("128k"));
    QCOMPARE(shortCountText(330336), QStringLiteral("330.3k"));
    QCOMPARE(shortCountText(576), QStringLiteral("576"));
    QCOMPARE(shortCountText(0.35), QStringLiteral("0.350"));
  }

  void changes() {
    QCOMPARE(changeText(119, 100), QStringLiteral("+19") + kNarrow + QStringLiteral("%"));
    QCOMPARE(changeText(97.5, 100), QStringLiteral("−2.5") + kNarrow + QStringLiteral("%"));
    QCOMPARE(changeText(100.01, 100), QStringLiteral("±0") + kNarrow + QStringLiteral("%"));
    QCOMPARE(changeText(1, 0), QStringLiteral("–"));
  }

  void otherLocales() {
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    QCOMPARE(numberText(4588.2), QStringLiteral("4.588"));
    QCOMPARE(numberText(24.83), QStringLiteral("24,8"));
    QCOMPARE(*parseValue(QStringLiteral("4.588"), QStringLiteral("tokens")), 4588.0);
    QCOMPARE(*parseValue(QStringLiteral("1,5"), QStringLiteral("ms")), 1.5);
    QLocale::setDefault(QLocale::c());
    QCOMPARE(numberText(4588.2), QStringLiteral("4,588"));  // the C locale would not group
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
  }

  void typedUnits_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("unit");
    QTest::addColumn<double>("value");
    const auto row = [](const char* text, const char* unit, double value) {
      QTest::addRow("%s as %s", text, unit) << QString::fromUtf8(text) << QString::fromUtf8(unit) << value;
    };
    row("8192", "tokens", 8192);
    row("8,192", "tokens", 8192);
    row("8 192", "tokens", 8192);
    row("128k", "tokens", 128000);
    row("128 K", "tokens", 128000);
    row("0.5M", "tokens", 500000);
    row("1m", "tokens", 1e6);
    row("64Ki", "tokens", 65536);
    row("64ki", "tokens", 65536);
    row("1 Mi tokens", "tokens", 1048576);
    row("128k tokens", "tokens", 128000);
    row("1024 tok", "tokens", 1024);
    row("1.8 TB/s", "GB/s", 1800);
    row("900 GB/s", "GB/s", 900);
    row("900gb/s", "GB/s", 900);
    row("1.8T", "GB/s", 1800);
    row("30 ms", "ms", 30);
    row("0.03 s", "ms", 30);
    row("500us", "ms", 0.5);
    row("500 µs", "ms", 0.5);
    row("30m", "ms", 30);
    row("132 kW", "kW", 132);
    row("0.132 MW", "kW", 132);
    row("120000 W", "kW", 120);
    row("70 %", "ratio", 0.7);
    row("0.7", "ratio", 0.7);
    row("35", "°C", 35);
    row("35 °C", "°C", 35);
    row("1e3", "W", 1000);
    row("-5", "°C", -5);
    row("−5", "°C", -5);
    row("1,5", "ms", 1.5);
    row(".5", "ms", 0.5);
  }
  void typedUnits() {
    QFETCH(QString, text);
    QFETCH(QString, unit);
    QFETCH(double, value);
    const auto parsed = parseValue(text, unit);
    QVERIFY(parsed.has_value());
    QVERIFY2(std::abs(*parsed - value) <= 1e-9 * std::abs(value),
             qPrintable(QString::number(*parsed, 'g', 17)));
  }

  void refusedTexts_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("unit");
    for (const auto& [text, unit] : {std::pair{"", "tokens"},
                                     {"abc", "tokens"},
                                     {"12 parsecs", "tokens"},
                                     {"30 W", "ms"},
                                     {"1.8 TB", "GB/s"},
                                     {"nan", "ms"},
                                     {"inf", "ms"},
                                     {"1e999", "ms"},
                                     {"3 4 x", "ms"},
                                     {"k", "tokens"},
                                     {"1.2.3", "ms"},
                                     {"--5", "ms"}})
      QTest::addRow("%s as %s", text, unit) << QString::fromUtf8(text) << QString::fromUtf8(unit);
  }
  void refusedTexts() {
    QFETCH(QString, text);
    QFETCH(QString, unit);
    QVERIFY(!parseValue(text, unit).has_value());
  }

  // What a field shows is what it reads.
  void shownTextReadsBack() {
    for (const double value : {1.0, 8192.0, 131072.0, 16777216.0, 0.0929, 0.35, 1.6, 45.0, 999999.5, 1e-4})
      QCOMPARE(*parseValue(exactText(value), QStringLiteral("tokens")), value);
  }
};

QTEST_GUILESS_MAIN(TestFormat)
#include "tst_format.moc"
