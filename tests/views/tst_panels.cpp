// Inspector, identity, fixes, event log, assumptions.
#include "base/theme.h"
#include "panels/assumptions_list.h"
#include "panels/event_log.h"
#include "panels/fix_list.h"
#include "panels/identity.h"
#include "panels/inspector.h"
#include "panels/link_bars.h"
#include "views/fixtures.h"
#include "views/widget_checks.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

using namespace decodescope;
using namespace decodescope::views;

namespace {

constexpr Selection kChip{Selection::Kind::Chip, 12};

const IdentityFact& fact(const Identity& identity, const QString& title) {
  for (const IdentityFact& f : identity.facts)
    if (f.title.startsWith(title)) return f;
  qFatal("no fact %s", qPrintable(title));
}

}  // namespace

class TestPanels : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    qRegisterMetaType<Selection>("decodescope::views::Selection");
    installTheme(makeTheme(QStringLiteral("dark"), 1));
  }

  void chipIdentity() {
    const Identity chip = describe(kChip, *test::readySnapshot());
    QVERIFY(chip.name.contains(QStringLiteral("04.1")));  // the fourth compute tray, first chip
    QCOMPARE(chip.badge, QStringLiteral("throttled: heat"));
    QCOMPARE(fact(chip, QStringLiteral("Temperature")).value.number, QStringLiteral("88.1"));
    QCOMPARE(fact(chip, QStringLiteral("Temperature")).note, QStringLiteral("limit 88"));
    QCOMPARE(fact(chip, QStringLiteral("Power")).value.text(), QStringLiteral("1,090\u202FW"));
    // 26.2 GB of weights + 33.48 GB of cache.
    QCOMPARE(fact(chip, QStringLiteral("HBM")).value.text(), QStringLiteral("59.7\u202FGB"));
    QCOMPARE(chip.links.size(), std::size_t{18});
    for (const IdentityLink& link : chip.links) QCOMPARE(link.ratio, static_cast<double>(0.6F));
  }

  void linkTakesTheBusierDirection() {
    auto s = test::readySnapshot();
    const std::uint32_t link = describe(kChip, *s).links[3].link;
    s->link_phase_ratio[2 * link + 1] = 0.97F;
    QCOMPARE(describe(kChip, *s).links[3].ratio, static_cast<double>(0.97F));
    s->link_phase_ratio[2 * link + 1] = 1.2F;
    const Identity identity = describe({Selection::Kind::Link, link}, *s);
    QCOMPARE(identity.badge, QStringLiteral("saturated"));
    QCOMPARE(fact(identity, QStringLiteral("Back")).value.number, QStringLiteral("120"));
    QCOMPARE(fact(identity, QStringLiteral("There")).value.number, QStringLiteral("60"));
    QCOMPARE(fact(identity, QStringLiteral("Capacity")).value.text(), QStringLiteral("50.0\u202FGB/s"));
  }

  void switchTrayAndRack() {
    const auto s = test::readySnapshot();
    const Identity node = describe({Selection::Kind::Switch, 72}, *s);
    QCOMPARE(node.links.size(), std::size_t{72});
    QCOMPARE(fact(node, QStringLiteral("Capacity")).value.text(),
             QStringLiteral("3.60\u202FTB/s"));  // 72 x 50 GB/s
    const std::uint32_t tray = s->topology->nodes[12].tray.value;
    const Identity of_tray = describe({Selection::Kind::Tray, tray}, *s);
    QCOMPARE(fact(of_tray, QStringLiteral("Hottest")).value.number, QStringLiteral("88.1"));
    QCOMPARE(fact(of_tray, QStringLiteral("Hottest")).note,
             QStringLiteral("mean 67.0"));  // (88.1 + 3 x 60) / 4
    QCOMPARE(fact(of_tray, QStringLiteral("Power of chips")).value.text(), QStringLiteral("4,240\u202FW"));
    const Identity rack = describe({Selection::Kind::Rack, 0}, *s);
    QCOMPARE(rack.badge, QStringLiteral("1 throttled"));
    QCOMPARE(fact(rack, QStringLiteral("Rack power")).value.text(), QStringLiteral("115.1\u202FkW"));
    QCOMPARE(chipsOf({Selection::Kind::Rack, 0}, *s->topology).size(), std::size_t{72});
  }

  void nothingOutsideTheMachine_data() {
    QTest::addColumn<int>("kind");
    for (int kind = 0; kind <= 5; ++kind) QTest::addRow("%d", kind) << kind;
  }
  // A selection that outlives its machine (a smaller scenario was opened) shows nothing and crashes nothing.
  void nothingOutsideTheMachine() {
    QFETCH(int, kind);
    const Selection gone{static_cast<Selection::Kind>(kind), 1000000};
    QVERIFY(describe(gone, *test::readySnapshot()).name.isEmpty());
    QVERIFY(describe(gone, Snapshot{}).name.isEmpty());
    Snapshot bare;
    bare.topology = test::nvl72Machine();
    (void)describe({static_cast<Selection::Kind>(kind), 0}, bare);  // arrays not filled yet
  }

  void throttleReasons() {
    QCOMPARE(throttleText(0x04), QStringLiteral("power cap"));
    QCOMPARE(throttleText(0x20 | 0x40), QStringLiteral("heat"));
    QCOMPARE(throttleText(0x24), QStringLiteral("heat and power cap"));
    QCOMPARE(throttleText(0), QString());
  }

  void backAndForward() {
    Inspector inspector;
    inspector.showSnapshot(test::readySnapshot());
    test::showAt(inspector, 390, 860);
    QSignalSpy explain(&inspector, &Inspector::explainRequested),
        select(&inspector, &Inspector::selectionRequested);
    QVERIFY(!inspector.canGoBack());
    inspector.showSelection(kChip);
    inspector.showSelection({Selection::Kind::Rack, 0});
    inspector.explain(QStringLiteral("tpot_s"));
    QCOMPARE(explain.count(), 1);
    inspector.goBack();
    QCOMPARE(select.count(), 1);
    QCOMPARE(inspector.selection(), (Selection{Selection::Kind::Rack, 0}));
    inspector.goBack();
    QCOMPARE(inspector.selection(), kChip);
    QVERIFY(!inspector.canGoBack());
    inspector.goForward();
    inspector.goForward();
    QCOMPARE(explain.count(), 2);
    QCOMPARE(explain.last().first().toString(), QStringLiteral("tpot_s"));
    QVERIFY(!inspector.canGoForward());
    // A new place cuts what lay ahead.
    inspector.goBack();
    inspector.showSelection(kChip);
    QVERIFY(!inspector.canGoForward());
    // The app answers selectionRequested with showSelection: that must not be a new place.
    inspector.goBack();
    inspector.showSelection(inspector.selection());
    QVERIFY(inspector.canGoForward());
  }

  void fixesAreOffered() {
    auto s = test::readySnapshot();
    auto p = std::make_shared<Prediction>(*s->prediction);
    p->violations = {{"heat", 88.1, 88, "C", "Chip 04.1 is over its limit", "raise the flow to 2.0",
                      "physical.flow", "2.0"},
                     {"weight", 1700, 1500, "kg", "The rack is too heavy", "", "", ""}};
    s->prediction = p;
    Inspector inspector;
    inspector.showSnapshot(s);
    test::showAt(inspector, 390, 860);
    QSignalSpy spy(&inspector, &Inspector::applyFix);
    const auto buttons = inspector.findChild<FixList*>()->findChildren<QPushButton*>();
    QCOMPARE(buttons.size(), 1);  // no button where no single change would do
    buttons.first()->click();
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy.first().at(0).toString(), QStringLiteral("physical.flow"));
    QCOMPARE(spy.first().at(1).toString(), QStringLiteral("2.0"));
    // The same violations again keep the same buttons, so that a focus or a press is not lost.
    inspector.showSnapshot(std::make_shared<Snapshot>(*s));
    QTest::qWait(120);
    inspector.showSnapshot(std::make_shared<Snapshot>(*s));
    QCOMPARE(inspector.findChild<FixList*>()->findChildren<QPushButton*>().first(), buttons.first());
  }

  void inspectorNamesAndTexts_data() {
    QTest::addColumn<double>("zoom");
    QTest::addColumn<int>("kind");
    for (const double zoom : {0.8, 1.0, 1.6, 2.0})
      for (int kind = 0; kind <= 5; ++kind) QTest::addRow("%.1f kind %d", zoom, kind) << zoom << kind;
  }
  void inspectorNamesAndTexts() {
    QFETCH(double, zoom);
    QFETCH(int, kind);
    installTheme(makeTheme(QStringLiteral("light"), zoom));
    Inspector inspector;
    inspector.applyTheme(currentTheme());
    inspector.showSnapshot(test::readySnapshot());
    inspector.showSelection({static_cast<Selection::Kind>(kind), kind == 2 ? 80U : 0U});
    inspector.setDerivation(test::smallTree());
    test::showAt(inspector, 390, 1000);
    QTest::qWait(20);
    QCOMPARE(test::clippedTexts(&inspector), QStringList());
    QCOMPARE(test::unnamedWidgets(&inspector), QStringList());
    installTheme(makeTheme(QStringLiteral("dark"), 1));
  }

  void clickOnABarSelectsTheLink() {
    Inspector inspector;
    inspector.showSnapshot(test::readySnapshot());
    inspector.showSelection(kChip);
    test::showAt(inspector, 390, 1000);
    QSignalSpy spy(&inspector, &Inspector::selectionRequested);
    auto* bars = inspector.findChild<LinkBars*>();
    QTest::mouseClick(bars, Qt::LeftButton, {}, QPoint(bars->width() - 6, 20));
    QCOMPARE(spy.count(), 1);
    const auto selection = spy.first().first().value<Selection>();
    QCOMPARE(selection.kind, Selection::Kind::Link);
    QCOMPARE(selection.index, describe(kChip, *test::readySnapshot()).links.back().link);
  }

  void eventLogIsAProperRing() {
    EventLogModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    std::vector<EngineEvent> events;
    for (int i = 0; i < 3000; ++i) events.push_back({EventKind::Arrival, i, i, 1, "n" + std::to_string(i)});
    model.append(events);
    model.append(events);
    QCOMPARE(model.rowCount(), static_cast<int>(EventLogModel::kMost));
    QCOMPARE(model.event(0).token, 1000);
    QCOMPARE(model.event(model.rowCount() - 1).token, 2999);
    model.append({});
    model.clear();
    QCOMPARE(model.rowCount(), 0);
  }

  void eventLogHidesRoutineAndSaysSo() {
    EventLog log;
    test::showAt(log, 500, 200);
    log.showSnapshot(test::readySnapshot());
    const auto* table = log.findChild<QTableView*>();
    QCOMPARE(table->model()->rowCount(), 2);  // the arrival is routine
    QVERIFY(table->model()
                ->index(0, EventLogModel::Kind)
                .data()
                .toString()
                .contains(QStringLiteral("preemption ×3")));
    bool said = false;
    for (const QLabel* label : log.findChildren<QLabel*>())
      said = said || label->text() == QStringLiteral("1 hidden by the filter");
    QVERIFY(said);
    log.findChild<QComboBox*>()->setCurrentIndex(1);
    QCOMPARE(table->model()->rowCount(), 3);
    log.showSnapshot(test::readySnapshot());  // the same snapshot again adds nothing
    QCOMPARE(log.model()->rowCount(), 3);
    QSignalSpy spy(&log, &EventLog::tokenActivated);
    Q_EMIT log.findChild<QTableView*>()->activated(table->model()->index(2, 0));
    QCOMPARE(spy.first().first().toLongLong(), 1002);
    QCOMPARE(test::unnamedWidgets(&log), QStringList());
    QCOMPARE(test::clippedTexts(&log), QStringList());
  }

  void assumptionsAreListed() {
    AssumptionsList list;
    list.showSnapshot(test::readySnapshot());
    QCOMPARE(list.texts().size(), 2);
    test::showAt(list, 400, 200);
    QCOMPARE(test::unnamedWidgets(&list), QStringList());
  }
};

QTEST_MAIN(TestPanels)
#include "tst_panels.moc"
