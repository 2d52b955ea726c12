// What scripts rely on: exit codes, streams, the keys of --json, listings, help.
#include "cli_process.h"

#include <QDir>
#include <QJsonArray>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

using namespace cli_test;

namespace {

const QStringList kPredictKeys{"feasible",
                               "violations",
                               "tpot_s",
                               "ttft_s",
                               "step_time_s",
                               "output_tokens_per_s",
                               "output_tokens_per_s_per_chip",
                               "output_tokens_per_s_per_user",
                               "total_tokens_per_s",
                               "concurrency",
                               "max_concurrency",
                               "breakdown_s",
                               "bound",
                               "plan",
                               "memory",
                               "links",
                               "power",
                               "joules_per_token",
                               "thermal",
                               "cost",
                               "triangle",
                               "scoreboard",
                               "deployable",
                               "assumptions",
                               "version",
                               "catalog_hash"};

const QStringList kCommands{"catalog", "collectives", "compare",  "explain", "flows",   "import-model",
                            "kernels", "pareto",      "plan",     "predict", "run",     "sensitivity",
                            "sweep",   "thermal",     "topology", "trace",   "validate"};

void compareKeys(const QJsonObject& object, const char* member, const QStringList& keys) {
  const QStringList found = object[member].toObject().keys();
  for (const QString& key : keys) QVERIFY2(found.contains(key), qPrintable(QString(member) + "." + key));
}

}  // namespace

class TestContract : public QObject {
  Q_OBJECT

 private slots:
  void predictKeys_data();
  void predictKeys();
  void partsSumToTheStep();
  void infeasibleIsAResult();
  void strictExits();
  void runAddsWhatItMeasured();
  void everyQuantityIsExplained();
  void help_data();
  void help();
  void versionNamesTheCatalog();
  void standardInput();
  void listings_data();
  void listings();
  void modelCounts_data();
  void modelCounts();
  void chipShowsSources();
  void importedModelIsReadBack();
};

void TestContract::predictKeys_data() {
  QTest::addColumn<QString>("scenario");
  const QDir folder(QStringLiteral(DECODESCOPE_SOURCE_DIR "/resources/scenarios"));
  for (QString name : folder.entryList({"*.decodescope.json"}))
    QTest::newRow(qPrintable(name)) << name.remove(".decodescope.json");
}

/// Every shipped scenario is feasible and has every key.
void TestContract::predictKeys() {
  QFETCH(QString, scenario);
  const QJsonObject p = runJson({"predict", scenario, "--json"});
  QVERIFY(p["feasible"].toBool());
  for (const QString& key : kPredictKeys) QVERIFY2(p.contains(key), qPrintable(key));
  compareKeys(
      p, "breakdown_s",
      {"weights_hbm", "kv_hbm", "math", "launch", "collectives", "wait", "host", "throttle", "overlap"});
  compareKeys(p, "plan", {"tp", "pp", "ep", "dp", "cp", "replicas"});
  compareKeys(p, "memory",
              {"weights_bytes_per_chip", "kv_bytes_per_token", "kv_bytes_per_chip",
               "activation_bytes_per_chip", "capacity_bytes_per_chip"});
  compareKeys(p, "links", {"peak_utilization_ratio", "peak_link", "mean_utilization_ratio"});
  compareKeys(p, "power", {"chip_w", "rack_w", "it_w", "facility_w"});
  compareKeys(p, "thermal", {"max_chip_c", "mean_chip_c", "clock_ratio", "limited_by"});
  compareKeys(p, "cost", {"usd_per_hour", "usd_per_million_output_tokens", "interconnect_capex_share"});
  compareKeys(p, "triangle", {"compute", "interconnect", "physical", "binding"});
}

void TestContract::partsSumToTheStep() {
  const QJsonObject p = runJson({"predict", "deepseek-r1-nvl72", "--json"});
  double sum_s = 0, largest_s = 0;
  QString largest;
  const QJsonObject parts = p["breakdown_s"].toObject();
  for (auto it = parts.begin(); it != parts.end(); ++it) {
    sum_s += it->toDouble();
    if (it->toDouble() > largest_s) {
      largest_s = it->toDouble();
      largest = it.key();
    }
    QVERIFY2(it.key() == "overlap" ? it->toDouble() <= 0 : it->toDouble() >= 0, qPrintable(it.key()));
  }
  QVERIFY(std::abs(sum_s / p["step_time_s"].toDouble() - 1) < 1e-9);
  QCOMPARE(p["bound"].toString(), largest);
  const double per_user = p["output_tokens_per_s"].toDouble() / p["concurrency"].toDouble();
  // A request of 1024 tokens waits 1023 times for the next.
  QVERIFY(std::abs(per_user * p["tpot_s"].toDouble() - 1) < 2e-3);
  const QJsonObject plan = p["plan"].toObject();
  QCOMPARE(plan["tp"].toInt() * plan["pp"].toInt() * plan["cp"].toInt() * plan["dp"].toInt() *
               plan["replicas"].toInt(),
           72);
}

void TestContract::infeasibleIsAResult() {
  const Result result = run({"predict", "deepseek-r1-nvl72", "--json", "--set", "chips=1"});
  QCOMPARE(result.exit_code, 0);
  const QJsonObject p = result.json();
  QVERIFY(!p["feasible"].toBool(true));
  const QJsonArray violations = p["violations"].toArray();
  QVERIFY(!violations.isEmpty());
  for (const char* key : {"rule", "value", "limit", "unit", "message", "fix"})
    QVERIFY2(violations.first().toObject().contains(key), key);
  QCOMPARE(violations.first().toObject()["rule"].toString(), QString("memory"));
}

void TestContract::strictExits() {
  const QStringList one_chip{"deepseek-r1-nvl72", "--strict", "--set", "chips=1"};
  QCOMPARE(run(QStringList{"predict"} + one_chip).exit_code, 3);
  QCOMPARE(run(QStringList{"run", "--for", "1s"} + one_chip).exit_code, 3);
  QCOMPARE(run(QStringList{"trace", "--tokens", "1"} + one_chip).exit_code, 3);
  QCOMPARE(run({"predict", "deepseek-r1-nvl72", "--strict"}).exit_code, 0);
}

void TestContract::runAddsWhatItMeasured() {
  const QJsonObject r = runJson({"run", kScenario, "--for", "5s", "--json"});
  for (const QString& key : kPredictKeys) QVERIFY2(r.contains(key), qPrintable(key));
  for (const char* key : {"output_tokens", "iterations", "simulated_s", "fingerprint", "tpot_p50_s",
                          "tpot_p95_s", "tpot_p99_s", "ttft_p50_s", "ttft_p95_s", "ttft_p99_s"})
    QVERIFY2(r.contains(key), key);
  QVERIFY(r["tpot_p50_s"].toDouble() <= r["tpot_p95_s"].toDouble());
  QVERIFY(r["tpot_p95_s"].toDouble() <= r["tpot_p99_s"].toDouble());
}

/// Each quantity of the help text has a tree whose root is the value of predict.
void TestContract::everyQuantityIsExplained() {
  const Result help = run({"explain", "--help"});
  QString list = QString::fromUtf8(help.out).simplified();
  list = list.mid(list.indexOf("One of ") + 7);
  QStringList quantities = list.left(list.indexOf(" Options")).split(", ");
  QVERIFY2(quantities.size() >= 15, qPrintable(list));
  const QJsonObject p = runJson({"predict", kScenario, "--json"});
  for (const QString& quantity : quantities) {
    const QJsonObject tree = runJson({"explain", kScenario, quantity.trimmed(), "--json", "--depth", "1"});
    // JSON has no infinity: a number without bound is null.
    QVERIFY2(tree["value"].isDouble() || tree["value"].isNull(), qPrintable(quantity));
    if (const QJsonValue same = p[quantity]; same.isDouble())
      QCOMPARE(tree["value"].toDouble(), same.toDouble());
  }
}

void TestContract::help_data() {
  QTest::addColumn<QString>("command");
  for (const QString& command : kCommands) QTest::newRow(qPrintable(command)) << command;
}

/// The man pages are made of this text.
void TestContract::help() {
  QFETCH(QString, command);
  const Result result = run({command, "--help"});
  QCOMPARE(result.exit_code, 0);
  QVERIFY(result.err.isEmpty());
  QVERIFY(result.out.contains("Usage: "));
  QVERIFY(result.out.contains("--help"));
  QVERIFY2(run({"--help"}).out.contains(command.toUtf8()), "the command is not listed");
}

void TestContract::versionNamesTheCatalog() {
  const Result version = run({"--version"});
  QCOMPARE(version.exit_code, 0);
  const QString hash = runJson({"predict", kScenario, "--json"})["catalog_hash"].toString();
  QVERIFY(!hash.isEmpty());
  QVERIFY2(version.out.contains(hash.toUtf8()), version.out.constData());
}

void TestContract::standardInput() {
  const QByteArray scenario = readFile(
      QStringLiteral(DECODESCOPE_SOURCE_DIR "/resources/scenarios/%1.decodescope.json").arg(kScenario));
  const Result piped = run({"predict", "-", "--json"}, scenario);
  QCOMPARE(piped.out, run({"predict", kScenario, "--json"}).out);
  // A byte order mark changes nothing.
  QCOMPARE(run({"predict", "-", "--json"}, "\xef\xbb\xbf" + scenario).out, piped.out);
}

void TestContract::listings_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<int>("at_least");
  QTest::addColumn<QStringList>("ids");
  QTest::newRow("chips") << "chips" << 25 << QStringList{"h100-sxm", "gb200", "mi300x", "tpu-v4"};
  QTest::newRow("systems") << "systems" << 25
                           << QStringList{"gb200-nvl72", "dgx-h100", "nvl576", "tpu-v4-pod"};
  QTest::newRow("models") << "models" << 29
                          << QStringList{"deepseek-v3", "llama3.1-70b", "gpt-oss-120b", "palm-540b"};
  QTest::newRow("engines") << "engines" << 3 << QStringList{"vllm", "sglang", "trtllm"};
}

void TestContract::listings() {
  QFETCH(QString, kind);
  QFETCH(int, at_least);
  QFETCH(QStringList, ids);
  const QJsonArray entries = runJson({"catalog", kind, "--json"})[kind].toArray();
  QVERIFY2(entries.size() >= at_least, qPrintable(QString::number(entries.size())));
  QStringList listed;
  for (const auto& entry : entries) listed << entry.toObject()["id"].toString();
  QCOMPARE(QSet<QString>(listed.begin(), listed.end()).size(), entries.size());
  for (const QString& id : ids) QVERIFY2(listed.contains(id), qPrintable(id));
  // As text, one entry a line.
  QCOMPARE(run({"catalog", kind}).out.count('\n'), entries.size());
}

void TestContract::modelCounts_data() {
  QTest::addColumn<QString>("model");
  QTest::addColumn<double>("parameters");
  QTest::addColumn<double>("kv_bytes");
  // Layers x KV heads x head size x (key and value) x 2 bytes; MLA: layers x (512 + 64) x 2 bytes. The counts
  // of parameters are those of the published checkpoints' own tensors.
  QTest::newRow("llama3.1-8b") << "llama3.1-8b" << 8030261248.0 << 32.0 * 8 * 128 * 2 * 2;
  QTest::newRow("llama3.1-70b") << "llama3.1-70b" << 70553706496.0 << 80.0 * 8 * 128 * 2 * 2;
  QTest::newRow("mixtral-8x7b") << "mixtral-8x7b" << 46702792704.0 << 32.0 * 8 * 128 * 2 * 2;
  QTest::newRow("deepseek-v3") << "deepseek-v3" << 671026404352.0 << 61.0 * 576 * 2;
}

void TestContract::modelCounts() {
  QFETCH(QString, model);
  QFETCH(double, parameters);
  QFETCH(double, kv_bytes);
  const QJsonObject m = runJson({"catalog", "models", model, "--json"});
  QVERIFY2(std::abs(m["parameters_total"].toDouble() / parameters - 1) < 1e-4,
           qPrintable(QString::number(m["parameters_total"].toDouble(), 'f', 0)));
  QCOMPARE(m["kv_bytes_per_token_bf16"].toDouble(), kv_bytes);
  QVERIFY(m["parameters_active"].toDouble() <= m["parameters_total"].toDouble());
}

void TestContract::chipShowsSources() {
  const QJsonObject chip = runJson({"catalog", "chips", "h100-sxm", "--json"});
  const QJsonObject values = chip["values"].toObject();
  QVERIFY(values.size() > 10);
  for (auto it = values.begin(); it != values.end(); ++it) {
    const QJsonObject value = it->toObject();
    QVERIFY2(!value["source"].toObject()["title"].toString().isEmpty(), qPrintable(it.key()));
    QVERIFY2(!value["confidence"].toString().isEmpty(), qPrintable(it.key()));
  }
}

/// An imported entry, saved where users keep theirs, counts and predicts like any other.
void TestContract::importedModelIsReadBack() {
  const Result imported = run({"import-model", fixture("config.json"), "--name", "Small Test"});
  QVERIFY2(imported.exit_code == 0, imported.err.constData());
  QVERIFY2(imported.err.contains("made_up_key"), imported.err.constData());
  const QTemporaryDir folder;
  QVERIFY(QDir(folder.path()).mkpath("decodescope/catalog"));
  writeFile(folder.filePath("decodescope/catalog/models.json"), imported.out);
  auto environment = QProcessEnvironment::systemEnvironment();
  environment.remove("DECODESCOPE_CATALOG");
  environment.insert("XDG_DATA_HOME", folder.path());
  const Result shown = run({"catalog", "models", "small-test", "--json"}, {}, environment);
  QVERIFY2(shown.exit_code == 0, shown.err.constData());
  // 2 layers of 64 x 64 Q, two 64 x 32 KV, 64 x 64 O, three 64 x 128, two norms of 64; 1000 x 64 in and out;
  // a norm.
  constexpr double kLayer = 64 * 64 + 2 * 64 * 32 + 64 * 64 + 3 * 64 * 128 + 2 * 64;
  QCOMPARE(shown.json()["parameters_total"].toDouble(), 2 * kLayer + 2 * 1000 * 64 + 64);
  QCOMPARE(shown.json()["kv_bytes_per_token_bf16"].toDouble(), 2.0 * 2 * 32 * 2);
}

QTEST_GUILESS_MAIN(TestContract)
#include "tst_contract.moc"
