// Simulations from the command line: the same bits every time, agreement with predict, files, interrupts.
#include "cli_process.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <csignal>

using namespace cli_test;

namespace {

QString fingerprint(const QStringList& options) {
  return runJson(QStringList{"run", kScenario, "--json"} + options)["fingerprint"].toString();
}

}  // namespace

class TestRun : public QObject {
  Q_OBJECT

 private slots:
  void sameBitsEveryTime();
  void cutsDoNotMatter();
  void seedMatters();
  void agreesWithPredict_data();
  void agreesWithPredict();
  void tokensAreIterations();
  void recordsOfIntervals();
  void jsonFile();
  void traceAddsUp();
  void interruptKeepsWhatWasDone();
  void monotone_data();
  void monotone();
};

void TestRun::sameBitsEveryTime() {
  const QString first = fingerprint({"--tokens", "300"});
  QVERIFY(first.size() > 16);
  QCOMPARE(fingerprint({"--tokens", "300"}), first);
  QVERIFY(fingerprint({"--tokens", "301"}) != first);
}

/// How often records are taken, and files are written, leaves the simulation alone.
void TestRun::cutsDoNotMatter() {
  const QTemporaryDir folder;
  const QString whole = fingerprint({"--for", "4s"});
  QCOMPARE(fingerprint({"--for", "4s", "--interval", "37ms"}), whole);
  QCOMPARE(fingerprint({"--for", "4000ms", "--interval", "4s", "-o", folder.filePath("a.csv")}), whole);
}

void TestRun::seedMatters() {
  const QString first = fingerprint({"--tokens", "50"});
  QVERIFY(fingerprint({"--tokens", "50", "--set", "seed=2"}) != first);
}

void TestRun::agreesWithPredict_data() {
  QTest::addColumn<QString>("scenario");
  for (const char* scenario : {"deepseek-r1-nvl72", "llama-3.1-70b-hgx-h100", "gpt-oss-120b-hgx-b200",
                               "mixtral-8x7b-mi300x-8", "palm-540b-tpu-v4-64"})
    QTest::newRow(scenario) << scenario;
}

/// A steady load without jitter: within 2 %.
void TestRun::agreesWithPredict() {
  QFETCH(QString, scenario);
  const QStringList steady{scenario, "--json", "--set", "jitter=off"};
  const QJsonObject p = runJson(QStringList{"predict"} + steady);
  const QJsonObject r = runJson(QStringList{"run", "--for", "300s"} + steady);
  for (const char* key : {"tpot_s", "output_tokens_per_s", "step_time_s", "joules_per_token"}) {
    const double ratio = p[key].toDouble() / r[key].toDouble();
    QVERIFY2(std::abs(ratio - 1) < 0.02, qPrintable(QString("%1: predict over run %2").arg(key).arg(ratio)));
  }
}

void TestRun::tokensAreIterations() {
  const QJsonObject r = runJson({"run", kScenario, "--tokens", "40", "--json", "--set", "jitter=off"});
  QCOMPARE(r["iterations"].toInt(), 40 * r["plan"].toObject()["replicas"].toInt());
}

void TestRun::recordsOfIntervals() {
  const QTemporaryDir folder;
  const QString file = folder.filePath("records.csv");
  const QJsonObject r =
      runJson({"run", kScenario, "--for", "2s", "--interval", "100ms", "-o", file, "--json"});
  const QList<QByteArray> lines = readFile(file).trimmed().split('\n');
  QCOMPARE(lines.size(), 21);
  const QList<QByteArray> names = lines.first().split(',');
  for (const char* name : {"start_s", "end_s", "output_tokens", "max_chip_c", "version", "catalog_hash"})
    QVERIFY2(names.contains(name), name);
  double tokens = 0, end_s = 0;
  for (int i = 1; i < lines.size(); ++i) {
    const QList<QByteArray> cells = lines[i].split(',');
    QCOMPARE(cells.size(), names.size());
    QVERIFY(std::abs(cells[names.indexOf("start_s")].toDouble() - end_s) < 1e-9);
    end_s = cells[names.indexOf("end_s")].toDouble();
    tokens += cells[names.indexOf("output_tokens")].toDouble();
  }
  QVERIFY(std::abs(end_s - 2) < 1e-9);
  QCOMPARE(tokens, r["output_tokens"].toDouble());  // no token is lost between records
}

void TestRun::jsonFile() {
  const QTemporaryDir folder;
  const QString file = folder.filePath("records.json");
  const QJsonObject r = runJson({"run", kScenario, "--for", "1s", "-o", file, "--json"});
  const QJsonObject written = QJsonDocument::fromJson(readFile(file)).object();
  QCOMPARE(written["summary"].toObject()["fingerprint"], r["fingerprint"]);
  QVERIFY(written["intervals"].toArray().size() > 100);
}

/// The operations of every iteration fill it without gap or overlap on the chips' and links' tracks together.
void TestRun::traceAddsUp() {
  const QTemporaryDir folder;
  const QString file = folder.filePath("trace.json");
  const Result result = run({"trace", kScenario, "--tokens", "2", "-o", file});
  QVERIFY2(result.exit_code == 0, result.err.constData());
  double iterations_us = 0, operations_us = 0;
  int operations = 0;
  for (const auto& value : QJsonDocument::fromJson(readFile(file)).object()["traceEvents"].toArray()) {
    const QJsonObject event = value.toObject();
    if (event["ph"].toString() != "X") continue;
    if (event["tid"].toInt() == 0) {
      iterations_us += event["dur"].toDouble();
    } else {
      operations_us += event["dur"].toDouble();
      ++operations;
    }
  }
  QVERIFY(operations > 2 * 80 * 5);  // 80 layers of at least norm, QKV, attention, output and two of the FFN
  QVERIFY2(operations_us > 0.95 * iterations_us, qPrintable(QString::number(operations_us / iterations_us)));
}

void TestRun::interruptKeepsWhatWasDone() {
  const QTemporaryDir folder;
  const QString file = folder.filePath("records.csv");
  QProcess process;
  process.start(QStringLiteral(DECODESCOPE_CLI), {"run", kScenario, "--for", "8760h", "-o", file});
  QVERIFY(process.waitForStarted());
  QVERIFY(!process.waitForFinished(1500));
  ::kill(static_cast<pid_t>(process.processId()), SIGINT);
  QVERIFY(process.waitForFinished(60000));
  QCOMPARE(process.exitStatus(), QProcess::NormalExit);
  QCOMPARE(process.exitCode(), 130);
  QVERIFY(process.readAllStandardError().contains("cancelled after"));
  QVERIFY(readFile(file).count('\n') >= 2);
}

void TestRun::monotone_data() {
  QTest::addColumn<QString>("path");
  QTest::addColumn<QStringList>("values");
  QTest::newRow("context") << "workload.prompt_tokens" << QStringList{"128", "4096", "65536"};
  QTest::newRow("supply") << "physical.supply_c" << QStringList{"15", "45", "65", "80"};
  QTest::newRow("chip cap") << "physical.chip_power_cap_w" << QStringList{"1400", "700", "400", "200"};
  QTest::newRow("rack cap") << "physical.rack_power_cap_kw" << QStringList{"500", "100", "60", "20"};
  QTest::newRow("flow") << "physical.flow_l_per_min_per_chip" << QStringList{"3", "1.6", "0.8", "0.3"};
  QTest::newRow("memory") << "chip.memory_bandwidth_gb_per_s" << QStringList{"16000", "8000", "2000", "500"};
  QTest::newRow("links") << "system.scale_up.link_gb_per_s" << QStringList{"100", "50", "10", "1"};
  QTest::newRow("weights") << "precision.weights" << QStringList{"nvfp4", "fp8", "bf16"};
  QTest::newRow("clock") << "physical.clock_limit_ratio" << QStringList{"1", "0.8", "0.5"};
}

/// At a fixed plan, no step of these makes a token come sooner.
void TestRun::monotone() {
  QFETCH(QString, path);
  QFETCH(QStringList, values);
  double last_s = 0;
  for (const QString& value : values) {
    const QJsonObject p =
        runJson({"predict", "deepseek-r1-nvl72", "--json", "--set", R"(parallel={"tp":4,"dp":9,"ep":36})",
                 "--set", "jitter=off", "--set", path + "=" + value});
    if (!p["feasible"].toBool()) break;
    const double tpot_s = p["tpot_s"].toDouble();
    QVERIFY2(tpot_s >= last_s * (1 - 1e-9),
             qPrintable(QString("%1: %2 s after %3 s").arg(value).arg(tpot_s).arg(last_s)));
    last_s = tpot_s;
  }
  QVERIFY(last_s > 0);
}

QTEST_GUILESS_MAIN(TestRun)
#include "tst_run.moc"
