// Colour maps, link styles, camera, picking, ticks, numbers.
#include "scene/axis_ticks.h"
#include "scene/camera.h"
#include "scene/color_map.h"
#include "scene/link_style.h"
#include "scene/number_text.h"
#include "scene/picking.h"
#include "support/fixed_text.h"

#include <rapidcheck.h>

#include <QTest>
#include <cmath>
#include <set>

using namespace decodescope::scene;

class TestSceneBasics : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void publishedEndsOfColourMaps();
  void heatGrowsLighter();
  void textOnFillIsReadable();
  void temperatureScaleIsFixed();
  void linkStatesAtThresholds_data();
  void linkStatesAtThresholds();
  void everyLinkStateLooksDifferent();
  void projectorLinesAreNeverThin();
  void pickPackingRoundTrips();
  void cameraRoundTrips();
  void zoomKeepsThePointUnderTheMouse();
  void fitToShowsTheWholeRectangle();
  void hitsTheTopmost();
  void hitsCurvesWithinTolerance();
  void hitsCellsOfAGrid();
  void clipHidesFromPicking();
  void ticksAreRoundAndInside();
  void numbersAsText();
};

void TestSceneBasics::publishedEndsOfColourMaps() {
  // First and last rows of the published tables.
  QCOMPARE(mapColor(ColorMap::Inferno, 0), (Color{0x00, 0x00, 0x04, 255}));
  QCOMPARE(mapColor(ColorMap::Inferno, 1), (Color{0xFC, 0xFF, 0xA4, 255}));
  QCOMPARE(mapColor(ColorMap::Viridis, 0), (Color{0x44, 0x01, 0x54, 255}));
  QCOMPARE(mapColor(ColorMap::Viridis, 1), (Color{0xFD, 0xE7, 0x25, 255}));
  QCOMPARE(mapColor(ColorMap::Diverging, 0), (Color{0x00, 0x72, 0xB2, 255}));
  QCOMPARE(mapColor(ColorMap::Diverging, 0.5), (Color{0xF4, 0xF5, 0xF7, 255}));
  QCOMPARE(mapColor(ColorMap::Diverging, 1), (Color{0xC4, 0x4F, 0x00, 255}));
  QCOMPARE(mapColor(ColorMap::Inferno, 7), mapColor(ColorMap::Inferno, 1));
  QCOMPARE(mapColor(ColorMap::Inferno, -7), mapColor(ColorMap::Inferno, 0));
  QVERIFY(mapColor(ColorMap::Inferno, std::nan("")) != mapColor(ColorMap::Inferno, 0));
}

void TestSceneBasics::heatGrowsLighter() {
  for (const ColorMap map : {ColorMap::Inferno, ColorMap::Viridis, ColorMap::Cividis}) {
    double before = -1;
    for (int i = 0; i <= 32; ++i) {
      const double now = luminance(mapColor(map, i / 32.0));
      QVERIFY2(now > before, qPrintable(QStringLiteral("map %1 at %2").arg(int(map)).arg(i)));
      before = now;
    }
  }
}

void TestSceneBasics::textOnFillIsReadable() {
  QVERIFY(rc::check("text on any fill has contrast 4.5", [](std::uint8_t r, std::uint8_t g, std::uint8_t b) {
    const Color fill{r, g, b, 255};
    RC_ASSERT(contrast(fill, textOn(fill)) >= 4.5);
  }));
  QCOMPARE(contrast({0, 0, 0, 255}, {255, 255, 255, 255}), 21.0);
}

void TestSceneBasics::temperatureScaleIsFixed() {
  const TemperatureScale scale{.throttle_c = 88, .shutdown_c = 93};
  QCOMPARE(scale.ratio(25), 0.0);
  QCOMPARE(scale.ratio(98), 1.0);
  QCOMPARE(scale.ratio(61.5), 0.5);
}

void TestSceneBasics::linkStatesAtThresholds_data() {
  QTest::addColumn<double>("ratio");
  QTest::addColumn<int>("state");
  QTest::newRow("nothing") << 0.0 << int(LinkState::Idle);
  QTest::newRow("below 5") << 0.0499 << int(LinkState::Idle);
  QTest::newRow("5") << 0.05 << int(LinkState::Normal);
  QTest::newRow("below 70") << 0.699 << int(LinkState::Normal);
  QTest::newRow("70") << 0.70 << int(LinkState::Busy);
  QTest::newRow("90") << 0.90 << int(LinkState::Hot);
  QTest::newRow("full") << 1.0 << int(LinkState::Hot);
  QTest::newRow("rounding") << 1.0 + 1e-6 << int(LinkState::Hot);
  QTest::newRow("more than capacity") << 1.02 << int(LinkState::Saturated);
  QTest::newRow("not a number") << std::nan("") << int(LinkState::Idle);
}

void TestSceneBasics::linkStatesAtThresholds() {
  QFETCH(double, ratio);
  QFETCH(int, state);
  QCOMPARE(int(linkState(ratio)), state);
}

void TestSceneBasics::everyLinkStateLooksDifferent() {
  const Palette palette = decodescope::test::darkPalette();
  std::set<int> dashes;
  float width = 0;
  for (const double ratio : {0.01, 0.4, 0.8, 0.95, 1.3}) {
    const LinkStyle style = linkStyle(ratio, palette, 1);
    dashes.insert(int(style.dash));
    QVERIFY(style.width > width);
    width = style.width;
    QCOMPARE(style.color, palette.link[std::size_t(linkState(ratio))]);
  }
  QCOMPARE(dashes.size(), 5u);  // no state rests on colour alone
  QCOMPARE(linkStyle(0.8, palette, 1).chevrons, 1);
  QCOMPARE(linkStyle(0.95, palette, 1).chevrons, 2);
  const LinkStyle saturated = linkStyle(1.3, palette, 1);
  QVERIFY(saturated.badge);
  QCOMPARE(saturated.width, 6.0f);
  QCOMPARE(saturated.dash, Dash::Double);
  QCOMPARE(saturated.flow_px_per_s, 0.0f);  // jammed
  QVERIFY(linkStyle(0.95, palette, 1).flow_px_per_s > linkStyle(0.8, palette, 1).flow_px_per_s);
}

void TestSceneBasics::projectorLinesAreNeverThin() {
  Palette palette = decodescope::test::darkPalette();
  palette.projector = true;
  for (const double ratio : {0.0, 0.3, 0.8, 0.95, 1.5}) QVERIFY(linkStyle(ratio, palette, 1).width >= 2.5f);
  QCOMPARE(linkStyle(1.5, palette, 2).width, 12.0f);
}

void TestSceneBasics::pickPackingRoundTrips() {
  QVERIFY(rc::check("pick packing round trip", [] {
    const auto kind = static_cast<PickKind>(*rc::gen::inRange(1, int(PickKind::Event) + 1));
    const auto index = *rc::gen::inRange<std::uint32_t>(0, kPickIndexMax);
    const PickId id = packPick(kind, index);
    RC_ASSERT(id != 0u);
    RC_ASSERT(unpackPick(id) == (Pick{kind, index}));
  }));
  QCOMPARE(unpackPick(0).kind, PickKind::None);
}

void TestSceneBasics::cameraRoundTrips() {
  QVERIFY(rc::check("screen to world and back", [] {
    Camera camera;
    camera.setViewport({0, 0, 1200, 600});
    camera.zoomAt({300, 200}, float(*rc::gen::inRange(5, 400)) / 10);
    camera.panBy(float(*rc::gen::inRange(-500, 500)), float(*rc::gen::inRange(-500, 500)));
    const Point world{float(*rc::gen::inRange(0, 1200)), float(*rc::gen::inRange(0, 600))};
    const Point back = camera.toWorld(camera.toScreen(world));
    RC_ASSERT(std::hypot(back.x - world.x, back.y - world.y) < 0.05f);
  }));
}

void TestSceneBasics::zoomKeepsThePointUnderTheMouse() {
  Camera camera;
  camera.setViewport({0, 0, 1200, 600});
  camera.panBy(37, -12);
  const Point before = camera.toWorld({250, 480});
  camera.zoomAt({250, 480}, 3);
  const Point after = camera.toWorld({250, 480});
  QVERIFY(std::hypot(after.x - before.x, after.y - before.y) < 0.01f);
  for (int i = 0; i < 100; ++i) camera.zoomAt({0, 0}, 2);
  QCOMPARE(camera.scale(), Camera::kMaxScale);
  camera.fit();
  QVERIFY(camera.isFitted());
}

void TestSceneBasics::fitToShowsTheWholeRectangle() {
  Camera camera;
  camera.setViewport({0, 0, 1200, 600});
  const Rect target{900, 40, 60, 20};
  camera.fitTo(target);
  const Rect shown = camera.toScreen(target);
  QVERIFY(shown.x >= 0 && shown.y >= 0 && shown.right() <= 1200 && shown.bottom() <= 600);
  QVERIFY(shown.width > 900);
}

void TestSceneBasics::hitsTheTopmost() {
  DrawList list;
  list.quads.push_back({{0, 0, 100, 100}, {}, {}, 0, 0, Hatch::None, 1});
  list.quads.push_back({{10, 10, 20, 20}, {}, {}, 0, 0, Hatch::None, 2});
  list.overlays.push_back({{15, 15, 5, 5}, {}, {}, 0, 0, Hatch::None, 3});
  QCOMPARE(hitTest(list, {50, 50}), 1u);
  QCOMPARE(hitTest(list, {12, 12}), 2u);
  QCOMPARE(hitTest(list, {16, 16}), 3u);
  QCOMPARE(hitTest(list, {200, 50}), 0u);
  list.layers.emplace_back();
  list.layers.back().quads.push_back({{0, 0, 30, 30}, {}, {}, 0, 0, Hatch::None, 9});
  QCOMPARE(hitTest(list, {16, 16}), 9u);
}

void TestSceneBasics::hitsCurvesWithinTolerance() {
  DrawList list;
  list.curves.push_back({{0, 50}, {0, 50}, {100, 50}, {100, 50}, {}, 4, Dash::Solid, 0, 7});
  QCOMPARE(hitTest(list, {50, 51}, 3), 7u);
  QCOMPARE(hitTest(list, {50, 54.5f}, 3), 7u);  // half the width and the tolerance: 2 + 3
  QCOMPARE(hitTest(list, {50, 55.5f}, 3), 0u);
  QCOMPARE(hitTest(list, {106, 50}, 3), 0u);  // 6 px beyond the end
  const Curve bend{{0, 0}, {100, 0}, {100, 100}, {0, 100}, {}, 1, Dash::Solid, 0, 8};
  QCOMPARE(pointOn(bend, 0.5f).x, 75.0f);  // 3/8 of each control point
  QVERIFY(distanceTo(bend, {75, 50}) < 0.1f);
}

void TestSceneBasics::hitsCellsOfAGrid() {
  DrawList list;
  list.grids.push_back({{10, 10, 40, 20}, 4, 2, std::vector<Color>(8), packPick(PickKind::Cell, 100)});
  QCOMPARE(unpackPick(hitTest(list, {10.5f, 10.5f})), (Pick{PickKind::Cell, 100}));
  QCOMPARE(unpackPick(hitTest(list, {49.5f, 10.5f})), (Pick{PickKind::Cell, 103}));
  QCOMPARE(unpackPick(hitTest(list, {21, 29})), (Pick{PickKind::Cell, 105}));
  QCOMPARE(hitTest(list, {51, 15}), 0u);
}

void TestSceneBasics::clipHidesFromPicking() {
  DrawList list;
  list.clip = {0, 0, 50, 50};
  list.quads.push_back({{0, 0, 100, 100}, {}, {}, 0, 0, Hatch::None, 1});
  QCOMPARE(hitTest(list, {40, 40}), 1u);
  QCOMPARE(hitTest(list, {60, 40}), 0u);
}

void TestSceneBasics::ticksAreRoundAndInside() {
  QCOMPARE(linearTicks(0, 30, 3).values, (std::vector<double>{0, 10, 20, 30}));
  QVERIFY(linearTicks(5, 5, 4).values.empty());
  QCOMPARE(logTicks(1, 1000, 4).values, (std::vector<double>{1, 10, 100, 1000}));
  QVERIFY(logTicks(0, 10, 4).values.empty());
  QVERIFY(rc::check("linear ticks lie inside and are even", [] {
    const double from = *rc::gen::inRange(-1000, 1000) / 7.0, to = from + *rc::gen::inRange(1, 100000) / 13.0;
    const Ticks ticks = linearTicks(from, to, 6);
    RC_ASSERT(ticks.values.size() <= 7u);
    for (std::size_t i = 0; i < ticks.values.size(); ++i) {
      RC_ASSERT(ticks.values[i] >= from - 1e-6 * ticks.step && ticks.values[i] <= to + 1e-6 * ticks.step);
      if (i > 0) RC_ASSERT(std::abs(ticks.values[i] - ticks.values[i - 1] - ticks.step) < 1e-6 * ticks.step);
    }
  }));
}

void TestSceneBasics::numbersAsText() {
  QCOMPARE(percentText(0.934), std::string("93 %"));
  QCOMPARE(percentText(0.004), std::string("0.4 %"));
  QCOMPARE(percentText(0), std::string("0 %"));
  QCOMPARE(percentText(0.0001), std::string("< 0.1 %"));
  QCOMPARE(countText(1296), std::string("1,296"));
  QCOMPARE(countText(224928), std::string("224,928"));
  QCOMPARE(countText(-1000), std::string("−1,000"));
  QCOMPARE(timeText(41e-6), std::string("41 µs"));
  QCOMPARE(timeText(0.0248), std::string("25 ms"));
  QCOMPARE(timeText(8.4e-3), std::string("8.4 ms"));
  QCOMPARE(rateText(50e9), std::string("50 GB/s"));
  QCOMPARE(rateText(1.8e12), std::string("1.8 TB/s"));
}

QTEST_GUILESS_MAIN(TestSceneBasics)
#include "tst_scene_basics.moc"
