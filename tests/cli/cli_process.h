// Runs decodescope-cli and keeps what it said.
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

namespace cli_test {

struct Result {
  int exit_code = -1;
  bool crashed = false;
  QByteArray out, err;

  /// stdout as one JSON object; empty when it is none. JSON has no NaN, so neither has this.
  [[nodiscard]] QJsonObject json() const;
};

/// A scenario that is quick to predict and to simulate: Llama 3.1 70B on one HGX H100.
inline constexpr const char* kScenario = "llama-3.1-70b-hgx-h100";

[[nodiscard]] QString fixture(const QString& name);
[[nodiscard]] Result run(const QStringList& arguments, const QByteArray& standard_input = {},
                         const QProcessEnvironment& = QProcessEnvironment::systemEnvironment());
/// As run(), and fails the test unless it ended with 0.
[[nodiscard]] QJsonObject runJson(const QStringList& arguments);
[[nodiscard]] QByteArray readFile(const QString& path);
void writeFile(const QString& path, const QByteArray& text);

}  // namespace cli_test
