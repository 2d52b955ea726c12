// The program from outside: pictures without a display, exit codes, and what it says when something is wrong.
#include <QDir>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

class TestProgram : public QObject {
  Q_OBJECT

  struct Result {
    int code = -1;
    QString err;
  };
  QTemporaryDir folder_;

  /// Without a display, with settings of its own.
  Result run(const QStringList& arguments, const QList<std::pair<QString, QString>>& extra = {}) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
      environment.remove(QLatin1String(name));
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), folder_.filePath(QStringLiteral("config")));
    environment.insert(QStringLiteral("XDG_DATA_HOME"), folder_.filePath(QStringLiteral("data")));
    for (const auto& [name, value] : extra) environment.insert(name, value);
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(DECODESCOPE_PROGRAM), arguments);
    if (!process.waitForFinished(60'000)) {
      process.kill();
      process.waitForFinished();
      return {};
    }
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            QString::fromUtf8(process.readAllStandardError())};
  }
  static int coloursIn(const QImage& image) {
    QSet<QRgb> colours;
    for (int y = 0; y < image.height(); y += 5) {
      for (int x = 0; x < image.width(); x += 5) colours.insert(image.pixel(x, y));
    }
    return int(colours.size());
  }
  QString write(const char* name, const QByteArray& text) {
    QFile file(folder_.filePath(QString::fromLatin1(name)));
    if (file.open(QIODevice::WriteOnly)) file.write(text);
    return file.fileName();
  }

 private Q_SLOTS:
  void everyView_withoutADisplay_data() {
    QTest::addColumn<QString>("view");
    for (const char* view : {"window", "rack", "latency", "heatmap", "triangle", "inspector"})
      QTest::newRow(view) << QString::fromLatin1(view);
  }
  void everyView_withoutADisplay() {
    QFETCH(QString, view);
    const QString file = folder_.filePath(view + QStringLiteral(".png"));
    const Result result =
        run({QStringLiteral("--screenshot"), file, QStringLiteral("--view"), view, QStringLiteral("--size"),
             QStringLiteral("1600x900"), QStringLiteral("--at-token"), QStringLiteral("120")});
    QVERIFY2(result.code == 0, qPrintable(result.err));
    const QImage picture(file);
    QVERIFY(!picture.isNull());
    if (view == QLatin1String("window")) QCOMPARE(picture.size(), QSize(1600, 900));
    QVERIFY2(coloursIn(picture) > 8, "the picture is all but empty");
  }

  void brokenScenario_isNamed() {
    const QString broken = write("broken.json", R"({"format":"decodescope-scenario","schema":1)");
    const Result result =
        run({broken, QStringLiteral("--screenshot"), folder_.filePath(QStringLiteral("x.png"))});
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.contains(broken), qPrintable(result.err));
  }
  void missingCatalog_isNamed() {
    const Result result = run({QStringLiteral("--screenshot"), folder_.filePath(QStringLiteral("x.png"))},
                              {{QStringLiteral("DECODESCOPE_CATALOG"), QStringLiteral("/nonexistent")}});
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.contains(QStringLiteral("DECODESCOPE_CATALOG")), qPrintable(result.err));
  }
  void missingFolder_isNamed() {
    const Result result =
        run({QStringLiteral("--screenshot"), QStringLiteral("/nonexistent/x.png"), QStringLiteral("--view"),
             QStringLiteral("triangle"), QStringLiteral("--at-token"), QStringLiteral("10")});
    QCOMPARE(result.code, 4);
    QVERIFY2(result.err.contains(QStringLiteral("/nonexistent/x.png")), qPrintable(result.err));
  }
  void noDisplay_saysWhatToDo() {
    const Result result = run({});
    QCOMPARE(result.code, 4);
    QVERIFY2(result.err.contains(QStringLiteral("--screenshot")), qPrintable(result.err));
  }
  void wrongOption_namesTheChoices() {
    const Result result = run({QStringLiteral("--view"), QStringLiteral("nonsense")});
    QCOMPARE(result.code, 1);
    QVERIFY2(result.err.contains(QStringLiteral("heatmap")), qPrintable(result.err));
  }
};

QTEST_GUILESS_MAIN(TestProgram)
#include "tst_program.moc"
