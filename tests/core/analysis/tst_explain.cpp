// Derivations of every result key: children give the parent, and the root is the predicted number.
#include <QtTest>

#include "analysis/prediction_json.h"
#include "fixture.h"
#include "scenario/scenario_json.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

using namespace decodescope;

namespace {

double worst(const Derivation& d) {
  double out =
      d.children.empty() ? 0 : std::fabs(recombine(d) - d.value) / std::max(1e-300, std::fabs(d.value));
  for (const Derivation& child : d.children) out = std::max(out, worst(child));
  return out;
}

/// The predicted number of a result key, as `predict --json` gives it.
double numberOf(const nlohmann::ordered_json& prediction, const std::string& key) {
  if (key == "output_tokens_per_s_per_mw")
    return prediction["output_tokens_per_s"].get<double>() /
           (prediction["power"]["facility_w"].get<double>() * 1e-6);
  const auto& number = prediction.at(nlohmann::ordered_json::json_pointer(
      "/" + QString::fromStdString(key).replace('.', '/').toStdString()));
  return number.is_number() ? number.get<double>() : std::numeric_limits<double>::infinity();
}

/// A leaf that does not say where it comes from or how far to trust it; empty when all do.
std::string bareLeaf(const Derivation& d) {
  if (d.children.empty()) return d.source.empty() || d.confidence.empty() ? d.id : "";
  for (const Derivation& child : d.children) {
    if (std::string bare = bareLeaf(child); !bare.empty()) return bare;
  }
  return "";
}

Scenario shipped(const std::string& id) {
  auto loaded = scenario::loadScenario(std::string(DECODESCOPE_SOURCE_DIR) + "/resources/scenarios/" + id +
                                       ".decodescope.json");
  if (!loaded) fixture::stop(loaded.error());
  return *std::move(loaded);
}

/// One per vendor, kind of model, way of cooling and mode of load, and one whose clocks are held back.
std::vector<Scenario> variety() {
  std::vector<Scenario> out;
  for (const char* id : {"deepseek-r1-nvl72", "llama-3.1-405b-long-context-hgx-h200", "mixtral-8x7b-mi300x-8",
                         "palm-540b-tpu-v4-64", "qwen3-235b-hgx-h200-open-loop"})
    out.push_back(shipped(id));
  out.push_back(shipped("gpt-oss-120b-hgx-b200"));
  out.back().physical.chip_power_cap_w = 300;
  out.push_back(shipped("deepseek-r1-nvl72"));
  out.back().serving.two_batch_overlap_ratio = 0.5;
  out.back().workload.concurrency = 1;
  return out;
}

}  // namespace

class ExplainTest : public QObject {
  Q_OBJECT

 private slots:
  void everyQuantityIsItsTree() {
    for (const Scenario& s : variety()) {
      const auto predictor = fixture::predictor(s);
      const auto prediction = analysis::predictionJson(predictor->predict(s));
      QVERIFY2(prediction["feasible"].get<bool>(), s.name.c_str());
      for (const std::string_view q : analysis::Predictor::quantities()) {
        const std::string key(q);
        const auto tree = predictor->explain(s, q);
        QVERIFY2(tree, key.c_str());
        QCOMPARE(tree->id, key);
        const double number = numberOf(prediction, key);
        const bool same =
            tree->value == number || std::fabs(tree->value - number) <= 1e-9 * std::fabs(number) + 1e-15;
        QVERIFY2(same, qPrintable(QString("%1, %2: %3 against %4")
                                      .arg(s.name.c_str(), key.c_str())
                                      .arg(tree->value, 0, 'g', 12)
                                      .arg(number, 0, 'g', 12)));
        QVERIFY2(worst(*tree) < 1e-9, key.c_str());
        QCOMPARE(QString::fromStdString(bareLeaf(*tree)), QString());
      }
    }
  }

  /// What only moves data, and what only says how, are left.
  void everyNumberOfAPredictionHasATree() {
    const auto keys = analysis::Predictor::quantities();
    const Scenario s = shipped("deepseek-r1-nvl72");
    const std::set<std::string> inputs{"power.rack_cap_w",
                                       "power.chip_cap_w",
                                       "thermal.limit_c",
                                       "thermal.mean_chip_c",
                                       "mean_context_tokens",
                                       "links.mean_utilization_ratio",
                                       "cost.interconnect_capex_share"};
    const auto flat = analysis::predictionJson(fixture::predictor(s)->predict(s)).flatten();
    for (const auto& [pointer, value] : flat.items()) {
      if (!value.is_number() || pointer.find("/plan/") == 0 ||
          pointer.find("/time_share/") != std::string::npos)
        continue;
      const std::string key = QString::fromStdString(pointer).mid(1).replace('/', '.').toStdString();
      QVERIFY2(inputs.count(key) == 1 || std::find(keys.begin(), keys.end(), key) != keys.end(), key.c_str());
    }
  }

  void sharesOfANumeratorAddUp() {
    const Scenario s = shipped("deepseek-r1-nvl72");
    const auto tree = fixture::predictor(s)->explain(s, "tpot_s");
    QVERIFY(tree);
    double sum = 0;
    for (const Derivation& kind : tree->children.at(0).children) sum += kind.share;
    QVERIFY(std::fabs(sum - 1) < 1e-12);
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
