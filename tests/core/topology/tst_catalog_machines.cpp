// Every system of the catalog stands, and is wired as its chips and its published bisection say.
#include <QtTest>

#include "catalog/catalog.h"
#include "core/topology/standing.h"
#include "topology/bisection.h"
#include "topology/topology.h"

#include <map>

using namespace decodescope;

namespace {

const Catalog& catalog() {
  static const auto loaded = Catalog::load(Catalog::defaultFolders());
  if (!loaded) qFatal("%s", loaded.error().text().c_str());
  return **loaded;
}

}  // namespace

class TestCatalogMachines : public QObject {
  Q_OBJECT

 private slots:
  void stands_data();
  void stands();
  void chipsHaveTheirLinks_data() { stands_data(); }
  void chipsHaveTheirLinks();
  void bisection_data();
  void bisection();
};

void TestCatalogMachines::stands_data() {
  QTest::addColumn<QString>("id");
  for (const SystemSpec& system : catalog().systems())
    QTest::newRow(system.id.c_str()) << QString::fromStdString(system.id);
}

void TestCatalogMachines::stands() {
  QFETCH(QString, id);
  const SystemSpec& system = **catalog().system(id.toStdString());
  const ChipSpec& chip = **catalog().chip(system.chip);
  for (const int chips :
       {1, 2, 3, std::max(1, system.chips / 2), system.chips, system.chips + 1, 3 * system.chips}) {
    const auto built = topology::buildDeployment(system, chip, chips, Fabric{});
    QVERIFY2(built.has_value(), built ? "" : built.error().text().c_str());
    QCOMPARE(built->view().chip_count, static_cast<std::uint32_t>(chips));
    test::checkStanding(built->view());
    if (chips == system.chips)
      QCOMPARE(static_cast<int>(built->view().racks.size()),
               system.layout.racks + system.layout.switch_racks);
  }
}

void TestCatalogMachines::chipsHaveTheirLinks() {
  // A chip of a whole domain sends at the rate of its datasheet.
  QFETCH(QString, id);
  const SystemSpec& system = **catalog().system(id.toStdString());
  const ChipSpec& chip = **catalog().chip(system.chip);
  const auto built = topology::buildDeployment(system, chip, system.chips, Fabric{});
  QVERIFY(built.has_value());
  const TopologyView& view = built->view();
  double sum_bytes_per_s = 0;
  for (std::uint32_t i = view.node_link_begin[0]; i < view.node_link_begin[1]; ++i)
    sum_bytes_per_s += view.links[view.node_links[i].value].capacity_bytes_per_s;
  QVERIFY2(std::abs(sum_bytes_per_s / chip.scale_up_bytes_per_s - 1) < 0.02,
           qPrintable(QString("%1 of %2").arg(sum_bytes_per_s).arg(chip.scale_up_bytes_per_s)));
}

void TestCatalogMachines::bisection_data() {
  // One direction, GB/s; vendors' figures or half the chips times their injection.
  QTest::addColumn<double>("gb_per_s");
  QTest::newRow("dgx-a100") << 1200.0;
  QTest::newRow("dgx-h100") << 1800.0;
  QTest::newRow("dgx-b200") << 3600.0;
  QTest::newRow("gb200-nvl72") << 32400.0;
  QTest::newRow("gb200-nvl36x2") << 32400.0;
  QTest::newRow("vr-nvl72") << 64800.0;
  QTest::newRow("gh200-nvl32") << 7200.0;
  QTest::newRow("dgx-gh200-256") << 28800.0;
  QTest::newRow("mi300x-8") << 1024.0;
  QTest::newRow("mi355x-8") << 1228.8;
  QTest::newRow("tpu-v5e-pod") << 1600.0;
  QTest::newRow("cloudmatrix-384") << 75264.0;
  QTest::newRow("nvl576") << 259200.0;
}

void TestCatalogMachines::bisection() {
  QFETCH(double, gb_per_s);
  const auto system = catalog().system(QTest::currentDataTag());
  QVERIFY2(system.has_value(), system ? "" : system.error().text().c_str());
  const auto built =
      topology::buildDeployment(**system, **catalog().chip((*system)->chip), (*system)->chips, Fabric{});
  QVERIFY(built.has_value());
  const double computed = topology::bisectionBytesPerS(built->view()) / 1e9;
  QVERIFY2(std::abs(computed / gb_per_s - 1) < 1e-9, qPrintable(QString::number(computed)));
}

QTEST_GUILESS_MAIN(TestCatalogMachines)
#include "tst_catalog_machines.moc"
