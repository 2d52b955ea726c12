// Plots: axes that hold their data, values and pixels that agree, labels that stay apart, picks that come
// back.
#include "scene/picking.h"
#include "scene/plot_scene.h"

#include "support/fixed_text.h"

#include <rapidcheck.h>

#include <QtTest>
#include <algorithm>
#include <cmath>

using namespace decodescope;
using namespace decodescope::scene;

namespace {

constexpr Rect kBox{0, 0, 640, 360};

SceneStyle style(const TextMeasure& text) {
  SceneStyle made;
  made.palette = test::darkPalette();
  made.text = &text;
  return made;
}

Plot twoLines() {
  Plot plot;
  plot.x = {.title = "Chips", .scale = AxisScale::Log};
  plot.y = {.title = "TPOT, ms", .from_zero = true};
  plot.series.push_back({.name = "now",
                         .color = {1, 2, 3, 255},
                         .marker = Marker::Disc,
                         .xs = {8, 16, 32, 64},
                         .ys = {40, 25, 20, 22}});
  plot.series.push_back(
      {.name = "pinned", .color = {4, 5, 6, 255}, .xs = {8, 16, 32, 64}, .ys = {40, 25, 20, 22.2}});
  return plot;
}

std::vector<Label> allLabels(const DrawList& list) {
  std::vector<Label> labels = list.labels;
  for (const DrawList& layer : list.layers) {
    const auto inner = allLabels(layer);
    labels.insert(labels.end(), inner.begin(), inner.end());
  }
  return labels;
}

DrawList draw(const Plot& plot, PlotScene& scene, Rect box = kBox) {
  static const test::FixedText text;
  DrawList list;
  scene.build(plot, box, style(text), std::nullopt, std::nullopt, list);
  return list;
}

}  // namespace

class TestPlotScene : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void axesHoldTheirData() {
    const bool held = rc::check("every finite value lies inside the axis chosen for it", [] {
      const auto values = *rc::gen::nonEmpty(rc::gen::container<std::vector<double>>(
          rc::gen::map(rc::gen::inRange(1, 1'000'000), [](int i) { return i / 1000.0; })));
      const bool log = *rc::gen::arbitrary<bool>(), from_zero = *rc::gen::arbitrary<bool>();
      const AxisMap map =
          axisFor({.scale = log ? AxisScale::Log : AxisScale::Linear, .from_zero = from_zero}, values);
      RC_ASSERT(map.to > map.from);
      for (const double value : values) RC_ASSERT(map.shows(value));
    });
    QVERIFY(held);
  }

  void pixelsTurnIntoTheirValues() {
    PlotScene scene;
    draw(twoLines(), scene);
    for (const double chips : {8.0, 11.0, 64.0})
      QVERIFY(std::abs(scene.xMap().value(scene.xMap().pixel(chips)) / chips - 1) < 1e-4);
    QVERIFY(scene.yMap().pixel(40) < scene.yMap().pixel(20));  // up is more
    QCOMPARE(scene.yMap().pixel(0), scene.plotRect().bottom());
  }

  void pointsCanBePicked() {
    PlotScene scene;
    const DrawList list = draw(twoLines(), scene);
    const Point at{scene.xMap().pixel(16), scene.yMap().pixel(25)};
    const auto hit = hitOf(hitTest(list, at));
    QVERIFY(hit.has_value());
    QCOMPARE(hit->point, 1u);
    QVERIFY(!hitOf(0).has_value());
    const PlotHit cell{PlotHit::kMap, 4'000'000};
    QCOMPARE(hitOf(pickOf(cell)).value(), cell);
  }

  void pointsWithoutAValueStandAtTheEdge() {
    Plot plot = twoLines();
    plot.series[0].ys[3] = -INFINITY;
    plot.series[0].ys[2] = kNoValue;
    PlotScene scene;
    const DrawList list = draw(plot, scene);
    const auto edge = hitOf(hitTest(list, {scene.xMap().pixel(64), scene.plotRect().bottom()}));
    QVERIFY(edge.has_value());
    QCOMPARE(*edge, (PlotHit{0, 3}));
  }

  void namesAtTheEndsStayApart() {
    Plot plot = twoLines();
    for (int i = 0; i < 6; ++i) {
      plot.series.push_back(plot.series[1]);
      plot.series.back().name = "other " + std::to_string(i);
    }
    PlotScene scene;
    const test::FixedText text;
    std::vector<Rect> boxes;
    for (const Label& label : allLabels(draw(plot, scene))) {
      if (label.anchor.x > scene.plotRect().right() && label.align == Align::Left)
        boxes.push_back(labelBox(label, text));
    }
    QCOMPARE(boxes.size(), std::size_t(8));
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      QVERIFY(boxes[i].right() <= kBox.right());
      for (std::size_t j = 0; j < i; ++j)
        QVERIFY(!overlaps(boxes[i], {boxes[j].x, boxes[j].y + 0.5f, boxes[j].width, boxes[j].height - 1}));
    }
  }

  void nothingLeavesASmallBox() {
    Plot plot = twoLines();
    plot.notes.push_back({32, 20, "fewest ms at 32 chips", {9, 9, 9, 255}});
    plot.regions.push_back({kNoValue, 40, "deployable", {9, 9, 9, 40}});
    PlotScene scene;
    const test::FixedText text;
    for (const Rect box : {Rect{0, 0, 200, 120}, Rect{0, 0, 320, 180}, kBox}) {
      for (const Label& label : allLabels(draw(plot, scene, box))) {
        const Rect used = labelBox(label, text);
        QVERIFY2(used.x >= box.x - 0.5f && used.right() <= box.right() + 0.5f, label.text.c_str());
        QVERIFY2(used.y >= box.y - 1 && used.bottom() <= box.bottom() + 1, label.text.c_str());
      }
    }
  }

  void cellsOfAMapArePickedByRow() {
    Plot plot;
    plot.x = {.title = "Context", .from = 0, .to = 4};
    plot.y = {.title = "Chips", .from = 0, .to = 2};
    plot.map = PlotMap{.columns = 4,
                       .rows = 2,
                       .ratios = std::vector<float>(8, 0.5f),
                       .hatched = std::vector<std::uint8_t>(8, 0)};
    plot.map->hatched[7] = 1;
    PlotScene scene;
    const DrawList list = draw(plot, scene);
    const Rect rect = scene.plotRect();
    const Point last{rect.right() - 2, rect.bottom() - 2};
    QCOMPARE(hitOf(hitTest(list, last)).value(), (PlotHit{PlotHit::kMap, 7}));
    const auto hatched =
        std::ranges::count_if(list.quads, [](const Quad& quad) { return quad.hatch == Hatch::Diagonal; });
    QCOMPARE(hatched, std::ptrdiff_t(1));
  }
};

QTEST_GUILESS_MAIN(TestPlotScene)
#include "tst_plot_scene.moc"
