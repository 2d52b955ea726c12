// A derivation as text, Markdown, LaTeX and JSON.
#include <QtTest>

#include "decode/derivation_nodes.h"

#include <decodescope/derivation_text.h>

#include <nlohmann/json.hpp>

using namespace decodescope;

namespace {

/// 24.8 ms = 24.3 ms of HBM and math, and 0.5 ms of throttling.
Derivation smallTree() {
  using decode::combined;
  using decode::leaf;
  std::vector<Derivation> step{
      leaf("hbm", "HBM", 0.02, "s", SourceKind::Catalog, "H100 in the catalog",
           "chip.memory_bandwidth_gb_per_s"),
      leaf("math", "Math | tensor cores", 0.0043, "s", SourceKind::Calibrated, "kernel tables")};
  std::vector<Derivation> parts{combined("step", "Step", "s", Combine::Sum, "HBM + math", std::move(step)),
                                leaf("throttle", "Throttling", 0.0005, "s", SourceKind::Simulated, "clocks")};
  Derivation root = combined("tpot_s", "TPOT", "s", Combine::Sum, "step + throttling", std::move(parts));
  decode::setShares(root);
  return root;
}

QString text(const Derivation& d, DerivationFormat format, int depth = 100) {
  return QString::fromStdString(derivationText(d, format, depth));
}

}  // namespace

class DerivationTextTest : public QObject {
  Q_OBJECT

 private slots:
  void formatsAreNamed() {
    int position = 0;
    for (const std::string_view id : derivationFormatIds()) {
      const auto format = derivationFormatFrom(id);
      QVERIFY(format && static_cast<int>(*format) == position++);
    }
    QVERIFY(!derivationFormatFrom("pdf"));
  }

  void asText() {
    const QStringList lines = text(smallTree(), DerivationFormat::Text).split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 5);
    QCOMPARE(lines[0], QStringLiteral("TPOT: 24.8 ms  = step + throttling  = 24.3 ms + 500 us"));
    QCOMPARE(lines[2], QStringLiteral("    HBM: 20 ms  80.6 %  [catalog, estimate: H100 in the catalog]  "
                                      "(--set chip.memory_bandwidth_gb_per_s)"));
    QVERIFY(lines[3].contains("[calibrated, fitted: kernel tables]"));
  }

  void depthCutsTheTree() {
    QCOMPARE(text(smallTree(), DerivationFormat::Text, 0).count('\n'), 1);
    QCOMPARE(text(smallTree(), DerivationFormat::Text, 1).count('\n'), 3);
    const auto json = nlohmann::json::parse(derivationText(smallTree(), DerivationFormat::Json, 1));
    QCOMPARE(json.at("children").size(), std::size_t{2});
    QVERIFY(!json.at("children").at(0).contains("children"));
  }

  void everyMarkdownRowHasFiveCells() {
    const QStringList lines = text(smallTree(), DerivationFormat::Markdown).split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 7);
    for (QString line : lines) QCOMPARE(line.remove("\\|").count('|'), 6);
  }

  void latexSignsAreEscaped() {
    Derivation d = smallTree();
    d.label = "50 % of {A_1} & B \\ C, 60 \u00b0C ~ x^2";
    const QString out = text(d, DerivationFormat::Latex, 0);
    QVERIFY(
        out.contains("50 \\% of \\{A\\_1\\} \\& B \\textbackslash{} C, 60 \\textdegree{}C \\textasciitilde{} "
                     "x\\textasciicircum{}2"));
    QVERIFY(out.startsWith("\\begin{tabular}") && out.endsWith("\\end{tabular}\n"));
  }

  void jsonKeepsEveryDigit() {
    const Derivation d = smallTree();
    const auto json = nlohmann::json::parse(derivationText(d, DerivationFormat::Json));
    QCOMPARE(json.at("value").get<double>(), d.value);
    QCOMPARE(json.at("combine").get<std::string>(), std::string("sum"));
    const auto& hbm = json.at("children").at(0).at("children").at(0);
    QCOMPARE(hbm.at("value").get<double>(), 0.02);
    QCOMPARE(hbm.at("confidence").get<std::string>(), std::string("estimate"));
    QCOMPARE(hbm.at("parameter_path").get<std::string>(), std::string("chip.memory_bandwidth_gb_per_s"));
  }
};

QTEST_APPLESS_MAIN(DerivationTextTest)
#include "tst_derivation_text.moc"
