// The parts of the model that stand on the command line by themselves: topologies, flows, heat, kernels,
// collectives, and the comparison with measured points. Expected values are derived by hand where they stand.
#include "cli_process.h"

#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

using namespace cli_test;

namespace {

/// A CSV of these tests as rows of cells; commas in quotes do not separate.
QList<QStringList> rowsOf(const QByteArray& text) {
  QList<QStringList> rows;
  for (const QByteArray& line : text.trimmed().split('\n')) {
    QStringList cells{QString()};
    bool quoted = false;
    for (const char c : line) {
      if (c == '"')
        quoted = !quoted;
      else if (c == ',' && !quoted)
        cells << QString();
      else
        cells.last() += QLatin1Char(c);
    }
    rows << cells;
  }
  return rows;
}

QString cell(const QList<QStringList>& rows, int row, const char* column) {
  return rows.value(row + 1).value(static_cast<int>(rows.first().indexOf(column)));
}

QList<QStringList> predicted(const char* command, const char* rows) {
  const Result result = run({command, fixture(rows), "-o", "-"});
  if (result.exit_code != 0) QTest::qFail(result.err.constData(), __FILE__, __LINE__);
  return rowsOf(result.out);
}

bool near(double value, double expected, double relative = 1e-9) {
  return std::abs(value - expected) <= relative * std::abs(expected);
}

}  // namespace

class TestModels : public QObject {
  Q_OBJECT

 private slots:
  void facts_data();
  void facts();
  void factsOfAScenario();
  void exports();
  void flowsShareFairly();
  void flowsReadWhatSpreadsheetsWrite();
  void thermalCases();
  void kernelRows();
  void collectiveRows();
  void rowsSummary();
  void validateRows();
  void validateForeignBytes();
};

void TestModels::facts_data() {
  QTest::addColumn<QString>("spec");
  QTest::addColumn<int>("vertices");
  QTest::addColumn<int>("links");
  QTest::addColumn<int>("diameter");
  QTest::addColumn<double>("average_distance");
  QTest::addColumn<double>("bisection_bytes_per_s");
  // A ring of 4 has distances 0 1 2 1, 1 on average; three axes 3 over 64 chips, itself left out: 3 x 64/63.
  // Cut in two: 16 rings, each twice.
  QTest::newRow("torus") << "torus:4x4x4@90" << 64 << 192 << 6 << 3.0 * 64 / 63 << 32 * 90e9;
  // Without a wrap-around the third axis of 2 has one link, as it has with one.
  QTest::newRow("open torus") << "torus:4x4x2,wrap=110@45" << 32 << 80 << 5 << 2.5 * 32 / 31 << 16 * 45e9;
  QTest::newRow("full mesh") << "full-mesh:8@64" << 8 << 28 << 1 << 1.0 << 16 * 64e9;
  QTest::newRow("hypercube") << "hypercube:6@50" << 64 << 192 << 6 << 3.0 * 64 / 63 << 32 * 50e9;
  QTest::newRow("star") << "star:n=72,planes=18x1@50" << 90 << 1296 << 2 << 2.0 << 36 * 18 * 50e9;
  // k = 8: 128 hosts, 80 switches; pairs under one edge switch (3 of 127) 2 apart, in the pod (12) 4,
  // others 6.
  QTest::newRow("fat tree") << "fat-tree:k=8@50" << 208 << 384 << 6 << (3 * 2 + 12 * 4 + 112 * 6) / 127.0
                            << 64 * 50e9;
}

void TestModels::facts() {
  QFETCH(QString, spec);
  const QJsonObject f = runJson({"topology", spec, "--facts", "--json"});
  QTEST(f["vertices"].toInt(), "vertices");
  QTEST(f["links"].toInt(), "links");
  QTEST(f["diameter"].toInt(), "diameter");
  QFETCH(double, average_distance);
  QFETCH(double, bisection_bytes_per_s);
  QVERIFY2(near(f["average_distance"].toDouble(), average_distance),
           qPrintable(QString::number(f["average_distance"].toDouble())));
  QVERIFY2(near(f["bisection_bytes_per_s"].toDouble(), bisection_bytes_per_s),
           qPrintable(QString::number(f["bisection_bytes_per_s"].toDouble())));
}

/// 72 chips on 18 switches with one link each.
void TestModels::factsOfAScenario() {
  const QJsonObject f = runJson({"topology", "deepseek-r1-nvl72", "--facts", "--json"});
  QCOMPARE(f["vertices"].toInt(), 90);
  QCOMPARE(f["links"].toInt(), 72 * 18);
  QCOMPARE(f["diameter"].toInt(), 2);
  const QJsonObject fewer =
      runJson({"topology", "deepseek-r1-nvl72", "--facts", "--json", "--set", "chips=8"});
  QCOMPARE(fewer["links"].toInt(), 8 * 18);
}

void TestModels::exports() {
  QVERIFY(run({"topology", "full-mesh:4", "--format", "graphml"}).out.contains("<graphml"));
  QCOMPARE(run({"topology", "full-mesh:4", "--format", "dot"}).out.count("--"), 6);
  const QJsonObject graph = runJson({"topology", "full-mesh:4", "--format", "json"});
  QVERIFY(!graph.isEmpty());
}

/// Links of 90 B/s. On x three flows get 30 each; the flow on y alone gets the 60 that are left there. At 2 s
/// three are done; the one over x and y has 180 left, alone: 2 s more. Then the second phase: 90 in 1 s.
void TestModels::flowsShareFairly() {
  const Result result = run({"flows", fixture("routes.csv"), fixture("flows.csv"), "--capacity", "90"});
  QVERIFY2(result.exit_code == 0, result.err.constData());
  const auto rows = rowsOf(result.out);
  const double expected_s[] = {2, 2, 4, 2, 5};
  for (int i = 0; i < 5; ++i)
    QVERIFY2(near(cell(rows, i, "finish_s").toDouble(), expected_s[i]), result.out.constData());
}

/// Byte order mark, carriage returns and quotes make no difference.
void TestModels::flowsReadWhatSpreadsheetsWrite() {
  const QTemporaryDir folder;
  QByteArray text = readFile(fixture("flows.csv"));
  text.replace("\n", "\r\n").replace("0,a,c,240", "\"0\",\"a\",c,\"240\"");
  writeFile(folder.filePath("flows.csv"), "\xef\xbb\xbf" + text);
  const QStringList capacity{"--capacity", "90"};
  const Result plain = run(QStringList{"flows", fixture("routes.csv"), fixture("flows.csv")} + capacity);
  const Result other =
      run(QStringList{"flows", fixture("routes.csv"), folder.filePath("flows.csv")} + capacity);
  QCOMPARE(other.exit_code, 0);
  QCOMPARE(other.out, plain.out);
}

void TestModels::thermalCases() {
  const QJsonArray cases = runJson({"thermal", fixture("cases.json")})["cases"].toArray();
  QCOMPARE(cases.size(), 6);
  const auto computed = [&](int i) { return cases[i].toObject()["computed"].toObject(); };
  QCOMPARE(cases[0].toObject()["id"].toString(), QString("lockstep"));
  // The hot chip computes in 12 / 0.8 = 15 ms, longer than memory takes, and then everybody communicates.
  QVERIFY(near(computed(0)["step_ms"].toDouble(), 17));
  // 10 chips x 1e12 bit/s x 2 directions x 5 pJ.
  QVERIFY(near(computed(1)["power_kw"].toDouble(), 0.1));
  // Twice the flow, half the rise; the outlet is the supply and the rise.
  const double rise_k = computed(2)["coolant_rise_k"].toDouble();
  QVERIFY(near(computed(3)["coolant_rise_k"].toDouble(), rise_k / 2));
  QVERIFY(near(computed(2)["outlet_c"].toDouble(), 30 + rise_k));
  QVERIFY(computed(3)["junction_c"].toDouble() < computed(2)["junction_c"].toDouble());
  // 35 + 100 W x 0.03 K/W before the step, 35 + 600 W x 0.03 K/W long after.
  const QJsonArray junction_c = computed(4)["junction_c"].toArray();
  QVERIFY(near(junction_c[0].toDouble(), 38));
  QVERIFY(near(junction_c[1].toDouble(), 53));
  // 8760 dollars over the 8760 hours of a year, 3.6 million tokens an hour.
  QVERIFY(near(computed(5)["usd_per_chip_hour"].toDouble(), 1));
  QVERIFY(near(computed(5)["usd_per_million_tokens"].toDouble(), 1 / 3.6));
}

/// Not faster than the datasheet (3.35 TB/s, 989 TFLOP/s: NVIDIA H100 SXM), not slower than half of it.
void TestModels::kernelRows() {
  const auto rows = predicted("kernels", "kernels.csv");
  const auto us = [&](int i) { return cell(rows, i, "predicted_us").toDouble(); };
  const double read_us = 16384.0 * 16384 * 2 / 3.35e12 * 1e6;
  QVERIFY(us(0) > 0.9 * read_us && us(0) < 2 * read_us);  // a part may rest in the cache
  const double math_us = 2.0 * 8192 * 16384 * 16384 / 989e12 * 1e6;
  QVERIFY(us(1) > math_us && us(1) < 2 * math_us);
  // Twice the context, about twice the time.
  QVERIFY(us(3) > 1.8 * us(2) && us(3) < 2.05 * us(2));
  const char* reasons[] = {"h101", "gemmm", "bf17", "M = -1", "M = many", "M = 1e300"};
  for (int i = 4; i < 10; ++i) {
    QVERIFY(cell(rows, i, "predicted_us").isEmpty());
    QVERIFY2(cell(rows, i, "status").contains(reasons[i - 4]), qPrintable(cell(rows, i, "status")));
  }
}

/// A ring of 8 sends 2 x 7/8 of the bytes over 300 GB/s of NVLink 3, a gather 7/8 (NVIDIA A100 datasheet).
void TestModels::collectiveRows() {
  const auto rows = predicted("collectives", "collectives.csv");
  const auto us = [&](int i) { return cell(rows, i, "predicted").toDouble(); };
  const double reduce_us = 2 * 7.0 / 8 * 1e9 / 300e9 * 1e6;
  QVERIFY(us(0) > reduce_us && us(0) < 2 * reduce_us);
  QVERIFY(us(1) > 2 && us(1) < 50);
  QVERIFY(us(2) > reduce_us / 2 && us(2) < us(0));
  const char* reasons[] = {"bytes = -5", "bytes = many", "all_reduced",
                           "furlongs",   "moon base",    "n_ranks = 0"};
  for (int i = 3; i < 9; ++i) {
    QVERIFY(cell(rows, i, "predicted").isEmpty());
    QVERIFY2(cell(rows, i, "status").contains(reasons[i - 3]), qPrintable(cell(rows, i, "status")));
  }
}

/// Skipped rows are counted; errors are those of the rows with a measured value.
void TestModels::rowsSummary() {
  const QJsonObject summary = runJson({"kernels", fixture("kernels.csv"), "--json"});
  const auto rows = predicted("kernels", "kernels.csv");
  for (const auto& entry : summary["groups"].toArray()) {
    const QJsonObject group = entry.toObject();
    if (group["kind"].toString() != "gemm" || group["chip"].toString() != "all") continue;
    QCOMPARE(group["count"].toInt(), 2);
    QCOMPARE(group["skipped"].toInt(), 5);
    const double errors_pct[] = {100 * (cell(rows, 0, "predicted_us").toDouble() / 200 - 1),
                                 100 * (cell(rows, 1, "predicted_us").toDouble() / 5500 - 1)};
    QVERIFY(near(group["p90_abs_error_pct"].toDouble(),
                 std::max(std::abs(errors_pct[0]), std::abs(errors_pct[1]))));
    return;
  }
  QFAIL("no group gemm of all chips");
}

void TestModels::validateRows() {
  const QTemporaryDir folder;
  const QString file = folder.filePath("out.csv");
  const QJsonObject out = runJson({"validate", fixture("points.csv"), "--json", "-o", file});
  const QJsonArray rows = out["rows"].toArray();
  QCOMPARE(rows.size(), 6);  // none dropped
  QCOMPARE(rows[0].toObject()["status"].toString(), QString("ok"));
  const double ratio = rows[0].toObject()["predicted"].toDouble() / 2000;
  QVERIFY(near(rows[0].toObject()["ratio"].toDouble(), ratio));
  QVERIFY(near(rows[0].toObject()["abs_error_pct"].toDouble(), 100 * std::abs(ratio - 1)));
  QVERIFY(!rows[0].toObject()["assumed"].toArray().isEmpty());
  const char* reasons[] = {"Abacus 9", "Parrot", "plenty", "joy"};
  for (int i = 2; i < 6; ++i) {
    QCOMPARE(rows[i].toObject()["status"].toString(), QString("skipped"));
    QVERIFY2(rows[i].toObject()["reason"].toString().contains(reasons[i - 2]),
             qPrintable(rows[i].toObject()["reason"].toString()));
  }
  const QJsonObject all = out["summary"].toObject()["all"].toObject();
  QCOMPARE(all["count"].toInt(), 2);
  QCOMPARE(all["skipped"].toInt(), 4);
  const auto written = rowsOf(readFile(file));
  QCOMPARE(written.size(), 7);
  QCOMPARE(cell(written, 1, "status"), QString("ok"));
  QVERIFY(cell(written, 5, "status").startsWith("skipped: "));
  QVERIFY(near(cell(written, 0, "ratio").toDouble(), ratio));
}

void TestModels::validateForeignBytes() {
  const QTemporaryDir folder;
  QByteArray text = readFile(fixture("points.csv"));
  text.replace("again,", "ag\xff\xfe,");
  writeFile(folder.filePath("points.csv"), text);
  QCOMPARE(runJson({"validate", folder.filePath("points.csv"), "--json"})["rows"].toArray().size(), 6);
}

QTEST_GUILESS_MAIN(TestModels)
#include "tst_models.moc"
