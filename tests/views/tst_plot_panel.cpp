// The plot on the screen: mouse, keys, tool tips, pictures.
#include "plots/plot_panel.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>

using namespace decodescope;
using namespace decodescope::views;
using scene::PlotHit;

namespace {

scene::Plot plot() {
  scene::Plot made;
  made.x.title = "Context, tokens";
  made.y.title = "TPOT, ms";
  made.series.push_back({.name = "first",
                         .color = {80, 120, 255, 255},
                         .marker = scene::Marker::Disc,
                         .xs = {1, 2, 3},
                         .ys = {5, scene::kNoValue, 7}});
  made.series.push_back({.name = "second",
                         .color = {255, 120, 80, 255},
                         .marker = scene::Marker::Square,
                         .xs = {1, 2, 3},
                         .ys = {1, 2, 3}});
  return made;
}

QPoint pixel(const PlotPanel& panel, double x, double y) {
  return {int(panel.plotScene().xMap().pixel(x)), int(panel.plotScene().yMap().pixel(y))};
}

}  // namespace

class TestPlotPanel : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    panel_ = std::make_unique<PlotPanel>();
    panel_->resize(500, 300);
    panel_->setPlot(plot());
    panel_->show();
    QVERIFY(QTest::qWaitForWindowExposed(panel_.get()));
    panel_->rebuildNow();
  }

  void clickSelectsAndDoubleClickActivates() {
    QList<PlotHit> activated;
    connect(panel_.get(), &PlotPanel::activated, this, [&](PlotHit hit) { activated << hit; });
    QWidget* surface = panel_->canvas().widget();
    QTest::mouseClick(surface, Qt::LeftButton, {}, pixel(*panel_, 2, 2));
    QCOMPARE(panel_->selected().value(), (PlotHit{1, 1}));
    QTest::mouseDClick(surface, Qt::LeftButton, {}, pixel(*panel_, 3, 7));
    QCOMPARE(activated, QList<PlotHit>{(PlotHit{0, 2})});
  }

  void arrowsWalkOverGaps() {
    panel_->select(PlotHit{0, 0});
    QTest::keyClick(panel_.get(), Qt::Key_Right);
    QCOMPARE(panel_->selected().value(), (PlotHit{0, 2}));  // the point without a value is passed over
    QTest::keyClick(panel_.get(), Qt::Key_Right);
    QCOMPARE(panel_->selected().value(), (PlotHit{0, 2}));
    QTest::keyClick(panel_.get(), Qt::Key_Up);
    QCOMPARE(panel_->selected().value(), (PlotHit{1, 2}));
    int activated = 0;
    connect(panel_.get(), &PlotPanel::activated, this, [&](PlotHit) { ++activated; });
    QTest::keyClick(panel_.get(), Qt::Key_Return);
    QCOMPARE(activated, 1);
    QTest::keyClick(panel_.get(), Qt::Key_Escape);
    QVERIFY(!panel_->selected());
  }

  void selectionStaysWithNewDataAndGoesWithoutThem() {
    panel_->select(PlotHit{1, 2});
    scene::Plot next = plot();
    next.series[1].ys[2] = 9;
    panel_->setPlot(next);
    QCOMPARE(panel_->selected().value(), (PlotHit{1, 2}));
    next.series.pop_back();
    panel_->setPlot(next);
    QVERIFY(!panel_->selected());
  }

  void screenReadersHearThePoint() {
    panel_->setHitText([](PlotHit hit) { return QStringLiteral("point %1").arg(hit.point); });
    panel_->select(PlotHit{1, 2});
    QCOMPARE(panel_->accessibleDescription(), QStringLiteral("point 2"));
    panel_->select(std::nullopt);
    panel_->rebuildNow();
    QVERIFY(panel_->accessibleDescription().contains(QStringLiteral("2 series")));
  }

  void exportsPicturesAndSaysWhatIsWrong() {
    const QTemporaryDir folder;
    for (const char* kind : {"png", "svg", "pdf"}) {
      const QString file = folder.filePath(QStringLiteral("plot.") + QLatin1String(kind));
      QCOMPARE(panel_->exportPicture(file, QStringLiteral("plot")), QString());
      QVERIFY(QFileInfo(file).size() > 500);
    }
    QVERIFY(panel_->exportPicture(folder.filePath(QStringLiteral("plot.txt")), {})
                .contains(QStringLiteral("PNG")));
  }

 private:
  std::unique_ptr<PlotPanel> panel_;
};

QTEST_MAIN(TestPlotPanel)
#include "tst_plot_panel.moc"
