// Headline numbers and the status bar.
#include "base/theme.h"
#include "panels/headline_strip.h"
#include "panels/headline_tile.h"
#include "panels/status_chips.h"
#include "views/fixtures.h"
#include "views/widget_checks.h"

#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <cmath>

using namespace decodescope;
using namespace decodescope::views;

class TestHeadline : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    installTheme(makeTheme(QStringLiteral("dark"), 1));
  }

  void tilesSayWhatTheSnapshotSays() {
    const auto tiles = headlineTiles(*test::readySnapshot(), nullptr);
    QCOMPARE(tiles.size(), kHeadlineCount);
    QCOMPARE(tiles[0].value.number, QStringLiteral("24.8"));
    QCOMPARE(tiles[0].value.unit, QStringLiteral("ms"));
    QCOMPARE(tiles[0].note, QStringLiteral("p95 26.4"));
    QCOMPARE(tiles[1].value.number, QStringLiteral("29.1"));
    QCOMPARE(tiles[1].note, QStringLiteral("SLO 30.0: 0.90 left"));
    QCOMPARE(tiles[2].value.number, QStringLiteral("40.3"));  // 330,336 / 8,192 = 40.32
    QCOMPARE(tiles[2].note, QStringLiteral("8,192 users"));
    QCOMPARE(tiles[3].value.number, QStringLiteral("4,588"));  // 330,336 / 72
    QCOMPARE(tiles[4].value.number, QStringLiteral("0.348"));
    QCOMPARE(tiles[4].note, QStringLiteral("2.87 tok/J"));
    QCOMPARE(tiles[5].value.number, QStringLiteral("0.114"));
    QCOMPARE(tiles[5].note, QStringLiteral("$1.89/chip-h"));  // 136.08 / 72
    QCOMPARE(tiles[6].value.text(), QStringLiteral("115.1\u202FkW"));
    QCOMPARE(tiles[6].bar_ratio, 115100.0 / 132000);
    QCOMPARE(tiles[7].value.number, QStringLiteral("88.1"));
    QCOMPARE(tiles[7].corner, QStringLiteral("throttled"));
    QVERIFY(tiles[7].corner_tone == Tone::Warning);
    QVERIFY(tiles[7].title.contains(QStringLiteral("04.1")));
  }

  void aMissedTargetIsSaid() {
    auto s = test::readySnapshot();
    s->tpot.p99_s = 0.0356;
    const auto tiles = headlineTiles(*s, nullptr);
    QVERIFY(tiles[1].note.contains(QStringLiteral("missed")));
    QVERIFY(tiles[1].note_tone == Tone::Worse);
  }

  void infeasibleShowsDashesNotOldNumbers() {
    auto s = test::readySnapshot();
    s->prediction = std::make_shared<Prediction>();
    for (const auto& tile : headlineTiles(*s, nullptr)) QCOMPARE(tile.value.number, QStringLiteral("–"));
  }

  void deltasKnowWhatIsBetter() {
    const auto s = test::readySnapshot();
    HeadlineValues a = headlineValues(*s);
    a[0] = 0.0248 / 1.17;  // TPOT was less: now slower
    a[2] = 40.32 / 1.2;    // tokens/s were fewer: now faster
    a[4] = 0.348;          // same
    a[7] = 90;             // was hotter
    const auto tiles = headlineTiles(*s, &a);
    QVERIFY2(
        tiles[0].note.contains(QStringLiteral("+17")) && tiles[0].note.contains(QStringLiteral("slower")),
        qPrintable(tiles[0].note));
    QVERIFY(tiles[0].note_tone == Tone::Worse);
    QVERIFY(tiles[0].note.startsWith(QStringLiteral("▲")));
    QVERIFY(tiles[2].note.contains(QStringLiteral("faster")) && tiles[2].note_tone == Tone::Better);
    QVERIFY(tiles[4].note_tone == Tone::Neutral);
    QVERIFY(tiles[7].note.contains(QStringLiteral("cooler")) &&
            tiles[7].note.startsWith(QStringLiteral("▼")));
    QVERIFY(tiles[7].note_tone == Tone::Better);
    QVERIFY(tiles[0].corner.startsWith(QStringLiteral("A ")));
  }

  void pinnedPredictionHasNoPercentiles() {
    const HeadlineValues a = headlineValues(test::readyPrediction());
    QVERIFY(std::isnan(a[1]));
    const auto tiles = headlineTiles(*test::readySnapshot(), &a);
    QVERIFY(!tiles[1].corner.startsWith(QStringLiteral("A ")));
    QVERIFY(tiles[0].corner.startsWith(QStringLiteral("A ")));
  }

  void severalRacksShowTheWorst() {
    auto s = test::readySnapshot();
    s->rack_power_w = {100000, 140000, 90000};
    const auto tiles = headlineTiles(*s, nullptr);
    QCOMPARE(tiles[6].value.number, QStringLiteral("330.0"));
    QCOMPARE(tiles[6].bar_ratio, 140000.0 / 132000);
    QVERIFY(tiles[6].corner_tone == Tone::Worse);
  }

  void aClickExplains() {
    HeadlineStrip strip;
    strip.showSnapshot(test::readySnapshot());
    test::showAt(strip, 1920, 70);
    QSignalSpy spy(&strip, &HeadlineStrip::explainRequested);
    for (HeadlineTile* tile : strip.tiles()) {
      QTest::mouseClick(tile, Qt::LeftButton);
      QTest::keyClick(tile, Qt::Key_Space);
    }
    QCOMPARE(spy.count(), 16);
    QCOMPARE(spy.at(0).first().toString(), QStringLiteral("tpot_s"));
    QCOMPARE(spy.at(10).first().toString(), QStringLiteral("cost.usd_per_million_output_tokens"));
    QCOMPARE(strip.tiles()[2]->accessibleName(), QStringLiteral("Output speed per user: 40.3\u202Ftok/s"));
  }

  void tilesNeverOverlap_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<double>("zoom");
    for (const int width : {640, 1024, 1280, 1920})
      for (const double zoom : {0.8, 1.0, 1.6, 2.0}) QTest::addRow("%d %.1f", width, zoom) << width << zoom;
  }
  void tilesNeverOverlap() {
    QFETCH(int, width);
    QFETCH(double, zoom);
    installTheme(makeTheme(QStringLiteral("light"), zoom));
    HeadlineStrip strip;
    strip.applyTheme(currentTheme());
    strip.showSnapshot(test::readySnapshot());
    strip.resize(width, strip.heightForWidth(width));
    strip.show();
    QTest::qWait(10);
    for (std::size_t i = 0; i < strip.tiles().size(); ++i) {
      QVERIFY(strip.rect().contains(strip.tiles()[i]->geometry()));
      for (std::size_t k = 0; k < i; ++k)
        QVERIFY(!strip.tiles()[i]->geometry().intersects(strip.tiles()[k]->geometry()));
      // Number, unit and short title always fit: what can give way are notes and corners.
      const auto& content = strip.tiles()[i]->content();
      const double inner = strip.tiles()[i]->width() - currentTheme().px(24);
      QVERIFY(QFontMetricsF(currentTheme().headline).horizontalAdvance(content.value.number) +
                  currentTheme().px(6) +
                  QFontMetricsF(currentTheme().body).horizontalAdvance(content.value.unit) <=
              inner);
      QVERIFY(QFontMetricsF(currentTheme().secondary).horizontalAdvance(content.short_title) <= inner);
    }
    installTheme(makeTheme(QStringLiteral("dark"), 1));
  }

  void statusBarSaysWhatBinds() {
    StatusChips chips;
    chips.setState(QStringLiteral("Paused at layer 31"));
    chips.setRenderer(QStringLiteral("GL: on"), QStringLiteral("Mesa"));
    chips.setZoom(1.3);
    chips.showSnapshot(test::readySnapshot());
    test::showAt(chips, 1280, 28);
    QStringList texts;
    for (const QToolButton* button : chips.findChildren<QToolButton*>())
      if (button->isVisible()) texts << button->text();
    // Math is 8.4 of 24.3 ms: 35 %.
    QVERIFY2(texts.contains(QStringLiteral("bound: math, 35\u202F% of step")),
             qPrintable(texts.join(QLatin1Char('|'))));
    QVERIFY(texts.contains(QStringLiteral("40.3 tok/s/user")));
    QVERIFY(texts.contains(QStringLiteral("130 %")));
    QCOMPARE(test::unnamedWidgets(&chips), QStringList());
    QCOMPARE(test::clippedTexts(&chips), QStringList());
  }

  void statusBarGivesWayInOrder() {
    StatusChips chips;
    chips.setState(QStringLiteral("Running"));
    chips.showSnapshot(test::readySnapshot());
    test::showAt(chips, 420, 28);
    bool bound_visible = false, cost_visible = false;
    for (const QToolButton* button : chips.findChildren<QToolButton*>()) {
      if (button->text().startsWith(QStringLiteral("bound"))) bound_visible = button->isVisible();
      if (button->text().startsWith(QStringLiteral("$"))) cost_visible = button->isVisible();
    }
    QVERIFY(bound_visible && !cost_visible);
    QCOMPARE(test::clippedTexts(&chips), QStringList());
  }
};

QTEST_MAIN(TestHeadline)
#include "tst_headline.moc"
