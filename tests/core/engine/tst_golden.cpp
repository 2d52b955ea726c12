// Golden runs: the fingerprints of five scenarios after a fixed number of iterations. A difference means that
// the simulation changed, and names the subsystem. When that was meant, run this program with --update-golden
// and review the diff of tests/golden/fingerprints.txt.
#include "engine_support.h"
#include "scenario/scenario_json.h"

#include <QDir>
#include <QFile>
#include <QTextStream>
#include <QtTest>

using namespace decodescope;
using namespace decodescope::testing;

namespace {

constexpr std::int64_t kIterations = 2000;
const QString kFolder = QStringLiteral(DECODESCOPE_SOURCE_DIR "/tests/golden");

QMap<QString, QString> goldenFingerprints() {
  QMap<QString, QString> out;
  QFile file(kFolder + "/fingerprints.txt");
  if (!file.open(QIODevice::ReadOnly | QIODevice::Text)) return out;
  for (QTextStream in(&file); !in.atEnd();) {
    const QStringList words = in.readLine().split(' ', Qt::SkipEmptyParts);
    if (words.size() == 2) out[words[0]] = words[1];
  }
  return out;
}

QString played(const QString& file) {
  const auto scenario = scenario::loadScenario(file.toStdString());
  if (!scenario) return QString::fromStdString(scenario.error().text());
  const auto engine = start(*scenario);
  engine->advanceTokens(kIterations);
  return QString::fromStdString(engine->fingerprint().text());
}

QString difference(const QString& got, const QString& golden) {
  const QStringList a = got.split('-'), b = golden.split('-');
  const char* const subsystems[] = {"tokens", "KV blocks", "time", "thermal"};
  QStringList moved;
  for (qsizetype i = 0; i < 4 && i < a.size() && i < b.size(); ++i) {
    if (a[i] != b[i]) moved << subsystems[i];
  }
  return QString("%1 differs from %2 in %3").arg(got, golden, moved.join(", "));
}

}  // namespace

class TstGolden : public QObject {
  Q_OBJECT

 private slots:
  void scenarios_reproduce_data();
  void scenarios_reproduce();
};

void TstGolden::scenarios_reproduce_data() {
  QTest::addColumn<QString>("file");
  const QStringList files = QDir(kFolder).entryList({"*.decodescope.json"}, QDir::Files, QDir::Name);
  QVERIFY(!files.isEmpty());
  for (const QString& file : files) QTest::newRow(qPrintable(file.section('.', 0, 0))) << file;
}

void TstGolden::scenarios_reproduce() {
  QFETCH(QString, file);
  const QString golden = goldenFingerprints().value(file.section('.', 0, 0));
  const QString got = played(kFolder + '/' + file);
  QVERIFY2(got == golden, qPrintable(difference(got, golden)));
}

namespace {

int updateGolden() {
  QFile out(kFolder + "/fingerprints.txt");
  if (!out.open(QIODevice::WriteOnly | QIODevice::Text)) return 1;
  QTextStream text(&out);
  for (const QString& file : QDir(kFolder).entryList({"*.decodescope.json"}, QDir::Files, QDir::Name)) {
    text << file.section('.', 0, 0) << ' ' << played(kFolder + '/' + file) << '\n';
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  bool update_golden = false;
  for (int i = 1; i < argc; ++i) {
    if (qstrcmp(argv[i], "--update-golden") == 0) update_golden = true;
  }
  QCoreApplication app(argc, argv);
  if (update_golden) return updateGolden();
  TstGolden test;
  return QTest::qExec(&test, argc, argv);
}
#include "tst_golden.moc"
