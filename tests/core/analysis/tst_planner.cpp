// Ranked plans: every legal one is there, in order, with a reason that holds.
#include "analysis/ranking.h"
#include "core/decode/fixture.h"

#include <QTest>

using namespace decodescope;
using analysis::Objective;
using analysis::PlanStanding;

namespace {

Scenario dense() {
  Scenario s;
  s.model = "llama3.1-70b";
  s.system = "dgx-h100";
  s.chips = 8;
  s.precision.weights = "bf16";
  s.workload.concurrency = 64;
  return s;
}

analysis::PlanRanking ranked(const Scenario& s, Objective objective) {
  auto found = analysis::rankPlansFor(fixture::catalog(), s, objective);
  if (!found) fixture::stop(found.error());
  return *std::move(found);
}

}  // namespace

class PlannerTest : public QObject {
  Q_OBJECT
 private slots:
  void bestComesFirst_data();
  void bestComesFirst();
  void whoDoesNotFitSaysByHowMuch();
  void targetSetsTheFastApart();
  void moreChipsThanTheSystem();
};

void PlannerTest::bestComesFirst_data() {
  QTest::addColumn<QString>("objective");
  for (const char* id : {"tpot", "throughput", "cost", "energy"}) QTest::newRow(id) << id;
}

void PlannerTest::bestComesFirst() {
  QFETCH(QString, objective);
  const auto parsed = analysis::parseObjective(objective.toStdString());
  QVERIFY(parsed);
  const auto ranking = ranked(dense(), *parsed);
  const auto& metric = analysis::objectiveMetric(*parsed);
  const auto model = *fixture::catalog()->model("llama3.1-70b");
  const auto system = *fixture::catalog()->system("dgx-h100");
  QCOMPARE(ranking.plans.size(), parallel::legalPlans(*model, *system, 8, Fabric{}).size());
  const auto& best = ranking.plans.front();
  QVERIFY(best.prediction.feasible);
  for (const auto& plan : ranking.plans) {
    QVERIFY(!plan.reason.empty());
    QVERIFY(plan.standing >= best.standing);
    if (plan.standing != best.standing) continue;
    // Nobody beats the best by more than the half percent within which the faster one comes first.
    const double ratio = metric.value(plan.prediction) / metric.value(best.prediction);
    QVERIFY(metric.higher_is_better ? ratio <= 1.0051 : ratio >= 0.9949);
  }
}

void PlannerTest::whoDoesNotFitSaysByHowMuch() {
  const auto ranking = ranked(dense(), Objective::Throughput);
  const auto& last = ranking.plans.back();
  QVERIFY(last.standing == PlanStanding::DoesNotFit);
  // 70.6e9 weights of 2 bytes on one chip, of whose 85.9 GB nine tenths less the reserve are usable.
  QVERIFY(last.plan.chipsPerReplica() == 1);
  QVERIFY(last.missing_bytes_per_chip > 55e9 && last.missing_bytes_per_chip < 70e9);
  QVERIFY(last.reason.starts_with("does not fit by 6"));
}

void PlannerTest::targetSetsTheFastApart() {
  Scenario s = dense();
  const double fastest_ms = ranked(s, Objective::Tpot).plans.front().prediction.tpot_s * 1e3;
  s.workload.slo_tpot_ms = fastest_ms * 1.001;
  const auto ranking = ranked(s, Objective::Throughput);
  QVERIFY(ranking.plans.front().prediction.tpot_s * 1e3 <= s.workload.slo_tpot_ms);
  QVERIFY(ranking.plans[1].standing == PlanStanding::MissesTarget);
  QVERIFY(ranking.plans[1].reason.starts_with("misses the target"));
  s.workload.slo_tpot_ms = fastest_ms * 0.5;
  QVERIFY(ranked(s, Objective::Cost).plans.front().standing == PlanStanding::MissesTarget);
}

void PlannerTest::moreChipsThanTheSystem() {
  Scenario s = dense();
  s.chips = 16;
  s.fabric.kind = "none";
  const auto ranking = ranked(s, Objective::Tpot);
  QVERIFY(ranking.plans.empty() && !ranking.structural.empty());
  QCOMPARE(ranking.structural.front().rule, std::string("system"));
}

QTEST_GUILESS_MAIN(PlannerTest)
#include "tst_planner.moc"
