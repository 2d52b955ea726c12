#include "gl/renderer_probe.h"

#include "base/theme.h"
#include "gl/gl_canvas.h"
#include "gl/gl_renderer.h"
#include "paint/draw_list_painter.h"
#include "paint/painter_canvas.h"

#include <QElapsedTimer>
#include <QGuiApplication>
#include <QImage>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFramebufferObject>
#include <QOpenGLFunctions>
#include <QPainter>
#include <QScreen>

namespace decodescope::views {
namespace {

RendererChoice chosen = RendererChoice::Auto;

constexpr QSize kTestSize(800, 450);

// About what a rack of 576 chips needs: tiles, dashed curves, numbers.
scene::DrawList testPicture() {
  scene::DrawList list;
  for (int i = 0; i < 576; ++i) {
    const scene::Rect tile{float(i % 32) * 25, float(i / 32) * 25, 23, 22};
    list.quads.push_back({tile,
                          {180, 60, 80, 255},
                          {40, 40, 40, 255},
                          1,
                          2,
                          i % 50 == 0 ? scene::Hatch::Diagonal : scene::Hatch::None,
                          0});
    if (i % 2 == 0)
      list.labels.push_back({tile.center(),
                             std::to_string(i % 90),
                             {255, 255, 255, 255},
                             scene::Align::Center,
                             scene::FontRole::Secondary,
                             false,
                             1,
                             {0, 0, 0, 0}});
  }
  for (int i = 0; i < 90; ++i) {
    const float y = float(i) * 5, x = 790 - float(i) * 2;
    list.curves.push_back({{400, y},
                           {x, y},
                           {x, 225},
                           {400, 225},
                           {80, 150, 220, 255},
                           3,
                           i % 3 == 0 ? scene::Dash::Long : scene::Dash::Solid,
                           0,
                           0});
  }
  return list;
}

template <class Draw>
double bestOf(int rounds, Draw draw) {
  double best_ms = 1e9;
  for (int i = 0; i < rounds; ++i) {
    QElapsedTimer timer;
    timer.start();
    draw();
    best_ms = std::min(best_ms, double(timer.nsecsElapsed()) / 1e6);
  }
  return best_ms;
}

// With a context current. The framebuffer is read back, as compositing a widget does on a software
// rasteriser.
void measure(RendererProbe& probe) {
  const scene::DrawList list = testPicture();
  const Theme theme = currentTheme();
  GlRenderer renderer;
  if (!renderer.initialize()) return;
  renderer.setTheme(theme, 1);
  {
    QOpenGLFramebufferObject target(kTestSize);
    target.bind();
    QOpenGLContext::currentContext()->functions()->glViewport(0, 0, kTestSize.width(), kTestSize.height());
    probe.gl_ms = bestOf(3, [&] {
      renderer.draw(list, kTestSize);
      static_cast<void>(target.toImage());
    });
  }
  renderer.release();
  QImage image(kTestSize, QImage::Format_RGB32);
  probe.painter_ms = bestOf(3, [&] {
    image.fill(Qt::black);
    QPainter painter(&image);
    paintDrawList(painter, list, theme);
  });
}

bool tooFewColours(RendererProbe& probe) {
  const QScreen* screen = QGuiApplication::primaryScreen();
  if (screen == nullptr || screen->depth() >= 24) return false;
  probe.reason =
      QStringLiteral("the screen has %1 bits per pixel, OpenGL widgets need 24").arg(screen->depth());
  return true;
}

RendererProbe probeNow() {
  RendererProbe probe;
  if (qEnvironmentVariableIntValue("DECODESCOPE_FORCE_GL_FAIL") == 1) {
    probe.reason = QStringLiteral("OpenGL was made to fail by DECODESCOPE_FORCE_GL_FAIL");
    return probe;
  }
  if (tooFewColours(probe)) return probe;
  QOpenGLContext context;
  context.setFormat(glFormat());
  QOffscreenSurface surface;
  surface.setFormat(glFormat());
  if (!context.create()) {
    probe.reason = QStringLiteral("no OpenGL context can be made");
    return probe;
  }
  surface.create();
  if (!context.makeCurrent(&surface)) {
    probe.reason = QStringLiteral("the OpenGL context cannot be used");
    return probe;
  }
  const QSurfaceFormat format = context.format();
  probe.gl_version = QStringLiteral("%1.%2").arg(format.majorVersion()).arg(format.minorVersion());
  probe.gl_renderer =
      QString::fromLatin1(reinterpret_cast<const char*>(context.functions()->glGetString(GL_RENDERER)));
  probe.gl_works = format.version() >= qMakePair(3, 3);
  if (!probe.gl_works) {
    probe.reason = QStringLiteral("OpenGL 3.3 is needed, this is %1").arg(probe.gl_version);
  } else {
    for (const char* name : {"llvmpipe", "softpipe", "swrast", "SWR", "Microsoft Basic"})
      probe.gl_is_software |= probe.gl_renderer.contains(QLatin1String(name));
    if (probe.gl_is_software) measure(probe);
    probe.prefer_gl = !probe.gl_is_software || (probe.gl_ms > 0 && probe.gl_ms < probe.painter_ms);
    probe.reason =
        !probe.gl_is_software
            ? QStringLiteral("a graphics processor draws")
            : QStringLiteral("a software rasteriser: test picture %1 ms by OpenGL, %2 ms by QPainter")
                  .arg(probe.gl_ms, 0, 'f', 1)
                  .arg(probe.painter_ms, 0, 'f', 1);
  }
  context.doneCurrent();
  return probe;
}

}  // namespace

QSurfaceFormat glFormat() {
  QSurfaceFormat format;
  format.setVersion(3, 3);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setSwapInterval(1);
  return format;
}

const RendererProbe& rendererProbe() {
  static const RendererProbe probe = probeNow();
  return probe;
}

QString rendererReport() {
  const RendererProbe& probe = rendererProbe();
  QString text = probe.gl_version.isEmpty()
                     ? QStringLiteral("OpenGL: none")
                     : QStringLiteral("OpenGL: %1, %2").arg(probe.gl_version, probe.gl_renderer);
  text += QStringLiteral("\nWhy: %1\nUsed by default: %2")
              .arg(probe.reason,
                   probe.prefer_gl ? QStringLiteral("OpenGL") : QStringLiteral("software (QPainter)"));
  return text;
}

void setRendererChoice(RendererChoice choice) {
  chosen = choice;
}
RendererChoice rendererChoice() {
  return chosen;
}

SceneCanvas* makeCanvas(RendererChoice choice, const Theme& theme, QWidget* parent) {
  if (choice == RendererChoice::Auto) choice = chosen;
  const bool gl = choice == RendererChoice::Gl ? rendererProbe().gl_works
                                               : choice == RendererChoice::Auto && rendererProbe().prefer_gl;
  if (gl) return new GlCanvas(theme, parent);
  return new PainterCanvas(theme, parent);
}

}  // namespace decodescope::views
