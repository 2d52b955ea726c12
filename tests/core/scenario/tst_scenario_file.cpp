// Scenario files: the documented example, exact round trips, located diagnostics for every kind of bad input,
// migrations.
#include "base/json_document.h"
#include "scenario/migrations.h"
#include "scenario/overrides.h"
#include "scenario/resolved_specs.h"
#include "scenario/scenario_json.h"

#include <decodescope/parameters.h>

#include <rapidcheck.h>

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace decodescope;
using namespace decodescope::scenario;

namespace {

std::string fileText(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A scenario with several parameters moved to random legal values.
Scenario randomScenario() {
  Scenario s;
  const auto table = parameterTable();
  for (int i = 0; i < 12; ++i) {
    const ParameterDescriptor& p = table[*rc::gen::inRange<std::size_t>(0, table.size())];
    ParameterValue value;
    if (p.scale == ParameterScale::Choice) {
      const auto choices = parameterChoices(p, CatalogListing{});
      if (choices.empty()) continue;
      value = choices[*rc::gen::inRange<std::size_t>(0, choices.size())].id;
      if (p.path == "workload.mode" && std::get<std::string>(value) == "trace")
        s.workload.trace_file = "trace.csv";
    } else {
      const double share = *rc::gen::inRange(0, 1001) / 1000.0;
      double number = p.soft_min + share * (p.soft_max - p.soft_min);
      if (p.integral) number = std::floor(number);
      value = number;
    }
    auto changed = applySet(
        s, std::string(p.path) + "=" +
               (std::holds_alternative<double>(value) ? nlohmann::json(std::get<double>(value)).dump()
                                                      : std::get<std::string>(value)));
    if (changed) s = *changed;
  }
  return s;
}

}  // namespace

class TstScenarioFile : public QObject {
  Q_OBJECT

 private slots:
  void read_documentedExample_hasEveryValue();
  void read_emptyObject_isANewScenario();
  void read_distributions();
  void read_overrides_becomeFields();
  void read_closedLoopByContextAlone();
  void read_staticMode_leavesPrefillOut();
  void read_badInput_isLocatedError_data();
  void read_badInput_isLocatedError();
  void read_hugeFile_isRefused();
  void read_newerSchema_isTooNew();
  void read_unknownKeys_areWarnedAboutAndKept();
  void migrate_oldDocument_runsEveryStepInOrder();
  void migrate_gap_isError();
  void write_shippedScenarios_changeNoByte();
  void write_anyScenario_readsBackEqual();
  void write_fractionsAndHugeSeeds_areExact();
  void load_byIdPathAndNearest();
  void schema_hasTheKeysThatAreRead();
  void resolve_shippedScenarios_nameCatalogEntries();
  void resolve_overrides_replaceNumbers();
  void resolve_badOverride_isError();
};

void TstScenarioFile::read_documentedExample_hasEveryValue() {
  const auto s = readScenario(R"({
    "format": "decodescope-scenario", "schema": 1, "name": "DeepSeek-R1 on one NVL72", "model": "deepseek-v3",
    "precision": {"weights": "fp8", "kv": "fp8", "activations": "bf16"}, "system": "gb200-nvl72", "chips": 72,
    "parallel": {"tp": 8, "pp": 1, "ep": 72, "dp": 9, "cp": 1, "attention": "dp"},
    "workload": {"mode": "closed", "concurrency": 256, "prompt_tokens": 8192, "output_tokens": 1024},
    "serving": {"engine": "trtllm", "prefill": "chunked", "chunk_tokens": 4096, "kv_block_tokens": 32,
                "speculation": {"draft_tokens": 3, "acceptance_ratio": 0.7}},
    "fabric": {"kind": "leaf-spine", "gb_per_s_per_chip": 50, "oversubscription": 2},
    "physical": {"cooling": "liquid", "supply_c": 40, "flow_l_per_min_per_chip": 1.6, "rack_power_cap_kw": 132, "ambient_c": 25},
    "economics": {"years": 5, "usd_per_kwh": 0.1, "hosting_usd_per_kw_month": 150, "utilization": 0.8},
    "faults": [{"kind": "link", "target": "Chip 04.1 - Switch S7.2", "capacity_ratio": 0.5, "at_s": 3}],
    "jitter": "off", "seed": 7})",
                              "example.json");
  QVERIFY2(s.has_value(), s ? "" : s.error().text().c_str());
  QCOMPARE(s->name, std::string("DeepSeek-R1 on one NVL72"));
  QCOMPARE(s->model, std::string("deepseek-v3"));
  QCOMPARE(s->precision.weights, std::string("fp8"));
  QCOMPARE(s->precision.kv, std::string("fp8"));
  QCOMPARE(s->system, std::string("gb200-nvl72"));
  QCOMPARE(s->chips, 72);
  QVERIFY((s->parallel == ParallelDegrees{8, 1, 72, 9, 1, AttentionSharding::Data}));
  QCOMPARE(s->workload.concurrency, 256.0);
  QCOMPARE(s->workload.prompt.mean_tokens, 8192.0);
  QCOMPARE(s->workload.output.mean_tokens, 1024.0);
  QCOMPARE(s->serving.chunk_tokens, 4096);
  QCOMPARE(s->serving.kv_block_tokens, 32);
  QVERIFY((s->serving.speculation == Speculation{3, 0.7}));
  QVERIFY((s->fabric == Fabric{"leaf-spine", 50, 2}));
  QCOMPARE(s->physical.supply_c.value(), 40.0);
  QCOMPARE(s->physical.rack_power_cap_kw.value(), 132.0);
  QCOMPARE(s->physical.ambient_c, 25.0);
  QCOMPARE(s->economics.years, 5.0);
  QVERIFY((s->faults == std::vector<Fault>{{"link", "Chip 04.1 - Switch S7.2", 0.5, 3}}));
  QVERIFY(!s->jitter);
  QCOMPARE(s->seed, std::uint64_t{7});
}

void TstScenarioFile::read_emptyObject_isANewScenario() {
  const auto s = readScenario("{}", "x");
  QVERIFY(s);
  QVERIFY(*s == Scenario{});
}

void TstScenarioFile::read_distributions() {
  const auto s = readScenario(R"({"workload": {"prompt_tokens": {"dist": "uniform", "min": 100, "max": 300},
      "output_tokens": {"dist": "lognormal", "mean": 1024, "sigma": 0.8, "min": 1, "max": 32768}}})",
                              "x");
  QVERIFY2(s.has_value(), s ? "" : s.error().text().c_str());
  QVERIFY((s->workload.prompt ==
           TokenLength{TokenLength::Distribution::Uniform, 200, 0, 100, 300}));  // mean of the bounds
  QVERIFY((s->workload.output == TokenLength{TokenLength::Distribution::Lognormal, 1024, 0.8, 1, 32768}));
}

void TstScenarioFile::read_overrides_becomeFields() {
  const auto s =
      readScenario(R"({"model": {"base": "llama3.1-8b", "layers": 40}, "system": {"base": "dgx-h100",
      "scale_up": {"link_gb_per_s": 50}}, "chip": {"memory_bandwidth_gb_per_s": 6000}})",
                   "x");
  QVERIFY2(s.has_value(), s ? "" : s.error().text().c_str());
  QCOMPARE(s->model, std::string("llama3.1-8b"));
  QVERIFY((s->overrides == std::vector<CatalogOverride>{{"model", "layers", 40},
                                                        {"system", "scale_up.link_gb_per_s", 50},
                                                        {"chip", "memory_bandwidth_gb_per_s", 6000}}));
}

void TstScenarioFile::read_closedLoopByContextAlone() {
  const auto s = readScenario(
      R"({"workload": {"mode": "closed", "context_tokens": 32768, "output_tokens": 1024}})", "x");
  QVERIFY(s);
  QCOMPARE(s->workload.prompt.mean_tokens, 32768.0 - 512);
}

void TstScenarioFile::read_staticMode_leavesPrefillOut() {
  const auto s =
      readScenario(R"({"workload": {"mode": "static", "concurrency": 64, "context_tokens": 32768}})", "x");
  QVERIFY(s);
  QVERIFY(s->serving.prefill == PrefillMode::None);
  QCOMPARE(s->workload.context_tokens, 32768.0);
}

void TstScenarioFile::read_badInput_isLocatedError_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("field");
  QTest::addColumn<QString>("message");
  QTest::addColumn<QString>("remedy");
  const auto row = [](const char* name, const char* text, const char* field, const char* message,
                      const char* remedy) { QTest::newRow(name) << text << field << message << remedy; };
  row("truncated", R"({"model": "deepseek-v3", "chips": )", "line 1, column 35", "is not JSON", "cut off");
  row("NaN", R"({"chips": NaN})", "line 1, column 11", "is not JSON", "finite");
  row("not an object", "[1, 2]", "/", "is not an object", "key");
  row("other format", R"({"format": "blender-scene"})", "/format", "is no scenario", "decodescope-scenario");
  row("chips text", R"({"chips": "72"})", "/chips", "is not a number", "without quotes");
  row("chips negative", R"({"chips": -8})", "/chips", "is out of range", "from 1 to 1000000 chips");
  row("chips absurd", R"({"chips": 1e12})", "/chips", "is out of range", "1000000");
  row("chips fraction", R"({"chips": 7.5})", "/chips", "is not a whole number", "whole number");
  row("context absurd", R"({"workload": {"mode": "static", "context_tokens": 1e9}})",
      "/workload/context_tokens", "is out of range", "16777216 tokens");
  row("prompt zero", R"({"workload": {"prompt_tokens": 0}})", "/workload/prompt_tokens", "is out of range",
      "tokens");
  row("prompt list", R"({"workload": {"prompt_tokens": [1]}})", "/workload/prompt_tokens", "is not a number",
      "from 1");
  row("bounds crossed", R"({"workload": {"prompt_tokens": {"dist": "uniform", "min": 9, "max": 3}}})",
      "/workload/prompt_tokens/min", "is above max", "swap");
  row("unknown dist", R"({"workload": {"output_tokens": {"dist": "pareto"}}})",
      "/workload/output_tokens/dist", "is not a known choice", "lognormal");
  row("unknown mode", R"({"workload": {"mode": "cloesd"}})", "/workload/mode", "is not a known choice",
      "closed, open, static, trace");
  row("trace without file", R"({"workload": {"mode": "trace"}})", "/workload/trace_file", "is missing",
      "CSV");
  row("workload list", R"({"workload": []})", "/workload", "is not an object", "key");
  row("parallel text", R"({"parallel": "best"})", "/parallel", "neither \"auto\" nor an object", "tp");
  row("tp zero", R"({"parallel": {"tp": 0}})", "/parallel/tp", "is out of range", "from 1");
  row("attention", R"({"parallel": {"attention": "ep"}})", "/parallel/attention", "is not a known choice",
      "tp, dp");
  row("weights type", R"({"precision": {"weights": "fp7"}})", "/precision/weights", "is not a known choice",
      "nvfp4");
  row("model number", R"({"model": 7})", "/model", "is neither an id nor an object", "base");
  row("model empty", R"({"model": ""})", "/model", "is empty", "id");
  row("override unknown", R"({"model": {"base": "llama3.1-8b", "layer": 40}})", "/model/layer",
      "is no number of the catalog", "did you mean layers?");
  row("override text", R"({"chip": {"tdp_w": "hot"}})", "/chip/tdp_w", "is not a number", "number");
  row("override absurd", R"({"chip": {"tdp_w": 1e9}})", "/chip/tdp_w", "is out of range", "W");
  row("chip id", R"({"chip": "h100-sxm"})", "/chip", "is neither an id nor an object", "field");
  row("speculation text", R"({"serving": {"speculation": "on"}})", "/serving/speculation", "is not an object",
      "key");
  row("acceptance", R"({"serving": {"speculation": {"acceptance_ratio": 1.2}}})",
      "/serving/speculation/acceptance_ratio", "is out of range", "from 0 to 1");
  row("supply", R"({"physical": {"supply_c": 400}})", "/physical/supply_c", "is out of range", "C");
  row("utilization", R"({"economics": {"utilization": 70}})", "/economics/utilization", "is out of range",
      "to 1");
  row("fault kind", R"({"faults": [{"kind": "fire", "target": "x"}]})", "/faults/0/kind",
      "is not a known choice", "link");
  row("fault target", R"({"faults": [{"kind": "link"}]})", "/faults/0/target", "is missing", "label");
  row("faults object", R"({"faults": {}})", "/faults", "is not an array", "[");
  row("jitter", R"({"jitter": "maybe"})", "/jitter", "is not a known choice", "off, on");
  row("seed negative", R"({"seed": -1})", "/seed", "is not a whole number", "2^64");
  row("schema text", R"({"schema": "one"})", "/schema", "is not a number", "whole number");
  row("schema zero", R"({"schema": 0})", "/schema", "is no schema that was ever released", "write 1");
}

void TstScenarioFile::read_badInput_isLocatedError() {
  QFETCH(QString, text);
  QFETCH(QString, field);
  QFETCH(QString, message);
  QFETCH(QString, remedy);
  const auto s = readScenario(text.toStdString(), "bad.decodescope.json");
  QVERIFY(!s);
  const Error& e = s.error();
  QCOMPARE(e.code, ErrorCode::BadInput);
  QCOMPARE(e.file, std::string("bad.decodescope.json"));
  QCOMPARE(QString::fromStdString(e.field), field);
  QVERIFY2(QString::fromStdString(e.message).contains(message), e.text().c_str());
  QVERIFY2(QString::fromStdString(e.remedy).contains(remedy), e.text().c_str());
}

void TstScenarioFile::read_hugeFile_isRefused() {
  QTemporaryDir folder;
  QFile file(folder.filePath("huge.decodescope.json"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  QVERIFY(file.resize(100'000'000));
  file.close();
  const auto s = loadScenario(file.fileName().toStdString());
  QVERIFY(!s);
  QVERIFY(s.error().message.find("too large") != std::string::npos);
}

void TstScenarioFile::read_newerSchema_isTooNew() {
  const auto s =
      readScenario(R"({"format": "decodescope-scenario", "schema": 2, "from_the_future": true})", "new.json");
  QVERIFY(!s);
  QCOMPARE(s.error().code, ErrorCode::TooNew);
  QCOMPARE(s.error().field, std::string("/schema"));
  QCOMPARE(s.error().remedy, std::string("update Decodescope"));
}

void TstScenarioFile::read_unknownKeys_areWarnedAboutAndKept() {
  Warnings warnings;
  const std::string text =
      R"({"chpis": 8, "my_note": {"a": [1, null]}, "workload": {"concurency": 3, "prompt_tokens": {"mean": 5, "x": 1}}})";
  const auto s = readScenario(text, "u.json", &warnings);
  QVERIFY(s);
  QStringList fields, remedies;
  for (const Error& w : warnings) {
    fields << QString::fromStdString(w.field);
    remedies << QString::fromStdString(w.remedy);
  }
  fields.sort();
  QCOMPARE(fields, (QStringList{"/chpis", "/my_note", "/workload/concurency", "/workload/prompt_tokens/x"}));
  QVERIFY(remedies.contains("did you mean chips?"));
  QVERIFY(remedies.contains("did you mean concurrency?"));
  const auto written = nlohmann::json::parse(writeScenario(*s));
  QCOMPARE(written["chpis"].get<int>(), 8);
  QVERIFY(written["my_note"]["a"][1].is_null());
  QCOMPARE(written["workload"]["concurency"].get<int>(), 3);
  const auto again = readScenario(writeScenario(*s), "u.json");
  QVERIFY(again);
  QVERIFY(*again == *s);
  QCOMPARE(writeScenario(*again), writeScenario(*s));
}

void TstScenarioFile::migrate_oldDocument_runsEveryStepInOrder() {
  // Two made-up releases: schema 1 called the chips "gpus", schema 2 wrapped them.
  constexpr Migration kSteps[] = {{1,
                                   [](nlohmann::json& d) {
                                     d["accelerators"] = d["gpus"];
                                     d.erase("gpus");
                                   }},
                                  {2, [](nlohmann::json& d) {
                                     d["chips"] = d["accelerators"];
                                     d.erase("accelerators");
                                   }}};
  auto document = nlohmann::json::parse(R"({"schema": 1, "gpus": 16})");
  QVERIFY(migrate(document, "old.json", 3, kSteps));
  QCOMPARE(document, nlohmann::json::parse(R"({"schema": 3, "chips": 16})"));
  auto current = nlohmann::json::parse(R"({"schema": 3, "gpus": 16})");
  QVERIFY(migrate(current, "new.json", 3, kSteps));
  QVERIFY(current.contains("gpus"));
}

void TstScenarioFile::migrate_gap_isError() {
  constexpr Migration kSteps[] = {{2, [](nlohmann::json&) {}}};
  auto document = nlohmann::json::parse(R"({"schema": 1})");
  const auto migrated = migrate(document, "old.json", 3, kSteps);
  QVERIFY(!migrated);
  QCOMPARE(migrated.error().file, std::string("old.json"));
}

void TstScenarioFile::write_shippedScenarios_changeNoByte() {
  const auto shipped = shippedScenarios();
  QVERIFY(shipped.size() >= 9);
  for (const ShippedScenario& item : shipped) {
    Warnings warnings;
    const auto s = loadScenario(item.file.string(), &warnings);
    QVERIFY2(s.has_value(), s ? "" : s.error().text().c_str());
    QVERIFY2(warnings.empty(), item.id.c_str());
    QCOMPARE(writeScenario(*s), fileText(item.file));
  }
}

void TstScenarioFile::write_anyScenario_readsBackEqual() {
  QVERIFY(rc::check("read(write(s)) = s and write(read(write(s))) = write(s)", [] {
    const Scenario s = randomScenario();
    const std::string text = writeScenario(s);
    Warnings warnings;
    const auto again = readScenario(text, "x", &warnings);
    RC_ASSERT(again.has_value());
    RC_ASSERT(warnings.empty());
    RC_ASSERT(*again == s);
    RC_ASSERT(writeScenario(*again) == text);
  }));
}

void TstScenarioFile::write_fractionsAndHugeSeeds_areExact() {
  Scenario s;
  s.economics.usd_per_kwh = 0.1 + 0.2;
  s.seed = 18446744073709551615ULL;
  s.name = "Zürich \"quoted\" \\ 東京";
  const auto again = readScenario(writeScenario(s), "x");
  QVERIFY(again);
  QVERIFY(*again == s);
}

void TstScenarioFile::load_byIdPathAndNearest() {
  const auto s = loadScenario("deepseek-r1-nvl72");
  QVERIFY(s);
  QCOMPARE(s->chips, 72);
  const auto near = loadScenario("deepseek-r1-nvl27");
  QVERIFY(!near);
  QCOMPARE(near.error().code, ErrorCode::NotFound);
  QVERIFY(near.error().remedy.find("deepseek-r1-nvl72") != std::string::npos);
  const auto path = loadScenario("nowhere/x.json");
  QVERIFY(!path);
  QCOMPARE(path.error().code, ErrorCode::Io);
}

void TstScenarioFile::schema_hasTheKeysThatAreRead() {
  const auto schema =
      nlohmann::json::parse(fileText(DECODESCOPE_SOURCE_DIR "/resources/schema/scenario.schema.json"));
  for (const std::string_view path : scenarioPaths()) {
    const QStringList keys = QString::fromUtf8(path.data(), static_cast<int>(path.size())).split('.');
    const bool is_override = (keys[0] == "model" || keys[0] == "system" || keys[0] == "chip") &&
                             keys.size() > 1 && keys[1] != "base";
    if (is_override) continue;  // the catalog's keys, which the schema leaves open
    const nlohmann::json* node = &schema;
    for (const QString& key : keys) {
      const auto has = [&](const nlohmann::json& n) {
        return n.contains("properties") && n["properties"].contains(key.toStdString());
      };
      const nlohmann::json* next = has(*node) ? node : nullptr;
      if (node->contains("oneOf")) {
        for (const nlohmann::json& option : (*node)["oneOf"]) next = has(option) ? &option : next;
      }
      QVERIFY2(next != nullptr, std::string(path).c_str());
      node = &(*next)["properties"][key.toStdString()];
    }
    // The schema's bounds are those of the table.
    const ParameterDescriptor* p = findParameter(path);
    if (p == nullptr || !node->contains("minimum") || path == "seed") continue;
    if (path == "serving.speculation.draft_tokens") continue;  // 0 in the table means null in the file
    QCOMPARE((*node)["minimum"].get<double>(), p->hard_min);
    QCOMPARE((*node)["maximum"].get<double>(), p->hard_max);
    QCOMPARE((*node)["type"] == "integer", p->integral);
  }
}

void TstScenarioFile::resolve_shippedScenarios_nameCatalogEntries() {
  const std::filesystem::path folder = DECODESCOPE_SOURCE_DIR "/resources/catalog";
  const auto catalog = Catalog::load({&folder, 1});
  QVERIFY(catalog);
  for (const ShippedScenario& item : shippedScenarios()) {
    const auto s = loadScenario(item.id);
    QVERIFY(s);
    const auto specs = resolveSpecs(**catalog, *s);
    QVERIFY2(specs.has_value(), specs ? "" : specs.error().text().c_str());
    QVERIFY2((*catalog)->engine(s->serving.engine), item.id.c_str());
  }
}

void TstScenarioFile::resolve_overrides_replaceNumbers() {
  const std::filesystem::path folder = DECODESCOPE_SOURCE_DIR "/resources/catalog";
  const auto catalog = *Catalog::load({&folder, 1});
  Scenario s;
  s.model = "gemma3-27b";  // 10 global and 52 local layers
  s.system = "dgx-h100";
  s.overrides = {
      {"model", "layers", 31}, {"system", "scale_up.link_gb_per_s", 50}, {"chip", "memory_gb", 160}};
  const auto specs = resolveSpecs(*catalog, s);
  QVERIFY2(specs.has_value(), specs ? "" : specs.error().text().c_str());
  QCOMPARE(specs->model.layers, 31);
  QCOMPARE(specs->model.layers_full, 5);
  QCOMPARE(specs->model.layers_local, 26);
  QCOMPARE(specs->system.graph.link_bytes_per_s, 50e9);
  QCOMPARE(specs->chip.scale_up_bytes_per_s, 900e9);  // twice the link, twice the chip
  QCOMPARE(specs->chip.memory_bytes, 160e9);
  QCOMPARE(specs->chip.sources.find("memory_bytes")->second.title, std::string("set in the scenario"));
}

void TstScenarioFile::resolve_badOverride_isError() {
  const std::filesystem::path folder = DECODESCOPE_SOURCE_DIR "/resources/catalog";
  const auto catalog = *Catalog::load({&folder, 1});
  Scenario s;
  s.overrides = {{"chip", "memory_gbb", 160}};
  const auto specs = resolveSpecs(*catalog, s);
  QVERIFY(!specs);
  QCOMPARE(specs.error().remedy, std::string("did you mean memory_gb?"));
  s.overrides = {{"chip", "vendor", 160}};
  QVERIFY(!resolveSpecs(*catalog, s));
  s.overrides.clear();
  s.model = "deepseek-v33";
  QCOMPARE(resolveSpecs(*catalog, s).error().code, ErrorCode::NotFound);
}

QTEST_GUILESS_MAIN(TstScenarioFile)
#include "tst_scenario_file.moc"
