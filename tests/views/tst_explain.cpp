// Derivation trees as a model and on screen.
#include "base/theme.h"
#include "panels/explain_model.h"
#include "panels/explain_view.h"
#include "views/fixtures.h"
#include "views/widget_checks.h"

#include <rapidcheck.h>
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

using namespace decodescope;
using namespace decodescope::views;

namespace {

Derivation randomTree(int depth) {
  Derivation d =
      test::leafNode("n" + std::to_string(*rc::gen::inRange(0, 1000)), "node", 0.001, SourceKind::Derived);
  if (depth > 0)
    for (int i = *rc::gen::inRange(0, 4); i > 0; --i) d.children.push_back(randomTree(depth - 1));
  return d;
}

int countNodes(const Derivation& d) {
  int n = 1;
  for (const Derivation& child : d.children) n += countNodes(child);
  return n;
}
int countIndexes(const ExplainModel& model, const QModelIndex& parent) {
  int n = 0;
  for (int row = 0; row < model.rowCount(parent); ++row) {
    const QModelIndex index = model.index(row, 0, parent);
    if (model.parent(index) != parent) return -1000000;
    n += 1 + countIndexes(model, index);
  }
  return n;
}

}  // namespace

class TestExplain : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    installTheme(makeTheme(QStringLiteral("dark"), 1));
  }

  void isAProperModel() {
    ExplainModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setDerivation(test::smallTree());
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(countIndexes(model, {}), 5);
    model.setDerivation(nullptr);
    QCOMPARE(model.rowCount(), 0);
    model.setDerivation(test::smallTree());
  }

  void everyNodeHasOneRow() {
    QVERIFY(rc::check("rows are the nodes", [] {
      const auto tree = std::make_shared<const Derivation>(randomTree(4));
      ExplainModel model;
      QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Warning);
      model.setDerivation(tree);
      RC_ASSERT(countIndexes(model, {}) == countNodes(*tree));
    }));
  }

  void showsValuesInTheRootsUnit() {
    ExplainModel model;
    model.setDerivation(test::smallTree());
    const QModelIndex root = model.index(0, 0);
    QCOMPARE(root.siblingAtColumn(ExplainModel::Value).data().toString(), QStringLiteral("24.8\u202Fms"));
    const QModelIndex throttle = model.index(1, 0, root);
    QCOMPARE(throttle.siblingAtColumn(ExplainModel::Value).data().toString(),
             QStringLiteral("0.500\u202Fms"));
    QCOMPARE(throttle.siblingAtColumn(ExplainModel::Source).data().toString(), QStringLiteral("derived"));
    QCOMPARE(root.data(ExplainModel::ShareRole).toDouble(), 1.0);
    const QModelIndex memory = model.index(1, 0, model.index(0, 0, root));
    QCOMPARE(memory.data(ExplainModel::PathRole).toString(), QStringLiteral("workload.context_tokens"));
    QCOMPARE(memory.siblingAtColumn(ExplainModel::Source).data().toString(), QStringLiteral("you set"));
    QCOMPARE(memory.data(Qt::DecorationRole).value<QColor>(), toQColor(currentTheme().palette.hbm));
  }

  void keepsWhatIsOpenWhenNumbersChange() {
    ExplainView view;
    test::showAt(view, 390, 500);
    view.setDerivation(test::smallTree());
    const QModelIndex step = view.model()->index(0, 0, view.model()->index(0, 0));
    view.tree()->expand(step);
    view.tree()->setCurrentIndex(view.model()->index(1, 0, step));
    auto changed = std::make_shared<Derivation>(*test::smallTree());
    changed->value = 0.03;
    view.setDerivation(changed);
    const QModelIndex again = view.model()->index(0, 0, view.model()->index(0, 0));
    QVERIFY(view.tree()->isExpanded(again));
    QCOMPARE(view.tree()->currentIndex().data().toString(), QStringLiteral("HBM"));
  }

  void goesToTheControl() {
    ExplainView view;
    test::showAt(view, 390, 500);
    view.setDerivation(test::smallTree());
    QSignalSpy spy(&view, &ExplainView::goToControl);
    QToolButton* go = nullptr;
    for (QToolButton* button : view.findChildren<QToolButton*>())
      if (button->text() == QStringLiteral("Go to control")) go = button;
    QVERIFY(go != nullptr && !go->isVisible());  // the root is set by no control
    const QModelIndex step = view.model()->index(0, 0, view.model()->index(0, 0));
    view.tree()->setCurrentIndex(view.model()->index(1, 0, step));
    QVERIFY(go->isVisible());
    go->click();
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy.first().first().toString(), QStringLiteral("workload.context_tokens"));
  }

  void showsFormulas() {
    ExplainView view;
    test::showAt(view, 390, 500);
    view.setDerivation(test::smallTree());
    QStringList texts;
    for (const QLabel* label : view.findChildren<QLabel*>())
      if (label->isVisible()) texts << label->text();
    QVERIFY(texts.contains(QStringLiteral("= step + throttle")));
    QVERIFY(texts.contains(QStringLiteral("= 24.3 ms + 0.5 ms")));
    view.showFailure(QStringLiteral("is infeasible"));
    QCOMPARE(view.model()->rowCount(), 0);
  }

  void nothingIsClippedAndAllIsNamed_data() {
    QTest::addColumn<double>("zoom");
    for (const double zoom : {0.8, 1.0, 1.6, 2.0}) QTest::addRow("%.1f", zoom) << zoom;
  }
  void nothingIsClippedAndAllIsNamed() {
    QFETCH(double, zoom);
    installTheme(makeTheme(QStringLiteral("light"), zoom));
    ExplainView view;
    view.applyTheme(currentTheme());
    test::showAt(view, 390, 520);
    view.setDerivation(test::smallTree());
    QTest::qWait(20);
    QCOMPARE(test::clippedTexts(&view), QStringList());
    QCOMPARE(test::unnamedWidgets(&view), QStringList());
    int widths = 0;
    for (int c = 0; c < ExplainModel::ColumnCount; ++c)
      widths += view.tree()->isColumnHidden(c) ? 0 : view.tree()->columnWidth(c);
    QVERIFY(widths <= view.tree()->viewport()->width() + 1);
    installTheme(makeTheme(QStringLiteral("dark"), 1));
  }
};

QTEST_MAIN(TestExplain)
#include "tst_explain.moc"
