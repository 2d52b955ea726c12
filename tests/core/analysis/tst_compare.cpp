// Comparisons: effects of single inputs add up to the whole, and what 10 % more of a resource buys.
#include "analysis/compare.h"
#include "analysis/sensitivity.h"
#include "core/decode/fixture.h"

#include <QTest>
#include <cmath>

using namespace decodescope;

namespace {

Scenario dense() {
  Scenario s;
  s.model = "llama3.1-70b";
  s.system = "dgx-h100";
  s.chips = 8;
  s.precision.weights = "bf16";
  s.workload.concurrency = 32;
  return s;
}

void sumsToTheWhole(const Scenario& a, const Scenario& b, bool exact) {
  const auto c = analysis::compare(fixture::catalog(), a, b);
  QVERIFY(c && !c->effects.empty());
  QCOMPARE(c->exact, exact);
  for (std::size_t r = 0; r < c->results.size(); ++r) {
    double sum = 0, size = std::abs(c->results[r].a) + std::abs(c->results[r].b);
    for (const auto& effect : c->effects) {
      sum += effect.share[r];
      size += std::abs(effect.share[r]);
    }
    QVERIFY2(std::abs(sum - (c->results[r].b - c->results[r].a)) <= 1e-9 * size,
             std::string(c->results[r].metric->key).c_str());
  }
}

}  // namespace

class CompareTest : public QObject {
  Q_OBJECT
 private slots:
  void glovesGame();
  void inputsThatGoTogetherAreMerged();
  void additiveGameOfManyInputs();
  void differingInputs();
  void effectsSumToTheDifference();
  void theSameScenario();
  void infeasibleSide();
  void uselessInputHasNoEffect();
  void tenPercentMore();
};

/// One left glove (input 0) and two right ones: a pair is worth 1. Known Shapley values 2/3, 1/6, 1/6.
void CompareTest::glovesGame() {
  const auto found = analysis::shapley(3, [](analysis::Coalition c) {
    return std::optional(std::vector<double>{(c & 1) != 0 && (c & 6) != 0 ? 1.0 : 0.0});
  });
  QVERIFY(found && found->exact);
  const double expected[] = {2.0 / 3, 1.0 / 6, 1.0 / 6};
  for (std::size_t i = 0; i < 3; ++i) QVERIFY(std::abs(found->shares[i][0] - expected[i]) < 1e-15);
}

void CompareTest::inputsThatGoTogetherAreMerged() {
  // Inputs 0 and 2 cannot be changed alone; input 1 adds 3, the pair 10.
  const auto found = analysis::shapley(3, [](analysis::Coalition c) -> std::optional<std::vector<double>> {
    if (((c & 1) != 0) != ((c & 4) != 0)) return {};
    return std::vector<double>{((c & 1) != 0 ? 10.0 : 0.0) + ((c & 2) != 0 ? 3.0 : 0.0)};
  });
  QVERIFY(found && found->groups.size() == 2);
  QVERIFY((found->groups[0] == std::vector<std::size_t>{0, 2}));
  QCOMPARE(found->shares[0][0], 10.0);
  QCOMPARE(found->shares[1][0], 3.0);
}

/// Sampled orders give an additive game its exact values, whatever the orders.
void CompareTest::additiveGameOfManyInputs() {
  const auto found = analysis::shapley(9, [](analysis::Coalition c) {
    double sum = 0;
    for (std::size_t i = 0; i < 9; ++i) sum += (c >> i & 1) != 0 ? static_cast<double>(i + 1) : 0;
    return std::optional(std::vector<double>{sum});
  });
  QVERIFY(found && !found->exact);
  for (std::size_t i = 0; i < 9; ++i)
    QVERIFY(std::abs(found->shares[i][0] - static_cast<double>(i + 1)) < 1e-9);
}

void CompareTest::differingInputs() {
  Scenario b = dense();
  b.name = "Another name is no input";
  b.seed = 7;
  b.workload.concurrency = 64;
  b.physical.supply_c = 20;
  b.parallel = fixture::degrees(8);
  const auto inputs = analysis::inputDifferences(dense(), b);
  QCOMPARE(inputs.size(), std::size_t{3});
  QCOMPARE(inputs[0].path, std::string("parallel"));
  QCOMPARE(inputs[0].a, std::string("auto"));
  QCOMPARE(inputs[1].path, std::string("workload.concurrency"));
  QCOMPARE(inputs[1].b, std::string("64"));
  QCOMPARE(inputs[2].path, std::string("physical.supply_c"));
  QCOMPARE(inputs[2].a, std::string("default"));
}

void CompareTest::effectsSumToTheDifference() {
  Scenario b = dense();
  b.system = "hgx-h200";
  b.precision.weights = "fp8";
  b.workload.concurrency = 128;
  sumsToTheWhole(dense(), b, true);
  b.precision.kv = "fp8";
  b.workload.prompt.mean_tokens = 2048;
  b.workload.output.mean_tokens = 512;
  b.serving.engine = "trtllm";
  b.economics.usd_per_kwh = 0.2;
  sumsToTheWhole(dense(), b, false);
}

void CompareTest::theSameScenario() {
  const auto c = analysis::compare(fixture::catalog(), dense(), dense());
  QVERIFY(c && c->inputs.empty() && c->effects.empty() && !c->note.empty());
  for (const auto& d : c->results) {
    QCOMPARE(d.a, d.b);
    QCOMPARE(analysis::verdict(*d.metric, d.a, d.b), std::string_view("same"));
  }
}

void CompareTest::infeasibleSide() {
  Scenario b = dense();
  b.model = "deepseek-v3";
  b.chips = 1;
  const auto c = analysis::compare(fixture::catalog(), dense(), b);
  QVERIFY(c && !c->b.feasible && c->effects.empty() && !c->note.empty());
}

/// The price of a kWh is in the money and nowhere else.
void CompareTest::uselessInputHasNoEffect() {
  Scenario b = dense();
  b.economics.usd_per_kwh = 0.3;
  b.workload.concurrency = 64;
  const auto c = analysis::compare(fixture::catalog(), dense(), b);
  QVERIFY(c);
  for (const auto& effect : c->effects) {
    if (effect.paths.front() != "economics.usd_per_kwh") continue;
    QCOMPARE(effect.share[0], 0.0);
    QCOMPARE(effect.share[1], 0.0);
    QVERIFY(effect.share[2] > 0);
    return;
  }
  QFAIL("the price is not among the effects");
}

void CompareTest::tenPercentMore() {
  Scenario one = dense();
  one.workload.concurrency = 1;
  const auto s = analysis::sensitivity(fixture::catalog(), one, analysis::Objective::Tpot);
  QVERIFY(s && s->gains.size() >= 6);
  // A single sequence reads all weights for each token: bandwidth first, and never more than its tenth.
  QCOMPARE(s->gains.front().id, std::string("hbm_bandwidth"));
  double before = 1;
  for (const auto& gain : s->gains) {
    const double ratio = analysis::gainOf(gain, analysis::Objective::Tpot);
    QVERIFY2(ratio >= -1e-12 && ratio <= 1 - 1 / 1.1 + 1e-12, gain.id.c_str());
    QVERIFY(ratio <= before);
    before = ratio;
    if (gain.id == "hbm_capacity") QCOMPARE(ratio, 0.0);
  }
}

QTEST_GUILESS_MAIN(CompareTest)
#include "tst_compare.moc"
