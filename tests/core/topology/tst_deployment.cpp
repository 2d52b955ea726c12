#include <QtTest>

#include "core/topology/standing.h"
#include "core/topology/systems.h"
#include "topology/topology.h"
#include "topology/torus_shape.h"

#include <map>
#include <set>

using namespace decodescope;
using topology::buildDeployment;

namespace {

TopologyView deploy(const SystemSpec& system, int chips, const Fabric& fabric = {},
                    std::span<const Fault> faults = {}) {
  const auto built = buildDeployment(system, ChipSpec{}, chips, fabric, faults);
  if (!built) qFatal("%s", built.error().text().c_str());
  return built->view();
}

int countTrays(const TopologyView& view, TrayKind kind, bool populated) {
  int count = 0;
  for (const TopologyTray& tray : view.trays) count += tray.kind == kind && tray.nodes.empty() != populated;
  return count;
}

int countSwitches(const TopologyView& view, int tier) {
  int count = 0;
  for (const TopologyNode& node : view.nodes) count += node.kind == NodeKind::Switch && node.tier == tier;
  return count;
}

/// Sum of capacities of the links of one class at a node.
double capacityAt(const TopologyView& view, NodeId node, LinkClass link_class) {
  double sum = 0;
  for (std::uint32_t i = view.node_link_begin[node.value]; i < view.node_link_begin[node.value + 1]; ++i) {
    const TopologyLink& link = view.links[view.node_links[i].value];
    if (link.link_class == link_class) sum += link.capacity_bytes_per_s;
  }
  return sum;
}

}  // namespace

class TestDeployment : public QObject {
  Q_OBJECT

 private slots:
  void nvl72StandsAsBuilt();
  void partialRackKeepsEmptyTrays();
  void everyMachineStandsWholly_data();
  void everyMachineStandsWholly();
  void boxesShareRacks();
  void halfRacksHoldTheirGroups();
  void secondTierHasItsOwnRacks();
  void torusRacksAreCubes();
  void railsJoinEqualSlots();
  void fabricCarriesWhatItSays();
  void manyDomainsNeedAFabric();
  void faultsReduceCapacity();
  void unknownFaultNamesAnExample();
  void slicesAreCompact_data();
  void slicesAreCompact();
  void linkIndexIsComplete();
  void tenThousandChipsAreQuick();
};

void TestDeployment::nvl72StandsAsBuilt() {
  const TopologyView view = deploy(test::nvl72(), 72);
  QCOMPARE(view.racks.size(), std::size_t{1});
  QCOMPARE(view.nodes.size(), std::size_t{90});
  QCOMPARE(view.links.size(), std::size_t{1296});
  QCOMPARE(nodeLabel(view, NodeId{0}), std::string("Chip 01.1"));
  QCOMPARE(nodeLabel(view, NodeId{12}), std::string("Chip 04.1"));
  QCOMPARE(nodeLabel(view, NodeId{71}), std::string("Chip 18.4"));
  QCOMPARE(nodeLabel(view, NodeId{72}), std::string("Switch S1.1"));
  QCOMPARE(nodeLabel(view, NodeId{89}), std::string("Switch S9.2"));
  QCOMPARE(linkLabel(view, LinkId{12 * 18 + 13}), std::string("Chip 04.1 - Switch S7.2"));
  QCOMPARE(countTrays(view, TrayKind::Compute, true), 18);
  QCOMPARE(countTrays(view, TrayKind::Switch, true), 9);
  QCOMPARE(countTrays(view, TrayKind::Power, false), 8);
  // Ten compute trays, then nine switch trays, then eight compute trays.
  std::string order;
  for (const TrayId id : view.racks[0].trays) {
    const TrayKind kind = view.trays[id.value].kind;
    if (kind == TrayKind::Compute) order += 'c';
    if (kind == TrayKind::Switch) order += 's';
  }
  QCOMPARE(order, std::string(10, 'c') + std::string(9, 's') + std::string(8, 'c'));
  QCOMPARE(int{view.trays[view.nodes[0].tray.value].unit}, 8);
  QCOMPARE(capacityAt(view, NodeId{0}, LinkClass::ScaleUp), 900e9);
}

void TestDeployment::partialRackKeepsEmptyTrays() {
  const TopologyView view = deploy(test::nvl72(), 36);
  QCOMPARE(countTrays(view, TrayKind::Compute, true), 9);
  QCOMPARE(countTrays(view, TrayKind::Compute, false), 9);
  QCOMPARE(countSwitches(view, 1), 18);
  const TopologyView odd = deploy(test::nvl72(), 37);
  QCOMPARE(countTrays(odd, TrayKind::Compute, true), 10);
}

void TestDeployment::everyMachineStandsWholly_data() {
  QTest::addColumn<int>("machine");
  QTest::addColumn<int>("chips");
  const int sizes[][2] = {{0, 1},   {0, 8},  {0, 71},   {0, 72},  {0, 73},   {0, 576}, {1, 1},
                          {1, 8},   {1, 20}, {1, 640},  {2, 8},   {2, 36},   {2, 40},  {2, 72},
                          {2, 144}, {3, 36}, {3, 100},  {3, 576}, {3, 1152}, {4, 1},   {4, 64},
                          {4, 72},  {4, 37}, {4, 4096}, {5, 8},   {5, 100},  {5, 256}, {5, 512}};
  for (const auto& [machine, chips] : sizes) QTest::addRow("%d x%d", machine, chips) << machine << chips;
}

void TestDeployment::everyMachineStandsWholly() {
  QFETCH(int, machine);
  QFETCH(int, chips);
  const SystemSpec systems[] = {test::nvl72(),
                                test::hgxH100(),
                                test::nvl36x2(),
                                test::nvl576(),
                                test::tpuPod({16, 16, 16}, 64, 16, 4, 45e9),
                                test::tpuPod({16, 16, 1}, 4, 8, 8, 45e9)};
  const TopologyView view = deploy(systems[machine], chips);
  QCOMPARE(view.chip_count, static_cast<std::uint32_t>(chips));
  test::checkStanding(view);
}

void TestDeployment::boxesShareRacks() {
  const TopologyView view = deploy(test::hgxH100(), 40);
  QCOMPARE(view.racks.size(), std::size_t{3});  // four boxes, one box, the network
  QCOMPARE(view.racks[0].trays.size(), std::size_t{4});
  QCOMPARE(view.racks[1].trays.size(), std::size_t{1});
  QCOMPARE(nodeLabel(view, NodeId{39}), std::string("Chip R2 01.8"));
  // The switches of a box are inside it.
  for (const TopologyNode& node : view.nodes) {
    if (node.kind == NodeKind::Switch && node.tier == 1)
      QCOMPARE(view.trays[node.tray.value].kind, TrayKind::Compute);
  }
}

void TestDeployment::halfRacksHoldTheirGroups() {
  const TopologyView view = deploy(test::nvl36x2(), 72);
  QCOMPARE(view.racks.size(), std::size_t{2});
  for (const TopologyNode& node : view.nodes) QCOMPARE(view.trays[node.tray.value].rack.value, node.group);
  QCOMPARE(deploy(test::nvl36x2(), 36).racks.size(), std::size_t{1});
}

void TestDeployment::secondTierHasItsOwnRacks() {
  const TopologyView view = deploy(test::nvl576(), 576);
  QCOMPARE(view.racks.size(), std::size_t{19});
  QCOMPARE(countSwitches(view, 1), 288);
  QCOMPARE(countSwitches(view, 2), 162);
  for (const TopologyNode& node : view.nodes) {
    const std::uint32_t rack = view.trays[node.tray.value].rack.value;
    if (node.kind == NodeKind::Switch && node.tier == 2) {
      QVERIFY(rack >= 16);
    } else {
      QCOMPARE(rack, node.group);
    }
  }
}

void TestDeployment::torusRacksAreCubes() {
  const TopologyView view = deploy(test::tpuPod({16, 16, 16}, 64, 16, 4, 45e9), 4096);
  QCOMPARE(view.racks.size(), std::size_t{64});
  std::map<std::uint32_t, std::array<std::set<int>, 3>> spans;
  for (std::uint32_t c = 0; c < view.chip_count; ++c) {
    const TopologyNode& chip = view.nodes[c];
    for (std::size_t d = 0; d < 3; ++d)
      spans[view.trays[chip.tray.value].rack.value][d].insert(chip.coordinate[d] / 4);
  }
  for (const auto& [rack, axes] : spans) {
    for (const auto& blocks : axes) QCOMPARE(blocks.size(), std::size_t{1});
  }
  QCOMPARE(nodeLabel(view, NodeId{16 * 16 * 2 + 16 * 5 + 7}), std::string("Chip (7,5,2)"));
  for (const TopologyTray& tray : view.trays)
    QCOMPARE(tray.nodes.size(), std::size_t{tray.kind == TrayKind::Compute ? 4U : 0U});
}

void TestDeployment::railsJoinEqualSlots() {
  // 32 boxes of 8: one unit, 8 leaves, 4 spines (NVIDIA DGX SuperPOD reference architecture, one scalable
  // unit).
  const TopologyView view = deploy(test::hgxH100(), 256);
  QCOMPARE(countSwitches(view, 11), 8);
  QCOMPARE(countSwitches(view, 12), 4);
  for (const TopologyLink& link : view.links) {
    if (view.nodes[link.from.value].kind != NodeKind::Chip || link.link_class != LinkClass::ScaleOut)
      continue;
    QCOMPARE(view.nodes[link.from.value].slot, view.nodes[link.to.value].plane);
  }
  // 64 leaves and 32 spines at 256 boxes; three levels above that.
  const TopologyView large = deploy(test::hgxH100(), 2048);
  QCOMPARE(countSwitches(large, 11), 64);
  QCOMPARE(countSwitches(large, 12), 32);
  QCOMPARE(countSwitches(large, 13), 0);
  QVERIFY(countSwitches(deploy(test::hgxH100(), 4096), 13) > 0);
}

void TestDeployment::fabricCarriesWhatItSays() {
  for (const char* kind : {"rail", "leaf-spine"}) {
    for (const int chips : {144, 10224}) {
      Fabric fabric{kind, 100, 2};
      const TopologyView view = deploy(test::nvl72(), chips, fabric);
      for (std::uint32_t c = 0; c < view.chip_count; ++c)
        QCOMPARE(capacityAt(view, NodeId{c}, LinkClass::ScaleOut), 100e9);
      // Every leaf passes up half of what comes from below.
      for (std::uint32_t n = view.chip_count; n < view.nodes.size(); ++n) {
        if (view.nodes[n].tier != 11) continue;
        double down = 0, up = 0;
        for (std::uint32_t i = view.node_link_begin[n]; i < view.node_link_begin[n + 1]; ++i) {
          const TopologyLink& link = view.links[view.node_links[i].value];
          (view.nodes[link.from.value].kind == NodeKind::Chip ? down : up) += link.capacity_bytes_per_s;
        }
        QVERIFY(std::abs(up - down / 2) < 1e-6 * down);
      }
    }
  }
  const TopologyView ring = deploy(test::nvl72(), 72 * 5, Fabric{"torus", 0, 1});
  QCOMPARE(countSwitches(ring, 11), 5);
}

void TestDeployment::manyDomainsNeedAFabric() {
  const Fabric none{"none", 0, 1};
  QVERIFY(buildDeployment(test::nvl72(), ChipSpec{}, 72, none));
  const auto failed = buildDeployment(test::nvl72(), ChipSpec{}, 73, none);
  QVERIFY(!failed);
  QCOMPARE(failed.error().field, std::string("fabric.kind"));
  const auto unknown = buildDeployment(test::nvl72(), ChipSpec{}, 73, Fabric{"rial", 0, 1});
  QVERIFY(!unknown && unknown.error().remedy.find("rail") != std::string::npos);
  SystemSpec isolated = test::nvl72();
  isolated.nic_bytes_per_s_per_chip = 0;
  QVERIFY(!buildDeployment(isolated, ChipSpec{}, 144, Fabric{}));
  QVERIFY(!buildDeployment(test::nvl72(), ChipSpec{}, 0, Fabric{}));
  QVERIFY(!buildDeployment(test::nvl72(), ChipSpec{}, 144, Fabric{"rail", 0, 0}));
}

void TestDeployment::faultsReduceCapacity() {
  const std::vector<Fault> faults{{"link", "Chip 04.1 - Switch S7.2", 0.5, 0},
                                  {"switch", "Switch S1.1", 0, 0},
                                  {"chip-link", "Chip 18.4", 0.25, 0},
                                  {"flow", "tray 04", 0.3, 0}};
  const TopologyView view = deploy(test::nvl72(), 72, {}, faults);
  QCOMPARE(view.links[12 * 18 + 13].capacity_bytes_per_s, 25e9);
  for (std::size_t c = 0; c < 71; ++c) QCOMPARE(view.links[c * 18].capacity_bytes_per_s, 0.0);
  QCOMPARE(capacityAt(view, NodeId{0}, LinkClass::ScaleUp), 850e9);
  // The same link hit twice: the plane is out already.
  QCOMPARE(capacityAt(view, NodeId{71}, LinkClass::ScaleUp), 850e9);
}

void TestDeployment::unknownFaultNamesAnExample() {
  const auto build = [](const char* kind, const char* target, double ratio) {
    const std::vector<Fault> faults{{kind, target, ratio, 0}};
    return buildDeployment(test::nvl72(), ChipSpec{}, 72, Fabric{}, faults);
  };
  const auto nowhere = build("link", "Chip 99.1 - Switch S7.2", 0);
  QVERIFY(!nowhere);
  QVERIFY(nowhere.error().remedy.find("Chip 01.1 - Switch S1.1") != std::string::npos);
  QVERIFY(!build("switch", "Chip 01.1", 0));
  QVERIFY(!build("wire", "Chip 01.1", 0));
  QVERIFY(!build("link", "Chip 01.1 - Switch S1.1", 1.5));
  QVERIFY(!build("link", "Chip 01.1 - Switch S1.1", -0.5));
}

void TestDeployment::slicesAreCompact_data() {
  QTest::addColumn<bool>("three");
  QTest::addColumn<int>("chips");
  QTest::addColumn<std::vector<int>>("dims");
  QTest::addColumn<std::vector<int>>("wrap");
  const auto row = [](const char* name, bool three, int chips, std::vector<int> dims, std::vector<int> wrap) {
    QTest::newRow(name) << three << chips << dims << wrap;
  };
  // Slice shapes of the Google Cloud TPU documentation (v4 and v5p; v5e).
  row("v4 4", true, 4, {1, 2, 2}, {0, 0, 0});
  row("v4 16", true, 16, {2, 2, 4}, {0, 0, 0});
  row("v4 32", true, 32, {2, 4, 4}, {0, 0, 0});
  row("v4 64", true, 64, {4, 4, 4}, {1, 1, 1});
  row("v4 128", true, 128, {4, 4, 8}, {1, 1, 1});
  row("v4 256", true, 256, {4, 8, 8}, {1, 1, 1});
  row("v4 4096", true, 4096, {16, 16, 16}, {1, 1, 1});
  row("v5e 8", false, 8, {2, 4, 1}, {0, 0, 1});
  row("v5e 32", false, 32, {4, 8, 1}, {0, 0, 1});
  row("v5e 128", false, 128, {8, 16, 1}, {0, 1, 1});
  row("v5e 256", false, 256, {16, 16, 1}, {1, 1, 1});
}

void TestDeployment::slicesAreCompact() {
  QFETCH(bool, three);
  QFETCH(int, chips);
  QFETCH(std::vector<int>, dims);
  QFETCH(std::vector<int>, wrap);
  const SystemSpec system =
      three ? test::tpuPod({16, 16, 16}, 64, 16, 4, 45e9) : test::tpuPod({16, 16, 1}, 4, 8, 8, 45e9);
  const topology::TorusShape shape = topology::torusDimsFor(system, chips);
  for (std::size_t d = 0; d < 3; ++d) {
    QCOMPARE(shape.dims[d], dims[d]);
    if (dims[d] > 2) QCOMPARE(int{shape.wrap[d]}, wrap[d]);
  }
}

void TestDeployment::linkIndexIsComplete() {
  const TopologyView view = deploy(test::hgxH100(), 24);
  QCOMPARE(view.node_links.size(), 2 * view.links.size());
  std::size_t seen = 0;
  for (std::uint32_t n = 0; n < view.nodes.size(); ++n) {
    for (std::uint32_t i = view.node_link_begin[n]; i < view.node_link_begin[n + 1]; ++i, ++seen) {
      const TopologyLink& link = view.links[view.node_links[i].value];
      QVERIFY(link.from.value == n || link.to.value == n);
    }
  }
  QCOMPARE(seen, view.node_links.size());
}

void TestDeployment::tenThousandChipsAreQuick() {
  QElapsedTimer timer;
  timer.start();
  const TopologyView view = deploy(test::nvl72(), 10240);
  const qint64 first_ms = timer.restart();
  const TopologyView large = deploy(test::nvl72(), 100'000);
  qInfo("10,240 chips in %lld ms, 100,000 in %lld ms, %zu links", first_ms, timer.elapsed(),
        large.links.size());
  QCOMPARE(view.chip_count, 10240U);
  QVERIFY2(first_ms < 500, "ten times the budget: something is quadratic");
}

QTEST_GUILESS_MAIN(TestDeployment)
#include "tst_deployment.moc"
