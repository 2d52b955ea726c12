// Sweeps: the grid, its values, and rows that are the same however the work is cut.
#include "analysis/prediction_json.h"
#include "analysis/sweep.h"
#include "core/decode/fixture.h"

#include <QTest>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

using namespace decodescope;
using analysis::PointRange;
using analysis::Sweep;

namespace {

Scenario dense() {
  Scenario s;
  s.model = "llama3.1-70b";
  s.system = "dgx-h100";
  s.chips = 8;
  s.precision.weights = "fp8";
  s.parallel = fixture::degrees(8);
  return s;
}

Sweep sweepOf(const Scenario& base, std::vector<std::string> axes, analysis::SweepOptions options = {}) {
  options.version = "test";
  auto made = Sweep::make(fixture::catalog(), base, axes, std::move(options));
  if (!made) fixture::stop(made.error());
  return *std::move(made);
}

const std::atomic<bool> kGoOn{false};

std::string rows(const Sweep& sweep, PointRange range) {
  analysis::SweepWorker worker(sweep);
  std::string out;
  (void)worker.appendRows(range, out, kGoOn);
  return out;
}

double number(const ParameterValue& value) {
  return std::get<double>(value);
}

void flatten(const nlohmann::ordered_json& json, const std::string& prefix,
             std::vector<std::pair<std::string, nlohmann::ordered_json>>& out) {
  for (const auto& [key, value] : json.items()) {
    if (value.is_object())
      flatten(value, prefix + key + ".", out);
    else if (!value.is_array() && key != "reason" && prefix + key != "feasible")
      out.emplace_back(prefix + key, value);
  }
}

}  // namespace

class SweepTest : public QObject {
  Q_OBJECT
 private slots:
  void endsOfRangesAreExact();
  void integersRoundHalfUp();
  void firstAxisIsOutermost();
  void badAxesAreErrors();
  void shardsCoverEveryPointOnce();
  void rowsDoNotDependOnHowTheyAreCut();
  void pointsEqualPredictions();
  void columnsAreTheKeysOfTheJson();
  void infeasibleRowsAreEmptyButForTheReason();
  void moreContextIsNeverFaster();
  void cancellationKeepsWholeRows();
  void fixedPlanIsHeld();
};

void SweepTest::endsOfRangesAreExact() {
  const auto axis = analysis::parseAxis("physical.ambient_c=0.1:0.7:7");
  QVERIFY(axis);
  QCOMPARE(number(axis->value(0)), 0.1);
  QCOMPARE(number(axis->value(6)), 0.7);
  const auto log = analysis::parseAxis("workload.arrivals_per_s=0.3:3000:5:log");
  QVERIFY(log);
  QCOMPARE(number(log->value(0)), 0.3);
  QCOMPARE(number(log->value(4)), 3000.0);
  // Four equal factors of 10 between 0.3 and 3000.
  for (std::uint64_t i = 1; i < 4; ++i)
    QVERIFY(std::abs(number(log->value(i)) / number(log->value(i - 1)) - 10) < 1e-12);
  const auto one = analysis::parseAxis("chips=5:9:1");
  QVERIFY(one && one->count == 1);
  QCOMPARE(number(one->value(0)), 5.0);
}

void SweepTest::integersRoundHalfUp() {
  // 1, 2.5, 4 and, from a list, 2.5 and 3.49.
  const auto range = analysis::parseAxis("chips=1:4:3");
  QCOMPARE(number(range->value(1)), 3.0);
  const auto list = analysis::parseAxis("chips=2.5,3.49");
  QCOMPARE(number(list->value(0)), 3.0);
  QCOMPARE(number(list->value(1)), 3.0);
  const std::string text = rows(sweepOf(dense(), {"workload.concurrency=1:4:3"}), {1, 2});
  QVERIFY(text.starts_with("3,"));
}

void SweepTest::firstAxisIsOutermost() {
  const auto sweep = sweepOf(dense(), {"workload.concurrency=1,2", "physical.ambient_c=10,20,30"});
  QCOMPARE(sweep.size(), std::uint64_t{6});
  const double expected[6][2] = {{1, 10}, {1, 20}, {1, 30}, {2, 10}, {2, 20}, {2, 30}};
  for (std::uint64_t i = 0; i < 6; ++i) {
    QCOMPARE(number(sweep.grid().value(i, 0)), expected[i][0]);
    QCOMPARE(number(sweep.grid().value(i, 1)), expected[i][1]);
  }
}

void SweepTest::badAxesAreErrors() {
  for (const char* text : {"chips", "chips=", "=1,2", "chips=1:2", "chips=1:2:0", "chips=1:2:1.5",
                           "chips=1:2:3:cube", "physical.ambient_c=-1:2:3:log", "chips=a:b:3"})
    QVERIFY2(!analysis::parseAxis(text).has_value(), text);
  for (const char* text : {"chips=0,1", "chips=1:2000000:4", "model=no-such-model", "no.such.path=1,2",
                           "physical.cooling=steam"}) {
    const std::vector<std::string> axes{text};
    QVERIFY2(!Sweep::make(fixture::catalog(), dense(), axes).has_value(), text);
  }
  const std::vector<std::string> twice{"chips=1,2", "chips=1,2"};
  QVERIFY(!Sweep::make(fixture::catalog(), dense(), twice).has_value());
}

void SweepTest::shardsCoverEveryPointOnce() {
  for (const std::uint64_t points : {0u, 1u, 7u, 100u, 1000003u}) {
    for (const std::uint64_t shards : {1u, 2u, 3u, 8u, 11u}) {
      std::uint64_t next = 0;
      for (std::uint64_t s = 1; s <= shards; ++s) {
        const PointRange range = analysis::shardRange(points, s, shards);
        QCOMPARE(range.first, next);
        next = range.last;
        QVERIFY(range.size() <= points / shards + 1);
      }
      QCOMPARE(next, points);
    }
  }
}

void SweepTest::rowsDoNotDependOnHowTheyAreCut() {
  Scenario automatic = dense();
  automatic.parallel.reset();
  const auto sweep = sweepOf(automatic, {"physical.cooling=air,liquid", "model=llama3.1-70b,gpt-oss-120b",
                                         "workload.concurrency=1:200:3", "physical.airflow_ratio=0.6:1:2",
                                         "physical.supply_c=20,35"});
  const std::string whole = rows(sweep, {0, sweep.size()});
  QCOMPARE(std::count(whole.begin(), whole.end(), '\n'), std::ptrdiff_t(48));
  std::string single, backwards;
  for (std::uint64_t i = 0; i < sweep.size(); ++i) single += rows(sweep, {i, i + 1});
  QVERIFY(single == whole);
  // One worker that visits the points in the opposite order keeps other neighbours.
  analysis::SweepWorker worker(sweep);
  for (std::uint64_t i = sweep.size(); i-- > 0;) {
    std::string row;
    (void)worker.appendRows({i, i + 1}, row, kGoOn);
    backwards.insert(0, row);
  }
  QVERIFY(backwards == whole);
}

void SweepTest::pointsEqualPredictions() {
  const auto sweep = sweepOf(dense(), {"workload.concurrency=8,64", "physical.supply_c=20,40"});
  analysis::SweepWorker worker(sweep);
  for (std::uint64_t i = 0; i < sweep.size(); ++i) {
    Scenario s = dense();
    s.workload.concurrency = i < 2 ? 8 : 64;
    s.physical.supply_c = i % 2 == 0 ? 20 : 40;
    const auto alone = analysis::predict(fixture::catalog(), s);
    QVERIFY(alone);
    QCOMPARE(QString::fromStdString(analysis::predictionJson(worker.point(i).prediction).dump()),
             QString::fromStdString(analysis::predictionJson(*alone).dump()));
  }
}

void SweepTest::columnsAreTheKeysOfTheJson() {
  const auto p = analysis::predict(fixture::catalog(), dense());
  QVERIFY(p && p->feasible);
  std::vector<std::pair<std::string, nlohmann::ordered_json>> keys;
  flatten(analysis::predictionJson(*p), "", keys);
  QCOMPARE(keys.size(), analysis::resultColumns().size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const analysis::ResultColumn& column = analysis::resultColumns()[i];
    QCOMPARE(QString::fromStdString(column.key), QString::fromStdString(keys[i].first));
    std::string text;
    column.append(*p, text);
    const auto& value = keys[i].second;
    if (value.is_number())
      QCOMPARE(std::stod(text), value.get<double>());
    else if (value.is_string())
      QCOMPARE(text, value.get<std::string>());
    else
      QCOMPARE(text, value.is_null() ? std::string() : value.dump());
  }
}

void SweepTest::infeasibleRowsAreEmptyButForTheReason() {
  // The KV cache of 16 Mi tokens is 16.8e6 x 320 KiB = 5.5 TB, more than eight H100 have.
  const std::string text =
      rows(sweepOf(dense(), {"workload.context_tokens=16000000"}, {{}, {"tpot_s", "bound"}, {}}), {0, 1});
  QVERIFY2(text.starts_with("16000000,false,,,memory,memory,\"One sequence of"), text.c_str());
}

void SweepTest::moreContextIsNeverFaster() {
  Scenario alone = dense();
  alone.workload.concurrency = 1;
  const auto sweep = sweepOf(alone, {"workload.context_tokens=1024:200000:60:log"});
  analysis::SweepWorker worker(sweep);
  double before_s = 0;
  for (std::uint64_t i = 0; i < sweep.size(); ++i) {
    const Prediction& p = worker.point(i).prediction;
    QVERIFY(p.feasible);
    // More context comes with a longer prompt, whose chunks are slower too.
    QVERIFY2(p.tpot_s > before_s, std::to_string(i).c_str());
    before_s = p.tpot_s;
  }
}

void SweepTest::cancellationKeepsWholeRows() {
  const auto sweep = sweepOf(dense(), {"workload.concurrency=1:2000:2000", "physical.ambient_c=10:40:2000"});
  analysis::SweepWorker worker(sweep);
  std::atomic<bool> cancelled{false};
  std::string out;
  std::thread user([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    cancelled = true;
  });
  const std::uint64_t done = worker.appendRows({0, sweep.size()}, out, cancelled);
  user.join();
  QVERIFY(done < sweep.size());
  QCOMPARE(static_cast<std::uint64_t>(std::count(out.begin(), out.end(), '\n')), done);
  QVERIFY(out.empty() || out.back() == '\n');
  const std::string begin = rows(sweep, {0, std::min<std::uint64_t>(done, 5)});
  QVERIFY(out.starts_with(begin));
}

void SweepTest::fixedPlanIsHeld() {
  Scenario automatic = dense();
  automatic.parallel.reset();
  const auto plan_at = [&](analysis::SweepPlan plan, std::uint64_t i) {
    analysis::SweepOptions options;
    options.plan = plan;
    const auto sweep = sweepOf(automatic, {"chips=8,16"}, options);
    analysis::SweepWorker worker(sweep);
    return worker.point(i).prediction.plan;
  };
  const auto at_base = analysis::predict(fixture::catalog(), automatic)->plan.degrees;
  QVERIFY(plan_at(analysis::SweepPlan::Fixed, 1).degrees == at_base);
  QCOMPARE(plan_at(analysis::SweepPlan::Fixed, 1).replicas,
           2 * plan_at(analysis::SweepPlan::Fixed, 0).replicas);
  automatic.chips = 16;
  const auto best = analysis::predict(fixture::catalog(), automatic)->plan.degrees;
  QVERIFY(plan_at(analysis::SweepPlan::Best, 1).degrees == best);
}

QTEST_GUILESS_MAIN(SweepTest)
#include "tst_sweep.moc"
