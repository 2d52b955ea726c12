// Facts of built graphs against closed forms and published machines, and what bad specifications are told.
#include <QtTest>

#include "topology/bisection.h"
#include "topology/distances.h"
#include "topology/topology.h"

using namespace decodescope;
using topology::buildFromSpec;
using topology::Topology;

namespace {

Topology build(const QString& spec) {
  auto built = buildFromSpec(spec.toStdString());
  if (!built) qFatal("%s", built.error().text().c_str());
  return *std::move(built);
}

/// Plain breadth-first search from every chip, without classes or batches.
std::pair<int, double> referenceDistances(const TopologyView& view) {
  double sum = 0, pairs = 0;
  int diameter = 0;
  for (std::uint32_t source = 0; source < view.chip_count; ++source) {
    std::vector<int> distance(view.nodes.size(), -1);
    std::vector<std::uint32_t> queue{source};
    distance[source] = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const std::uint32_t v = queue[head];
      for (std::uint32_t i = view.node_link_begin[v]; i < view.node_link_begin[v + 1]; ++i) {
        const TopologyLink& link = view.links[view.node_links[i].value];
        const std::uint32_t u = link.from.value == v ? link.to.value : link.from.value;
        if (distance[u] >= 0 || link.capacity_bytes_per_s <= 0) continue;
        distance[u] = distance[v] + 1;
        queue.push_back(u);
      }
    }
    for (std::uint32_t c = 0; c < view.chip_count; ++c) {
      if (c == source || distance[c] < 0) continue;
      sum += distance[c];
      ++pairs;
      diameter = std::max(diameter, distance[c]);
    }
  }
  return {diameter, sum / pairs};
}

}  // namespace

class TestFacts : public QObject {
  Q_OBJECT

 private slots:
  void published_data();
  void published();
  void closedForms_data();
  void closedForms();
  void searchesAgree_data();
  void searchesAgree();
  void structuredCutsMatchAllHalves_data();
  void structuredCutsMatchAllHalves();
  void isomorphicGraphsAgree();
  void vertexTransitive_data();
  void vertexTransitive();
  void degreesAddUp();
  void deadLinksDoNotCount();
  void largeTorusIsQuick();
  void badSpecifications_data();
  void badSpecifications();
  void exports();
};

void TestFacts::published_data() {
  QTest::addColumn<qint64>("vertices");
  QTest::addColumn<qint64>("bundles");
  QTest::addColumn<qint64>("links");
  QTest::addColumn<int>("diameter");
  QTest::addColumn<double>("average");
  QTest::addColumn<double>("bisection_gb_per_s");
  const auto row = [](const char* spec, qint64 vertices, qint64 bundles, qint64 links, int diameter,
                      double average, double bisection_gb_per_s) {
    QTest::newRow(spec) << vertices << bundles << links << diameter << average << bisection_gb_per_s;
  };
  // NVIDIA's boards: links per chip and switch from the block diagrams; bisection = half the chips times
  // their injection.
  row("star:n=8,planes=6x2@25", 14, 48, 96, 2, 2, 1200);
  row("star:n=8,planes=5+4+4+5@25", 12, 32, 144, 2, 2, 1800);
  row("star:n=8,planes=2x9@50", 10, 16, 144, 2, 2, 3600);
  row("star:n=72,planes=18x1@50", 90, 1296, 1296, 2, 2, 32400);
  // Within a half rack 35 chips at 2 hops, 36 across at 3: (70 + 108) / 71.
  row("nvl36x2", 108, 1314, 1944, 3, 178.0 / 71, 32400);
  row("two-tier:groups=16,chips=36,planes=18,l2=9,links=4@50", 1026, 12960, 20736, 4, 3.878261, 259200);
  row("full-mesh:8@64", 8, 28, 28, 1, 1, 1024);
  // Tori: Google Cloud TPU documentation gives 1.6 TB/s for the v5e pod.
  row("torus:4x4@1", 16, 32, 32, 4, 2.133333, 8);
  row("torus:2x2x4@90", 16, 32, 32, 4, 2.133333, 720);
  row("torus:8x8@50", 64, 128, 128, 8, 4.063492, 800);
  row("torus:16x16@50", 256, 512, 512, 16, 8.031373, 1600);
  row("torus:4x4x4@90", 64, 192, 192, 6, 3.047619, 2880);
  row("torus:16x16x16@45", 4096, 12288, 12288, 24, 12.002930, 23040);
  row("fat-tree:k=4@50", 36, 48, 48, 6, 5.466667, 400);
  row("fat-tree:k=8@50", 208, 384, 384, 6, 5.716535, 3200);
  row("leaf-spine:leaves=8,hosts=8,spines=8,links=1@50", 80, 128, 128, 4, 3.777778, 1600);
  row("leaf-spine:leaves=8,hosts=8,spines=4,links=1@50", 76, 96, 96, 4, 3.777778, 800);
  // Four scalable units of the DGX SuperPOD: 1,024 + 1,024 cables.
  row("leaf-spine:leaves=32,hosts=32,spines=16,links=2@50", 1072, 1536, 2048, 4, 3.939394, 25600);
  row("rail:nodes=32,rails=8,spines=4,links=8@50", 268, 288, 512, 4, 3.756863, 6400);
  row("rail:nodes=32,rails=8,spines=4,links=8,star=5+4+4+5,star_gb=25@50", 396, 1312, 5120, 4, 3.701961,
      6400);
  row("dragonfly:a=4,p=2,h=2@50", 108, 162, 162, 5, 4.309859, 1200);
  row("hypercube:4@50", 16, 32, 32, 4, 2.133333, 400);
  row("hyperx:4x4,t=4@50", 80, 112, 112, 4, 3.523810, 800);
  // Inside a node 7 chips at 2 hops, 376 others at 4.
  row("cloudmatrix384", 1024, 9408, 9408, 4, (7 * 2 + 376 * 4) / 383.0, 75264);
}

void TestFacts::published() {
  const topology::Facts facts = build(QTest::currentDataTag()).facts();
  QTEST(static_cast<qint64>(facts.vertices), "vertices");
  QTEST(static_cast<qint64>(facts.bundles), "bundles");
  QTEST(static_cast<qint64>(facts.links), "links");
  QTEST(facts.diameter, "diameter");
  QFETCH(double, average);
  QFETCH(double, bisection_gb_per_s);
  QVERIFY2(std::abs(facts.average_distance - average) < 5e-7,
           qPrintable(QString::number(facts.average_distance, 'f', 7)));
  QVERIFY2(std::abs(facts.bisection_bytes_per_s - bisection_gb_per_s * 1e9) < 1,
           qPrintable(QString::number(facts.bisection_bytes_per_s, 'f', 1)));
}

void TestFacts::closedForms_data() {
  QTest::addColumn<double>("average");
  QTest::addColumn<double>("bisection_gb_per_s");
  // Torus: V/(V-1) * sum of k/4 (k even) or (k^2-1)/(4k) (odd); mesh axis (k^2-1)/(3k).
  QTest::newRow("torus:3x3x3@1") << 2.076923 << -1.0;
  QTest::newRow("torus:5x5@1") << 25.0 / 24 * 2 * 24 / 20 << -1.0;
  QTest::newRow("torus:6x4@10") << 24.0 / 23 * (1.5 + 1) << 2.0 * 4 * 10;
  QTest::newRow("torus:4x4x2,wrap=110@45") << 32.0 / 31 * (1 + 1 + 0.5) << 2.0 * 8 * 45;
  QTest::newRow("torus:8x4,wrap=00@10") << 32.0 / 31 * (63.0 / 24 + 15.0 / 12) << 4.0 * 10;
  QTest::newRow("torus:8x4,wrap=01@10") << 32.0 / 31 * (63.0 / 24 + 1) << 4.0 * 10;
  QTest::newRow("torus:2x2x2@1") << 8.0 / 7 * 1.5 << 4.0;
  QTest::newRow("torus:6@3") << 6.0 / 5 * 1.5 << 6.0;
  QTest::newRow("hypercube:6@50") << 6 * 32 / 63.0 << 32 * 50.0;
  QTest::newRow("full-mesh:9@2") << 1.0 << 4 * 5 * 2.0;
  QTest::newRow("fat-tree:k=6@1") << (2 * 2 + 6 * 4 + 45 * 6) / 53.0 << 27.0;
  QTest::newRow("leaf-spine:leaves=4,hosts=6,spines=2,links=3@1") << (5 * 2 + 18 * 4) / 23.0 << 12.0;
  QTest::newRow("leaf-spine:leaves=4,hosts=6,spines=2,links=1,spine_gb=2@1")
      << (5 * 2 + 18 * 4) / 23.0 << 8.0;
  QTest::newRow("two-tier:groups=4,chips=6,planes=3,l2=2,links=1@1")
      << (5 * 2 + 18 * 4) / 23.0 << 2 * 3 * 2.0;
  // HyperX: hosts cross min over axes of K * R/S * S^2/4, unless their own links are fewer.
  QTest::newRow("hyperx:4x2,t=2,links=2@1") << -1.0 << 8.0;
}

void TestFacts::closedForms() {
  QFETCH(double, average);
  QFETCH(double, bisection_gb_per_s);
  const topology::Facts facts = build(QTest::currentDataTag()).facts();
  if (average > 0)
    QVERIFY2(std::abs(facts.average_distance - average) < 5e-7,
             qPrintable(QString::number(facts.average_distance, 'f', 7)));
  if (bisection_gb_per_s > 0)
    QVERIFY2(std::abs(facts.bisection_bytes_per_s / 1e9 - bisection_gb_per_s) < 1e-9,
             qPrintable(QString::number(facts.bisection_bytes_per_s / 1e9)));
}

void TestFacts::searchesAgree_data() {
  QTest::addColumn<QString>("spec");
  for (const char* spec :
       {"torus:5x3x2@1", "torus:7x4,wrap=01@1", "dragonfly:a=4,p=2,h=2@1", "dragonfly:a=3,p=1,h=2@1",
        "rail:nodes=4,rails=4,spines=2,links=2,units=3,star=2x1@1", "nvl36x2", "cloudmatrix384",
        "hyperx:3x2x4,t=2@1", "two-tier:groups=5,chips=7,planes=2,l2=3,links=1@1", "full-mesh:5@1"})
    QTest::newRow(spec) << QString(spec);
}

void TestFacts::searchesAgree() {
  QFETCH(QString, spec);
  const Topology built = build(spec);
  const topology::Distances distances = topology::chipDistances(built.view());
  const auto [diameter, average] = referenceDistances(built.view());
  QCOMPARE(distances.diameter, diameter);
  QVERIFY(std::abs(distances.average - average) < 1e-12 * average);
  QCOMPARE(distances.unreachable_pairs, std::uint64_t{0});
}

void TestFacts::structuredCutsMatchAllHalves_data() {
  QTest::addColumn<QString>("spec");
  for (const char* spec :
       {"torus:4x3@1", "torus:2x2x3@2", "torus:6x2@1", "fat-tree:k=2@1",
        "leaf-spine:leaves=3,hosts=4,spines=2,links=1@1", "hyperx:3x2,t=2@1", "star:n=10,planes=3+2@1",
        "full-mesh:10@1", "two-tier:groups=3,chips=4,planes=2,l2=1,links=1@1", "hypercube:3@1"})
    QTest::newRow(spec) << QString(spec);
}

void TestFacts::structuredCutsMatchAllHalves() {
  QFETCH(QString, spec);
  const Topology built = build(spec);
  QCOMPARE(topology::bisectionBytesPerS(built.view()), topology::exhaustiveBisectionBytesPerS(built.view()));
}

void TestFacts::isomorphicGraphsAgree() {
  // A hypercube of dimension 2n is a torus of n axes of 4, and one of 2s.
  const topology::Facts cube = build("hypercube:6@7").facts();
  for (const char* spec : {"torus:4x4x4@7"}) {
    const topology::Facts torus = build(spec).facts();
    QCOMPARE(torus.diameter, cube.diameter);
    QCOMPARE(torus.average_distance, cube.average_distance);
    QCOMPARE(torus.bisection_bytes_per_s, cube.bisection_bytes_per_s);
    QCOMPARE(torus.links, cube.links);
  }
  QCOMPARE(build("torus:2x2x2@7").facts().bisection_bytes_per_s,
           build("hypercube:3@7").facts().bisection_bytes_per_s);
  // A two-tier domain of one plane is a leaf-spine.
  const topology::Facts clos = build("leaf-spine:leaves=4,hosts=6,spines=2,links=3@5").facts();
  const topology::Facts tiers = build("two-tier:groups=4,chips=6,planes=1,l2=2,links=3@5").facts();
  QCOMPARE(tiers.vertices, clos.vertices);
  QCOMPARE(tiers.average_distance, clos.average_distance);
  QCOMPARE(tiers.bisection_bytes_per_s, clos.bisection_bytes_per_s);
}

void TestFacts::vertexTransitive_data() {
  QTest::addColumn<QString>("spec");
  for (const char* spec :
       {"torus:5x4x3@1", "hypercube:5@1", "star:n=12,planes=3x2@1", "full-mesh:7@1", "torus:9@1"})
    QTest::newRow(spec) << QString(spec);
}

void TestFacts::vertexTransitive() {
  QFETCH(QString, spec);
  const Topology built = build(spec);
  const TopologyView& view = built.view();
  for (std::uint32_t c = 1; c < view.chip_count; ++c)
    QCOMPARE(view.node_link_begin[c + 1] - view.node_link_begin[c],
             view.node_link_begin[1] - view.node_link_begin[0]);
}

void TestFacts::degreesAddUp() {
  for (const char* spec : {"fat-tree:k=8@50", "dragonfly:a=4,p=2,h=2@50", "cloudmatrix384", "nvl36x2"}) {
    const TopologyView view = build(spec).view();
    QCOMPARE(view.node_link_begin.back(), static_cast<std::uint32_t>(2 * view.links.size()));
  }
  // Every port of every switch of a fat tree is used; palm-tree wiring gives every router h global links.
  const Topology fat = build("fat-tree:k=8@50");
  for (std::uint32_t n = fat.view().chip_count; n < fat.view().nodes.size(); ++n)
    QCOMPARE(fat.view().node_link_begin[n + 1] - fat.view().node_link_begin[n], 8U);
  const Topology fly = build("dragonfly:a=4,p=2,h=2@50");
  for (std::uint32_t n = fly.view().chip_count; n < fly.view().nodes.size(); ++n)
    QCOMPARE(fly.view().node_link_begin[n + 1] - fly.view().node_link_begin[n], 2U + 3U + 2U);
}

void TestFacts::deadLinksDoNotCount() {
  TopologyView view = build("torus:4x4@1").view();
  view.links[0].capacity_bytes_per_s = 0;
  const auto [diameter, average] = referenceDistances(view);
  const topology::Distances distances = topology::chipDistances(view);
  QCOMPARE(distances.diameter, diameter);
  QVERIFY(std::abs(distances.average - average) < 1e-12);
  QVERIFY(distances.average > 2.1333334);
  TopologyView apart = build("full-mesh:2@1").view();
  apart.links[0].capacity_bytes_per_s = 0;
  QCOMPARE(topology::chipDistances(apart).unreachable_pairs, std::uint64_t{2});
  QCOMPARE(topology::bisectionBytesPerS(apart), 0.0);
}

void TestFacts::largeTorusIsQuick() {
  QElapsedTimer timer;
  timer.start();
  (void)build("torus:16x16x16@45").facts();
  qInfo("4,096-chip torus: facts in %lld ms", timer.restart());
  const topology::Facts facts = build("torus:16x24x24@90").facts();
  qInfo("9,216-chip torus: facts in %lld ms", timer.elapsed());
  QCOMPARE(facts.diameter, 8 + 12 + 12);
  QVERIFY(std::abs(facts.average_distance - 9216.0 / 9215 * (4 + 6 + 6)) < 1e-9);
}

void TestFacts::badSpecifications_data() {
  QTest::addColumn<QString>("field");
  QTest::addColumn<QString>("says");
  const auto row = [](const char* spec, const char* field, const char* says) {
    QTest::newRow(spec) << field << says;
  };
  row("tours:4x4@50", "tours", "torus");
  row("", "", "kinds are");
  row("torus", "torus", "size is missing");
  row("torus:@50", "torus", "empty");
  row("torus:4x0@50", "size", "from 1");
  row("torus:4x-4@50", "size", "from 1");
  row("torus:4x4x4x4@50", "size", "more than 3 axes");
  row("torus:4xx4@50", "size", "whole number");
  row("torus:4x4,wrap=1@50", "wrap", "2 digits");
  row("torus:4x4,wrap=12@50", "wrap", "2 digits");
  row("torus:4x4,warp=11@50", "warp", "wrap");
  row("torus:4000x4000@50", "torus", "too large");
  row("torus:1@50", "size", "fewer than two");
  row("torus:4x4@0", "@", "above 0");
  row("torus:4x4@-3", "@", "above 0");
  row("torus:4x4@nan", "@", "above 0");
  row("torus:4x4@inf", "@", "above 0");
  row("torus:4x4@50GB", "@", "number of GB/s");
  row("torus:4x4@", "@", "number of GB/s");
  row("star:n=72@50", "planes", "missing");
  row("star:planes=18x1@50", "n", "missing");
  row("star:n=72,planes=0x1@50", "planes", "from 1");
  row("star:n=72,planes=5+-4@50", "planes", "from 1");
  row("star:n=72,planes=@50", "planes", "whole number");
  row("star:n=72,n=8,planes=1@50", "n", "twice");
  row("star:n=99999999999,planes=1@50", "n", "whole number");
  row("star:n=1000000,planes=18x1@50", "star", "too large");
  row("star:72,planes=18x1@50", "star", "no name");
  row("fat-tree:k=7@50", "k", "even");
  row("fat-tree:k=0@50", "k", "from 2");
  row("dragonfly:a=4,p=2@50", "h", "missing");
  row("hypercube:64@50", "size", "from 1 to 19");
  row("hyperx:4x4@50", "t", "missing");
  row("full-mesh:1@50", "size", "from 2");
  row("nvl36x2:72", "nvl36x2", "no name");
  row("leaf-spine:leaves=8,hosts=8,spines=4,links=1,spine_gb=x@50", "spine_gb", "GB/s");
  row("two-tier:groups=1.5,chips=36,planes=18,l2=9,links=4@50", "groups", "whole number");
}

void TestFacts::badSpecifications() {
  QFETCH(QString, field);
  QFETCH(QString, says);
  const auto built = buildFromSpec(QTest::currentDataTag());
  QVERIFY(!built);
  const QString text = QString::fromStdString(built.error().text());
  QVERIFY2(QString::fromStdString(built.error().field + built.error().value).contains(field),
           qPrintable(text));
  QVERIFY2(text.contains(says), qPrintable(text));
  QVERIFY2(!built.error().remedy.empty(), qPrintable(text));
}

void TestFacts::exports() {
  const Topology built = build("star:n=3,planes=2+1@25");
  const QString graphml =
      QString::fromStdString(topology::exportGraph(built.view(), topology::ExportFormat::Graphml));
  QCOMPARE(graphml.count("<node "), 5);
  QCOMPARE(graphml.count("<edge "), 6);
  QVERIFY(graphml.contains("<data key=\"capacity_bytes_per_s\">5e+10</data>") ||
          graphml.contains(">50000000000<"));
  const QString dot =
      QString::fromStdString(topology::exportGraph(built.view(), topology::ExportFormat::Dot));
  QCOMPARE(dot.count(" -- "), 6);
  const QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(topology::exportGraph(
                                                       built.view(), topology::ExportFormat::Json)))
                               .object();
  QCOMPARE(json["nodes"].toArray().size(), 5);
  double capacity = 0;
  for (const auto& link : json["links"].toArray())
    capacity += link.toObject()["capacity_bytes_per_s"].toDouble();
  QCOMPARE(capacity, 3 * 3 * 25e9);
}

QTEST_GUILESS_MAIN(TestFacts)
#include "tst_facts.moc"
