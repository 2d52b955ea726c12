#include "paint/painter_canvas.h"

#include "paint/draw_list_painter.h"

#include <QElapsedTimer>
#include <QPainter>
#include <QWidget>

namespace decodescope::views {

class PainterCanvas::Surface final : public QWidget {
 public:
  Surface(PainterCanvas& canvas, QWidget* parent) : QWidget(parent), canvas_(canvas) {
    setAttribute(Qt::WA_OpaquePaintEvent);
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QElapsedTimer timer;
    timer.start();
    QPainter painter(this);
    painter.fillRect(rect(), toQColor(canvas_.drawList().background));
    paintDrawList(painter, canvas_.drawList(), canvas_.theme());
    canvas_.setPaintMs(double(timer.nsecsElapsed()) / 1e6);
  }

 private:
  PainterCanvas& canvas_;
};

PainterCanvas::PainterCanvas(const Theme& theme, QWidget* parent)
    : SceneCanvas(theme, parent), widget_(new Surface(*this, parent)) {
  watch(widget_);
}

QString PainterCanvas::description() const {
  return tr("software (QPainter)");
}

}  // namespace decodescope::views
