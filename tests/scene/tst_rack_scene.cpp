// The machine's picture, without a pixel: where things stand, what they look like, what can be picked.
#include "scene/rack_scene.h"
#include "support/fixed_text.h"
#include "support/tiny_cluster.h"

#include <rapidcheck.h>

#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace decodescope;
using namespace decodescope::scene;

namespace {

const test::FixedText kText;

SceneStyle style() {
  SceneStyle style;
  style.palette = test::darkPalette();
  style.text = &kText;
  return style;
}

struct Picture {
  RackScene scene;
  DrawList list;
};

std::unique_ptr<Picture> draw(const Snapshot& snapshot, float width = 1230, float height = 570,
                              PickId selected = 0) {
  auto picture = std::make_unique<Picture>();
  picture->scene.setViewport({0, 0, width, height}, style());
  picture->scene.build({&snapshot, selected, 0, 0}, picture->list);
  return picture;
}

const Quad* quadOf(const DrawList& list, PickId pick) {
  for (const Quad& quad : list.quads) {
    if (quad.pick == pick) return &quad;
  }
  return nullptr;
}

std::vector<Curve> curvesOf(const DrawList& list, PickKind kind) {
  std::vector<Curve> curves;
  for (const Curve& curve : list.curves) {
    if (unpackPick(curve.pick).kind == kind) curves.push_back(curve);
  }
  return curves;
}

PickId chip(std::uint32_t index) {
  return packPick(PickKind::Chip, index);
}

// What letters and digits cover: less than the line they stand in.
Rect inkBox(const Label& label) {
  const float em = kText.lineHeight(label.font) / 1.36f * label.scale;
  Rect box = labelBox(label, kText);
  return {box.x, box.center().y - em * 0.38f, box.width, em * 0.76f};
}

// The first two labels that overlap, or nothing.
std::string overlapping(const std::vector<Label>& labels) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t j = i + 1; j < labels.size(); ++j) {
      if (overlaps(inkBox(labels[i]), inkBox(labels[j]))) return labels[i].text + " over " + labels[j].text;
    }
  }
  return {};
}

}  // namespace

class TestRackScene : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void arrangements();
  void traysStandInTheirOrder();
  void chipsStandInTheirSlots();
  void chipColourIsItsTemperature();
  void throttledChipsAreHatched();
  void numberIsTheTemperature();
  void bundleShowsTheWorstLink();
  void saturatedLinkIsDoubleWithBadge();
  void selectedChipFansToEverySwitch();
  void lanesOfUnequalDirections();
  void pickingFindsEveryChip();
  void levelOfDetail();
  void zoomedInChipShowsMore();
  void groupsAndPlanesOfTwoTiers();
  void tenThousandChipsStayWithinBudget();
  void scaleOutGroupsByDomain();
  void torusNeighboursAreLinked();
  void slicesOfALargeTorus();
  void meshHasEveryLink();
  void tokenFlowShowsTheCollective();
  void wholeStepWindow();
  void labelsNeverOverlap();
  void placerNeverOverlaps();
  void placerKeepsPlaces();
  void arrowKeysReachEveryChip();
  void fitOfASelection();
  void describesInWords();
  void emptyAndShortSnapshots();
  void sameInputSameList();
};

void TestRackScene::arrangements() {
  const Rect area{0, 0, 1000, 500};
  QCOMPARE(layoutMachine(*test::nvl72Machine(), area, 1).arrangement, Arrangement::Elevation);
  QCOMPARE(layoutMachine(*test::hgx8Machine(), area, 1).arrangement, Arrangement::Elevation);
  QCOMPARE(layoutMachine(*test::twoTierMachine(), area, 1).arrangement, Arrangement::Cluster);
  QCOMPARE(layoutMachine(*test::torusMachine(), area, 1).arrangement, Arrangement::Lattice);
  QCOMPARE(layoutMachine(*test::meshMachine(), area, 1).arrangement, Arrangement::Ring);
}

void TestRackScene::traysStandInTheirOrder() {
  const MachineLayout layout = layoutMachine(*test::nvl72Machine(), {0, 0, 1000, 500}, 1);
  // 4 power shelves share a row above, 4 below; management; 18 compute and 9 switch trays.
  QCOMPARE(layout.trays.size(), 30u);
  QCOMPARE(layout.trays.front().label, std::string("power ×4"));
  QCOMPARE(layout.trays[2].label, std::string("01"));
  QCOMPARE(layout.trays[12].label, std::string("S1"));
  QCOMPARE(layout.trays[21].label, std::string("11"));
  for (std::size_t i = 1; i < layout.trays.size(); ++i)
    QVERIFY(layout.trays[i].rect.y >= layout.trays[i - 1].rect.bottom() - 0.01f);
  QVERIFY(layout.trays.back().rect.bottom() <= 500);
}

void TestRackScene::chipsStandInTheirSlots() {
  const auto machine = test::nvl72Machine();
  const MachineLayout layout = layoutMachine(*machine, {0, 0, 1000, 500}, 1);
  for (const TrayBox& tray : layout.trays) {
    float x = tray.rect.x;
    for (const NodeId node : machine->trays[tray.tray.value].nodes) {
      const Rect& tile = layout.node_rects[node.value];
      QVERIFY(tile.x >= x && tile.y >= tray.rect.y && tile.right() <= tray.rect.right() &&
              tile.bottom() <= tray.rect.bottom());
      x = tile.right();
    }
  }
}

void TestRackScene::chipColourIsItsTemperature() {
  Snapshot snapshot = test::restingSnapshot(test::nvl72Machine());
  snapshot.chip_temperature_c[5] = 25;
  snapshot.chip_temperature_c[6] = 98;
  snapshot.chip_temperature_c[7] = 61.5f;
  const auto picture = draw(snapshot);
  QCOMPARE(quadOf(picture->list, chip(5))->fill, mapColor(ColorMap::Inferno, 0));
  QCOMPARE(quadOf(picture->list, chip(6))->fill, mapColor(ColorMap::Inferno, 1));
  QCOMPARE(quadOf(picture->list, chip(7))->fill, mapColor(ColorMap::Inferno, 0.5));
}

void TestRackScene::throttledChipsAreHatched() {
  Snapshot snapshot = test::restingSnapshot(test::nvl72Machine());
  snapshot.chip_throttle[12] = static_cast<std::uint8_t>(ThrottleReason::HwThermal);
  const auto picture = draw(snapshot);
  int hatched = 0;
  for (const Quad& quad : picture->list.quads)
    hatched += unpackPick(quad.pick).kind == PickKind::Chip && quad.hatch == Hatch::Diagonal ? 1 : 0;
  QCOMPARE(hatched, 1);
  QCOMPARE(quadOf(picture->list, chip(12))->hatch, Hatch::Diagonal);
  QVERIFY(quadOf(picture->list, chip(12))->border_width > quadOf(picture->list, chip(13))->border_width ||
          quadOf(picture->list, chip(13))->border.a == 0);
  // Not a hue of its own: the fill stays what the temperature says.
  QCOMPARE(quadOf(picture->list, chip(12))->fill, quadOf(picture->list, chip(13))->fill);
}

void TestRackScene::numberIsTheTemperature() {
  Snapshot snapshot = test::restingSnapshot(test::nvl72Machine());
  snapshot.chip_temperature_c[20] = 71.6f;
  const auto picture = draw(snapshot);
  const Rect tile = quadOf(picture->list, chip(20))->rect;
  const auto label = std::find_if(picture->list.labels.begin(), picture->list.labels.end(),
                                  [&](const Label& l) { return tile.contains(l.anchor); });
  QVERIFY(label != picture->list.labels.end());
  QCOMPARE(label->text, std::string("72"));
}

void TestRackScene::bundleShowsTheWorstLink() {
  Snapshot snapshot = test::restingSnapshot(test::nvl72Machine());
  // Chip 4.2 to switch 7: link (13, 6), backward only.
  const std::size_t link = 13 * 18 + 6;
  snapshot.link_phase_ratio[2 * link + 1] = 0.93f;
  const auto picture = draw(snapshot);
  const auto bundles = curvesOf(picture->list, PickKind::Tray);
  QCOMPARE(bundles.size(), 18u);
  int hot = 0;
  for (const Curve& curve : bundles) hot += curve.dash == Dash::Short ? 1 : 0;
  QCOMPARE(hot, 1);
  const auto shown = std::count_if(picture->list.labels.begin(), picture->list.labels.end(),
                                   [](const Label& l) { return l.text == "93 %"; });
  QCOMPARE(shown, 2);  // tray 04, and the switch tray of switch 7
  const auto load =
      picture->scene.layout().tray_bundles.load(3, LinkLoads(snapshot, LinkWindow::BusiestPhase));
  QCOMPARE(load.link.value, std::uint32_t(link));
  QVERIFY(load.backward);
  QCOMPARE(load.cables, 72u);
}

void TestRackScene::saturatedLinkIsDoubleWithBadge() {
  Snapshot snapshot = test::restingSnapshot(test::meshMachine(4));
  snapshot.link_phase_ratio[0] = snapshot.link_phase_ratio[1] = 1.2f;
  const auto picture = draw(snapshot);
  const auto links = curvesOf(picture->list, PickKind::Link);
  QCOMPARE(std::count_if(links.begin(), links.end(), [](const Curve& c) { return c.dash == Dash::Double; }),
           1);
  QCOMPARE(std::count_if(picture->list.labels.begin(), picture->list.labels.end(),
                         [](const Label& l) { return l.text == "!"; }),
           1);
  QVERIFY(!picture->scene.moves());
}

void TestRackScene::selectedChipFansToEverySwitch() {
  Snapshot snapshot = test::restingSnapshot(test::nvl72Machine());
  const auto picture = draw(snapshot, 1230, 570, chip(40));
  std::set<std::uint32_t> links;
  for (const Curve& curve : curvesOf(picture->list, PickKind::Link))
    links.insert(unpackPick(curve.pick).index);
  QCOMPARE(links.size(), 18u);
  for (const std::uint32_t link : links) QCOMPARE(snapshot.topology->links[link].from.value, 40u);
}

void TestRackScene::lanesOfUnequalDirections() {
  Snapshot snapshot = test::restingSnapshot(test::meshMachine(3));
  snapshot.link_phase_ratio[0] = 0.95f;
  snapshot.link_phase_ratio[1] = 0.20f;
  const auto picture = draw(snapshot);
  int lanes = 0;
  for (const Curve& curve : curvesOf(picture->list, PickKind::Link))
    lanes += unpackPick(curve.pick).index == 0 ? 1 : 0;
  QCOMPARE(lanes, 2);
}

void TestRackScene::pickingFindsEveryChip() {
  for (const auto& machine : {test::nvl72Machine(), test::hgx8Machine(), test::twoTierMachine(),
                              test::torusMachine(), test::meshMachine()}) {
    const Snapshot snapshot = test::restingSnapshot(machine);
    const auto picture = draw(snapshot, 1400, 760);
    for (std::uint32_t i = 0; i < machine->chip_count; ++i) {
      const Quad* tile = quadOf(picture->list, chip(i));
      QVERIFY(tile != nullptr);
      // A little off the centre, where no number stands; lines that cross a tile win there.
      const PickId hit =
          hitTest(picture->list,
                  {tile->rect.x + tile->rect.width * 0.3f, tile->rect.y + tile->rect.height * 0.3f}, 0);
      QCOMPARE(unpackPick(hit).kind, PickKind::Chip);
      QCOMPARE(unpackPick(hit).index, i);
    }
  }
}

void TestRackScene::levelOfDetail() {
  QCOMPARE(detailOf(5.9f, 1), Detail::Racks);
  QCOMPARE(detailOf(6, 1), Detail::Cells);
  QCOMPARE(detailOf(16, 1), Detail::Tiles);
  QCOMPARE(detailOf(48, 1), Detail::Chips);
  const Snapshot snapshot = test::livelySnapshot(test::twoTierMachine());
  const auto small = draw(snapshot, 420, 260), large = draw(snapshot, 1800, 1000);
  QVERIFY(small->scene.detail() < large->scene.detail());
}

void TestRackScene::zoomedInChipShowsMore() {
  const Snapshot snapshot = test::restingSnapshot(test::nvl72Machine());
  auto picture = draw(snapshot);
  picture->scene.camera().fitTo(*picture->scene.placeOf(chip(30)));
  picture->scene.build({&snapshot, 0, 0, 0}, picture->list);
  QCOMPARE(picture->scene.detail(), Detail::Chips);
  std::set<std::string> texts;
  for (const Label& label : picture->list.labels) texts.insert(label.text);
  QVERIFY(texts.contains("60 °C"));
  QVERIFY(texts.contains("clock 100 %"));
  const auto bars = std::count_if(picture->list.quads.begin(), picture->list.quads.end(),
                                  [](const Quad& q) { return q.fill == test::darkPalette().hbm; });
  QVERIFY(bars >= 1);
}

void TestRackScene::groupsAndPlanesOfTwoTiers() {
  Snapshot snapshot = test::restingSnapshot(test::twoTierMachine());
  const TopologyView& view = *snapshot.topology;
  // One uplink of group 6, plane 12 (counted from 1) above its capacity.
  for (std::uint32_t i = 0; i < view.links.size(); ++i) {
    const TopologyNode& from = view.nodes[view.links[i].from.value];
    if (view.links[i].link_class == LinkClass::InterSwitch && from.group == 5 && from.plane == 11) {
      snapshot.link_phase_ratio[2 * i] = 1.13f;
      break;
    }
  }
  const auto picture = draw(snapshot, 1230, 570, packPick(PickKind::Group, 5));
  const MachineLayout& layout = picture->scene.layout();
  QCOMPARE(layout.groups.size(), 16u);
  QCOMPARE(layout.planes.size(), 18u);
  QCOMPARE(layout.groups[5].title, std::string("G06"));
  QCOMPARE(layout.groups[5].chip_nodes.size(), 36u);
  QCOMPARE(layout.group_plane_bundles.cables(0), 36u);  // 9 upper switches, 4 cables each
  std::set<std::string> texts;
  for (const Label& label : picture->list.labels) texts.insert(label.text);
  QVERIFY(texts.contains("P12: 113 % demanded"));
  QVERIFY(texts.contains("18 planes × 9 switches, % of the 36 links from G06"));
  QVERIFY(layout.summary.find("20,736 links, 12,960 bundles") != std::string::npos);
}

void TestRackScene::tenThousandChipsStayWithinBudget() {
  const Snapshot snapshot = test::livelySnapshot(test::twoTierMachine(142, 72, 18, 4, 4));
  const auto picture = draw(snapshot);
  QVERIFY(picture->list.curves.size() <= 2000);
  QVERIFY(picture->list.labels.size() + picture->list.layers[0].labels.size() <= 300);
  QVERIFY(picture->list.quads.size() <= 3000);  // groups, not ten thousand tiles
}

void TestRackScene::scaleOutGroupsByDomain() {
  // Two domains of four chips joined by two rails.
  test::MachineBuilder build("two nodes");
  const RackId rack = build.addRack("Rack 1");
  const TrayId trays[] = {build.addTray(rack, TrayKind::Compute, 1),
                          build.addTray(rack, TrayKind::Compute, 2)};
  for (std::uint32_t i = 0; i < 8; ++i)
    build.addNode({.kind = NodeKind::Chip, .domain = i / 4, .tray = trays[i / 4]});
  for (std::uint16_t rail = 0; rail < 2; ++rail)
    build.addNode({.kind = NodeKind::Switch, .tier = 11, .plane = rail, .tray = {}});
  for (std::uint32_t i = 0; i < 8; ++i) build.addLink(NodeId{i}, NodeId{8 + i % 2}, LinkClass::ScaleOut);
  const Snapshot snapshot = test::restingSnapshot(build.finish());
  const auto picture = draw(snapshot);
  QCOMPARE(picture->scene.layout().arrangement, Arrangement::Cluster);
  QCOMPARE(picture->scene.layout().groups.size(), 2u);
  QCOMPARE(picture->scene.layout().groups[1].title, std::string("D02"));
  QCOMPARE(picture->scene.layout().planes.size(), 2u);
  QCOMPARE(picture->scene.layout().group_plane_bundles.cables(0), 2u);
}

void TestRackScene::torusNeighboursAreLinked() {
  const Snapshot snapshot = test::restingSnapshot(test::torusMachine(4, 4, 4));
  const auto picture = draw(snapshot);
  std::set<std::uint32_t> links;
  for (const Curve& curve : curvesOf(picture->list, PickKind::Link))
    links.insert(unpackPick(curve.pick).index);
  QCOMPARE(links.size(), 192u);
  // Along x chips stand to the right, along y below, in depth above and to the right.
  const auto& rects = picture->scene.layout().node_rects;
  QVERIFY(rects[16].x > rects[0].x && rects[16].y == rects[0].y);
  QVERIFY(rects[4].y > rects[0].y && rects[4].x == rects[0].x);
  QVERIFY(rects[1].x > rects[0].x && rects[1].y < rects[0].y);
  for (std::uint32_t a = 0; a < 64; ++a) {
    for (std::uint32_t b = a + 1; b < 64; ++b) QVERIFY(!overlaps(rects[a], rects[b]));
  }
}

void TestRackScene::slicesOfALargeTorus() {
  const Snapshot snapshot = test::restingSnapshot(test::torusMachine(16, 16, 16));
  const auto picture = draw(snapshot);
  const MachineLayout& layout = picture->scene.layout();
  QVERIFY(layout.sliced);
  QCOMPARE(layout.groups.size(), 16u);
  QCOMPARE(layout.slice_bundles.cables(3), 256u);
  QVERIFY(picture->list.curves.size() < 200);
}

void TestRackScene::meshHasEveryLink() {
  const auto picture = draw(test::restingSnapshot(test::meshMachine(8)));
  std::set<std::uint32_t> links;
  for (const Curve& curve : curvesOf(picture->list, PickKind::Link))
    links.insert(unpackPick(curve.pick).index);
  QCOMPARE(links.size(), 28u);
}

void TestRackScene::tokenFlowShowsTheCollective() {
  Snapshot snapshot = test::restingSnapshot(test::nvl72Machine());
  snapshot.timeline = test::tinyTimeline(*snapshot.topology);
  snapshot.phase = 0;
  const auto computing = draw(snapshot);
  QCOMPARE(quadOf(computing->list, chip(0))->border, test::darkPalette().compute);
  QCOMPARE(tokenFlow(snapshot).caption, std::string("Layer 1 of 2: attention"));
  QVERIFY(!computing->scene.moves());

  snapshot.phase = 4;
  const auto combining = draw(snapshot);
  QCOMPARE(tokenFlow(snapshot).caption, std::string("Layer 2 of 2: MoE combine"));
  QVERIFY(quadOf(combining->list, chip(0))->border != test::darkPalette().compute);
  // Every link carries 80 % of what it could while the phase lasts: busy, and its dashes flow.
  const LinkLoads loads(snapshot, LinkWindow::BusiestPhase);
  QCOMPARE(loads.window(), LinkWindow::ThisPhase);
  QCOMPARE(loads.windowText(), std::string("window: this phase, 41 µs"));
  QVERIFY(std::abs(loads.forward(LinkId{7}) - 0.8f) < 1e-5f);
  QVERIFY(combining->scene.moves());
  QCOMPARE(phaseAt(*snapshot.timeline, 0.0), 0);
  QCOMPARE(phaseAt(*snapshot.timeline, 0.999), 5);
  QCOMPARE(phaseAt(*snapshot.timeline, (60e-6 + 1e-6) / snapshot.timeline->step_s), 1);
}

void TestRackScene::wholeStepWindow() {
  const Snapshot snapshot = test::restingSnapshot(test::nvl72Machine());
  const LinkLoads loads(snapshot, LinkWindow::WholeStep);
  QCOMPARE(loads.forward(LinkId{3}), 0.04f);
  QCOMPARE(LinkLoads(snapshot, LinkWindow::BusiestPhase).forward(LinkId{3}), 0.4f);
}

void TestRackScene::labelsNeverOverlap() {
  QVERIFY(rc::check("no two labels of the canvas overlap", [] {
    const int kind = *rc::gen::inRange(0, 5);
    const auto machine = kind == 0   ? test::nvl72Machine()
                         : kind == 1 ? test::twoTierMachine()
                         : kind == 2 ? test::hgx8Machine()
                         : kind == 3 ? test::meshMachine()
                                     : test::torusMachine();
    const auto width = float(*rc::gen::inRange(420, 1900)), height = float(*rc::gen::inRange(300, 1000));
    const auto picture = draw(test::livelySnapshot(machine), width, height);
    RC_ASSERT(overlapping(picture->list.labels) == "");
    RC_ASSERT(overlapping(picture->list.layers[0].labels) == "");
  }));
}

void TestRackScene::placerNeverOverlaps() {
  QVERIFY(rc::check("placed labels are inside and apart, and the most important one is there", [] {
    LabelPlacer placer;
    const int count = *rc::gen::inRange(1, 80);
    for (int i = 0; i < count; ++i) {
      LabelRequest request;
      request.label.text = std::string(std::size_t(*rc::gen::inRange(1, 12)), 'x');
      request.label.anchor = {float(*rc::gen::inRange(60, 540)), float(*rc::gen::inRange(10, 290))};
      request.label.align = static_cast<Align>(*rc::gen::inRange(0, 3));
      request.priority = i == 0 ? LabelPriority::Selected : LabelPriority::Rest;
      request.alternatives.push_back({float(*rc::gen::inRange(60, 540)), float(*rc::gen::inRange(10, 290))});
      if (i == 0) request.label.text = "me", request.label.anchor = {300, 150};
      placer.add(std::move(request));
    }
    std::vector<Label> placed;
    placer.place({0, 0, 600, 300}, kText, placed);
    RC_ASSERT(!placed.empty() && placed.front().text == "me");
    for (std::size_t i = 0; i < placed.size(); ++i) {
      const Rect box = labelBox(placed[i], kText);
      RC_ASSERT(box.x >= 0 && box.y >= 0 && box.right() <= 600 && box.bottom() <= 300);
      for (std::size_t j = 0; j < i; ++j) RC_ASSERT(!overlaps(box, labelBox(placed[j], kText)));
    }
  }));
}

void TestRackScene::placerKeepsPlaces() {
  LabelPlacer placer;
  const auto frame = [&placer](bool obstacle) {
    if (obstacle) placer.reserve({90, 90, 60, 20});
    LabelRequest request;
    request.label.text = "label", request.label.anchor = {100, 100}, request.key = 5;
    request.alternatives = {{100, 200}};
    placer.add(std::move(request));
    std::vector<Label> placed;
    placer.place({0, 0, 400, 400}, kText, placed);
    return placed.at(0).anchor.y;
  };
  QCOMPARE(frame(false), 100.0f);
  QCOMPARE(frame(true), 200.0f);
  QCOMPARE(frame(false), 200.0f);  // still free there: it stays
}

void TestRackScene::arrowKeysReachEveryChip() {
  for (const auto& machine :
       {test::nvl72Machine(), test::twoTierMachine(4, 36), test::torusMachine(), test::meshMachine()}) {
    const auto picture = draw(test::restingSnapshot(machine));
    std::set<std::uint32_t> seen{0};
    std::vector<std::uint32_t> next{0};
    while (!next.empty()) {
      const std::uint32_t at = next.back();
      next.pop_back();
      for (const Step step : {Step::Left, Step::Right, Step::Up, Step::Down}) {
        const std::uint32_t to = picture->scene.neighbour(ChipId{at}, step).value;
        if (seen.insert(to).second) next.push_back(to);
      }
    }
    QCOMPARE(seen.size(), std::size_t(machine->chip_count));
  }
}

void TestRackScene::fitOfASelection() {
  auto picture = draw(test::restingSnapshot(test::twoTierMachine()));
  QVERIFY(picture->scene.placeOf(packPick(PickKind::Group, 3)));
  QVERIFY(picture->scene.placeOf(packPick(PickKind::Plane, 17)));
  QVERIFY(!picture->scene.placeOf(packPick(PickKind::Plane, 99)));
  QVERIFY(!picture->scene.placeOf(0));
}

void TestRackScene::describesInWords() {
  Snapshot snapshot = test::livelySnapshot(test::nvl72Machine());
  const auto picture = draw(snapshot);
  const std::string text = picture->scene.describe(snapshot, chip(12));
  for (const char* part : {"88 °C", "slowed by heat", "clock 94 %", "900 W", "KV cache", "busiest link"}) {
    QVERIFY2(text.find(part) != std::string::npos, text.c_str());
  }
  QVERIFY(picture->scene.describeAll(snapshot).find("2 throttled") != std::string::npos);
  QVERIFY(picture->scene.describe(snapshot, packPick(PickKind::Link, 5)).find("50 GB/s") !=
          std::string::npos);
}

void TestRackScene::emptyAndShortSnapshots() {
  Snapshot none;
  QVERIFY(draw(none)->list.quads.empty());
  // An infeasible scenario has a machine but no state.
  Snapshot bare;
  bare.topology = test::nvl72Machine();
  const auto picture = draw(bare);
  QVERIFY(quadOf(picture->list, chip(0)) != nullptr);
  Snapshot tiny = test::restingSnapshot(test::nvl72Machine());
  QVERIFY(!draw(tiny, 40, 20)->list.quads.empty());
}

void TestRackScene::sameInputSameList() {
  const Snapshot snapshot = test::livelySnapshot(test::nvl72Machine());
  const auto a = draw(snapshot), b = draw(snapshot);
  QCOMPARE(a->list.curves.size(), b->list.curves.size());
  QCOMPARE(a->list.labels.size(), b->list.labels.size());
  for (std::size_t i = 0; i < a->list.labels.size(); ++i)
    QCOMPARE(a->list.labels[i].text, b->list.labels[i].text);
}

QTEST_GUILESS_MAIN(TestRackScene)
#include "tst_rack_scene.moc"
