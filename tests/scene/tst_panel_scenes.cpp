// Heat map, triangle and history as draw lists.
#include "scene/heat_scene.h"
#include "scene/history_scene.h"
#include "scene/legend.h"
#include "scene/triangle_scene.h"
#include "support/fixed_text.h"
#include "support/tiny_cluster.h"

#include <rapidcheck.h>

#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>

using namespace decodescope;
using namespace decodescope::scene;

namespace {

const test::FixedText kText;
constexpr Rect kBox{10, 10, 340, 220};

SceneStyle style() {
  SceneStyle style;
  style.palette = test::darkPalette();
  style.text = &kText;
  return style;
}

Prediction triangle(double compute, double moving, double physical, const char* binding) {
  Prediction prediction;
  prediction.feasible = true;
  prediction.triangle = {compute, moving, physical, binding, "HBM", "chip temperature"};
  return prediction;
}

bool hasText(const DrawList& list, const std::string& text) {
  return std::any_of(list.labels.begin(), list.labels.end(),
                     [&](const Label& label) { return label.text == text; });
}

TokenRecord record(std::int64_t token, double duration_s) {
  TokenRecord record;
  record.token = token;
  record.duration_ns = std::llround(duration_s * 1e9);
  return record;
}

}  // namespace

class TestPanelScenes : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void heatNowIsTheEngine();
  void heatOverTimeKeepsTheHottest();
  void heatRowsOfMachines();
  void heatScrollsWithoutGrowing();
  void heatRestartsWithTheRun();
  void heatCellsResolve();
  void legendShowsEveryState();
  void triangleMarksSitOnTheirAxes();
  void triangleBeyondTheLimitLeavesIt();
  void triangleNamesWhatBinds();
  void triangleTimeShares();
  void infeasibleTriangleSaysSo();
  void stripKeepsEverySpike();
  void scrubbingRoundTrips();
  void eventsByShape();
  void pastIsMarked();
};

void TestPanelScenes::heatNowIsTheEngine() {
  Snapshot snapshot = test::livelySnapshot(test::nvl72Machine());
  HeatScene scene;
  DrawList list;
  scene.buildNow(snapshot, kBox, style(), 0, list);
  const CellGrid& grid = list.grids.back();
  QCOMPARE(grid.columns, 4);
  QCOMPARE(grid.rows, 18);
  const TemperatureScale scale{.throttle_c = 88, .shutdown_c = 0};
  for (std::size_t chip = 0; chip < 72; ++chip) {
    QCOMPARE(grid.cells[chip],
             mapColor(ColorMap::Inferno, scale.ratio(double(snapshot.chip_temperature_c[chip]))));
  }
  const auto hatched = std::count_if(list.quads.begin(), list.quads.end(),
                                     [](const Quad& q) { return q.border_width > 1.5f && q.fill.a == 0; });
  QVERIFY(hatched >= 2);
}

void TestPanelScenes::heatOverTimeKeepsTheHottest() {
  HeatScene scene;
  Snapshot snapshot = test::restingSnapshot(test::nvl72Machine());
  for (std::int64_t token = 0; token < 1000; ++token) {
    snapshot.token = token;
    snapshot.chip_temperature_c[14] = token == 502 ? 95.0f : 60.0f;  // a spike of one token in tray 04
    scene.add(snapshot);
  }
  DrawList list;
  scene.buildOverTime(snapshot, kBox, style(), 0, list);
  const auto grid = std::find_if(list.grids.begin(), list.grids.end(),
                                 [](const CellGrid& g) { return g.columns == HeatScene::kBins; });
  QVERIFY(grid != list.grids.end());
  const TemperatureScale scale{.throttle_c = 88, .shutdown_c = 0};
  const Color hot = mapColor(ColorMap::Inferno, scale.ratio(95));
  std::set<std::size_t> rows, bins;
  for (std::size_t i = 0; i < grid->cells.size(); ++i) {
    if (grid->cells[i] == hot) rows.insert(i / HeatScene::kBins), bins.insert(i % HeatScene::kBins);
  }
  QCOMPARE(rows, (std::set<std::size_t>{3}));
  QCOMPARE(bins, (std::set<std::size_t>{125}));  // token 502 of a window of 1,000 in 250 bins
}

void TestPanelScenes::heatRowsOfMachines() {
  HeatScene scene;
  scene.add(test::restingSnapshot(test::nvl72Machine()));
  QCOMPARE(scene.rows().size(), 18u);
  QCOMPARE(scene.rows()[3].label, std::string("04"));
  scene.add(test::restingSnapshot(test::hgx8Machine()));
  QCOMPARE(scene.rows().size(), 8u);
  scene.add(test::restingSnapshot(test::twoTierMachine(142, 72, 2, 1, 1)));
  QCOMPARE(scene.rows().size(), 142u);
  scene.add(test::restingSnapshot(test::torusMachine(16, 16, 16)));
  QVERIFY(scene.rows().size() <= 256u);
  for (const auto& machine : {test::nvl72Machine(), test::torusMachine(8, 8, 8),
                              test::twoTierMachine(142, 72, 2, 1, 1), test::meshMachine()}) {
    scene.add(test::restingSnapshot(machine));
    std::set<std::uint32_t> chips;
    for (const HeatRow& row : scene.rows()) chips.insert(row.chips.begin(), row.chips.end());
    QCOMPARE(chips.size(), std::size_t(machine->chip_count));
  }
}

void TestPanelScenes::heatScrollsWithoutGrowing() {
  HeatScene scene;
  Snapshot snapshot = test::restingSnapshot(test::nvl72Machine());
  for (std::int64_t token = 0; token < 20000; token += 2) snapshot.token = token, scene.add(snapshot);
  QVERIFY(scene.columns().size() < 600);
  QVERIFY(scene.columns().front().token <= 19998 - HeatScene::kWindowTokens);
}

void TestPanelScenes::heatRestartsWithTheRun() {
  HeatScene scene;
  Snapshot snapshot = test::restingSnapshot(test::nvl72Machine());
  snapshot.token = 5000, scene.add(snapshot);
  snapshot.token = 5010, scene.add(snapshot);
  snapshot.token = 5005, scene.add(snapshot);  // scrubbed back: nothing new
  QCOMPARE(scene.columns().size(), 2u);
  snapshot.token = 0, scene.add(snapshot);  // before everything seen: a new run
  QCOMPARE(scene.columns().size(), 1u);
}

void TestPanelScenes::heatCellsResolve() {
  const Snapshot snapshot = test::restingSnapshot(test::twoTierMachine(4, 36));
  HeatScene scene;
  scene.add(snapshot);
  DrawList list;
  scene.buildNow(snapshot, {0, 0, 400, 300}, style(), 0, list);
  std::set<std::uint32_t> chips;
  for (const CellGrid& grid : list.grids) {
    for (int i = 0; grid.pick_base != 0 && i < grid.columns * grid.rows; ++i) {
      const Pick pick = unpackPick(scene.resolve(grid.pick_base + PickId(i)));
      QCOMPARE(pick.kind, PickKind::Chip);
      chips.insert(pick.index);
    }
  }
  QCOMPARE(chips.size(), 144u);
  scene.buildOverTime(snapshot, {0, 0, 400, 300}, style(), 0, list);
  QCOMPARE(unpackPick(scene.resolve(packPick(PickKind::Cell, HeatScene::kBins * 2 + 7))).kind,
           PickKind::Tray);
}

void TestPanelScenes::legendShowsEveryState() {
  LegendInput input{{.throttle_c = 88, .shutdown_c = 93}, 74,         59, 2, 72,
                    "window: this phase, 41 µs",          {"a", "b"}, 0};
  DrawList list;
  paintLegend(input, {0, 0, 180, 500}, style(), list);
  for (const char* text :
       {"88 throttle", "93 shutdown", "74 max now", "59 mean", "25", "throttled: 2 of 72", "idle", "normal",
        "busy", "hot", "saturated", "> 100 %", "window: this phase, 41 µs"}) {
    QVERIFY2(hasText(list, text), text);
  }
  std::set<int> dashes;
  for (const Curve& curve : list.curves) dashes.insert(int(curve.dash));
  QCOMPARE(dashes.size(), 5u);
}

void TestPanelScenes::triangleMarksSitOnTheirAxes() {
  const Prediction now = triangle(0.5, 0.25, 1.0, "physical");
  DrawList list;
  buildTriangle({&now, nullptr, nullptr, TriangleReading::Pressure}, {0, 0, 300, 260}, style(), list);
  QCOMPARE(list.polygons.size(), 1u);
  const auto& corners = list.polygons[0].points;
  // The solid frame is the unit triangle: its corners give centre and radius.
  std::vector<Point> frame;
  for (const Curve& curve : list.curves) {
    if (curve.color == test::darkPalette().control_border && curve.dash == Dash::Solid)
      frame.push_back(curve.from);
  }
  QCOMPARE(frame.size(), 3u);
  const Point center{(frame[0].x + frame[1].x + frame[2].x) / 3, (frame[0].y + frame[1].y + frame[2].y) / 3};
  const double expected[] = {0.5, 0.25, 1.0};
  for (std::size_t i = 0; i < 3; ++i) {
    const double full = std::hypot(frame[i].x - center.x, frame[i].y - center.y),
                 got = std::hypot(corners[i].x - center.x, corners[i].y - center.y);
    QVERIFY(std::abs(got / full - expected[i]) < 0.01);
  }
}

void TestPanelScenes::triangleBeyondTheLimitLeavesIt() {
  const Prediction now = triangle(0.3, 0.3, 1.24, "physical");
  DrawList list;
  buildTriangle({&now, nullptr, nullptr, TriangleReading::Pressure}, {0, 0, 300, 260}, style(), list);
  QVERIFY(hasText(list, "over limit"));
  QVERIFY(hasText(list, "1.24"));
  for (const Point& p : list.polygons[0].points) QVERIFY(p.x >= 0 && p.x <= 300 && p.y >= 0 && p.y <= 260);
}

void TestPanelScenes::triangleNamesWhatBinds() {
  const Prediction now = triangle(0.34, 0.30, 1.0, "physical"), pinned = triangle(0.5, 0.5, 0.5, "balanced");
  DrawList list;
  buildTriangle({&now, &pinned, nullptr, TriangleReading::Pressure}, {0, 0, 320, 260}, style(), list);
  QVERIFY(hasText(list, "66 % free"));
  QVERIFY(hasText(list, "70 % free"));
  QVERIFY(hasText(list, "binding"));
  QVERIFY(std::any_of(list.curves.begin(), list.curves.end(), [](const Curve& c) {
    return c.color == test::darkPalette().pinned && c.dash == Dash::Long;
  }));
  QVERIFY(describeTriangle(now, TriangleReading::Pressure).find("binding: Physical") != std::string::npos);
}

void TestPanelScenes::triangleTimeShares() {
  Prediction now = triangle(0.3, 0.3, 0.3, "balanced");
  now.triangle_time_share = {0.4, 0.35, 0.05};
  now.breakdown_s[StepPart::Math] = 8.4e-3;
  now.breakdown_s[StepPart::WeightsHbm] = 4e-3;
  now.breakdown_s[StepPart::Collectives] = 3e-3;
  now.breakdown_s[StepPart::Overlap] = -1e-3;
  now.breakdown_s[StepPart::Wait] = 1.5e-3;
  DrawList list;
  buildTriangle({&now, nullptr, nullptr, TriangleReading::Time}, {0, 0, 320, 260}, style(), list);
  for (const char* text : {"40 %", "35 %", "5 %", "8.4 ms", "6 ms", "outside: launch, host, waiting 1.5 ms"})
    QVERIFY2(hasText(list, text), text);
}

void TestPanelScenes::infeasibleTriangleSaysSo() {
  Prediction now;
  DrawList list;
  buildTriangle({&now, nullptr, nullptr, TriangleReading::Pressure}, {0, 0, 300, 200}, style(), list);
  QVERIFY(hasText(list, "this scenario cannot run"));
  buildTriangle({nullptr, nullptr, nullptr, TriangleReading::Pressure}, {0, 0, 300, 200}, style(), list);
  QVERIFY(list.polygons.empty());
}

void TestPanelScenes::stripKeepsEverySpike() {
  QVERIFY(rc::check("the worst token survives every merge of bins", [] {
    TokenStrip strip;
    const auto count = *rc::gen::inRange<std::int64_t>(1, 60000),
               spike = *rc::gen::inRange<std::int64_t>(0, 60000) % count,
               first = *rc::gen::inRange<std::int64_t>(0, 5000);
    for (std::int64_t token = 0; token < count; ++token)
      strip.add(first + token, token == spike ? 0.9f : 0.02f);
    RC_ASSERT(strip.worst() == 0.9f);
    RC_ASSERT(strip.worst(first + spike, first + spike + 1) == 0.9f);
    RC_ASSERT(strip.lastToken() == first + count - 1);
    RC_ASSERT(strip.tokensPerBin() * std::int64_t(TokenStrip::kMostBins) >= count);
    const std::int64_t away = first + spike + 2 * strip.tokensPerBin();
    if (away < first + count) RC_ASSERT(strip.worst(away, away + 1) == 0.02f);
  }));
}

void TestPanelScenes::scrubbingRoundTrips() {
  HistoryScene scene;
  Snapshot snapshot = test::restingSnapshot(test::nvl72Machine());
  for (std::int64_t token = 100; token <= 1204; ++token) snapshot.recent.push_back(record(token, 0.025));
  snapshot.token = 1204;
  scene.add(snapshot);
  scene.setLive(1204, false);
  DrawList list;
  scene.build(snapshot, {0, 0, 1400, 44}, style(), 0, list);
  for (const std::int64_t token : {100, 101, 640, 1203, 1204})
    QVERIFY(std::abs(scene.tokenAt(scene.xOf(token)) - token) <= 1);
  QCOMPARE(scene.tokenAt(-50), 100);
  QCOMPARE(scene.tokenAt(9999), 1204);
}

void TestPanelScenes::eventsByShape() {
  HistoryScene scene;
  Snapshot snapshot = test::restingSnapshot(test::nvl72Machine());
  for (std::int64_t token = 0; token <= 1000; ++token) snapshot.recent.push_back(record(token, 0.025));
  snapshot.events = {{EventKind::Arrival, 10, 50, 1, {}},
                     {EventKind::Preemption, 20, 200, 3, {}},
                     {EventKind::Fault, 30, 500, 1, "tray 04 flow drops"},
                     {EventKind::ThrottleOn, 40, 800, 2, {}}};
  snapshot.token = 1000;
  scene.add(snapshot);
  QCOMPARE(scene.events().size(), 3u);  // arrivals are too many to mark
  scene.add(snapshot);
  DrawList list;
  scene.build(snapshot, {0, 0, 1400, 44}, style(), 0, list);
  for (const char* text : {"preempt ×3", "tray 04 flow drops", "throttle: 2 chips", "live"})
    QVERIFY2(hasText(list, text), text);
  int discs = 0, squares = 0, triangles = 0;
  for (const Quad& quad : list.overlays) {
    if (unpackPick(quad.pick).kind != PickKind::Event) continue;
    (quad.radius > 0 ? discs : squares) += 1;
  }
  for (const Polygon& polygon : list.polygons)
    triangles += unpackPick(polygon.pick).kind == PickKind::Event ? 1 : 0;
  QCOMPARE(discs, 1);
  QCOMPARE(squares, 1);
  QCOMPARE(triangles, 1);
}

void TestPanelScenes::pastIsMarked() {
  HistoryScene scene;
  Snapshot snapshot = test::restingSnapshot(test::nvl72Machine());
  for (std::int64_t token = 0; token <= 1204; ++token) snapshot.recent.push_back(record(token, 0.025));
  scene.add(snapshot);
  snapshot.token = 812;
  scene.setLive(1204, true);
  DrawList list;
  scene.build(snapshot, {0, 0, 1400, 44}, style(), 0, list);
  QVERIFY(hasText(list, "past: token 812"));
  QVERIFY(hasText(list, "1,204 tokens"));
}

QTEST_GUILESS_MAIN(TestPanelScenes)
#include "tst_panel_scenes.moc"
