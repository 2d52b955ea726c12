// OpenGL and QPainter draw the same picture. Needs a display with OpenGL 3.3 (the test runner brings Xvfb and
// llvmpipe).
#include "base/theme.h"
#include "gl/gl_canvas.h"
#include "gl/gl_renderer.h"
#include "gl/label_atlas.h"
#include "gl/renderer_probe.h"
#include "paint/draw_list_painter.h"
#include "paint/painter_canvas.h"
#include "paint/text_measure.h"
#include "scene/rack_scene.h"
#include "support/tiny_cluster.h"

#include <QApplication>
#include <QImage>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFramebufferObject>
#include <QOpenGLFunctions>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>
#include <cmath>

using namespace decodescope;
using namespace decodescope::views;

namespace {

int distance(QRgb a, QRgb b) {
  return std::max(
      {std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)), std::abs(qBlue(a) - qBlue(b))});
}

double meanDistance(const QImage& a, const QImage& b) {
  double sum = 0;
  for (int y = 0; y < a.height(); ++y) {
    for (int x = 0; x < a.width(); ++x) sum += distance(a.pixel(x, y), b.pixel(x, y));
  }
  return sum / (double(a.width()) * a.height());
}

}  // namespace

class TestGlRenderer : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void cleanupTestCase();
  void primitivesMatch_data();
  void primitivesMatch();
  void swatchesMatchOnTheRack_data();
  void swatchesMatchOnTheRack();
  void clipAndLayers();
  void reinitializes();
  void atlasForgetsWhenFull();
  void widgetDrawsAndSurvivesReparenting();

 private:
  [[nodiscard]] QImage byGl(const scene::DrawList& list, QSize size, double ratio = 1);
  [[nodiscard]] QImage byPainter(const scene::DrawList& list, QSize size, double ratio = 1);

  QOpenGLContext context_;
  QOffscreenSurface surface_;
  GlRenderer renderer_;
  Theme theme_;
};

void TestGlRenderer::initTestCase() {
  if (!rendererProbe().gl_works)
    QSKIP(qPrintable(QStringLiteral("no OpenGL 3.3 here: ") + rendererProbe().reason));
  theme_ = makeTheme(QStringLiteral("dark"), 1);
  context_.setFormat(glFormat());
  QVERIFY(context_.create());
  surface_.setFormat(context_.format());
  surface_.create();
  QVERIFY(context_.makeCurrent(&surface_));
  QVERIFY2(renderer_.initialize(), qPrintable(renderer_.error()));
}

void TestGlRenderer::cleanupTestCase() {
  if (!renderer_.isReady()) return;
  context_.makeCurrent(&surface_);
  renderer_.release();
  context_.doneCurrent();
}

QImage TestGlRenderer::byGl(const scene::DrawList& list, QSize size, double ratio) {
  context_.makeCurrent(&surface_);
  QOpenGLFramebufferObject target(size * ratio);
  target.bind();
  context_.functions()->glViewport(0, 0, target.width(), target.height());
  renderer_.setTheme(theme_, ratio);
  renderer_.draw(list, size);
  const QImage image = target.toImage().convertToFormat(QImage::Format_RGB32);
  const GLenum error = context_.functions()->glGetError();
  if (error != GL_NO_ERROR) qWarning("OpenGL error %u", error);
  return image;
}

QImage TestGlRenderer::byPainter(const scene::DrawList& list, QSize size, double ratio) {
  QImage image(size * ratio, QImage::Format_RGB32);
  image.setDevicePixelRatio(ratio);
  image.fill(toQColor(list.background));
  QPainter painter(&image);
  paintDrawList(painter, list, theme_);
  painter.end();
  image.setDevicePixelRatio(1);
  return image;
}

void TestGlRenderer::primitivesMatch_data() {
  using namespace scene;
  QTest::addColumn<int>("kind");
  QTest::addColumn<double>("ratio");
  const char* names[] = {"plain quads",   "rounded and bordered",
                         "hatched",       "solid curves",
                         "dashed curves", "double curve",
                         "grid",          "polygon",
                         "labels",        "halo"};
  for (int kind = 0; kind < int(std::size(names)); ++kind) {
    QTest::newRow(names[kind]) << kind << 1.0;
    QTest::newRow(qPrintable(QStringLiteral("%1 at 1.5").arg(QLatin1String(names[kind])))) << kind << 1.5;
  }
}

void TestGlRenderer::primitivesMatch() {
  using namespace scene;
  QFETCH(int, kind);
  QFETCH(double, ratio);
  DrawList list;
  list.background = {20, 24, 29, 255};
  const Color red{200, 60, 80, 255}, blue{76, 148, 224, 255}, white{255, 255, 255, 255};
  for (int i = 0; i < 6; ++i) {
    const Rect box{10.0f + float(i) * 32, 12, 28, 60};
    const float y = 10 + float(i) * 14;
    switch (kind) {
      case 0:
        list.quads.push_back(
            {box, {200, std::uint8_t(40 * i), 80, std::uint8_t(255 - 30 * i)}, {}, 0, 0, Hatch::None, 0});
        break;
      case 1:
        list.quads.push_back({box, red, white, float(1 + i % 3), float(2 * i), Hatch::None, 0});
        break;
      case 2:
        list.quads.push_back({box, i % 2 ? Color{255, 210, 60, 255} : Color{70, 20, 90, 255}, white, 2, 2,
                              i % 3 ? Hatch::Diagonal : Hatch::Cross, 0});
        break;
      case 3:
        list.curves.push_back(
            {{8, y}, {180, y}, {180, 90 - y / 2}, {20, 95}, blue, 1.5f + float(i), Dash::Solid, 0, 0});
        break;
      case 4:
        list.curves.push_back({{8, y},
                               {8, y},
                               {190, y},
                               {190, y},
                               blue,
                               3,
                               i % 3 == 0   ? Dash::Long
                               : i % 3 == 1 ? Dash::Short
                                            : Dash::Dotted,
                               float(i),
                               0});
        break;
      case 5:
        list.curves.push_back(
            {{8, y + 2}, {8, y + 2}, {190, y + 2}, {190, y + 2}, white, 6, Dash::Double, 0, 0});
        break;
      case 6:
        if (i == 0) list.grids.push_back({{10, 10, 180, 80}, 6, 4, std::vector<Color>(24), 0});
        list.grids[0].cells[std::size_t(i * 4)] = red;
        break;
      case 7:
        list.polygons.push_back({{{box.x, 70}, {box.x + 14, 10}, {box.x + 28, 70}}, red, white, 1, 0});
        break;
      case 8:
        list.labels.push_back({{100, y},
                               "Chip 04.1 88 °C",
                               white,
                               static_cast<Align>(i % 3),
                               FontRole::Body,
                               i > 2,
                               1,
                               {0, 0, 0, 0}});
        break;
      case 9:
        list.labels.push_back(
            {{100, y}, "tray 04", white, Align::Center, FontRole::Secondary, true, 1, {200, 60, 80, 255}});
        break;
      default:
        break;
    }
  }
  const QSize size(200, 100);
  const QImage gl = byGl(list, size, ratio), painter = byPainter(list, size, ratio);
  QCOMPARE(gl.size(), painter.size());
  // Edges may differ by their antialiasing, letters by half a pixel; nothing may be missing.
  const double difference = meanDistance(gl, painter);
  const double most = kind >= 8 ? 9 : kind == 5 ? 8 : 5;
  QVERIFY2(difference < most, qPrintable(QString::number(difference)));
  DrawList empty;
  empty.background = list.background;
  const double ink = meanDistance(painter, byPainter(empty, size, ratio));
  QVERIFY2(difference < ink * 0.45, qPrintable(QStringLiteral("%1 of %2").arg(difference).arg(ink)));
}

void TestGlRenderer::swatchesMatchOnTheRack_data() {
  QTest::addColumn<int>("machine");
  QTest::addColumn<QString>("theme");
  QTest::newRow("NVL72 dark") << 0 << QStringLiteral("dark");
  QTest::newRow("two tiers light") << 1 << QStringLiteral("light");
  QTest::newRow("torus projector") << 2 << QStringLiteral("projector");
}

void TestGlRenderer::swatchesMatchOnTheRack() {
  QFETCH(int, machine);
  QFETCH(QString, theme);
  theme_ = makeTheme(theme, 1);
  const QtTextMeasure text(theme_);
  const Snapshot snapshot = test::livelySnapshot(machine == 0   ? test::nvl72Machine()
                                                 : machine == 1 ? test::twoTierMachine()
                                                                : test::torusMachine());
  scene::SceneStyle style;
  style.palette = theme_.palette;
  style.text = &text;
  scene::RackScene rack;
  const QSize size(1200, 620);
  rack.setViewport({0, 0, float(size.width()), float(size.height())}, style);
  scene::DrawList list;
  rack.build({&snapshot, 0, 0, 0}, list);
  const QImage gl = byGl(list, size), painter = byPainter(list, size);
  int checked = 0;
  for (const scene::Quad& quad : list.quads) {
    if (scene::unpackPick(quad.pick).kind != scene::PickKind::Chip || quad.hatch != scene::Hatch::None)
      continue;
    // Left of the number, inside the border.
    const QPoint at(int(quad.rect.x + 4), int(quad.rect.center().y));
    const QRgb fill = qRgb(quad.fill.r, quad.fill.g, quad.fill.b);
    if (quad.rect.width < 12 || distance(painter.pixel(at), fill) > 2) continue;  // a line crosses here
    QVERIFY2(distance(gl.pixel(at), fill) <= 2,
             qPrintable(QStringLiteral("at %1,%2").arg(at.x()).arg(at.y())));
    ++checked;
  }
  QVERIFY(checked > 50);
  // Letters and one-pixel borders at fractional places differ by their antialiasing.
  QVERIFY2(meanDistance(gl, painter) < 6, qPrintable(QString::number(meanDistance(gl, painter))));
  theme_ = makeTheme(QStringLiteral("dark"), 1);
}

void TestGlRenderer::clipAndLayers() {
  using namespace scene;
  DrawList list;
  list.background = {0, 0, 0, 255};
  list.clip = {0, 0, 50, 40};
  list.quads.push_back({{0, 0, 100, 80}, {255, 0, 0, 255}, {}, 0, 0, Hatch::None, 0});
  list.layers.emplace_back();
  list.layers.back().quads.push_back({{40, 30, 40, 30}, {0, 255, 0, 255}, {}, 0, 0, Hatch::None, 0});
  for (const double ratio : {1.0, 2.0}) {
    for (const QImage& image : {byGl(list, {100, 80}, ratio), byPainter(list, {100, 80}, ratio)}) {
      const auto at = [&](int x, int y) { return image.pixel(int(x * ratio), int(y * ratio)); };
      QCOMPARE(at(20, 20), qRgb(255, 0, 0));
      QCOMPARE(at(45, 35), qRgb(0, 255, 0));  // layers are above
      QCOMPARE(at(70, 50), qRgb(0, 255, 0));  // and not clipped
      QCOMPARE(at(90, 20), qRgb(0, 0, 0));
      QCOMPARE(at(20, 60), qRgb(0, 0, 0));
    }
  }
}

void TestGlRenderer::reinitializes() {
  scene::DrawList list;
  list.quads.push_back({{0, 0, 20, 20}, {1, 200, 3, 255}, {}, 0, 0, scene::Hatch::None, 0});
  context_.makeCurrent(&surface_);
  for (int i = 0; i < 3; ++i) {
    QVERIFY(renderer_.initialize());
    QCOMPARE(byGl(list, {20, 20}).pixel(10, 10), qRgb(1, 200, 3));
  }
  renderer_.release();
  renderer_.release();
  QVERIFY(!renderer_.isReady());
  QVERIFY(renderer_.initialize());
}

void TestGlRenderer::atlasForgetsWhenFull() {
  LabelAtlas atlas;
  atlas.setTheme(theme_, 1);
  const int generation = atlas.generation();
  scene::Label label;
  label.color = {255, 255, 255, 255};
  for (int i = 0; i < 20000 && atlas.generation() == generation; ++i) {
    label.text = "a rather long label number " + std::to_string(i);
    QVERIFY(atlas.find(label) != nullptr);
  }
  QVERIFY(atlas.generation() > generation);
  label.text = std::string(5000, 'w');
  QVERIFY(atlas.find(label) == nullptr);  // wider than the atlas: left out rather than cut
  label.text = "short";
  QVERIFY(atlas.find(label) != nullptr);
}

void TestGlRenderer::widgetDrawsAndSurvivesReparenting() {
  QWidget first, second;
  auto* canvas = new GlCanvas(theme_, &first);
  QSignalSpy failed(canvas, &SceneCanvas::failed);
  new QVBoxLayout(&first);
  new QVBoxLayout(&second);
  first.layout()->setContentsMargins(0, 0, 0, 0);
  first.layout()->addWidget(canvas->widget());
  scene::DrawList list;
  list.background = {10, 20, 30, 255};
  list.quads.push_back({{20, 20, 100, 100}, {200, 100, 50, 255}, {}, 0, 0, scene::Hatch::None, 77});
  canvas->setDrawList(list);
  first.resize(300, 200);
  first.show();
  QVERIFY(QTest::qWaitForWindowExposed(&first));
  QTRY_VERIFY(canvas->lastPaintMs() > 0);
  QCOMPARE(canvas->widget()->grab().toImage().pixel(60, 60), qRgb(200, 100, 50));
  second.layout()->addWidget(canvas->widget());
  second.resize(300, 200);
  second.show();
  QVERIFY(QTest::qWaitForWindowExposed(&second));
  QTRY_COMPARE(canvas->widget()->grab().toImage().pixel(60, 60), qRgb(200, 100, 50));
  QVERIFY(failed.isEmpty());
}

int main(int argc, char** argv) {
  QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
  QApplication application(argc, argv);
  TestGlRenderer test;
  return QTest::qExec(&test, argc, argv);
}
#include "tst_gl_renderer.moc"
