// JSON of untrusted origin: located errors, limits, typed getters; name suggestions; hashes.
#include "base/hash.h"
#include "base/json_document.h"
#include "base/json_reader.h"
#include "base/text_distance.h"

#include <rapidcheck.h>

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

using namespace decodescope;

class TstJson : public QObject {
  Q_OBJECT

 private slots:
  void parse_brokenText_namesPlaceAndRemedy_data();
  void parse_brokenText_namesPlaceAndRemedy();
  void parse_anyBytes_neverCrashes();
  void parse_deepNesting_isRefused();
  void parse_bracketsInStrings_areNotNesting();
  void readText_hugeFile_isRefusedBySizeAtOnce();
  void readText_missingFileAndFolder_areIoErrors();
  void number_wrongValue_isLocatedError_data();
  void number_wrongValue_isLocatedError();
  void number_bounds_belongToTheRange();
  void reading_twoErrors_keepsTheFirst();
  void getters_wrongTypes_nameTheRemedy();
  void unknownKeys_areReportedWithNearestName();
  void pointer_escapesSlashAndTilde();
  void unsignedInteger_largestSeed_isExact();
  void editDistance_knownPairs_data();
  void editDistance_knownPairs();
  void editDistance_properties();
  void nearestName_farNames_suggestsNothing();
  void fnv1a_publishedVectors_match();
  void error_text_hasAllParts();
};

void TstJson::parse_brokenText_namesPlaceAndRemedy_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QString>("place");
  QTest::addColumn<QString>("remedy");
  QTest::newRow("truncated") << QByteArray("{\"a\": 1,\n \"b\": ") << "line 2, column 7"
                             << "cut off";
  QTest::newRow("missing comma") << QByteArray("{\"a\": 1\n \"b\": 2}") << "line 2, column 4"
                                 << "comma";
  QTest::newRow("NaN") << QByteArray("{\"a\": NaN}") << "line 1, column 7"
                       << "finite";
  QTest::newRow("Infinity") << QByteArray("{\"a\": Infinity}") << "line 1, column 7"
                            << "finite";
  QTest::newRow("comment") << QByteArray("{\n// note\n\"a\": 1}") << "line 2, column 1"
                           << "no comments";
  QTest::newRow("empty") << QByteArray("") << "line 1, column 1"
                         << "empty";
  QTest::newRow("blank") << QByteArray(" \n ") << "line 2"
                         << "empty";
  QTest::newRow("trailing") << QByteArray("{} x") << "line 1, column 4"
                            << "";
  QTest::newRow("invalid utf-8") << QByteArray("{\"a\": \"\xff\"}") << "line 1"
                                 << "";
}

void TstJson::parse_brokenText_namesPlaceAndRemedy() {
  QFETCH(QByteArray, text);
  QFETCH(QString, place);
  QFETCH(QString, remedy);
  const auto parsed = json::parse(text.toStdString(), "some.json");
  QVERIFY(!parsed);
  QCOMPARE(parsed.error().code, ErrorCode::BadInput);
  QCOMPARE(parsed.error().file, std::string("some.json"));
  QVERIFY2(QString::fromStdString(parsed.error().field).startsWith(place), parsed.error().field.c_str());
  QVERIFY2(QString::fromStdString(parsed.error().remedy).contains(remedy), parsed.error().text().c_str());
}

void TstJson::parse_anyBytes_neverCrashes() {
  QVERIFY(rc::check("parsing ends with a value or a located error", [](const std::string& text) {
    const auto parsed = json::parse(text, "x");
    if (!parsed) RC_ASSERT(!parsed.error().message.empty());
  }));
}

void TstJson::parse_deepNesting_isRefused() {
  const auto deep = json::parse(std::string(100000, '['), "deep.json");
  QVERIFY(!deep);
  QVERIFY(deep.error().message.find("64 deep") != std::string::npos);
  QCOMPARE(deep.error().field, std::string("line 1, column 65"));
  QVERIFY(json::parse(std::string(64, '[') + std::string(64, ']'), "ok.json"));
}

void TstJson::parse_bracketsInStrings_areNotNesting() {
  QVERIFY(json::parse("{\"a\": \"" + std::string(200, '[') + "\\\"[\"}", "x"));
}

void TstJson::readText_hugeFile_isRefusedBySizeAtOnce() {
  QTemporaryDir folder;
  const QString path = folder.filePath("huge.json");
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  QVERIFY(file.resize(100'000'000));  // sparse: nothing is written
  file.close();
  QElapsedTimer timer;
  timer.start();
  const auto read = json::parseFile(path.toStdString());
  QVERIFY(timer.elapsed() < 2000);  // reading and parsing it takes many seconds
  QVERIFY(!read);
  QCOMPARE(read.error().code, ErrorCode::BadInput);
  QVERIFY2(read.error().message.find("too large (100 MB; at most 17 MB") != std::string::npos,
           read.error().text().c_str());
}

void TstJson::readText_missingFileAndFolder_areIoErrors() {
  QTemporaryDir folder;
  const auto missing = json::readText(folder.filePath("none.json").toStdString());
  QVERIFY(!missing);
  QCOMPARE(missing.error().code, ErrorCode::Io);
  const auto is_folder = json::readText(folder.path().toStdString());
  QVERIFY(!is_folder);
  QCOMPARE(is_folder.error().message, std::string("is a folder"));
}

void TstJson::number_wrongValue_isLocatedError_data() {
  QTest::addColumn<QString>("value");
  QTest::addColumn<QString>("message");
  QTest::newRow("text") << "\"5\""
                        << "is not a number";
  QTest::newRow("array") << "[5]"
                         << "is not a number";
  QTest::newRow("flag") << "true"
                        << "is not a number";
  QTest::newRow("negative") << "-1"
                            << "is out of range";
  QTest::newRow("above") << "65"
                         << "is out of range";
  QTest::newRow("fraction") << "2.5"
                            << "is not a whole number";
}

void TstJson::number_wrongValue_isLocatedError() {
  QFETCH(QString, value);
  QFETCH(QString, message);
  const auto document = nlohmann::json::parse("{\"outer\": {\"tp\": " + value.toStdString() + "}}");
  json::Reading reading("s.json");
  json::Object root(reading, document, "");
  json::Object outer = root.object("outer");
  QCOMPARE(outer.integer("tp", 7, {1, 64, "chips", true}), 7);
  QVERIFY(!reading.ok());
  QCOMPARE(reading.error().field, std::string("/outer/tp"));
  QCOMPARE(reading.error().value, value.toStdString());
  QCOMPARE(QString::fromStdString(reading.error().message), message);
  QVERIFY(reading.error().remedy.find("from 1 to 64 chips") != std::string::npos);
}

void TstJson::number_bounds_belongToTheRange() {
  for (const double bound : {1.0, 64.0}) {
    json::Reading reading("");
    QCOMPARE(json::readNumber(reading, nlohmann::json(bound), "/x", {1, 64}).value(), bound);
    QVERIFY(reading.ok());
  }
  json::Reading reading("");
  QVERIFY(!json::readNumber(reading, nlohmann::json(std::numeric_limits<double>::quiet_NaN()), "/x", {}));
  QVERIFY(!reading.ok());
}

void TstJson::reading_twoErrors_keepsTheFirst() {
  const auto document = nlohmann::json::parse(R"({"a": "x", "b": "y"})");
  json::Reading reading("f");
  json::Object root(reading, document, "");
  (void)root.number("a", 0);
  (void)root.number("b", 0);
  QCOMPARE(reading.error().field, std::string("/a"));
}

void TstJson::getters_wrongTypes_nameTheRemedy() {
  const auto document = nlohmann::json::parse(R"({"n": 1, "t": "x", "none": null})");
  const auto remedyOf = [&](auto&& get) {
    json::Reading reading("f");
    json::Object root(reading, document, "");
    get(root);
    return reading.ok() ? std::string() : reading.error().remedy;
  };
  QVERIFY(remedyOf([](json::Object& o) { (void)o.text("n", ""); }).find("quotes") != std::string::npos);
  QVERIFY(remedyOf([](json::Object& o) { (void)o.flag("t", false); }).find("true or false") !=
          std::string::npos);
  QVERIFY(remedyOf([](json::Object& o) { (void)o.object("t"); }).find("{") != std::string::npos);
  constexpr std::array<std::string_view, 2> kNames{"air", "liquid"};
  QCOMPARE(remedyOf([&](json::Object& o) { (void)o.choice("t", kNames, 0); }),
           std::string("write one of: air, liquid"));
  QVERIFY(remedyOf([](json::Object& o) { (void)o.unsignedInteger("t", 0); }).find("2^64") !=
          std::string::npos);
  QVERIFY(remedyOf([](json::Object& o) { o.require("missing", "write it"); }) == "write it");
  QVERIFY(remedyOf([](json::Object& o) { QVERIFY(!o.has("none")); }).empty());
}

void TstJson::unknownKeys_areReportedWithNearestName() {
  const auto document = nlohmann::json::parse(R"({"concurency": 3, "mode": "closed"})");
  Warnings warnings;
  json::Reading reading("s.json", &warnings);
  json::Object root(reading, document, "");
  (void)root.text("mode", "");
  (void)root.number("concurrency", 0);
  root.warnUnknownKeys();
  QCOMPARE(warnings.size(), std::size_t{1});
  QCOMPARE(warnings[0].field, std::string("/concurency"));
  QCOMPARE(warnings[0].remedy, std::string("did you mean concurrency?"));
  QCOMPARE(root.unknownKeys(), std::vector<std::string>{"concurency"});
}

void TstJson::pointer_escapesSlashAndTilde() {
  const auto document = nlohmann::json::parse("{}");
  json::Reading reading("");
  const json::Object root(reading, document, "/up");
  QCOMPARE(root.pointerTo("a/b~c"), std::string("/up/a~1b~0c"));  // RFC 6901
}

void TstJson::unsignedInteger_largestSeed_isExact() {
  const auto document = nlohmann::json::parse(R"({"seed": 18446744073709551615})");
  json::Reading reading("");
  json::Object root(reading, document, "");
  QCOMPARE(root.unsignedInteger("seed", 0), 18446744073709551615ULL);
}

void TstJson::editDistance_knownPairs_data() {
  QTest::addColumn<QString>("a");
  QTest::addColumn<QString>("b");
  QTest::addColumn<int>("distance");
  QTest::newRow("kitten") << "kitten"
                          << "sitting" << 3;
  QTest::newRow("swap") << "concurrnecy"
                        << "concurrency" << 1;
  QTest::newRow("case") << "TP"
                        << "tp" << 0;
  QTest::newRow("insert") << "h100"
                          << "h1000" << 1;
  QTest::newRow("empty") << ""
                         << "abc" << 3;
}

void TstJson::editDistance_knownPairs() {
  QFETCH(QString, a);
  QFETCH(QString, b);
  QFETCH(int, distance);
  QCOMPARE(static_cast<int>(editDistance(a.toStdString(), b.toStdString())), distance);
}

void TstJson::editDistance_properties() {
  QVERIFY(rc::check("distance is symmetric, zero to itself and between the length bounds",
                    [](const std::string& a, const std::string& b) {
                      const std::size_t d = editDistance(a, b);
                      RC_ASSERT(d == editDistance(b, a));
                      RC_ASSERT(editDistance(a, a) == 0U);
                      RC_ASSERT(d <= std::max(a.size(), b.size()));
                      RC_ASSERT(d >= std::max(a.size(), b.size()) - std::min(a.size(), b.size()));
                    }));
}

void TstJson::nearestName_farNames_suggestsNothing() {
  const std::vector<std::string_view> names{"h100-sxm", "gb200", "tpu-v4"};
  QCOMPARE(nearestName("gb20", names), std::string_view("gb200"));
  QCOMPARE(nearestName("h100", names), std::string_view("h100-sxm"));
  QVERIFY(nearestName("potato", names).empty());
  QVERIFY(didYouMean("potato", names).empty());
}

void TstJson::fnv1a_publishedVectors_match() {
  // Test vectors of the FNV authors (isthe.com/chongo/tech/comp/fnv), 64-bit FNV-1a.
  QCOMPARE(fnv1a(""), 0xcbf29ce484222325ULL);
  QCOMPARE(fnv1a("a"), 0xaf63dc4c8601ec8cULL);
  QCOMPARE(fnv1a("foobar"), 0x85944171f73967e8ULL);
  QCOMPARE(hexText(fnv1a("foobar")), std::string("85944171f73967e8"));
}

void TstJson::error_text_hasAllParts() {
  const Error error{ErrorCode::BadInput, "s.json", "/chips", "-1", "is out of range", "write more"};
  QCOMPARE(error.text(), std::string("s.json: /chips = -1: is out of range; write more"));
}

QTEST_GUILESS_MAIN(TstJson)
#include "tst_json.moc"
