// Derivations of every result key: children give the parent, and the root is the predicted number.
#include <QtTest>

#include "fixture.h"

#include <cmath>

using namespace decodescope;

namespace {

double worst(const Derivation& d) {
  double out =
      d.children.empty() ? 0 : std::fabs(recombine(d) - d.value) / std::max(1e-300, std::fabs(d.value));
  for (const Derivation& child : d.children) out = std::max(out, worst(child));
  return out;
}

double numberOf(const Prediction& p, std::string_view q) {
  if (q == "tpot_s") return p.tpot_s;
  if (q == "step_time_s") return p.step_time_s;
  if (q == "output_tokens_per_s") return p.output_tokens_per_s;
  if (q == "output_tokens_per_s_per_chip") return p.output_tokens_per_s_per_chip;
  if (q == "output_tokens_per_s_per_user") return p.output_tokens_per_s_per_user;
  if (q == "total_tokens_per_s") return p.total_tokens_per_s;
  if (q == "ttft_s") return p.ttft_s;
  if (q == "concurrency") return p.concurrency;
  if (q == "max_concurrency") return p.max_concurrency;
  if (q == "memory.kv_bytes_per_chip") return p.memory.kv_bytes_per_chip;
  if (q == "memory.kv_bytes_per_token") return p.memory.kv_bytes_per_token;
  if (q == "memory.weights_bytes_per_chip") return p.memory.weights_bytes_per_chip;
  if (q == "power.chip_w") return p.power.chip_w;
  if (q == "power.rack_w") return p.power.rack_w;
  if (q == "power.it_w") return p.power.it_w;
  if (q == "power.facility_w") return p.power.facility_w;
  if (q == "joules_per_token") return p.joules_per_token;
  if (q == "thermal.max_chip_c") return p.thermal.max_chip_c;
  if (q == "cost.usd_per_hour") return p.cost.usd_per_hour;
  if (q == "cost.usd_per_million_output_tokens") return p.cost.usd_per_million_output_tokens;
  return std::nan("");
}

}  // namespace

class ExplainTest : public QObject {
  Q_OBJECT

 private slots:
  void everyQuantityIsItsTree() {
    for (const Scenario& s :
         {fixture::dense(), fixture::mixture(), fixture::fixedBatch(fixture::dense(), 16, 4096)}) {
      const auto predictor = fixture::predictor(s);
      const Prediction p = predictor->predict(s, {false, false});
      for (const std::string_view q : analysis::Predictor::quantities()) {
        const auto tree = predictor->explain(s, q);
        QVERIFY2(tree, std::string(q).c_str());
        QVERIFY2(worst(*tree) < 1e-9, std::string(q).c_str());
        const double number = numberOf(p, q);
        QVERIFY2(std::fabs(tree->value - number) <= 1e-9 * std::fabs(number) + 1e-15,
                 qPrintable(QString("%1: %2 against %3")
                                .arg(std::string(q).c_str())
                                .arg(tree->value, 0, 'g', 12)
                                .arg(number, 0, 'g', 12)));
      }
    }
  }

  void unknownQuantitiesAreNamed() {
    const Scenario s = fixture::dense();
    const auto tree = fixture::predictor(s)->explain(s, "speed");
    QVERIFY(!tree);
    QVERIFY(tree.error().remedy.find("tpot_s") != std::string::npos);
  }

  void infeasibleScenariosSayWhy() {
    Scenario s = fixture::dense();
    s.workload.prompt.mean_tokens = 8e6;
    const auto tree = fixture::predictor(s)->explain(s, "tpot_s");
    QVERIFY(!tree);
    QVERIFY(tree.error().message.find("KV cache") != std::string::npos);
  }
};

QTEST_GUILESS_MAIN(ExplainTest)
#include "tst_explain.moc"
