#include "cli_process.h"

#include <QFile>
#include <QJsonDocument>
#include <QProcess>
#include <QTest>

namespace cli_test {

QJsonObject Result::json() const {
  return QJsonDocument::fromJson(out).object();
}

QString fixture(const QString& name) {
  return QStringLiteral(CLI_FIXTURES "/") + name;
}

Result run(const QStringList& arguments, const QByteArray& standard_input,
           const QProcessEnvironment& environment) {
  QProcess process;
  process.setProcessEnvironment(environment);
  process.start(QStringLiteral(DECODESCOPE_CLI), arguments);
  process.write(standard_input);
  process.closeWriteChannel();
  process.waitForFinished(120000);
  Result result;
  result.crashed = process.exitStatus() != QProcess::NormalExit;
  result.exit_code = process.exitCode();
  result.out = process.readAllStandardOutput();
  result.err = process.readAllStandardError();
  return result;
}

QJsonObject runJson(const QStringList& arguments) {
  const Result result = run(arguments);
  if (result.exit_code != 0 || result.crashed)
    QTest::qFail(result.err.isEmpty() ? "decodescope-cli ended early" : result.err.constData(), __FILE__,
                 __LINE__);
  return result.json();
}

QByteArray readFile(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void writeFile(const QString& path, const QByteArray& text) {
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
    QTest::qFail(qPrintable(path + QStringLiteral(" cannot be written")), __FILE__, __LINE__);
}

}  // namespace cli_test
