// The whole panel on the program's own parameter table.
#include "base/theme.h"
#include "controls/control_panel.h"
#include "controls/control_row.h"
#include "controls/parameter_row.h"
#include "controls/parameter_slider.h"
#include "controls/status_sentence.h"
#include "views/fixtures.h"
#include "views/widget_checks.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace decodescope;
using namespace decodescope::views;

namespace {

const QString kContext = QStringLiteral("workload.context_tokens");
const QString kChips = QStringLiteral("chips");

struct Panel {
  ControlPanel panel;
  Scenario scenario;
  CatalogListing listing = test::smallListing();
  Panel() { panel.setScenario(scenario, listing); }
  ParameterRow* number(const QString& path) const { return qobject_cast<ParameterRow*>(panel.row(path)); }
};

}  // namespace

class TestControlPanel : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    qRegisterMetaType<ParameterValue>("decodescope::ParameterValue");
    installTheme(makeTheme(QStringLiteral("dark"), 1));
  }

  void hasEveryParameterOnce() {
    const Panel p;
    QStringList expected;
    for (const ParameterDescriptor& d : parameterTable())
      expected << QString::fromUtf8(d.path.data(), static_cast<qsizetype>(d.path.size()));
    QStringList found = p.panel.paths();
    QCOMPARE(found.size(), expected.size());
    // Context length and cluster size come first, whatever the table's order.
    QCOMPARE(found.at(0), kContext);
    QCOMPARE(found.at(1), kChips);
    found.sort();
    expected.sort();
    QCOMPARE(found, expected);
  }

  // What the panel shows never comes back as an edit.
  void noFeedbackLoop() {
    Panel p;
    test::showAt(p.panel, 305, 900);
    p.panel.setShowAll(true);
    QSignalSpy edits(&p.panel, &ControlPanel::edited), resets(&p.panel, &ControlPanel::resetRequested);
    for (const double context : {4096.0, 131072.0, 1000.0, 3e6}) {
      p.scenario.workload.prompt.mean_tokens = context;
      p.scenario.chips = static_cast<int>(context / 1000) + 1;
      p.scenario.model = context > 5000 ? "llama-3.1-70b" : "deepseek-v3";
      p.scenario.jitter = context > 5000;
      p.panel.setScenario(p.scenario, p.listing);
      QTest::qWait(5);
    }
    QCOMPARE(edits.count(), 0);
    QCOMPARE(resets.count(), 0);
  }

  // The whole circle: drag, edit, document, panel.
  void dragThroughADocument() {
    Panel p;
    test::showAt(p.panel, 305, 900);
    int finished = 0, edits = 0;
    connect(&p.panel, &ControlPanel::edited, this,
            [&](const QString& path, const ParameterValue& value, quint64, bool last) {
              const ParameterDescriptor* d = findParameter(path.toStdString());
              const Expected<Scenario> next = withParameter(p.scenario, *d, value, p.listing);
              QVERIFY(next.has_value());
              p.scenario = *next;
              p.panel.setScenario(p.scenario, p.listing);
              ++edits;
              finished += last ? 1 : 0;
            });
    ParameterSlider* slider = p.number(kChips)->slider();
    const QPoint from = slider->handleCenter().toPoint();
    QTest::mousePress(slider, Qt::LeftButton, {}, from);
    for (int i = 1; i <= 30; ++i) QTest::mouseMove(slider, from - QPoint(2 * i, 0));
    QTest::mouseRelease(slider, Qt::LeftButton, {}, from - QPoint(60, 0));
    QCoreApplication::processEvents();
    QVERIFY(edits >= 1);
    QCOMPARE(finished, 1);
    QCOMPARE(static_cast<double>(p.scenario.chips), slider->parameterValue());
    QVERIFY(p.scenario.chips < 72);
  }

  void resetDotsFollowTheReference() {
    Panel p;
    QVERIFY(!p.panel.row(kChips)->isModified());
    p.scenario.chips = 36;
    p.panel.setScenario(p.scenario, p.listing);
    QVERIFY(p.panel.row(kChips)->isModified());
    QVERIFY(!p.panel.row(kContext)->isModified());
    p.panel.setReference(p.scenario);
    QVERIFY(!p.panel.row(kChips)->isModified());
  }

  void sectionResetNamesOnlyWhatChanged() {
    Panel p;
    test::showAt(p.panel, 305, 900);
    p.scenario.physical.ambient_c += 5;
    p.scenario.workload.concurrency *= 2;
    p.panel.setScenario(p.scenario, p.listing);
    p.panel.setShowAll(true);
    QSignalSpy spy(&p.panel, &ControlPanel::resetSectionRequested);
    for (QToolButton* button : p.panel.findChildren<QToolButton*>())
      if (button->accessibleName() == QStringLiteral("Reset section Physical")) button->click();
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy.first().first().toStringList(), QStringList{QStringLiteral("physical.ambient_c")});
  }

  void basicShowsFewAndSearchFinds() {
    Panel p;
    test::showAt(p.panel, 305, 900);
    const auto visible = [&p] {
      int count = 0;
      for (const QString& path : p.panel.paths()) count += p.panel.row(path)->isVisibleTo(&p.panel) ? 1 : 0;
      return count;
    };
    const int basic = visible();
    QVERIFY(basic >= 6 && basic <= 14);
    p.panel.setShowAll(true);
    QCOMPARE(visible(), static_cast<int>(p.panel.paths().size()));
    p.panel.focusSearch();
    p.panel.findChild<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly)->setText(QStringLiteral("ambient"));
    QVERIFY(p.panel.row(QStringLiteral("physical.ambient_c"))->isVisibleTo(&p.panel));
    QVERIFY(visible() <= 3);
    p.panel.setShowAll(false);
    QCOMPARE(visible(), basic);
  }

  void goToControlUnfoldsAndFocuses() {
    Panel p;
    test::showAt(p.panel, 305, 900);
    p.panel.focusParameter(QStringLiteral("physical.ambient_c"));
    ControlRow* row = p.panel.row(QStringLiteral("physical.ambient_c"));
    QTRY_VERIFY(row->isVisible());
    QTRY_VERIFY(row->editor()->hasFocus());
    p.panel.focusParameter(QStringLiteral("no.such.path"));  // nothing happens
  }

  void sentenceSaysWhatHolds() {
    const auto snapshot = test::readySnapshot();
    StatusSentence sentence;
    sentence.setSnapshot(snapshot, test::smallListing());
    QCOMPARE(
        sentence.plainText().replace(QChar::Nbsp, QLatin1Char(' ')),
        QStringLiteral(
            "8k context × 8,192 sequences of DeepSeek-V3 671B on 72 chips: the KV cache uses 18 % of HBM, "
            "each user gets 40.3 tok/s, limited by math."));
    auto hot = std::make_shared<Prediction>(*snapshot->prediction);
    hot->thermal.limited_by = ClockLimit::Thermal;
    hot->thermal.clock_ratio = 0.94;
    snapshot->prediction = hot;
    sentence.setSnapshot(snapshot, test::smallListing());
    QVERIFY(sentence.plainText().contains(QStringLiteral("limited by heat")));
  }

  void infeasibleSaysWhyAndOffersTheFix() {
    auto snapshot = test::readySnapshot();
    auto prediction = std::make_shared<Prediction>();
    prediction->violations = {{"memory", 163e9, 141e9, "bytes", "KV needs 163 GB per chip, HBM has 141 GB",
                               "store the KV cache in fp8", "precision.kv", "fp8"}};
    snapshot->prediction = prediction;
    ControlPanel panel;
    panel.setScenario(*snapshot->scenario, test::smallListing());
    panel.showSnapshot(snapshot);
    test::showAt(panel, 305, 900);
    auto* sentence = panel.findChild<StatusSentence*>();
    QVERIFY(sentence->plainText().contains(QStringLiteral("KV needs 163 GB per chip")));
    QVERIFY(sentence->plainText().contains(QStringLiteral("store the KV cache in fp8")));
    QSignalSpy spy(&panel, &ControlPanel::fixRequested);
    sentence->findChild<QPushButton*>()->click();
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy.first().at(0).toString(), QStringLiteral("precision.kv"));
    QCOMPARE(spy.first().at(1).toString(), QStringLiteral("fp8"));
  }

  void sensitivityGoesToItsRow() {
    Panel p;
    test::showAt(p.panel, 305, 900);
    QVERIFY(p.panel.sensitivityPaths().contains(kContext));
    QVERIFY(!p.panel.sensitivityPaths().contains(QStringLiteral("model")));
    p.panel.setSensitivity(kContext, {{1024, 0.02, true}, {65536, 0.03, true}});
    auto* line = p.panel.row(kContext)->findChild<Sparkline*>();
    QVERIFY(line->isVisible());
    QCOMPARE(line->points().size(), std::size_t{2});
    p.panel.setSensitivity(kContext, {});
    QVERIFY(!line->isVisible());
  }

  void everythingHasAName() {
    Panel p;
    p.panel.setShowAll(true);
    test::showAt(p.panel, 305, 900);
    QCOMPARE(test::unnamedWidgets(&p.panel), QStringList());
  }

  void nothingIsClipped_data() {
    QTest::addColumn<QString>("theme");
    QTest::addColumn<double>("zoom");
    QTest::addColumn<int>("width");
    for (const QString& id : themeIds())
      for (const double zoom : {0.8, 1.0, 1.3, 1.6, 2.0})
        for (const int width : {270, 305, 380})
          QTest::addRow("%s %.1f %d", qPrintable(id), zoom, width) << id << zoom << width;
  }
  void nothingIsClipped() {
    QFETCH(QString, theme);
    QFETCH(double, zoom);
    QFETCH(int, width);
    installTheme(makeTheme(theme, zoom));
    Panel p;
    p.panel.applyTheme(currentTheme());
    p.panel.setShowAll(true);
    p.scenario.chips = 36;
    p.panel.setScenario(p.scenario, p.listing);
    p.panel.showSnapshot(test::readySnapshot());
    p.panel.setSensitivity(kContext, {{1024, 0.02, true}, {65536, 0.03, true}, {131072, 0, false}});
    p.panel.showError(kChips, QStringLiteral("Allowed: 1 to 1,000,000 chips"));
    test::showAt(p.panel, width, 2400);
    QCOMPARE(test::clippedTexts(&p.panel), QStringList());
  }
  void cleanup() { installTheme(makeTheme(QStringLiteral("dark"), 1)); }
};

QTEST_MAIN(TestControlPanel)
#include "tst_control_panel.moc"
