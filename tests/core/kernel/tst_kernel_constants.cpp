// Every constant of kernels.json takes part in some prediction: changing any one changes a golden value.
#include <QTemporaryDir>
#include <QtTest>

#include "golden.h"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

using namespace decodescope;

namespace {

using Pointer = nlohmann::json::json_pointer;

/// Pointers to all numbers below `value` that predictions use; notes and sources hold none.
void collect(const nlohmann::json& value, const Pointer& at, std::vector<Pointer>& out) {
  if (value.is_number()) out.push_back(at);
  if (value.is_object()) {
    for (const auto& [key, part] : value.items()) collect(part, at / key, out);
  }
  if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) collect(value[i], at / i, out);
  }
}

std::vector<double> predictions(const Catalog& catalog, const csv::Table& table) {
  golden::Predictor predictor(catalog);
  std::vector<double> out;
  for (std::size_t row = 0; row < table.size(); ++row) out.push_back(predictor.microseconds(table, row));
  return out;
}

}  // namespace

class KernelConstantsTest : public QObject {
  Q_OBJECT

 private slots:
  void everyConstantMatters() {
    const auto table = golden::times();
    std::ifstream file(golden::catalogFolder() / "kernels.json");
    const auto document = nlohmann::json::parse(file);
    std::vector<Pointer> pointers;
    for (const char* part : {"cache", "tiles", "dtypes", "libraries", "chips", "families"}) {
      collect(document.at(part), Pointer() / part, pointers);
    }
    QVERIFY(pointers.size() > 300);
    const auto original = predictions(*golden::loadCatalog(), table);
    std::string unused;
    for (const Pointer& pointer : pointers) {
      auto changed = document;
      const double value = changed[pointer].get<double>();
      changed[pointer] = value == 0 ? 1.0 : value * 1.7;
      QTemporaryDir folder;
      std::ofstream(folder.filePath("kernels.json").toStdString()) << changed.dump();
      const auto catalog = golden::loadCatalog({golden::catalogFolder(), folder.path().toStdString()});
      QVERIFY2(catalog, pointer.to_string().c_str());
      const auto now = predictions(*catalog, table);
      bool differs = false;
      for (std::size_t i = 0; i < now.size() && !differs; ++i)
        differs = std::abs(now[i] / original[i] - 1) > 1e-9;
      if (!differs) unused += pointer.to_string() + " ";
    }
    QVERIFY2(unused.empty(), unused.c_str());
  }

  void brokenDocumentsAreReported() {
    std::ifstream file(golden::catalogFolder() / "kernels.json");
    auto document = nlohmann::json::parse(file);
    document["libraries"]["gemm"]["bf16"]["exponent"] = "two";
    QTemporaryDir folder;
    std::ofstream(folder.filePath("kernels.json").toStdString()) << document.dump();
    const auto catalog = golden::loadCatalog({golden::catalogFolder(), folder.path().toStdString()});
    QVERIFY(catalog);
    const auto model =
        kernel::KernelModel::make(*catalog, **catalog->chip("h100-sxm"), kernel::AttentionLibrary::Sglang);
    QVERIFY(!model.has_value());
    QCOMPARE(model.error().file, std::string("kernels.json"));
    QVERIFY(model.error().field.find("exponent") != std::string::npos);
  }
};

QTEST_GUILESS_MAIN(KernelConstantsTest)
#include "tst_kernel_constants.moc"
