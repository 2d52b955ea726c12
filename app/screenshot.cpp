#include "app/screenshot.h"

#include "app/main_window.h"

#include <QApplication>
#include <QTextStream>
#include <QTimer>

namespace decodescope::app {
namespace {

/// Views keep short animations and deferred layouts; the picture is taken when they have settled.
constexpr int kSettleMs = 400;

int write(const QPixmap& picture, const QString& file) {
  QTextStream err(stderr);
  if (picture.isNull()) {
    err << "decodescope: the picture is empty; try --renderer software\n";
    return 4;
  }
  if (!picture.save(file)) {
    err << "decodescope: " << file
        << ": cannot be written; use a name that ends in .png and a folder you may write to\n";
    return 4;
  }
  return 0;
}

}  // namespace

int takeScreenshot(const Options& options) {
  MainWindow window(options);
  int exit_code = 0;
  QTimer waiting;  // for the last frames, and for the page's results
  QObject::connect(&window, &MainWindow::startFailed, &window, [&](const QString& message) {
    QTextStream(stderr) << "decodescope: " << message << '\n';
    exit_code = 2;
    QApplication::quit();
  });
  QObject::connect(&window, &MainWindow::frameShown, &window, [&] {
    if (window.shown()->token < options.at_token && !window.shown()->halted) return;
    if (!waiting.isActive()) waiting.start();
  });
  waiting.setInterval(kSettleMs);
  QObject::connect(&waiting, &QTimer::timeout, &window, [&] {
    if (window.isBusy()) return;
    waiting.stop();
    exit_code = write(window.viewWidget(options.view)->grab(), options.screenshot);
    QApplication::quit();
  });
  window.show();
  window.start();
  QApplication::exec();
  return exit_code;
}

}  // namespace decodescope::app
