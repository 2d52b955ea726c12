// Catalog files: missing and spoilt ones are located errors, the user's folder lies on top, the hash follows
// every value.
#include "catalog/catalog.h"

#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

using namespace decodescope;

namespace {

const std::filesystem::path kShipped = DECODESCOPE_SOURCE_DIR "/resources/catalog";

Expected<std::shared_ptr<const Catalog>> loadFrom(std::vector<std::filesystem::path> folders,
                                                  Warnings* warnings = nullptr) {
  return Catalog::load(folders, warnings);
}

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file) << text;
}

/// A copy of the shipped catalog that a test may spoil.
class CatalogCopy {
 public:
  CatalogCopy() { std::filesystem::copy(kShipped, folder()); }
  [[nodiscard]] std::filesystem::path folder() const {
    return std::filesystem::path(place_.path().toStdString()) / "catalog";
  }
  [[nodiscard]] Expected<std::shared_ptr<const Catalog>> load() const { return loadFrom({folder()}); }
  void edit(const std::string& kind, const std::function<void(nlohmann::json&)>& change) const {
    const auto file = folder() / (kind + ".json");
    auto document = nlohmann::json::parse(std::ifstream(file));
    change(document);
    write(file, document.dump());
  }

 private:
  QTemporaryDir place_;
};

}  // namespace

class TstCatalogFiles : public QObject {
  Q_OBJECT

 private slots:
  void load_missingFile_isLocatedError_data();
  void load_missingFile_isLocatedError();
  void load_noFolder_isError();
  void load_spoiltFile_isLocatedError_data();
  void load_spoiltFile_isLocatedError();
  void load_unknownKey_warnsWithNearest();
  void hash_changesWithAnyValue();
  void userFolder_addsReplacesAndBuildsOn();
  void userFolder_patchesConstants();
};

void TstCatalogFiles::load_missingFile_isLocatedError_data() {
  QTest::addColumn<QString>("kind");
  for (const char* kind : {"chips", "systems", "models", "engines", "kernels", "collectives", "physical"})
    QTest::newRow(kind) << kind;
}

void TstCatalogFiles::load_missingFile_isLocatedError() {
  QFETCH(QString, kind);
  const CatalogCopy copy;
  std::filesystem::remove(copy.folder() / (kind.toStdString() + ".json"));
  const auto loaded = copy.load();
  QVERIFY(!loaded);
  QCOMPARE(loaded.error().code, ErrorCode::Io);
  QVERIFY(QString::fromStdString(loaded.error().file).endsWith(kind + ".json"));
  QVERIFY(loaded.error().message.find("missing from the catalog") != std::string::npos);
  QVERIFY(loaded.error().remedy.find("DECODESCOPE_CATALOG") != std::string::npos);
}

void TstCatalogFiles::load_noFolder_isError() {
  const auto loaded = loadFrom({});
  QVERIFY(!loaded);
  QVERIFY(loaded.error().remedy.find("DECODESCOPE_CATALOG") != std::string::npos);
}

void TstCatalogFiles::load_spoiltFile_isLocatedError_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<QString>("pointer");  // within the entries
  QTest::addColumn<QString>("value");    // JSON
  QTest::addColumn<QString>("field");    // part of the error's field
  QTest::addColumn<QString>("message");
  QTest::newRow("text for number") << "chips"
                                   << "/2/tdp_w/value"
                                   << "\"700\""
                                   << "/chips/h100-sxm/tdp_w"
                                   << "is not a number";
  QTest::newRow("negative") << "chips"
                            << "/2/memory_gb/value"
                            << "-80"
                            << "/chips/h100-sxm/memory_gb"
                            << "is out of range";
  QTest::newRow("absurd") << "chips"
                          << "/2/tdp_w/value"
                          << "1e9"
                          << "/chips/h100-sxm/tdp_w"
                          << "is out of range";
  QTest::newRow("fraction") << "chips"
                            << "/2/sm_count/value"
                            << "13.5"
                            << "/chips/h100-sxm/sm_count"
                            << "is not a whole number";
  QTest::newRow("required null") << "chips"
                                 << "/2/bf16_tflop_per_s/value"
                                 << "null"
                                 << "/chips/h100-sxm/bf16_tflop_per_s"
                                 << "is missing";
  QTest::newRow("unknown kind") << "chips"
                                << "/2/scale_up_kind"
                                << "\"wifi\""
                                << "/chips/h100-sxm/scale_up_kind"
                                << "is not a known choice";
  QTest::newRow("unknown chip") << "systems"
                                << "/1/chip"
                                << "\"h1000-sxm\""
                                << "/systems/dgx-h100/chip"
                                << "is no chip";
  QTest::newRow("too many chips") << "systems"
                                  << "/1/chips/value"
                                  << "9"
                                  << "/systems/dgx-h100/layout"
                                  << "fewer places";
  QTest::newRow("planes text") << "systems"
                               << "/1/scale_up/planes"
                               << "\"4\""
                               << "/systems/dgx-h100/scale_up/planes"
                               << "is not an array";
  QTest::newRow("cooling") << "systems"
                           << "/1/cooling/value"
                           << "\"magic\""
                           << "/systems/dgx-h100/cooling"
                           << "is not a known choice";
  QTest::newRow("no layers") << "models"
                             << "/0/layers"
                             << "0"
                             << "/models/llama2-7b/layers"
                             << "is out of range";
  QTest::newRow("layer kinds") << "models"
                               << "/0/attention/layers_full"
                               << "31"
                               << "/models/llama2-7b/attention"
                               << "do not add up";
  QTest::newRow("kv heads") << "models"
                            << "/0/kv_heads"
                            << "5"
                            << "/models/llama2-7b/kv_heads"
                            << "does not divide";
  QTest::newRow("flag") << "models"
                        << "/0/qkv_bias"
                        << "1"
                        << "/models/llama2-7b/qkv_bias"
                        << "neither true nor false";
  QTest::newRow("engine ratio") << "engines"
                                << "/0/memory_utilization_ratio/value"
                                << "1.5"
                                << "/engines/vllm"
                                << "is out of range";
  QTest::newRow("twice") << "chips"
                         << "/1/id"
                         << "\"a100-40g\""
                         << "/chips/1/id"
                         << "appears twice";
  QTest::newRow("no id") << "chips"
                         << "/1/id"
                         << "7"
                         << "/chips/1/id"
                         << "is missing";
}

void TstCatalogFiles::load_spoiltFile_isLocatedError() {
  QFETCH(QString, kind);
  QFETCH(QString, pointer);
  QFETCH(QString, value);
  QFETCH(QString, field);
  QFETCH(QString, message);
  const CatalogCopy copy;
  copy.edit(kind.toStdString(), [&](nlohmann::json& document) {
    document[kind.toStdString()][nlohmann::json::json_pointer(pointer.toStdString())] =
        nlohmann::json::parse(value.toStdString());
  });
  const auto loaded = copy.load();
  QVERIFY(!loaded);
  QVERIFY2(QString::fromStdString(loaded.error().file).endsWith(kind + ".json"),
           loaded.error().text().c_str());
  QVERIFY2(QString::fromStdString(loaded.error().field).startsWith(field), loaded.error().text().c_str());
  QVERIFY2(QString::fromStdString(loaded.error().message).contains(message), loaded.error().text().c_str());
  QVERIFY2(!loaded.error().remedy.empty(), loaded.error().text().c_str());
}

void TstCatalogFiles::load_unknownKey_warnsWithNearest() {
  const CatalogCopy copy;
  copy.edit("chips", [](nlohmann::json& document) { document["chips"][0]["tpd_w"] = 400; });
  Warnings warnings;
  QVERIFY(loadFrom({copy.folder()}, &warnings));
  QCOMPARE(warnings.size(), std::size_t{1});
  QCOMPARE(warnings[0].field, std::string("/chips/a100-40g/tpd_w"));
  QCOMPARE(warnings[0].remedy, std::string("did you mean tdp_w?"));
}

void TstCatalogFiles::hash_changesWithAnyValue() {
  QCOMPARE((*loadFrom({kShipped}))->hash().size(), std::size_t{16});
  const CatalogCopy copy;
  QCOMPARE((*copy.load())->hash(), (*loadFrom({kShipped}))->hash());
  copy.edit("physical", [](nlohmann::json& document) { document["extra"] = 1; });
  QVERIFY((*copy.load())->hash() != (*loadFrom({kShipped}))->hash());
}

void TstCatalogFiles::userFolder_addsReplacesAndBuildsOn() {
  QTemporaryDir place;
  const std::filesystem::path folder = place.path().toStdString();
  write(folder / "chips.json", R"({"chips": [
    {"id": "h100-fast", "base": "h100-sxm", "name": "H100 with faster memory", "memory_bandwidth_gb_per_s": 5000},
    {"id": "l40s", "base": "l40s", "name": "L40S at 300 W", "tdp_w": 300}]})");
  const auto loaded = loadFrom({kShipped, folder});
  QVERIFY2(loaded.has_value(), loaded ? "" : loaded.error().text().c_str());
  const ChipSpec& fast = **(*loaded)->chip("h100-fast");
  QCOMPARE(fast.memory_bandwidth_bytes_per_s, 5e12);
  QCOMPARE(fast.tdp_w, 700.0);
  QCOMPARE((*(*loaded)->chip("l40s"))->tdp_w, 300.0);
  QCOMPARE((*(*loaded)->chip("h100-sxm"))->memory_bandwidth_bytes_per_s, 3.35e12);
  QCOMPARE((*loaded)->chips().size(), (*loadFrom({kShipped}))->chips().size() + 1);
  write(folder / "chips.json", R"({"chips": [{"id": "x", "base": "h1000"}]})");
  const auto bad = loadFrom({kShipped, folder});
  QVERIFY(!bad);
  QCOMPARE(bad.error().file, (folder / "chips.json").string());
  QCOMPARE(bad.error().field, std::string("/chips/0/base"));
}

void TstCatalogFiles::userFolder_patchesConstants() {
  QTemporaryDir place;
  const std::filesystem::path folder = place.path().toStdString();
  write(folder / "physical.json", R"({"my_constant": 42})");
  const auto loaded = loadFrom({kShipped, folder});
  QVERIFY(loaded);
  QCOMPARE((*loaded)->document("physical")["my_constant"].get<int>(), 42);
  QVERIFY((*loaded)->document("physical").size() > 1);
  QVERIFY((*loaded)->document("no such").empty());
}

QTEST_GUILESS_MAIN(TstCatalogFiles)
#include "tst_catalog_files.moc"
