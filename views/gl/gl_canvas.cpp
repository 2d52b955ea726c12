#include "gl/gl_canvas.h"

#include "gl/gl_renderer.h"
#include "gl/renderer_probe.h"

#include <QElapsedTimer>
#include <QOpenGLContext>
#include <QOpenGLWidget>

namespace decodescope::views {

class GlCanvas::Surface final : public QOpenGLWidget {
 public:
  Surface(GlCanvas& canvas, QWidget* parent) : QOpenGLWidget(parent), canvas_(canvas) {
    setFormat(glFormat());
  }
  ~Surface() override { releaseRenderer(); }

  void themeChanged() { theme_stale_ = true; }

 protected:
  // Called again whenever the widget gets a new context, for instance when it is docked elsewhere.
  void initializeGL() override {
    if (!renderer_.initialize()) {
      Q_EMIT canvas_.failed(renderer_.error());
      return;
    }
    theme_stale_ = true;
    disconnect(context_gone_);
    context_gone_ =
        connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, [this] { releaseRenderer(); });
  }

  void paintGL() override {
    QElapsedTimer timer;
    timer.start();
    if (theme_stale_ || devicePixelRatioF() != pixel_ratio_) {
      pixel_ratio_ = devicePixelRatioF();
      renderer_.setTheme(canvas_.theme(), pixel_ratio_);
      theme_stale_ = false;
    }
    renderer_.draw(canvas_.drawList(), size());
    canvas_.setPaintMs(double(timer.nsecsElapsed()) / 1e6);
  }

 private:
  void releaseRenderer() {
    if (!renderer_.isReady() || context() == nullptr) return;
    makeCurrent();
    renderer_.release();
    doneCurrent();
  }

  GlCanvas& canvas_;
  GlRenderer renderer_;
  QMetaObject::Connection context_gone_;
  double pixel_ratio_ = 0;
  bool theme_stale_ = true;
};

GlCanvas::GlCanvas(const Theme& theme, QWidget* parent)
    : SceneCanvas(theme, parent), widget_(new Surface(*this, parent)) {
  watch(widget_);
}

QWidget* GlCanvas::widget() {
  return widget_;
}

QString GlCanvas::description() const {
  const RendererProbe& probe = rendererProbe();
  return tr("OpenGL %1, %2").arg(probe.gl_version, probe.gl_renderer);
}

void GlCanvas::applyTheme(const Theme& theme) {
  widget_->themeChanged();
  SceneCanvas::applyTheme(theme);
}

}  // namespace decodescope::views
