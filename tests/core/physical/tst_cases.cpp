#include "fixture.h"

#include "base/json_document.h"
#include "physical/cases.h"

#include <nlohmann/json.hpp>
#include <set>

namespace decodescope::physical {

namespace {

nlohmann::json fileCases() {
  const auto document = json::parseFile(std::string(PHYSICAL_TEST_DIR) + "/cases.json");
  if (!document) qFatal("%s", document.error().text().c_str());
  return document->at("cases");
}

/// Largest relative difference; infinite where kinds or lengths differ.
double difference(const nlohmann::json& expected, const nlohmann::json& got) {
  const double apart = std::numeric_limits<double>::infinity();
  if (expected.is_array()) {
    double worst = got.is_array() && got.size() == expected.size() ? 0 : apart;
    for (std::size_t i = 0; i < expected.size() && worst < apart; ++i)
      worst = std::max(worst, difference(expected[i], got[i]));
    return worst;
  }
  if (expected.is_string()) return expected == got ? 0 : apart;
  if (!got.is_number()) return apart;
  return std::abs(got.get<double>() - expected.get<double>()) / std::abs(expected.get<double>());
}

nlohmann::json one(const char* kind, const nlohmann::json& inputs) {
  return {{"cases", {{{"id", "one"}, {"kind", kind}, {"inputs", inputs}}}}};
}

}  // namespace

class CasesTest : public QObject {
  Q_OBJECT

 private slots:
  void expectedValues_data();
  void expectedValues();
  void everyKindIsCovered();
  void missingInputsTakeDefaults();
  void errorsAreLocated_data();
  void errorsAreLocated();
  void unknownInputsWarn();
  void measuredPower();
};

void CasesTest::expectedValues_data() {
  QTest::addColumn<int>("index");
  const nlohmann::json cases = fileCases();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    QTest::newRow(cases[i].at("id").get<std::string>().c_str()) << static_cast<int>(i);
  }
}

void CasesTest::expectedValues() {
  QFETCH(int, index);
  const nlohmann::json value = fileCases()[static_cast<std::size_t>(index)];
  const auto computed = computeCases(catalog(), nlohmann::json::array({value}), "cases.json");
  QVERIFY2(computed.has_value(), computed ? "" : computed.error().text().c_str());
  const nlohmann::json& got = computed->at("cases")[0];
  QCOMPARE(got.at("id"), value.at("id"));
  for (const auto& [name, expected] : value.at("expected").items()) {
    QVERIFY2(got.at("computed").contains(name), name.c_str());
    const double apart = difference(expected, got.at("computed").at(name));
    QVERIFY2(apart <= value.at("relative_tolerance").get<double>(),
             qPrintable(QString("%1: %2 apart").arg(name.c_str()).arg(apart)));
  }
}

void CasesTest::everyKindIsCovered() {
  std::set<std::string> kinds;
  for (const nlohmann::json& value : fileCases()) kinds.insert(value.at("kind"));
  for (const std::string& kind : kinds) {
    const std::vector<std::string> known = caseKinds();
    QVERIFY2(std::find(known.begin(), known.end(), kind) != known.end(), kind.c_str());
  }
  QCOMPARE(kinds.size(), std::size_t{14});
}

void CasesTest::missingInputsTakeDefaults() {
  // TDP as the cap, bf16, full efficiency.
  const auto gemm =
      computeCases(catalog(), one("capped_gemm", {{"chip", "b200-sxm"}, {"junction_c", 55}}), "x");
  QVERIFY(gemm.has_value());
  NEAR(gemm->at("cases")[0]["computed"]["clock_ratio"].get<double>(), 0.5876, 1e-3);
  const auto idle = computeCases(catalog(), one("chip_power", {{"chip", "h100-sxm"}, {"duty", 0}}), "x");
  NEAR(idle->at("cases")[0]["computed"]["power_w"].get<double>(), 170, 1e-9);
  const auto nvfp4 =
      computeCases(catalog(), one("capped_gemm", {{"chip", "b200-sxm"}, {"dtype", "nvfp4"}}), "x");
  QVERIFY(nvfp4.has_value());
  const auto never =
      computeCases(catalog(), one("flow_loss", {{"power_w", 0}, {"reference_c", 40}, {"limit_c", 88}}), "x");
  QVERIFY(never->at("cases")[0]["computed"]["seconds"].is_null());
}

void CasesTest::errorsAreLocated_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("field");
  QTest::newRow("kind") << R"({"cases":[{"id":"a","kind":"chip_powr","inputs":{}}]})"
                        << "/cases/0/kind";
  QTest::newRow("no kind") << R"({"cases":[{"id":"a","inputs":{}}]})"
                           << "/cases/0/kind";
  QTest::newRow("chip") << R"({"cases":[{"kind":"chip_power","inputs":{"chip":"h1000"}}]})"
                        << "/cases/0/inputs/chip";
  QTest::newRow("type") << R"({"cases":[{"kind":"chip_power","inputs":{"chip":"gb200","duty":"all"}}]})"
                        << "/cases/0/inputs/duty";
  QTest::newRow("range") << R"({"cases":[{"kind":"chip_power","inputs":{"chip":"gb200","clock_ratio":-1}}]})"
                         << "/cases/0/inputs/clock_ratio";
  QTest::newRow("missing") << R"({"cases":[{"kind":"liquid_plate","inputs":{"supply_c":30}}]})"
                           << "/cases/0/inputs/power_w";
  QTest::newRow("dtype") << R"({"cases":[{"kind":"capped_gemm","inputs":{"chip":"h100-sxm","dtype":"fp4"}}]})"
                         << "/cases/0/inputs/dtype";
  QTest::newRow("chassis")
      << R"({"cases":[{"kind":"air_chassis","inputs":{"chip":"h100-sxm","chassis":"HGX"}}]})"
      << "/cases/0/inputs/chassis";
  QTest::newRow("times")
      << R"({"cases":[{"kind":"step_response","inputs":{"c1_j_per_k":1,"r1_k_per_w":1,"c2_j_per_k":1,"r2_k_per_w":1,"from_w":1,"to_w":1,"times_s":[1,"x"]}}]})"
      << "/cases/0/inputs/times_s/1";
  QTest::newRow("no cases") << R"({"case":[]})"
                            << "/cases";
  QTest::newRow("not an object") << R"({"cases":[7]})"
                                 << "/cases/0";
}

void CasesTest::errorsAreLocated() {
  QFETCH(QString, text);
  QFETCH(QString, field);
  const auto computed = computeCases(catalog(), nlohmann::json::parse(text.toStdString()), "my.json");
  QVERIFY(!computed.has_value());
  QCOMPARE(QString::fromStdString(computed.error().field), field);
  QCOMPARE(computed.error().file, std::string("my.json"));
  QVERIFY(!computed.error().message.empty() && !computed.error().remedy.empty());
}

void CasesTest::unknownInputsWarn() {
  Warnings warnings;
  const auto computed = computeCases(
      catalog(), one("cost", {{"capex_usd", 1000}, {"years", 1}, {"all_in_kW", 1}}), "x", &warnings);
  QVERIFY(computed.has_value());
  QCOMPARE(warnings.size(), std::size_t{1});
  QVERIFY(warnings[0].text().find("all_in_kw") != std::string::npos);
}

// All serving points of a table in the form of power.csv, where one is at hand. Mean error of the constants
// there: 5.3 %.
void CasesTest::measuredPower() {
  const QByteArray folder = qgetenv("DECODESCOPE_DATA");
  QFile file(QString(folder) + "/power.csv");
  if (folder.isEmpty() || !file.open(QIODevice::ReadOnly))
    QSKIP("DECODESCOPE_DATA names no folder with power.csv");
  double error = 0;
  int points = 0;
  for (const QByteArray& line : file.readAll().split('\n')) {
    // Quoted cells hold commas, but the last three and the watts column's neighbours do not.
    const QList<QByteArray> cells = line.split(',');
    if (!line.contains("ML.ENERGY") || cells.size() < 8 || cells.last().trimmed().isEmpty()) continue;
    const bool h100 = line.contains("H100-SXM");
    const double hbm = cells[cells.size() - 3].toDouble(), pflop = cells[cells.size() - 2].toDouble();
    const QList<QByteArray> quoted = line.split('"');
    const double watts = quoted.size() > 4 ? quoted[4].split(',').value(2).toDouble() : 0;
    if (watts <= 0) continue;
    const ChipPowerConstants c = power(h100 ? "h100-sxm" : "b200-sxm");
    const ChipSpec& spec = chip(h100 ? "h100-sxm" : "b200-sxm");
    Activity activity = rates(hbm, pflop);
    // Kernels are resident in proportion to what moves; eager kernels reach about 0.4 of the peaks.
    activity.duty_ratio = std::min(1.0, hbm * 1e12 / (0.4 * spec.memory_bandwidth_bytes_per_s) +
                                            pflop * 1e15 / (0.4 * spec.bf16_flop_per_s));
    const SteadyPoint point = settle(c, chassis(h100 ? "HGX-H100" : "HGX-B200", 22, 0.8), activity, 1);
    error += std::abs(std::min(point.power_w, c.tdp_w) / watts - 1);
    ++points;
  }
  QVERIFY2(points > 50, qPrintable(QString::number(points)));
  qInfo("%d points, mean error %.2f %%", points, 100 * error / points);
  QVERIFY(error / points < 0.065);
}

}  // namespace decodescope::physical

QTEST_GUILESS_MAIN(decodescope::physical::CasesTest)
#include "tst_cases.moc"
