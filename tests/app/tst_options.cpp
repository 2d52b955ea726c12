#include "app/options.h"

#include <QtTest>

using namespace decodescope::app;
using decodescope::views::RendererChoice;

class TstOptions : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void defaults_openTheShippedScenario() {
    const auto parsed = parseOptions({});
    QVERIFY(parsed.message.isEmpty());
    QCOMPARE(parsed.options.scenario, QStringLiteral("deepseek-r1-nvl72"));
    QCOMPARE(parsed.options.renderer, RendererChoice::Auto);
  }

  void all_areRead() {
    const auto parsed =
        parseOptions({QStringLiteral("a.json"), QStringLiteral("--theme"), QStringLiteral("light"),
                      QStringLiteral("--zoom=150"), QStringLiteral("--renderer"), QStringLiteral("software"),
                      QStringLiteral("--screenshot"), QStringLiteral("x.png"), QStringLiteral("--size"),
                      QStringLiteral("1280x720"), QStringLiteral("--at-token"), QStringLiteral("7"),
                      QStringLiteral("--view"), QStringLiteral("rack")});
    QVERIFY2(parsed.message.isEmpty(), qPrintable(parsed.message));
    QCOMPARE(parsed.options.scenario, QStringLiteral("a.json"));
    QCOMPARE(parsed.options.zoom, 1.5);
    QCOMPARE(parsed.options.renderer, RendererChoice::Software);
    QCOMPARE(parsed.options.size, QSize(1280, 720));
    QCOMPARE(parsed.options.at_token, 7);
    QCOMPARE(parsed.options.view, QStringLiteral("rack"));
  }

  void present_takesTheProjectorTheme() {
    QCOMPARE(parseOptions({QStringLiteral("--present")}).options.theme, QStringLiteral("projector"));
  }

  void badValue_namesOptionValueAndRemedy_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("remedy");
    QTest::newRow("theme") << QStringList{QStringLiteral("--theme"), QStringLiteral("pink")}
                           << QStringLiteral("projector");
    QTest::newRow("zoom") << QStringList{QStringLiteral("--zoom"), QStringLiteral("nan")}
                          << QStringLiteral("80");
    QTest::newRow("size") << QStringList{QStringLiteral("--size"), QStringLiteral("12")}
                          << QStringLiteral("1920x1080");
    QTest::newRow("huge size") << QStringList{QStringLiteral("--size"), QStringLiteral("99999x99999")}
                               << QStringLiteral("1920x1080");
    QTest::newRow("token") << QStringList{QStringLiteral("--at-token"), QStringLiteral("-3")}
                           << QStringLiteral("0");
    QTest::newRow("view") << QStringList{QStringLiteral("--view"), QStringLiteral("moon")}
                          << QStringLiteral("heatmap");
  }
  void badValue_namesOptionValueAndRemedy() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, remedy);
    const auto parsed = parseOptions(arguments);
    QCOMPARE(parsed.exit_code, 1);
    QVERIFY2(parsed.message.contains(arguments.first()) && parsed.message.contains(arguments.last()) &&
                 parsed.message.contains(remedy),
             qPrintable(parsed.message));
  }

  void unknownOption_isUsage() { QCOMPARE(parseOptions({QStringLiteral("--bogus")}).exit_code, 1); }
  void help_endsWithZero() {
    const auto parsed = parseOptions({QStringLiteral("--help")});
    QCOMPARE(parsed.exit_code, 0);
    QVERIFY(parsed.message.contains(QStringLiteral("--screenshot")));
  }
};

QTEST_GUILESS_MAIN(TstOptions)
#include "tst_options.moc"
