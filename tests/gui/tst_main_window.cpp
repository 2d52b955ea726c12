// The window as its user meets it: mouse and keys on the real engine, on OpenGL where there is a display.
#include "app/main_window.h"
#include "app/pages/page_host.h"
#include "app/settings.h"
#include "app/transport_bar.h"
#include "support/event_cost.h"

#include "base/app_style.h"
#include "controls/control_panel.h"
#include "controls/parameter_row.h"
#include "controls/parameter_slider.h"
#include "controls/quantity_spin_box.h"
#include "panels/fix_list.h"
#include "panels/inspector.h"
#include "rack/rack_page.h"
#include "triangle/triangle_page.h"

#include <QAbstractButton>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSlider>
#include <QStandardPaths>
#include <QTabBar>
#include <QTest>
#include <QUndoStack>
#include <memory>

using namespace decodescope;
using app::MainWindow;

namespace {

constexpr int kFrameWaitMs = 30'000;
constexpr char kContext[] = "workload.context_tokens", kChips[] = "chips";

views::ParameterRow* rowOf(MainWindow& window, const char* path) {
  return dynamic_cast<views::ParameterRow*>(window.controls().row(QLatin1String(path)));
}

}  // namespace

class TestMainWindow : public QObject {
  Q_OBJECT

  std::unique_ptr<MainWindow> window_;

  void open(const QStringList& extra = {}) {
    const app::ParsedOptions parsed =
        app::parseOptions(extra + QStringList{QStringLiteral("--size"), QStringLiteral("1600x900")});
    QVERIFY2(parsed.message.isEmpty(), qPrintable(parsed.message));
    window_ = std::make_unique<MainWindow>(parsed.options);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    window_->start();
    QTRY_VERIFY_WITH_TIMEOUT(window_->shown() && window_->shown()->token >= 500, kFrameWaitMs);
  }
  /// Waits until what is shown was computed with what the document says.
  void settle() {
    QTRY_COMPARE_WITH_TIMEOUT(window_->shown()->revision, window_->document().revision(), kFrameWaitMs);
  }
  [[nodiscard]] int undoCount() const { return window_->document().undoStack().index(); }
  void drag(QSlider& slider, double from, double to) {
    const auto at = [&](double share) {
      return QPoint(int(slider.width() * (0.05 + 0.9 * share)), slider.height() / 3);
    };
    QTest::mousePress(&slider, Qt::LeftButton, {}, at(from));
    for (int i = 1; i <= 20; ++i) {
      QTest::mouseMove(&slider, at(from + (to - from) * i / 20));
      QTest::qWait(5);
    }
    QTest::mouseRelease(&slider, Qt::LeftButton, {}, at(to));
  }

 private Q_SLOTS:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    app::settings::forgetAll();
  }
  void cleanup() { window_.reset(); }

  void start_showsAFilledLivePicture();
  void drag_isOneUndoEntry_andTheLastValueIsShown();
  void keys_stepAndGoBackInTime();
  void keys_doNotFireInsideTextFields();
  void theme_changesWithoutRestart();
  void names_everyInteractiveWidgetHasOne();
  void f6_visitsEveryPane();
  void infeasible_showsReasonsAndAWayOut();
  void smallWindow_fits();
  void playing_leavesTheWindowFree();
  void trianglePage_saysWhatBuysNothing_andLoadsAGain();
};

void TestMainWindow::start_showsAFilledLivePicture() {
  open();
  const qint64 token = window_->shown()->token;
  const double progress = window_->shown()->iteration_progress;
  QVERIFY(window_->shown()->prediction->feasible);
  QVERIFY(window_->shown()->tpot.p50_s > 0);
  QCOMPARE(window_->transport().speed(), 0.01);
  // Slow motion: layers pass while the token is under way.
  QTRY_VERIFY(window_->shown()->token > token || window_->shown()->iteration_progress > progress);
  QTRY_VERIFY(window_->shown()->layer >= 0 && window_->shown()->timeline);
  QVERIFY(window_->rack().isAncestorOf(QApplication::focusWidget()) ||
          &window_->rack() == QApplication::focusWidget() || !window_->isActiveWindow());
}

void TestMainWindow::drag_isOneUndoEntry_andTheLastValueIsShown() {
  open();
  const Scenario before = window_->document().scenario();
  views::ParameterRow* row = rowOf(*window_, kContext);
  QVERIFY(row);
  drag(*row->slider(), 0.3, 0.8);
  QCOMPARE(undoCount(), 1);
  settle();
  QVERIFY(*window_->shown()->scenario == window_->document().scenario());
  QVERIFY(!(window_->document().scenario() == before));
  views::ParameterRow* chips = rowOf(*window_, kChips);
  QVERIFY(chips);
  drag(*chips->slider(), 0.7, 0.5);
  QCOMPARE(undoCount(), 2);
  while (window_->document().undoStack().canUndo()) window_->document().undoStack().undo();
  QVERIFY(window_->document().scenario() == before);
  settle();
  QVERIFY(*window_->shown()->scenario == before);
}

void TestMainWindow::keys_stepAndGoBackInTime() {
  open();
  QTest::keyClick(&window_->rack(), Qt::Key_Space);
  QTest::qWait(200);
  const qint64 token = window_->shown()->token;
  QTest::keyClick(&window_->rack(), Qt::Key_Period);
  QTRY_VERIFY(window_->shown()->token > token);
  const qint64 stepped = window_->shown()->token;
  QTest::keyClick(&window_->rack(), Qt::Key_Comma);
  QTRY_COMPARE(window_->shown()->token, stepped - 1);
  QTest::keyClick(&window_->rack(), Qt::Key_Home);
  QTRY_VERIFY(window_->shown()->token < 100);
  QTest::keyClick(&window_->rack(), Qt::Key_End);
  QTRY_COMPARE(window_->shown()->token, stepped);
  const int layer = window_->shown()->layer;
  QTest::keyClick(&window_->rack(), Qt::Key_Period, Qt::ShiftModifier);
  QTRY_VERIFY(window_->shown()->layer != layer && window_->shown()->layer >= 0);
}

void TestMainWindow::keys_doNotFireInsideTextFields() {
  open({QStringLiteral("--paused")});
  window_->controls().focusSearch();
  QWidget* field = window_->controls().findChild<QLineEdit*>();
  QVERIFY(field);
  const qint64 token = window_->shown()->token;
  for (const char key : {'.', ',', ' ', '[', ']', '?'}) QTest::keyClick(field, key);
  auto* spin = rowOf(*window_, kContext)->spinBox();
  for (const char key : {'.', ',', ' ', '[', ']'}) QTest::keyClick(spin, key);
  QTest::qWait(300);
  QCOMPARE(window_->shown()->token, token);
  QCOMPARE(window_->transport().speed(), 0.01);
}

void TestMainWindow::theme_changesWithoutRestart() {
  open();
  for (const char* id : {"light", "projector", "dark"}) {
    window_->setTheme(QString::fromLatin1(id), 1.0);
    QTest::qWait(100);
    const QImage picture = window_->grab().toImage();
    const bool is_dark = qstrcmp(id, "dark") == 0;
    QCOMPARE(picture.pixelColor(picture.width() / 2, 2).lightness() < 128, is_dark);
    QCOMPARE(window_->palette().window().color().lightness() < 128, is_dark);
  }
}

void TestMainWindow::names_everyInteractiveWidgetHasOne() {
  open();
  QStringList nameless;
  for (QWidget* each : window_->findChildren<QWidget*>()) {
    if (each->objectName().startsWith(QLatin1String("qt_")) || each->focusPolicy() == Qt::NoFocus) continue;
    const auto* button = qobject_cast<QAbstractButton*>(each);
    const bool interactive = button || qobject_cast<QAbstractSlider*>(each) ||
                             qobject_cast<QAbstractSpinBox*>(each) || qobject_cast<QComboBox*>(each);
    if (!interactive || qobject_cast<QScrollBar*>(each)) continue;
    if (each->accessibleName().isEmpty() && !(button && !button->text().isEmpty()))
      nameless << QStringLiteral("%1 %2 in %3")
                      .arg(QLatin1String(each->metaObject()->className()), each->objectName(),
                           each->parentWidget()->objectName());
  }
  QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QStringLiteral("; "))));
}

void TestMainWindow::f6_visitsEveryPane() {
  open();
  window_->activateWindow();
  if (!QTest::qWaitForWindowActive(window_.get())) QSKIP("no window manager gives the focus");
  window_->rack().setFocus();
  QSet<QString> docks;
  for (int i = 0; i < 8; ++i) {
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6);
    QWidget* at = QApplication::focusWidget();
    QVERIFY(at);
    while (at && !qobject_cast<QDockWidget*>(at) && at != &window_->rack()) at = at->parentWidget();
    if (at) docks.insert(at->objectName());
  }
  for (const char* name : {"controls", "latency", "heatmap", "triangle", "inspector"})
    QVERIFY2(docks.contains(QLatin1String(name)), name);
}

void TestMainWindow::infeasible_showsReasonsAndAWayOut() {
  open();
  QCOMPARE(window_->document().applyFix(QStringLiteral("chips"), QStringLiteral("1")), QString());
  settle();
  QVERIFY(!window_->shown()->prediction->feasible);
  QVERIFY(window_->shown()->topology);
  auto* fixes = window_->inspector().findChild<views::FixList*>();
  QVERIFY(fixes);
  QTRY_VERIFY(fixes->isVisible());
  auto* again = fixes->findChild<QPushButton*>();
  QVERIFY(again);
  QTest::mouseClick(again, Qt::LeftButton);
  settle();
  QVERIFY(window_->shown()->prediction->feasible);
  QCOMPARE(undoCount(), 2);
}

void TestMainWindow::smallWindow_fits() {
  open();
  window_->resize(1280, 720);
  QTest::qWait(300);
  QVERIFY2(window_->minimumSizeHint().width() <= 1280, "the window cannot be as narrow as 1280 px");
  QCOMPARE(window_->size(), QSize(1280, 720));
  const auto bottom = window_->findChild<QDockWidget*>(QStringLiteral("latency"));
  QVERIFY(bottom->height() > 150);
  QVERIFY(window_->rack().height() > 180);
}

// Thread CPU time, as the machine may be busy with something else.
void TestMainWindow::playing_leavesTheWindowFree() {
  open();
  window_->transport().setSpeed(1);
  QTest::qWait(500);
  views::ParameterRow* row = rowOf(*window_, kContext);
  test::EventCost::begin();
  drag(*row->slider(), 0.3, 0.6);
  QTest::qWait(2000);
  const test::EventCost::Report report = test::EventCost::end();
  qInfo("%zu events, p99 %.1f ms, longest %.1f ms: %s", report.count, report.p99_ms, report.longest_ms,
        qPrintable(report.longest));
  // The goal is 16 ms and is printed; what fails here is a thread that computes, parses or waits.
  QVERIFY2(report.p99_ms < 200, qPrintable(report.longest));
}

void TestMainWindow::trianglePage_saysWhatBuysNothing_andLoadsAGain() {
  open({QStringLiteral("deepseek-r1-nvl72")});
  auto* tabs = window_->findChild<QTabBar*>(QStringLiteral("pageTabs"));
  QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
  QCOMPARE(window_->pages().current(), QStringLiteral("triangle"));
  auto* page = window_->findChild<views::TrianglePage*>();
  QVERIFY(page);
  QTRY_VERIFY_WITH_TIMEOUT(page->gains().rowCount() >= 6, kFrameWaitMs);
  int nothing = 0;
  for (int i = 0; i < page->gains().rowCount(); ++i)
    nothing += page->gains().item(i, 3)->text() == QLatin1String("nothing");
  QVERIFY(nothing > 0);
  QVERIFY2(page->answer().contains(QStringLiteral("%1 of %2").arg(nothing).arg(page->gains().rowCount())),
           qPrintable(page->answer()));
  QVERIFY(!window_->findChild<QDockWidget*>(QStringLiteral("latency"))->isVisible());

  // Enter on the largest gain loads it, one undoable change; the answer follows the new scenario.
  const Scenario before = window_->document().scenario();
  const QString change = page->gains().item(0, 1)->text();
  page->gains().setFocus();
  page->gains().setCurrentCell(0, 0);
  QTest::keyClick(&page->gains(), Qt::Key_Return);
  QCOMPARE(undoCount(), 1);
  QVERIFY(!(window_->document().scenario() == before));
  QTRY_VERIFY_WITH_TIMEOUT(page->gains().item(0, 1)->text() != change, kFrameWaitMs);
  window_->document().undoStack().undo();
  QVERIFY(window_->document().scenario() == before);
  QTRY_COMPARE_WITH_TIMEOUT(page->gains().item(0, 1)->text(), change, kFrameWaitMs);

  window_->pages().show(QStringLiteral("rack"));
  QTRY_VERIFY(window_->findChild<QDockWidget*>(QStringLiteral("latency"))->isVisible());
}

int main(int argc, char** argv) {
  QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
  QCoreApplication::setOrganizationName(QStringLiteral("Decodescope"));
  QCoreApplication::setApplicationName(QStringLiteral("tst_main_window"));
  test::EventCost application(argc, argv);
  QApplication::setStyle(new views::AppStyle);
  TestMainWindow test;
  return QTest::qExec(&test, argc, argv);
}
#include "tst_main_window.moc"
