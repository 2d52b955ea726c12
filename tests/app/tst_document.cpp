// Undo, reset, locks and the modified mark.
#include "app/document.h"
#include "catalog/catalog.h"

#include <QSignalSpy>
#include <QtTest>

using namespace decodescope;
using app::Document;

class TstDocument : public QObject {
  Q_OBJECT

  std::shared_ptr<const CatalogListing> listing_;
  const QString concurrency_ = QStringLiteral("workload.concurrency");

  void open(Document& document) {
    document.setListing(listing_);
    document.reset(Scenario{}, QString(), false);
  }

 private Q_SLOTS:
  void initTestCase() {
    const auto catalog = Catalog::load(Catalog::defaultFolders());
    QVERIFY2(catalog, catalog ? "" : catalog.error().text().c_str());
    listing_ = std::make_shared<const CatalogListing>((*catalog)->listing());
  }

  void drag_isOneUndoEntry() {
    Document document;
    open(document);
    for (int i = 1; i <= 50; ++i) QCOMPARE(document.setParameter(concurrency_, 256.0 + i, 7), QString());
    QCOMPARE(document.undoStack().count(), 1);
    QCOMPARE(document.scenario().workload.concurrency, 306.0);
    document.undoStack().undo();
    QCOMPARE(document.scenario().workload.concurrency, 256.0);
    document.undoStack().redo();
    QCOMPARE(document.scenario().workload.concurrency, 306.0);
  }

  void twoDrags_areTwoEntries() {
    Document document;
    open(document);
    document.setParameter(concurrency_, 300.0, 1);
    document.setParameter(concurrency_, 310.0, 2);
    QCOMPARE(document.undoStack().count(), 2);
  }

  void dragBackToStart_leavesNoEntry() {
    Document document;
    open(document);
    document.setParameter(concurrency_, 300.0, 3);
    document.setParameter(concurrency_, 256.0, 3);
    QCOMPARE(document.undoStack().count(), 0);
    QVERIFY(!document.isModified());
  }

  void badValue_isRefusedAndOldOneKept() {
    Document document;
    open(document);
    QVERIFY(!document.setParameter(concurrency_, -5.0, 0).isEmpty());
    QCOMPARE(document.scenario().workload.concurrency, 256.0);
    QCOMPARE(document.undoStack().count(), 0);
  }

  void resetAll_keepsLockedRows_andIsUndoable() {
    Document document;
    open(document);
    document.setParameter(concurrency_, 300.0, 0);
    document.setParameter(QStringLiteral("physical.ambient_c"), 40.0, 0);
    document.setLocked(concurrency_, true);
    document.resetAll();
    QCOMPARE(document.scenario().workload.concurrency, 300.0);
    QCOMPARE(document.scenario().physical.ambient_c, Scenario{}.physical.ambient_c);
    document.undoStack().undo();
    QCOMPARE(document.scenario().physical.ambient_c, 40.0);
  }

  void saving_cleans_andLaterUndoIsAChange() {
    Document document;
    open(document);
    document.setParameter(concurrency_, 300.0, 0);
    QVERIFY(document.isModified());
    document.markSaved(QStringLiteral("a.decodescope.json"), document.scenario());
    QVERIFY(!document.isModified());
    document.undoStack().undo();
    QVERIFY(document.isModified());
  }

  void everyChange_raisesTheRevision() {
    Document document;
    open(document);
    QSignalSpy spy(&document, &Document::changed);
    const quint64 before = document.revision();
    document.setParameter(concurrency_, 300.0, 0);
    document.undoStack().undo();
    QCOMPARE(spy.count(), 2);
    QCOMPARE(document.revision(), before + 2);
  }

  void fix_isAppliedByPath() {
    Document document;
    open(document);
    QCOMPARE(document.applyFix(QStringLiteral("chips"), QStringLiteral("36")), QString());
    QCOMPARE(document.scenario().chips, 36);
    QVERIFY(!document.applyFix(QStringLiteral("no.such"), QStringLiteral("1")).isEmpty());
  }
};

QTEST_GUILESS_MAIN(TstDocument)
#include "tst_document.moc"
