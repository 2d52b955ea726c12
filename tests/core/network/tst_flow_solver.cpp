// Max-min sharing: hand-worked cases, the properties that define it, and an independent brute force.
#include <rapidcheck.h>
#include <QtTest>

#include "network/flow_files.h"
#include "network/flow_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace decodescope::network;

namespace {

using Route = std::vector<std::uint32_t>;

FlowRoutes routesOf(const std::vector<Route>& list) {
  FlowRoutes routes;
  for (const Route& route : list) routes.append(route);
  return routes;
}

struct Case {
  std::vector<double> capacity;
  std::vector<Route> routes;
};

Case randomCase() {
  Case out;
  const auto edges = *rc::gen::inRange<std::uint32_t>(1, 9);
  for (std::uint32_t e = 0; e < edges; ++e) out.capacity.push_back(*rc::gen::inRange(1, 21));
  const auto flows = *rc::gen::inRange(1, 13);
  for (int f = 0; f < flows; ++f) {
    Route route;
    for (std::uint32_t e = 0; e < edges; ++e) {
      if (*rc::gen::inRange(0, 3) == 0) route.push_back(e);
    }
    if (route.empty()) route.push_back(*rc::gen::inRange<std::uint32_t>(0, edges));
    out.routes.push_back(route);
  }
  return out;
}

std::vector<double> loads(const Case& c, const std::vector<double>& rates) {
  std::vector<double> load(c.capacity.size(), 0);
  for (std::size_t f = 0; f < c.routes.size(); ++f) {
    for (const std::uint32_t e : c.routes[f]) load[e] += rates[f];
  }
  return load;
}

/// Water filling as the definition says it: raise all unfrozen rates by the largest common step, freeze,
/// repeat.
std::vector<double> definitionRates(const Case& c, const std::vector<bool>& alive) {
  std::vector<double> rates(c.routes.size(), 0);
  std::vector<bool> frozen(c.routes.size());
  for (std::size_t f = 0; f < frozen.size(); ++f) frozen[f] = !alive[f];
  while (std::find(frozen.begin(), frozen.end(), false) != frozen.end()) {
    double step = std::numeric_limits<double>::infinity();
    std::vector<double> room(c.capacity.size()), count(c.capacity.size(), 0);
    const std::vector<double> load = loads(c, rates);
    for (std::size_t f = 0; f < c.routes.size(); ++f) {
      for (const std::uint32_t e : c.routes[f]) count[e] += frozen[f] ? 0 : 1;
    }
    for (std::size_t e = 0; e < room.size(); ++e) {
      room[e] = c.capacity[e] - load[e];
      if (count[e] > 0) step = std::min(step, room[e] / count[e]);
    }
    for (std::size_t f = 0; f < c.routes.size(); ++f) rates[f] += frozen[f] ? 0 : step;
    for (std::size_t f = 0; f < c.routes.size(); ++f) {
      for (const std::uint32_t e : c.routes[f]) {
        if (count[e] > 0 && room[e] - step * count[e] < 1e-9) frozen[f] = true;
      }
    }
  }
  return rates;
}

std::vector<double> definitionTimes(const Case& c, std::vector<double> bytes) {
  std::vector<double> finish(bytes.size(), 0);
  std::vector<bool> alive(bytes.size(), true);
  for (double now = 0; std::find(alive.begin(), alive.end(), true) != alive.end();) {
    const std::vector<double> rates = definitionRates(c, alive);
    double step = std::numeric_limits<double>::infinity();
    for (std::size_t f = 0; f < bytes.size(); ++f) {
      if (alive[f]) step = std::min(step, bytes[f] / rates[f]);
    }
    now += step;
    for (std::size_t f = 0; f < bytes.size(); ++f) {
      if (!alive[f]) continue;
      bytes[f] -= rates[f] * step;
      if (bytes[f] < 1e-9) {
        finish[f] = now;
        alive[f] = false;
      }
    }
  }
  return finish;
}

bool close(double a, double b, double tolerance = 1e-9) {
  return std::abs(a - b) <= tolerance * std::max({1.0, std::abs(a), std::abs(b)});
}

}  // namespace

class TestFlowSolver : public QObject {
  Q_OBJECT

 private slots:
  void handWorked_data();
  void handWorked();
  void feasibleAndBottlenecked();
  void matchesTheDefinition();
  void scalesWithCapacity();
  void orderDoesNotMatter();
  void twoUnitFlowsAreOneOfTwo();
  void fractionalRoutes();
  void completionBeatsTheBoundOnlyUpwards();
  void completionMatchesBruteForce();
  void allToAllOnAStar();
  void simultaneousEndsMerge();
  void deadEdgesNeverFinish();
  void emptyRoutesTakeNoTime();
  void largeCoflowIsQuick();
  void tables();
  void brokenTables_data();
  void brokenTables();
  void referenceRuns_data();
  void referenceRuns();
};

void TestFlowSolver::handWorked_data() {
  QTest::addColumn<std::vector<double>>("capacity");
  QTest::addColumn<std::vector<Route>>("routes");
  QTest::addColumn<std::vector<double>>("rates");
  QTest::newRow("parking lot") << std::vector<double>{1, 1, 1} << std::vector<Route>{{0, 1, 2}, {0}, {1}, {2}}
                               << std::vector<double>{0.5, 0.5, 0.5, 0.5};
  QTest::newRow("second edge first") << std::vector<double>{10, 5}
                                     << std::vector<Route>{{0, 1}, {0}, {1}, {1}}
                                     << std::vector<double>{5.0 / 3, 25.0 / 3, 5.0 / 3, 5.0 / 3};
  QTest::newRow("three levels") << std::vector<double>{1, 2, 3}
                                << std::vector<Route>{{0}, {0, 1}, {1, 2}, {1}, {2}}
                                << std::vector<double>{0.5, 0.5, 0.75, 0.75, 2.25};
}

void TestFlowSolver::handWorked() {
  QFETCH(std::vector<double>, capacity);
  QFETCH(std::vector<Route>, routes);
  QFETCH(std::vector<double>, rates);
  const std::vector<double> computed = maxMinRates(routesOf(routes), capacity);
  for (std::size_t f = 0; f < rates.size(); ++f) QVERIFY(close(computed[f], rates[f], 1e-15));
}

void TestFlowSolver::feasibleAndBottlenecked() {
  // Necessary and sufficient for max-min: every flow has a saturated edge on which it is among the fastest.
  QVERIFY(rc::check([] {
    const Case c = randomCase();
    const std::vector<double> rates = maxMinRates(routesOf(c.routes), c.capacity);
    const std::vector<double> load = loads(c, rates);
    for (std::size_t e = 0; e < load.size(); ++e) RC_ASSERT(load[e] <= c.capacity[e] * (1 + 1e-12));
    for (std::size_t f = 0; f < rates.size(); ++f) {
      const bool has_bottleneck = std::any_of(c.routes[f].begin(), c.routes[f].end(), [&](std::uint32_t e) {
        if (!close(load[e], c.capacity[e], 1e-12)) return false;
        for (std::size_t other = 0; other < rates.size(); ++other) {
          const bool shares =
              std::find(c.routes[other].begin(), c.routes[other].end(), e) != c.routes[other].end();
          if (shares && rates[other] > rates[f] * (1 + 1e-12)) return false;
        }
        return true;
      });
      RC_ASSERT(has_bottleneck);
    }
  }));
}

void TestFlowSolver::matchesTheDefinition() {
  QVERIFY(rc::check([] {
    const Case c = randomCase();
    const std::vector<double> rates = maxMinRates(routesOf(c.routes), c.capacity);
    const std::vector<double> expected = definitionRates(c, std::vector<bool>(c.routes.size(), true));
    for (std::size_t f = 0; f < rates.size(); ++f) RC_ASSERT(close(rates[f], expected[f]));
  }));
}

void TestFlowSolver::scalesWithCapacity() {
  QVERIFY(rc::check([] {
    const Case c = randomCase();
    std::vector<double> larger = c.capacity;
    for (double& capacity : larger) capacity *= 7;
    const auto one = maxMinRates(routesOf(c.routes), c.capacity),
               seven = maxMinRates(routesOf(c.routes), larger);
    for (std::size_t f = 0; f < one.size(); ++f) RC_ASSERT(close(seven[f], 7 * one[f], 1e-12));
  }));
}

void TestFlowSolver::orderDoesNotMatter() {
  QVERIFY(rc::check([] {
    const Case c = randomCase();
    Case reversed = c;
    std::reverse(reversed.routes.begin(), reversed.routes.end());
    const auto one = maxMinRates(routesOf(c.routes), c.capacity);
    auto two = maxMinRates(routesOf(reversed.routes), c.capacity);
    std::reverse(two.begin(), two.end());
    for (std::size_t f = 0; f < one.size(); ++f) RC_ASSERT(close(one[f], two[f], 1e-12));
  }));
}

void TestFlowSolver::twoUnitFlowsAreOneOfTwo() {
  // Two flows on the same route take together what one flow of double share takes.
  QVERIFY(rc::check([] {
    const Case c = randomCase();
    Case doubled = c;
    doubled.routes.push_back(c.routes[0]);
    FlowRoutes weighted = routesOf(c.routes);
    weighted.share.assign(weighted.edges.size(), 1);
    for (std::size_t i = 0; i < c.routes[0].size(); ++i) weighted.share[i] = 2;
    const auto apart = maxMinRates(routesOf(doubled.routes), c.capacity),
               merged = maxMinRates(weighted, c.capacity);
    for (std::size_t f = 0; f < merged.size(); ++f) RC_ASSERT(close(apart[f], merged[f], 1e-12));
  }));
}

void TestFlowSolver::fractionalRoutes() {
  // One flow over two paths of half each, one flow on the first path alone: the edge of 10 carries x/2 + y,
  // both equal.
  FlowRoutes routes = routesOf({{0, 1}, {0}});
  routes.share = {0.5, 0.5, 1};
  const std::vector<double> capacity{10, 100};
  const auto rates = maxMinRates(routes, capacity);
  QVERIFY(close(rates[0], 10 / 1.5) && close(rates[1], 10 / 1.5));
  const std::vector<double> narrow{10, 2};
  const auto limited = maxMinRates(routes, narrow);
  QVERIFY(close(limited[0], 4) && close(limited[1], 8));
}

void TestFlowSolver::completionBeatsTheBoundOnlyUpwards() {
  // Rates all 1/4 at first; the small flows end at 4, then each long one has its edges alone but for the
  // other: 10, where the busiest edge alone would need 8 only.
  const auto finish =
      completionTimes(routesOf({{0, 1}, {0}, {0}, {0}, {1, 2}, {2}, {2}, {2}}),
                      std::vector<double>{4, 1, 1, 1, 4, 1, 1, 1}, std::vector<double>{1, 1, 1});
  for (const std::size_t f : {1, 2, 3, 5, 6, 7}) QVERIFY(close(finish[f], 4));
  QVERIFY(close(finish[0], 10) && close(finish[4], 10));
}

void TestFlowSolver::completionMatchesBruteForce() {
  QVERIFY(rc::check([] {
    const Case c = randomCase();
    std::vector<double> bytes;
    for (std::size_t f = 0; f < c.routes.size(); ++f) bytes.push_back(*rc::gen::inRange(1, 50));
    const auto finish = completionTimes(routesOf(c.routes), bytes, c.capacity),
               expected = definitionTimes(c, bytes);
    double last = 0, bound = 0;
    for (std::size_t f = 0; f < finish.size(); ++f) {
      RC_ASSERT(close(finish[f], expected[f], 1e-7));
      last = std::max(last, finish[f]);
    }
    const std::vector<double> carried = loads(c, bytes);
    for (std::size_t e = 0; e < carried.size(); ++e) bound = std::max(bound, carried[e] / c.capacity[e]);
    RC_ASSERT(last >= bound * (1 - 1e-12));
  }));
}

void TestFlowSolver::allToAllOnAStar() {
  // 64 hosts on 50 GB/s links, 1 MB to each of 63 others: 63 MB out of every host.
  std::vector<Route> routes;
  for (std::uint32_t s = 0; s < 64; ++s) {
    for (std::uint32_t t = 0; t < 64; ++t) {
      if (s != t) routes.push_back({s, 64 + t});
    }
  }
  const auto finish = completionTimes(routesOf(routes), std::vector<double>(routes.size(), 1e6),
                                      std::vector<double>(128, 50e9));
  for (const double time_s : finish) QVERIFY(close(time_s / 1.26e-3, 1, 1e-12));
}

void TestFlowSolver::simultaneousEndsMerge() {
  const auto finish = completionTimes(routesOf({{0}, {0}, {0}}), std::vector<double>{1, 1, 1 + 1e-13},
                                      std::vector<double>{3});
  QVERIFY(close(finish[0], finish[2], 1e-12));
  QCOMPARE(finish[0], finish[1]);
}

void TestFlowSolver::deadEdgesNeverFinish() {
  const auto finish =
      completionTimes(routesOf({{0, 1}, {1}}), std::vector<double>{1, 1}, std::vector<double>{0, 2});
  QVERIFY(std::isinf(finish[0]));
  QVERIFY(close(finish[1], 0.5));
}

void TestFlowSolver::emptyRoutesTakeNoTime() {
  const auto finish =
      completionTimes(routesOf({{}, {0}, {0}}), std::vector<double>{5, 5, 0}, std::vector<double>{1});
  QCOMPARE(finish[0], 0.0);
  QVERIFY(close(finish[1], 5));
  QCOMPARE(finish[2], 0.0);
  const std::vector<std::uint8_t> active{1, 0, 1};
  const auto rates = maxMinRates(routesOf({{0}, {0}, {0}}), std::vector<double>{1}, active);
  QCOMPARE(rates[1], 0.0);
  QVERIFY(close(rates[0], 0.5));
}

void TestFlowSolver::largeCoflowIsQuick() {
  std::vector<Route> routes;
  for (std::uint32_t f = 0; f < 20000; ++f) {
    Route route;
    for (std::uint32_t hop = 0; hop < 6; ++hop) route.push_back((f * 2654435761U + hop * 40503U) % 4096U);
    routes.push_back(route);
  }
  const FlowRoutes flows = routesOf(routes);
  const std::vector<double> capacity(4096, 50e9);
  QElapsedTimer timer;
  timer.start();
  const auto rates = maxMinRates(flows, capacity);
  qInfo("20,000 flows of 6 edges: %.1f ms", static_cast<double>(timer.nsecsElapsed()) * 1e-6);
  QVERIFY(*std::min_element(rates.begin(), rates.end()) > 0);
}

void TestFlowSolver::tables() {
  // Phase 0: two flows share "up": 2 s each at 1 byte/s. Phase 1 starts then.
  const auto solved = solveFlowTables("src,dst,links...\na,b,up,down_b\na,c,up,down_c\r\n", "routes",
                                      "phase,src,dst,bytes\n0,a,b,1\n0,a,c,1\n1,a,b,3\n", "flows", 1);
  QVERIFY2(solved.has_value(), solved ? "" : solved.error().text().c_str());
  QCOMPARE(*solved, std::string("phase,src,dst,bytes,finish_s\n0,a,b,1,2\n0,a,c,1,2\n1,a,b,3,5\n"));
  // A second solve replaces the column.
  const auto again =
      solveFlowTables("src,dst,links...\na,b,up,down_b\na,c,up,down_c\n", "routes", *solved, "flows", 2);
  QVERIFY(again && again->find("0,a,b,1,1\n") != std::string::npos);
}

void TestFlowSolver::brokenTables_data() {
  QTest::addColumn<QString>("routes");
  QTest::addColumn<QString>("flows");
  QTest::addColumn<QString>("says");
  const QString good_routes = "src,dst,links...\na,b,up\n", good_flows = "phase,src,dst,bytes\n0,a,b,1\n";
  QTest::newRow("no route") << good_routes << "phase,src,dst,bytes\n0,a,b,1\n0,b,a,1\n"
                            << "flows:3";
  QTest::newRow("text for a number") << good_routes << "phase,src,dst,bytes\n0,a,b,many\n"
                                     << "flows:2";
  QTest::newRow("negative") << good_routes << "phase,src,dst,bytes\n0,a,b,-1\n"
                            << "negative";
  QTest::newRow("missing number") << good_routes << "phase,src,dst,bytes\n0,a,b,\n"
                                  << "missing";
  QTest::newRow("no column") << good_routes << "phase,src,dst\n0,a,b\n"
                             << "bytes";
  QTest::newRow("extra cell") << good_routes << "phase,src,dst,bytes\n0,a,b,1,2,3\n"
                              << "flows:2";
  QTest::newRow("route without links") << "src,dst,links...\na,b\n" << good_flows << "no links";
  QTest::newRow("route twice") << "src,dst,links...\na,b,up\na,b,down\n" << good_flows << "routes:3";
  QTest::newRow("open quote") << "src,dst,links...\na,\"b,up\n" << good_flows << "never closed";
  QTest::newRow("empty") << "" << good_flows << "routes";
}

void TestFlowSolver::brokenTables() {
  QFETCH(QString, routes);
  QFETCH(QString, flows);
  QFETCH(QString, says);
  const auto solved = solveFlowTables(routes.toStdString(), "routes", flows.toStdString(), "flows", 1);
  QVERIFY(!solved);
  QVERIFY2(QString::fromStdString(solved.error().text()).contains(says), solved.error().text().c_str());
}

void TestFlowSolver::referenceRuns_data() {
  QTest::addColumn<QString>("topology");
  QTest::addColumn<QString>("pattern");
  QTest::newRow("star rand") << "star"
                             << "rand";
  QTest::newRow("leaf-spine rand") << "ft2"
                                   << "rand";
  QTest::newRow("torus 8x8 rand") << "torus88"
                                  << "rand";
  QTest::newRow("torus 4x4x4 all-to-all") << "torus444"
                                          << "a2a";
}

/// Finish times of SimGrid 3.32 where that data is at hand: DECODESCOPE_DATA, or beside the source tree.
void TestFlowSolver::referenceRuns() {
  QFETCH(QString, topology);
  QFETCH(QString, pattern);
  const QString folder =
      qEnvironmentVariable("DECODESCOPE_DATA", QStringLiteral(DECODESCOPE_SOURCE_DIR "/../shared/data"));
  const auto read = [&](const QString& name) {
    QFile file(folder + "/flows/" + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
  };
  const std::string routes = read("routes_" + topology + ".csv"),
                    flows = read("flows_" + topology + "_" + pattern + ".csv");
  if (routes.empty() || flows.empty())
    QSKIP("the reference runs are not here; set DECODESCOPE_DATA to their folder");
  const auto solved = solveFlowTables(routes, "routes", flows, "flows", 50e9);
  QVERIFY2(solved.has_value(), solved ? "" : solved.error().text().c_str());
  double worst = 0;
  const QStringList lines = QString::fromStdString(*solved).split('\n', Qt::SkipEmptyParts);
  const QStringList header = lines[0].split(',');
  for (qsizetype i = 1; i < lines.size(); ++i) {
    const QStringList cells = lines[i].split(',');
    const double expected_s = cells[header.indexOf("t_finish_s")].toDouble();
    worst = std::max(worst, std::abs(cells[header.indexOf("finish_s")].toDouble() / expected_s - 1));
  }
  qInfo("largest relative difference %.2g over %lld flows", worst, static_cast<long long>(lines.size() - 1));
  QVERIFY(worst < 1e-9);
}

QTEST_GUILESS_MAIN(TestFlowSolver)
#include "tst_flow_solver.moc"
