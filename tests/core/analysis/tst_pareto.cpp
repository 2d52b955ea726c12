// The frontier: nobody on it is dominated, and who is named as dominating does dominate.
#include "analysis/pareto.h"
#include "core/decode/fixture.h"

#include <rapidcheck.h>
#include <QTest>

using namespace decodescope;
using analysis::kNotDominated;

namespace {

bool dominates(double ax, double ay, double bx, double by) {
  return ax >= bx && ay >= by && (ax > bx || ay > by);
}

/// By looking at all pairs.
void checkFrontier(const std::vector<double>& x, const std::vector<double>& y) {
  const auto by = analysis::dominators(x, y);
  for (std::size_t i = 0; i < x.size(); ++i) {
    bool dominated = false;
    for (std::size_t j = 0; j < x.size(); ++j) dominated = dominated || dominates(x[j], y[j], x[i], y[i]);
    RC_ASSERT(dominated == (by[i] != kNotDominated));
    if (!dominated) continue;
    RC_ASSERT(dominates(x[by[i]], y[by[i]], x[i], y[i]));
    RC_ASSERT(by[by[i]] == kNotDominated);
  }
}

}  // namespace

class ParetoTest : public QObject {
  Q_OBJECT
 private slots:
  void knownFrontier();
  void anyPoints();
  void doublings();
  void frontOfAModel();
};

void ParetoTest::knownFrontier() {
  // Drawn: 0 and 2 and 4 are the corners of a staircase; 1 lies below 2, 3 equals 2, 5 has the speed of 4.
  const std::vector<double> x{1, 2, 3, 3, 5, 5}, y{9, 4, 6, 6, 2, 1};
  const auto by = analysis::dominators(x, y);
  const std::vector<std::size_t> expected{kNotDominated, 2, kNotDominated, kNotDominated, kNotDominated, 4};
  QVERIFY(by == expected);
}

void ParetoTest::anyPoints() {
  QVERIFY(rc::check("frontier of random points", [](std::vector<std::pair<int, int>> points) {
    std::vector<double> x, y;
    for (const auto& [a, b] : points) {
      x.push_back(a % 12);  // few values, so that ties abound
      y.push_back(b % 12);
    }
    checkFrontier(x, y);
  }));
}

void ParetoTest::doublings() {
  QVERIFY((analysis::doublingsUpTo(9) == std::vector<double>{1, 2, 4, 8, 9}));
  QVERIFY((analysis::doublingsUpTo(8) == std::vector<double>{1, 2, 4, 8}));
  QVERIFY((analysis::doublingsUpTo(1) == std::vector<double>{1}));
  QVERIFY(analysis::doublingsUpTo(0).empty());
}

void ParetoTest::frontOfAModel() {
  Scenario s;
  s.model = "gpt-oss-120b";
  s.system = "dgx-b200";
  s.chips = 8;
  for (const auto objective :
       {analysis::Objective::Throughput, analysis::Objective::Cost, analysis::Objective::Energy}) {
    const auto front = analysis::paretoFront(fixture::catalog(), s, objective);
    QVERIFY(front && front->points.size() > 20);
    std::size_t on_front = 0;
    for (const analysis::ParetoPoint& p : front->points) {
      QVERIFY(p.prediction.feasible && p.concurrency <= p.prediction.max_concurrency);
      if (p.dominated_by == kNotDominated) {
        ++on_front;
        for (const analysis::ParetoPoint& q : front->points) QVERIFY(!dominates(q.x, q.y, p.x, p.y));
        QVERIFY(p.why.empty());
      } else {
        const analysis::ParetoPoint& q = front->points[p.dominated_by];
        QVERIFY(dominates(q.x, q.y, p.x, p.y) && !p.why.empty());
      }
    }
    QVERIFY(on_front >= 2 && on_front < front->points.size());
  }
}

QTEST_GUILESS_MAIN(ParetoTest)
#include "tst_pareto.moc"
