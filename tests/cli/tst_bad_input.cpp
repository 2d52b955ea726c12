// Bad input of every kind: the exit code, and a message that names file, field, value and remedy.
#include "cli_process.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace cli_test;

namespace {

/// `FILE` among the arguments stands for a file with `content`.
struct Row {
  const char* name;
  QStringList arguments;
  QByteArray content;
  int exit_code;
  QStringList fragments;
};

QStringList set(const char* assignment) {
  return {"predict", kScenario, "--set", assignment};
}

const QStringList kPredict{"predict", "FILE"};

/// Files that are no JSON, or not what a scenario is.
QList<Row> documents() {
  return {
      {"empty", kPredict, "", 2, {"input.json", "line 1", "the file is empty"}},
      {"cut off", kPredict, "{\n\"chips\": ", 2, {"input.json", "line 2", "was it cut off?"}},
      {"binary",
       kPredict,
       QByteArray("\x7f"
                  "ELF\x02\x01\x00\x03",
                  8),
       2,
       {"input.json", "is not JSON"}},
      {"foreign bytes", kPredict, "{\"name\": \"\xff\xfe\"}", 2, {"input.json", "UTF-8"}},
      {"deep", kPredict, QByteArray(100000, '['), 2, {"input.json", "column 65", "nested more than 64 deep"}},
      {"large",
       kPredict,
       QByteArray(100'000'000, ' '),
       2,
       {"input.json", "100 MB", "is this the right file?"}},
      {"a list", kPredict, "[1, 2]", 2, {"input.json", "[1,2]", "is not an object", "write {"}},
      {"comment", kPredict, "{\"chips\": 8 // all\n}", 2, {"input.json", "JSON has no comments"}},
      {"comma", kPredict, "{\"chips\": 8,,}", 2, {"column 13", "missing comma, quote or bracket"}},
      {"other format", kPredict, "{\"format\": \"x\"}", 2, {"/format = \"x\"", "\"decodescope-scenario\""}},
      {"newer schema", kPredict, "{\"schema\": 99}", 2, {"/schema = 99", "newer", "update Decodescope"}},
      {"schema as text", kPredict, "{\"schema\": \"1\"}", 2, {"/schema = \"1\"", "without quotes"}},
  };
}

/// Values that a scenario cannot have.
QList<Row> values() {
  return {
      {"NaN", kPredict, "{\"chips\": NaN}", 2, {"input.json", "numbers must be finite"}},
      {"infinity", kPredict, "{\"chips\": Infinity}", 2, {"input.json", "numbers must be finite"}},
      {"beyond double", kPredict, "{\"chips\": 1e400}", 2, {"input.json", "1e400", "use a smaller number"}},
      {"negative", kPredict, "{\"chips\": -1}", 2, {"/chips = -1", "from 1 to 1000000 chips"}},
      {"zero", kPredict, "{\"chips\": 0}", 2, {"/chips = 0", "from 1 to 1000000 chips"}},
      {"too many", kPredict, "{\"chips\": 1000001}", 2, {"/chips = 1000001", "is out of range"}},
      {"part of a chip", kPredict, "{\"chips\": 8.5}", 2, {"/chips = 8.5", "is not a whole number"}},
      {"quoted number", kPredict, "{\"chips\": \"8\"}", 2, {"/chips = \"8\"", "without quotes"}},
      {"wrong type", kPredict, "{\"workload\": []}", 2, {"/workload = []", "is not an object"}},
      {"long context",
       kPredict,
       "{\"workload\": {\"prompt_tokens\": 16777217}}",
       2,
       {"/workload/prompt_tokens = 16777217", "16777216 tokens"}},
      {"min above max",
       kPredict,
       "{\"workload\": {\"output_tokens\": {\"dist\": \"uniform\", \"min\": 9, \"max\": 2}}}",
       2,
       {"/workload/output_tokens/min = 9", "is above max", "swap them"}},
      {"negative spread",
       kPredict,
       "{\"workload\": {\"prompt_tokens\": {\"mean\": 9, \"sigma\": -1}}}",
       2,
       {"/workload/prompt_tokens/sigma = -1", "is out of range"}},
      {"no trace file",
       kPredict,
       "{\"workload\": {\"mode\": \"trace\"}}",
       2,
       {"/workload/trace_file", "is missing", "CSV"}},
      {"negative seed", kPredict, "{\"seed\": -1}", 2, {"/seed = -1", "at least 0"}},
      {"parallel as text", kPredict, "{\"parallel\": \"atuo\"}", 2, {"/parallel = \"atuo\"", "\"auto\""}},
      {"no ranks", kPredict, "{\"parallel\": {\"tp\": 0}}", 2, {"/parallel/tp = 0", "is out of range"}},
      {"faults as object", kPredict, "{\"faults\": {}}", 2, {"/faults = {}", "is not an array"}},
      {"fault without target",
       kPredict,
       "{\"faults\": [{\"kind\": \"link\"}]}",
       2,
       {"/faults/0/target", "is missing"}},
  };
}

/// Names that are not known, with the nearest one that is.
QList<Row> names() {
  return {
      {"unknown model",
       kPredict,
       "{\"model\": \"deepseek-v4\"}",
       2,
       {"input.json", "model = deepseek-v4", "did you mean deepseek-v3"}},
      {"unknown system",
       kPredict,
       "{\"system\": \"gb200-nvl7\"}",
       2,
       {"input.json", "did you mean gb200-nvl72"}},
      {"unknown engine",
       kPredict,
       "{\"serving\": {\"engine\": \"vlm\"}}",
       2,
       {"engine = vlm", "did you mean vllm?"}},
      {"unknown field",
       kPredict,
       "{\"model\": {\"base\": \"deepseek-v3\", \"layrs\": 3}}",
       2,
       {"/model/layrs = 3", "did you mean layers?"}},
      {"unknown dtype",
       kPredict,
       "{\"precision\": {\"weights\": \"fp7\"}}",
       2,
       {"/precision/weights = \"fp7\"", "write one of: bf16, fp8"}},
      {"unknown mode",
       kPredict,
       "{\"workload\": {\"mode\": \"opn\"}}",
       2,
       {"/workload/mode", "closed, open, static"}},
      {"unknown fabric", kPredict, "{\"fabric\": \"rial\"}", 2, {"/fabric = \"rial\"", "rail, none"}},
      {"unknown part in a fault",
       kPredict,
       "{\"faults\": [{\"kind\": \"link\", \"target\": \"x\"}]}",
       2,
       {"link = x", "the machine has nothing of this name", "names are like"}},
      {"unknown scenario",
       {"predict", "deepseek-r1-nvl7"},
       "",
       2,
       {"deepseek-r1-nvl7", "did you mean deepseek-r1-nvl72"}},
      {"unknown quantity", {"explain", kScenario, "tpot"}, "", 2, {"QUANTITY = tpot", "tpot_s, "}},
      {"unknown chip", {"catalog", "chips", "h100"}, "", 2, {"h100", "did you mean"}},
      {"endless id",
       kPredict,
       "{\"model\": \"" + QByteArray(3'000'000, 'k') + "\"}",
       2,
       {"is no model of the catalog"}},
  };
}

QList<Row> assignments() {
  return {
      {"--set without value", set("chips"), "", 2, {"--set = chips", "path=value"}},
      {"--set without path", set("=8"), "", 2, {"path=value"}},
      {"--set of nothing", set("chips="), "", 2, {"chips", "is not a number"}},
      {"--set of text", set("chips=many"), "", 2, {"chips = many", "from 1 to 1000000 chips"}},
      {"--set of NaN", set("physical.ambient_c=nan"), "", 2, {"physical.ambient_c = nan", "is not a number"}},
      {"--set beyond double", set("chips=1e400"), "", 2, {"chips = 1e400", "is not a number"}},
      {"--set of the unknown", set("workload.concurency=8"), "", 2, {"did you mean workload.concurrency?"}},
      {"--set of a part", set("workload=8"), "", 2, {"workload = 8", "did you mean workload."}},
      {"--set of cold", set("physical.supply_c=-500"), "", 2, {"physical.supply_c = -500", "C"}},
      {"--set of a chip's field", set("chip.tdp_w=0"), "", 2, {"chip.tdp_w = 0", "W"}},
      {"--set of another format", set("format=x"), "", 2, {"format"}},
  };
}

QList<Row> filesAndUsage() {
  return {
      {"no such file",
       {"predict", "nothere.json"},
       "",
       4,
       {"nothere.json", "does not exist", "check the path"}},
      {"a folder", {"predict", "/"}, "", 4, {"is a folder"}},
      {"rows from a folder", {"kernels", "/"}, "", 4, {"is a folder"}},
      {"no such folder",
       {"run", kScenario, "--tokens", "1", "-o", "/nonexistent/a.csv"},
       "",
       4,
       {"/nonexistent/a.csv", "cannot be written", "folder"}},
      {"no such trace",
       kPredict,
       "{\"workload\": {\"mode\": \"trace\", \"trace_file\": \"nothere.csv\"}}",
       4,
       {"nothere.csv", "workload.trace_file"}},
      {"no command", {}, "", 1, {"--help"}},
      {"unknown option", {"predict", kScenario, "--fast"}, "", 1, {"--fast"}},
      {"no scenario", {"predict"}, "", 1, {"SCENARIO"}},
      {"tokens and time", {"run", kScenario, "--tokens", "1", "--for", "1s"}, "", 1, {"--tokens"}},
      {"no duration", {"run", kScenario, "--for", "soon"}, "", 2, {"--for = soon", "60s"}},
      {"negative duration", {"run", kScenario, "--for", "-1s"}, "", 2, {"--for = -1s"}},
      {"no tokens", {"trace", kScenario, "--tokens", "0"}, "", 1, {"--tokens"}},
      {"unknown kind", {"catalog", "cars"}, "", 1, {"cars"}},
      {"no such topology", {"topology", "tors:4x4"}, "", 2, {"tors", "did you mean torus?"}},
      {"torus without size", {"topology", "torus"}, "", 2, {"the size is missing", "torus:4x4x4@90"}},
      {"negative torus", {"topology", "torus:-1x4"}, "", 2, {"size = -1", "from 1 to"}},
      {"dead links", {"topology", "torus:4x4@0"}, "", 2, {"@ = 0", "above 0"}},
      {"odd fat tree", {"topology", "fat-tree:k=7@50"}, "", 2, {"k = 7", "even"}},
      {"topology beyond memory", {"topology", "dragonfly:a=1000,p=1000,h=1000"}, "", 2, {"is too large"}},
      {"topology parameter", {"topology", "torus:4x4,foo=1"}, "", 2, {"foo = 1", "no such parameter"}},
  };
}

QList<Row> tables() {
  const QStringList kernels{"kernels", "FILE"}, thermal{"thermal", "FILE"}, import{"import-model", "FILE"};
  return {
      {"no rows", kernels, "", 2, {"input.json:1:1", "the file is empty"}},
      {"column missing", kernels, "chip,M\nx,1\n", 2, {"input.json:1:1", "column 'op' is missing"}},
      {"quote never closed", kernels, "chip,op\nx,\"gemm\n", 2, {"input.json:2:3", "never closed"}},
      {"too many cells", kernels, "chip,op\nx,gemm,3\n", 2, {"input.json:2:8", "more cells"}},
      {"broken collective", {"collectives", "FILE"}, "a,b\n", 2, {"column 'system' is missing"}},
      {"broken points", {"validate", "FILE"}, "a,b\n1,2\n", 2, {"input.json", "column", "is missing"}},
      {"no cases", thermal, "{}", 2, {"/cases", "is not an array"}},
      {"unknown case",
       thermal,
       "{\"cases\": [{\"id\": \"a\", \"kind\": \"x\", \"inputs\": {}}]}",
       2,
       {"/cases/0/kind", "liquid_plate"}},
      {"endless heat",
       thermal,
       "{\"cases\": [{\"kind\": \"chip_power\", \"inputs\": {\"chip\": \"h100-sxm\", \"hbm_tb_per_s\": "
       "1e308}}]}",
       2,
       {"/cases/0/inputs", "power_w has no finite value"}},
      {"no config", import, "{}", 2, {"/hidden_size", "is missing"}},
      {"foreign config", import, "{\"_name_or_path\": 5, \"hidden_size\": 64}", 2, {"/num_hidden_layers"}},
      {"no capacity",
       {"flows", "FILE", "FILE", "--capacity", "0"},
       "src,dst,l\n",
       2,
       {"--capacity = 0", "above 0"}},
      {"no route",
       {"flows", fixture("routes.csv"), "FILE", "--capacity", "1"},
       "phase,src,dst,bytes\n0,a,z,1\n",
       2,
       {"input.json:2:3", "dst = z", "no route"}},
      {"negative flow",
       {"flows", fixture("routes.csv"), "FILE", "--capacity", "1"},
       "phase,src,dst,bytes\n0,a,b,-1\n",
       2,
       {"input.json:2:4", "bytes = -1", "negative"}},
      {"broken number",
       {"flows", fixture("routes.csv"), "FILE", "--capacity", "1"},
       "phase,src,dst,bytes\n0,a,b,many\n",
       2,
       {"input.json:2:4", "bytes = many", "not a number"}},
      {"broken line of a trace",
       {"predict", "FILE"},
       "{\"workload\": {\"mode\": \"trace\", \"trace_file\": \"" + fixture("broken_trace.csv").toUtf8() +
           "\"}}",
       2,
       {"broken_trace.csv:3", "many"}},
  };
}

}  // namespace

class TestBadInput : public QObject {
  Q_OBJECT

 private slots:
  void located_data();
  void located();
  void foreignBytesOfTheCommandLine();
  void unknownKeysAreKeptAndWarnedAbout();
  void warningsEnd();
  void brokenCatalog_data();
  void brokenCatalog();
  void missingCatalog();
  void brokenCatalogOfTheUser();
  void fullDevice();
  void linksAndPipesAreWrittenThrough();
};

void TestBadInput::located_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QByteArray>("content");
  QTest::addColumn<int>("exit_code");
  QTest::addColumn<QStringList>("fragments");
  for (const auto& rows : {documents(), values(), names(), assignments(), filesAndUsage(), tables()}) {
    for (const Row& row : rows)
      QTest::newRow(row.name) << row.arguments << row.content << row.exit_code << row.fragments;
  }
}

void TestBadInput::located() {
  QFETCH(QStringList, arguments);
  QFETCH(QByteArray, content);
  QFETCH(int, exit_code);
  QFETCH(QStringList, fragments);
  const QTemporaryDir folder;
  const QString file = folder.filePath("input.json");
  writeFile(file, content);
  arguments.replaceInStrings("FILE", file);
  const Result result = run(arguments);
  QVERIFY2(!result.crashed, result.err.constData());
  QCOMPARE(result.exit_code, exit_code);
  QCOMPARE(result.out, QByteArray());
  QVERIFY2(result.err.size() < 4000, "the message has no end");
  QVERIFY2(!result.err.contains("json.exception"), result.err.constData());
  for (const QString& fragment : fragments)
    QVERIFY2(result.err.contains(fragment.toUtf8()), qPrintable(fragment + " is not in: " + result.err));
}

/// A shell passes any bytes, QProcess does not.
void TestBadInput::foreignBytesOfTheCommandLine() {
  for (const char* call : {"predict llama-3.1-70b-hgx-h100 --set name=$(printf '\\377')",
                           "import-model \"$0\" --name x$(printf '\\377') -o /dev/null"}) {
    QProcess shell;
    shell.start("/bin/sh",
                {"-c", QStringLiteral("exec '" DECODESCOPE_CLI "' ") + call, fixture("config.json")});
    QVERIFY(shell.waitForFinished(60000));
    QCOMPARE(shell.exitStatus(), QProcess::NormalExit);
    QVERIFY2(shell.exitCode() == 0 || shell.exitCode() == 2, call);
    if (shell.exitCode() == 2) QVERIFY(shell.readAllStandardError().contains("name: is not UTF-8 text"));
  }
}

void TestBadInput::unknownKeysAreKeptAndWarnedAbout() {
  const Result result = run({"predict", "-", "--json"}, R"({"chps": 8, "workload": {"concurency": 3}})");
  QCOMPARE(result.exit_code, 0);
  QVERIFY2(result.err.contains("standard input: /chps = 8: is not a known key"), result.err.constData());
  QVERIFY2(result.err.contains("did you mean chips?"), result.err.constData());
  QVERIFY2(result.err.contains("/workload/concurency = 3"), result.err.constData());
  QVERIFY2(result.err.contains("did you mean concurrency?"), result.err.constData());
  QVERIFY(result.json().contains("feasible"));
}

void TestBadInput::warningsEnd() {
  QByteArray document = "{";
  for (int i = 0; i < 1000; ++i) document += "\"key" + QByteArray::number(i) + "\": 1,";
  document.back() = '}';
  const Result result = run({"predict", "-"}, document);
  QCOMPARE(result.exit_code, 0);
  QCOMPARE(result.err.count("warning:"), 21);
  QVERIFY2(result.err.contains("and 980 more"), result.err.constData());
}

void TestBadInput::brokenCatalog_data() {
  QTest::addColumn<QByteArray>("content");
  QTest::addColumn<int>("exit_code");
  QTest::newRow("cut off") << QByteArray("{\"x\": [") << 2;
  QTest::newRow("incomplete") << QByteArray("{}") << 2;
  QTest::newRow("missing") << QByteArray() << 4;
}

/// Every file of the catalog in turn.
void TestBadInput::brokenCatalog() {
  QFETCH(QByteArray, content);
  QFETCH(int, exit_code);
  const QString shipped = QStringLiteral(DECODESCOPE_SOURCE_DIR "/resources/catalog/");
  for (const char* broken : {"chips", "collectives", "engines", "kernels", "models", "physical", "systems"}) {
    const QTemporaryDir folder;
    for (const char* name : {"chips", "collectives", "engines", "kernels", "models", "physical", "systems"}) {
      const QString file = QStringLiteral("%1.json").arg(name);
      if (qstrcmp(name, broken) != 0)
        QVERIFY(QFile::copy(shipped + file, folder.filePath(file)));
      else if (!content.isEmpty())
        writeFile(folder.filePath(file), content);
    }
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("DECODESCOPE_CATALOG", folder.path());
    const Result result = run({"predict", kScenario}, {}, environment);
    QVERIFY2(!result.crashed, broken);
    QVERIFY2(result.exit_code == exit_code, result.err.constData());
    QVERIFY2(result.err.contains(QByteArray(broken) + ".json"), result.err.constData());
    QVERIFY2(!result.err.contains("json.exception"), result.err.constData());
  }
}

void TestBadInput::missingCatalog() {
  auto environment = QProcessEnvironment::systemEnvironment();
  environment.insert("DECODESCOPE_CATALOG", "/nonexistent");
  const Result result = run({"predict", kScenario}, {}, environment);
  QCOMPARE(result.exit_code, 4);
  QVERIFY2(result.err.contains("/nonexistent/"), result.err.constData());
  QVERIFY2(result.err.contains("DECODESCOPE_CATALOG"), result.err.constData());
  const Result version = run({"--version"}, {}, environment);
  QCOMPARE(version.exit_code, 0);
  QVERIFY(version.out.contains("catalog missing"));
}

void TestBadInput::brokenCatalogOfTheUser() {
  const QTemporaryDir folder;
  QVERIFY(QDir(folder.path()).mkpath("decodescope/catalog"));
  writeFile(folder.filePath("decodescope/catalog/chips.json"),
            "{\"chips\": [{\"id\": \"mine\", \"memory_gb\": -1}]}");
  auto environment = QProcessEnvironment::systemEnvironment();
  environment.remove("DECODESCOPE_CATALOG");
  environment.insert("XDG_DATA_HOME", folder.path());
  const Result result = run({"catalog", "chips"}, {}, environment);
  QCOMPARE(result.exit_code, 2);
  QVERIFY2(result.err.contains("decodescope/catalog/chips.json"), result.err.constData());
  QVERIFY2(result.err.contains("mine"), result.err.constData());
}

void TestBadInput::fullDevice() {
  if (!QFile::exists("/dev/full")) QSKIP("this system has no /dev/full");
  const Result result = run({"topology", "full-mesh:4", "-o", "/dev/full"});
  QCOMPARE(result.exit_code, 4);
  QVERIFY2(result.err.contains("/dev/full"), result.err.constData());
  QVERIFY(QFile::exists("/dev/full"));
}

void TestBadInput::linksAndPipesAreWrittenThrough() {
  const QTemporaryDir folder;
  writeFile(folder.filePath("target.txt"), "old");
  QVERIFY(QFile::link(folder.filePath("target.txt"), folder.filePath("link.txt")));
  QCOMPARE(run({"topology", "full-mesh:4", "--facts", "-o", folder.filePath("link.txt")}).exit_code, 0);
  QVERIFY(QFileInfo(folder.filePath("link.txt")).isSymLink());
  QVERIFY(readFile(folder.filePath("target.txt")).contains("bundles"));
  // A result that cannot be had leaves the file as it was.
  QCOMPARE(run({"topology", "full-mesh:0", "--facts", "-o", folder.filePath("target.txt")}).exit_code, 2);
  QVERIFY(readFile(folder.filePath("target.txt")).contains("bundles"));
}

QTEST_GUILESS_MAIN(TestBadInput)
#include "tst_bad_input.moc"
