// Plans: what is legal and why not, where ranks stand, which groups they form.
#include <QtTest>

#include "parallel/plan.h"

#include <rapidcheck.h>
#include <algorithm>
#include <set>

using namespace decodescope;
using namespace decodescope::parallel;

namespace {

ModelSpec dense() {
  ModelSpec m;
  m.name = "dense";
  m.layers = 80;
  m.hidden = 8192;
  m.heads = 64;
  m.kv_heads = 8;
  m.head_dim = 128;
  return m;
}

ModelSpec mixture(int experts) {
  ModelSpec m = dense();
  m.name = "mixture";
  m.moe = MoeDims{};
  m.moe->experts = experts;
  m.moe->top_k = 8;
  return m;
}

SystemSpec node(int chips) {
  SystemSpec s;
  s.name = "node";
  s.chips = chips;
  return s;
}

ParallelDegrees degrees(int tp, int pp, int ep, int dp, int cp) {
  ParallelDegrees d;
  d.tp = tp;
  d.pp = pp;
  d.ep = ep;
  d.dp = dp;
  d.cp = cp;
  return d;
}

const Violation* find(const std::vector<Violation>& violations, const char* path) {
  for (const Violation& v : violations) {
    if (v.fix_path == path) return &v;
  }
  return nullptr;
}

}  // namespace

class PlanTest : public QObject {
  Q_OBJECT

 private slots:
  void remainderIsAViolationWithAFix() {
    // 30 chips are 3 replicas of 8 and 6 left over: the fix keeps 24.
    const auto violations = checkPlan(dense(), node(8), degrees(8, 1, 1, 1, 1), 30, Fabric{});
    const Violation* v = find(violations, "chips");
    QVERIFY(v);
    QCOMPARE(v->rule, std::string("parallel"));
    QCOMPARE(v->fix_value, std::string("24"));
    QVERIFY(checkPlan(dense(), node(8), degrees(8, 1, 1, 1, 1), 24, Fabric{}).empty());
  }

  void moreRanksThanChips() {
    const auto violations = checkPlan(dense(), node(8), degrees(8, 2, 1, 1, 1), 8, Fabric{});
    QVERIFY(find(violations, "chips"));
    QCOMPARE(find(violations, "chips")->fix_value, std::string("16"));
  }

  void tensorRanksDivideHeads() {
    // 64 heads over 48 ranks: the largest divisor of 64 below 48 is 32.
    const auto violations = checkPlan(dense(), node(48), degrees(48, 1, 1, 1, 1), 48, Fabric{});
    const Violation* v = find(violations, "parallel.tp");
    QVERIFY(v);
    QCOMPARE(v->fix_value, std::string("32"));
    // Data-parallel attention keeps heads whole.
    ParallelDegrees d = degrees(48, 1, 1, 1, 1);
    d.attention = AttentionSharding::Data;
    QVERIFY(checkPlan(dense(), node(48), d, 48, Fabric{}).empty());
  }

  void expertsSpreadOrAreHeldTwice() {
    QVERIFY(checkPlan(mixture(256), node(64), degrees(1, 1, 64, 64, 1), 64, Fabric{}).empty());
    // 256 experts on 72 ranks: 4 each make 288 slots, 32 of them second copies, an eighth of 256.
    QVERIFY(checkPlan(mixture(256), node(72), degrees(1, 1, 72, 72, 1), 72, Fabric{}).empty());
    QCOMPARE(expertSlots(mixture(256), 72), 288);
    // 8 experts on 6 ranks would need 12 slots, half again as many.
    const auto violations = checkPlan(mixture(8), node(8), degrees(6, 1, 6, 1, 1), 6, Fabric{});
    QVERIFY(find(violations, "parallel.ep"));
    // Ranks that do not divide tensor times data.
    QVERIFY(find(checkPlan(mixture(256), node(8), degrees(8, 1, 3, 1, 1), 8, Fabric{}), "parallel.ep"));
    QVERIFY(find(checkPlan(dense(), node(8), degrees(8, 1, 8, 1, 1), 8, Fabric{}), "parallel.ep"));
  }

  void moreStagesThanLayers() {
    const auto violations = checkPlan(dense(), node(128), degrees(1, 128, 1, 1, 1), 128, Fabric{});
    QVERIFY(find(violations, "parallel.pp"));
    QCOMPARE(find(violations, "parallel.pp")->limit, 80.0);
  }

  void moreChipsThanOneSystemNeedAFabric() {
    Fabric none;
    none.kind = "none";
    const auto violations = checkPlan(dense(), node(8), degrees(8, 1, 1, 1, 1), 16, none);
    QVERIFY(!violations.empty());
    QCOMPARE(violations.front().rule, std::string("system"));
    QCOMPARE(violations.front().fix_value, std::string("8"));
    QVERIFY(checkPlan(dense(), node(8), degrees(8, 1, 1, 1, 1), 16, Fabric{}).empty());
  }

  void degreesBelowOne() {
    QVERIFY(find(checkPlan(dense(), node(8), degrees(0, 1, 1, 1, 1), 8, Fabric{}), "parallel.tp"));
    QVERIFY(find(checkPlan(dense(), node(8), degrees(1, 1, 1, 1, -2), 8, Fabric{}), "parallel.cp"));
  }

  void groupsAreNeighboursByOrder() {
    // tp 2 innermost, then cp 2, dp 2, pp 2: chip = t + 2 (c + 2 (d + 2 p)).
    const Plan plan = makePlan(degrees(2, 2, 4, 2, 2), 16);
    QCOMPARE(plan.replicas, 1);
    const auto tensor = groups(plan, GroupKind::Tensor);
    QCOMPARE(tensor.size(), std::size_t{8});
    QCOMPARE(tensor[0], (std::vector<ChipId>{ChipId{0}, ChipId{1}}));
    const auto context = groups(plan, GroupKind::Context);
    QCOMPARE(context[0], (std::vector<ChipId>{ChipId{0}, ChipId{2}}));
    const auto pipeline = groups(plan, GroupKind::Pipeline);
    QCOMPARE(pipeline[0], (std::vector<ChipId>{ChipId{0}, ChipId{8}}));
    // Experts overlay tensor x data of one context rank: chips 0, 1, 4, 5.
    const auto experts = groups(plan, GroupKind::Expert);
    QCOMPARE(experts[0], (std::vector<ChipId>{ChipId{0}, ChipId{1}, ChipId{4}, ChipId{5}}));
    QCOMPARE(stageOf(plan, ChipId{7}), 0);
    QCOMPARE(stageOf(plan, ChipId{8}), 1);
  }

  void shapeCountsRanksPerDomain() {
    // 72 expert ranks on domains of 8: nine domains of eight.
    const Plan plan = makePlan(degrees(1, 1, 72, 72, 1), 72);
    const auto shape = groupShape(plan, GroupKind::Expert, 8);
    QCOMPARE(shape.size, 72);
    QCOMPARE(shape.per_domain, 8);
    QCOMPARE(shape.domains(), 9);
    // Data ranks of tp 8 lie one in each domain.
    const Plan strided = makePlan(degrees(8, 2, 1, 1, 1), 16);
    QCOMPARE(groupShape(strided, GroupKind::Pipeline, 8).per_domain, 1);
  }

  void everyGroupKindPartitionsTheChips() {
    QVERIFY(rc::check("groups of a kind hold every chip once", [] {
      const auto power = [](int most) { return 1 << *rc::gen::inRange(0, most + 1); };
      ParallelDegrees d = degrees(power(3), power(2), 1, power(2), power(1));
      d.ep = d.tp * d.dp >> *rc::gen::inRange(0, 2);
      if (d.ep < 1) d.ep = 1;
      const int replicas = *rc::gen::inRange(1, 4);
      const int chips = d.tp * d.pp * d.cp * d.dp * replicas;
      const Plan plan = makePlan(d, chips);
      RC_ASSERT(plan.replicas == replicas);
      for (const GroupKind kind : {GroupKind::Tensor, GroupKind::Expert, GroupKind::AttentionData,
                                   GroupKind::Context, GroupKind::Pipeline}) {
        std::set<std::uint32_t> seen;
        std::size_t members = 0;
        for (const auto& group : groups(plan, kind)) {
          members += group.size();
          for (const ChipId chip : group) seen.insert(chip.value);
        }
        RC_ASSERT(members == static_cast<std::size_t>(chips));
        RC_ASSERT(seen.size() == members);
        RC_ASSERT(*seen.rbegin() == static_cast<std::uint32_t>(chips - 1));
      }
    }));
  }

  void legalPlansAreLegalAndUseAllChips() {
    const ModelSpec model = mixture(256);
    for (const int chips : {1, 6, 8, 72, 576}) {
      const auto plans = legalPlans(model, node(72), chips, Fabric{});
      QVERIFY(!plans.empty());
      for (const Plan& plan : plans) {
        QVERIFY(checkPlan(model, node(72), plan.degrees, chips, Fabric{}).empty());
        QCOMPARE(plan.chipsPerReplica() * plan.replicas, chips);
      }
    }
    // Wide expert parallelism over the whole rack is among them.
    const auto plans = legalPlans(model, node(72), 72, Fabric{});
    QVERIFY(std::any_of(plans.begin(), plans.end(), [](const Plan& p) { return p.degrees.ep == 72; }));
  }
};

QTEST_GUILESS_MAIN(PlanTest)
#include "tst_plan.moc"
