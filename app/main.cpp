// decodescope: the window.
#include "app/main_window.h"
#include "app/options.h"
#include "app/screenshot.h"
#include "app/settings.h"

#include "base/app_style.h"
#include "gl/renderer_probe.h"

#include <QApplication>
#include <QTextStream>

namespace {

/// Pictures need no display: without one, Qt's offscreen platform draws them.
void chooseOffscreenPlatform(bool picture) {
  const bool display = qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY");
  if (picture && !display && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
    qputenv("QT_QPA_PLATFORM", "offscreen");
}

bool hasDisplay() {
  return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
         qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

}  // namespace

int main(int argc, char** argv) {
  using namespace decodescope;
  QStringList arguments;
  for (int i = 1; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
  const app::ParsedOptions parsed = app::parseOptions(arguments);
  if (!parsed.message.isEmpty()) {
    QTextStream(parsed.exit_code ? stderr : stdout) << parsed.message << '\n';
    return parsed.exit_code;
  }
  const app::Options& options = parsed.options;
  chooseOffscreenPlatform(!options.screenshot.isEmpty());
  if (!hasDisplay()) {
    QTextStream(stderr) << "decodescope: there is no display; render a picture with --screenshot FILE.png, "
                           "or use decodescope-cli\n";
    return 4;
  }

  QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
  QCoreApplication::setOrganizationName(QStringLiteral("Decodescope"));
  QCoreApplication::setApplicationName(QStringLiteral("decodescope"));
  QCoreApplication::setApplicationVersion(QStringLiteral(DECODESCOPE_VERSION));
  QGuiApplication::setDesktopFileName(QStringLiteral("io.github.decodescope.Decodescope"));
  QApplication application(argc, argv);
  QApplication::setStyle(new views::AppStyle);
  if (options.reset_settings) app::settings::forgetAll();

  if (options.graphics_info) {
    QTextStream(stdout) << views::rendererReport() << '\n';
    return 0;
  }
  if (!options.screenshot.isEmpty()) return app::takeScreenshot(options);
  app::Options chosen = options;
  const bool gl_crashed = options.renderer == views::RendererChoice::Auto && app::settings::glCrashed();
  if (gl_crashed) chosen.renderer = views::RendererChoice::Software;
  app::settings::setGlStarting(chosen.renderer != views::RendererChoice::Software);
  app::MainWindow window(chosen);
  QObject::connect(
      &window, &app::MainWindow::frameShown, &window, [] { app::settings::setGlStarting(false); },
      Qt::SingleShotConnection);
  if (gl_crashed) {
    window.showMessage(
        QCoreApplication::translate("main",
                                    "The graphics driver ended the last start; this one draws in "
                                    "software. --renderer gl tries OpenGL again."),
        false);
  }
  window.start();
  options.present ? window.showFullScreen() : window.show();
  return QApplication::exec();
}
