// Rack page, heat map, triangle and history as their user meets them: mouse, keys, what they tell the rest.
#include "base/theme.h"
#include "gl/renderer_probe.h"
#include "heat/heat_panel.h"
#include "history/history_scrubber.h"
#include "paint/picture_export.h"
#include "rack/rack_page.h"
#include "scene/picking.h"
#include "support/tiny_cluster.h"
#include "triangle/triangle_panel.h"

#include <QApplication>
#include <QFileInfo>
#include <QImage>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

using namespace decodescope;
using namespace decodescope::views;
using scene::packPick;
using scene::PickKind;

namespace {

std::shared_ptr<const Snapshot> lively(std::shared_ptr<const TopologyView> machine,
                                       std::int64_t time_ns = 0) {
  Snapshot snapshot = test::livelySnapshot(std::move(machine));
  snapshot.time_ns = time_ns;
  return std::make_shared<const Snapshot>(std::move(snapshot));
}

QPoint centreOf(RackPage& page, scene::PickId pick) {
  const scene::Rect at = page.rackScene().camera().toScreen(*page.rackScene().placeOf(pick));
  return QPoint(int(at.x + at.width * 0.25f), int(at.center().y));
}

bool colourful(const QImage& image) {
  QSet<QRgb> colours;
  for (int y = 0; y < image.height(); y += 3) {
    for (int x = 0; x < image.width(); x += 3) colours.insert(image.pixel(x, y));
  }
  return colours.size() > 20;
}

}  // namespace

class TestSceneWidgets : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init();
  void clickSelectsAChip();
  void selectionFromElsewhereIsNotEchoed();
  void arrowsWalkOverChips();
  void zoomKeysAndFit();
  void wheelZoomsAtTheMouse();
  void dragPansAndDoesNotSelect();
  void buttonsOnTheCanvas();
  void motionStopsWhenNothingMoves();
  void reducedMotionStandsStill();
  void themesAndZoomKeepTheSelection();
  void namesForScreenReaders();
  void exportsPictures_data();
  void exportsPictures();
  void exportNamesWhatIsWrong();
  void softwareAndGlAgreeOnPicks();
  void scrubberKeysAndMouse();
  void heatPanelSelectsTrays();
  void trianglePanelSwitches();
  void fitsASmallScreen();

 private:
  std::unique_ptr<RackPage> page(std::shared_ptr<const Snapshot> snapshot);
};

void TestSceneWidgets::init() {
  installTheme(makeTheme(QStringLiteral("dark"), 1));
}

std::unique_ptr<RackPage> TestSceneWidgets::page(std::shared_ptr<const Snapshot> snapshot) {
  auto page = std::make_unique<RackPage>(currentTheme(), RendererChoice::Software);
  page->resize(1100, 600);
  page->show();
  static_cast<void>(QTest::qWaitForWindowExposed(page.get()));
  page->showSnapshot(std::move(snapshot));
  page->rebuildNow();
  return page;
}

void TestSceneWidgets::clickSelectsAChip() {
  const auto page = this->page(lively(test::nvl72Machine()));
  QSignalSpy changed(page.get(), &RackPage::selectionChanged);
  QTest::mouseClick(page->canvas().widget(), Qt::LeftButton, {},
                    centreOf(*page, packPick(PickKind::Chip, 40)));
  QCOMPARE(changed.size(), 1);
  QCOMPARE(changed[0][0].value<Selection>(), (Selection{Selection::Kind::Chip, 40}));
  QCOMPARE(page->window()->focusWidget(), static_cast<QWidget*>(page.get()));
}

void TestSceneWidgets::selectionFromElsewhereIsNotEchoed() {
  const auto page = this->page(lively(test::nvl72Machine()));
  QSignalSpy changed(page.get(), &RackPage::selectionChanged);
  page->showSelection({Selection::Kind::Switch, 80});
  page->rebuildNow();
  QVERIFY(changed.isEmpty());
}

void TestSceneWidgets::arrowsWalkOverChips() {
  const auto page = this->page(lively(test::nvl72Machine()));
  page->setFocus();
  QSignalSpy changed(page.get(), &RackPage::selectionChanged);
  const auto press = [&](Qt::Key key) {
    QTest::keyClick(page.get(), key);
    return changed.isEmpty() ? 0u : changed.takeLast()[0].value<Selection>().index;
  };
  QCOMPARE(press(Qt::Key_Right), 0u);
  QCOMPARE(press(Qt::Key_Right), 1u);
  QCOMPARE(press(Qt::Key_Down), 5u);
  QCOMPARE(press(Qt::Key_Left), 4u);
  changed.clear();
  QSignalSpy inspect(page.get(), &RackPage::inspectRequested);
  QTest::keyClick(page.get(), Qt::Key_Return);
  QCOMPARE(inspect.size(), 1);
  QTest::keyClick(page.get(), Qt::Key_Escape);
  QCOMPARE(changed.takeLast()[0].value<Selection>().kind, Selection::Kind::None);
}

void TestSceneWidgets::zoomKeysAndFit() {
  const auto page = this->page(lively(test::nvl72Machine()));
  page->setFocus();
  QTest::keyClick(page.get(), Qt::Key_Plus);
  QVERIFY(page->rackScene().camera().scale() > 1.2f);
  QTest::keyClick(page.get(), Qt::Key_W);
  QTest::keyClick(page.get(), Qt::Key_F);
  QVERIFY(page->rackScene().camera().isFitted());
  page->showSelection({Selection::Kind::Chip, 20});
  QTest::keyClick(page.get(), Qt::Key_F, Qt::ShiftModifier);
  QVERIFY(page->rackScene().camera().scale() > 4);
}

void TestSceneWidgets::wheelZoomsAtTheMouse() {
  const auto page = this->page(lively(test::nvl72Machine()));
  const scene::Point before = page->rackScene().camera().toWorld({400, 200});
  QWheelEvent wheel(QPointF(400, 200), page->canvas().widget()->mapToGlobal(QPointF(400, 200)), {}, {0, 120},
                    Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(page->canvas().widget(), &wheel);
  QVERIFY(std::abs(page->rackScene().camera().scale() - 1.2f) < 1e-4f);
  const scene::Point after = page->rackScene().camera().toWorld({400, 200});
  QVERIFY(std::abs(before.x - after.x) < 0.01f && std::abs(before.y - after.y) < 0.01f);
}

void TestSceneWidgets::dragPansAndDoesNotSelect() {
  const auto page = this->page(lively(test::nvl72Machine()));
  QSignalSpy changed(page.get(), &RackPage::selectionChanged);
  QWidget* surface = page->canvas().widget();
  const QPoint start = centreOf(*page, packPick(PickKind::Chip, 40));
  QTest::mousePress(surface, Qt::LeftButton, {}, start);
  QMouseEvent move(QEvent::MouseMove, QPointF(start + QPoint(50, 30)),
                   surface->mapToGlobal(QPointF(start + QPoint(50, 30))), Qt::NoButton, Qt::LeftButton,
                   Qt::NoModifier);
  QApplication::sendEvent(surface, &move);
  QTest::mouseRelease(surface, Qt::LeftButton, {}, start + QPoint(50, 30));
  QVERIFY(changed.isEmpty());
  QVERIFY(!page->rackScene().camera().isFitted());
}

void TestSceneWidgets::buttonsOnTheCanvas() {
  const auto page = this->page(lively(test::nvl72Machine()));
  const auto press = [&](scene::SceneButton button) {
    for (const scene::Quad& quad : page->canvas().drawList().layers.front().quads) {
      if (quad.pick != packPick(PickKind::Button, std::uint32_t(button))) continue;
      QTest::mouseClick(page->canvas().widget(), Qt::LeftButton, {},
                        QPoint(int(quad.rect.center().x), int(quad.rect.center().y)));
      return true;
    }
    return false;
  };
  QVERIFY(press(scene::SceneButton::ZoomIn));
  QVERIFY(page->rackScene().camera().scale() > 1.3f);
  page->rebuildNow();
  QVERIFY(press(scene::SceneButton::Fit));
  QVERIFY(page->rackScene().camera().isFitted());
  QVERIFY(press(scene::SceneButton::Window));
  QCOMPARE(page->rackScene().linkWindow(), scene::LinkWindow::WholeStep);
}

void TestSceneWidgets::motionStopsWhenNothingMoves() {
  const auto page = this->page(lively(test::nvl72Machine(), 1));
  const auto phase = [&] {
    for (const scene::Curve& curve : page->canvas().drawList().curves) {
      if (curve.dash == scene::Dash::Long && curve.pick != 0) return curve.dash_phase;
    }
    return 0.0f;
  };
  page->showSnapshot(lively(test::nvl72Machine(), 2));
  QTRY_VERIFY(phase() != 0);
  // No news: within a second the dashes stand.
  QTest::qWait(900);
  const float still = phase();
  QTest::qWait(200);
  QCOMPARE(phase(), still);
}

void TestSceneWidgets::reducedMotionStandsStill() {
  const auto page = this->page(lively(test::nvl72Machine(), 1));
  page->setReducedMotion(true);
  for (int i = 2; i < 8; ++i) page->showSnapshot(lively(test::nvl72Machine(), i)), QTest::qWait(40);
  for (const scene::Curve& curve : page->canvas().drawList().curves) QCOMPARE(curve.dash_phase, 0.0f);
}

void TestSceneWidgets::themesAndZoomKeepTheSelection() {
  const auto page = this->page(lively(test::nvl72Machine()));
  page->showSelection({Selection::Kind::Chip, 30});
  for (const QString& id : themeIds()) {
    page->applyTheme(makeTheme(id, 1.5));
    page->rebuildNow();
    const auto theme = makeTheme(id, 1.5);
    QCOMPARE(page->canvas().drawList().background, theme.palette.canvas);
    const auto& overlays = page->canvas().drawList().overlays;
    QVERIFY(std::any_of(overlays.begin(), overlays.end(),
                        [&](const scene::Quad& q) { return q.border == theme.palette.accent; }));
  }
}

void TestSceneWidgets::namesForScreenReaders() {
  const auto page = this->page(lively(test::nvl72Machine()));
  QVERIFY(!page->accessibleName().isEmpty());
  QVERIFY(page->accessibleDescription().contains(QLatin1String("72 chips")));
  page->showSelection({Selection::Kind::Chip, 12});
  page->rebuildNow();
  QVERIFY(page->accessibleDescription().contains(QLatin1String("slowed by heat")));
}

void TestSceneWidgets::exportsPictures_data() {
  QTest::addColumn<QString>("name");
  for (const char* name : {"rack.png", "rack.svg", "rack.pdf"})
    QTest::newRow(name) << QString::fromLatin1(name);
}

void TestSceneWidgets::exportsPictures() {
  QFETCH(QString, name);
  QTemporaryDir folder;
  const auto page = this->page(lively(test::nvl72Machine()));
  const QString file = folder.filePath(name);
  QCOMPARE(page->exportPicture(file), QString());
  QVERIFY(QFileInfo(file).size() > 4000);
  if (name.endsWith(QLatin1String("png"))) {
    const QImage image(file);
    QCOMPARE(image.size(), page->canvas().widget()->size() * 2);
    QVERIFY(colourful(image));
  }
}

void TestSceneWidgets::exportNamesWhatIsWrong() {
  const auto page = this->page(lively(test::nvl72Machine()));
  QVERIFY(page->exportPicture(QStringLiteral("rack.bmp")).contains(QLatin1String("PNG, SVG or PDF")));
  QVERIFY(page->exportPicture(QStringLiteral("/nowhere/at/all/rack.png"))
              .contains(QLatin1String("/nowhere/at/all/rack.png")));
}

void TestSceneWidgets::softwareAndGlAgreeOnPicks() {
  if (!rendererProbe().gl_works)
    QSKIP(qPrintable(QStringLiteral("no OpenGL 3.3 here: ") + rendererProbe().reason));
  const auto software = page(lively(test::twoTierMachine()));
  RackPage gl(currentTheme(), RendererChoice::Gl);
  gl.resize(1100, 600);
  gl.show();
  QVERIFY(QTest::qWaitForWindowExposed(&gl));
  gl.showSnapshot(lively(test::twoTierMachine()));
  gl.rebuildNow();
  QVERIFY(gl.rendererDescription().startsWith(QLatin1String("OpenGL")));
  QVERIFY(software->rendererDescription().contains(QLatin1String("software")));
  for (int x = 5; x < 1100; x += 37) {
    for (int y = 5; y < 600; y += 31) {
      const scene::Point at{float(x), float(y)};
      QCOMPARE(scene::hitTest(gl.canvas().drawList(), at), scene::hitTest(software->canvas().drawList(), at));
    }
  }
}

void TestSceneWidgets::scrubberKeysAndMouse() {
  HistoryScrubber scrubber(currentTheme());
  scrubber.resize(1200, 48);
  scrubber.show();
  static_cast<void>(QTest::qWaitForWindowExposed(&scrubber));
  Snapshot snapshot = test::livelySnapshot(test::nvl72Machine());
  for (std::int64_t token = 0; token <= 1000; ++token) {
    TokenRecord record;
    record.token = token;
    record.duration_ns = 25'000'000;
    snapshot.recent.push_back(record);
  }
  snapshot.token = 500;
  scrubber.showSnapshot(std::make_shared<const Snapshot>(snapshot));
  scrubber.setLiveToken(1000, true);
  scrubber.rebuildNow();
  scrubber.setFocus();
  QSignalSpy scrubbed(&scrubber, &HistoryScrubber::scrubbed), live(&scrubber, &HistoryScrubber::backToLive);
  QTest::keyClick(&scrubber, Qt::Key_Left);
  QCOMPARE(scrubbed.takeLast()[0].toLongLong(), 499);
  QTest::keyClick(&scrubber, Qt::Key_Right, Qt::ControlModifier);
  QCOMPARE(scrubbed.takeLast()[0].toLongLong(), 510);
  QTest::keyClick(&scrubber, Qt::Key_Home);
  QCOMPARE(scrubbed.takeLast()[0].toLongLong(), 0);
  QTest::keyClick(&scrubber, Qt::Key_End);
  QCOMPARE(live.size(), 1);
  const int x = int(scrubber.historyScene().xOf(250));
  QTest::mousePress(scrubber.canvas().widget(), Qt::LeftButton, {}, QPoint(x, 30));
  QVERIFY(std::abs(scrubbed.takeLast()[0].toLongLong() - 250) <= 1);
}

void TestSceneWidgets::heatPanelSelectsTrays() {
  HeatPanel panel(currentTheme(), RendererChoice::Software);
  panel.resize(380, 280);
  panel.show();
  static_cast<void>(QTest::qWaitForWindowExposed(&panel));
  panel.showSnapshot(lively(test::nvl72Machine()));
  panel.rebuildNow();
  QSignalSpy changed(&panel, &HeatPanel::selectionChanged);
  panel.setFocus();
  QTest::keyClick(&panel, Qt::Key_Down);
  QCOMPARE(changed.takeLast()[0].value<Selection>().kind, Selection::Kind::Tray);
  panel.setOverTime(false);
  const scene::CellGrid& grid = panel.canvas().drawList().grids.back();
  const auto cell = [&](int row, int column) {
    return QPoint(int(grid.rect.x + grid.rect.width * (float(column) + 0.5f) / 4),
                  int(grid.rect.y + grid.rect.height * (float(row) + 0.5f) / 18));
  };
  QTest::mouseClick(panel.canvas().widget(), Qt::LeftButton, {}, cell(9, 2));
  QCOMPARE(changed.takeLast()[0].value<Selection>(), (Selection{Selection::Kind::Chip, 38}));
  QVERIFY(colourful(panel.grab().toImage()));
}

void TestSceneWidgets::trianglePanelSwitches() {
  TrianglePanel panel(currentTheme());
  panel.resize(320, 280);
  panel.show();
  static_cast<void>(QTest::qWaitForWindowExposed(&panel));
  Snapshot snapshot = test::livelySnapshot(test::nvl72Machine());
  auto prediction = std::make_shared<Prediction>(*snapshot.prediction);
  prediction->triangle = {0.34, 0.3, 1.0, "physical", "HBM", "chip temperature"};
  prediction->triangle_time_share = {0.4, 0.5, 0.02};
  snapshot.prediction = prediction;
  panel.showSnapshot(std::make_shared<const Snapshot>(snapshot));
  QVERIFY(panel.accessibleDescription().contains(QLatin1String("binding: Physical")));
  panel.setFocus();
  QTest::keyClick(&panel, Qt::Key_Right);
  QVERIFY(panel.accessibleDescription().contains(QLatin1String("of the step")));
  panel.setPinned(prediction);
  const auto& curves = panel.canvas().drawList().curves;
  QVERIFY(std::any_of(curves.begin(), curves.end(),
                      [](const scene::Curve& c) { return c.color == currentTheme().palette.pinned; }));
}

void TestSceneWidgets::fitsASmallScreen() {
  RackPage rack(currentTheme(), RendererChoice::Software);
  HeatPanel heat(currentTheme(), RendererChoice::Software);
  TrianglePanel triangle(currentTheme());
  HistoryScrubber history(currentTheme());
  // The rest of a 1280x720 window is taken by the side panels and bars.
  QVERIFY(rack.minimumSizeHint().width() <= 560 && rack.minimumSizeHint().height() <= 260);
  QVERIFY(heat.minimumSizeHint().width() + triangle.minimumSizeHint().width() <= 440);
  QVERIFY(history.minimumSizeHint().width() <= 640 && history.minimumSizeHint().height() <= 48);
}

int main(int argc, char** argv) {
  QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
  QApplication application(argc, argv);
  QApplication::setStyle(QStringLiteral("Fusion"));
  TestSceneWidgets test;
  return QTest::qExec(&test, argc, argv);
}
#include "tst_scene_widgets.moc"
