// A surface that shows draw lists and reports the mouse in terms of what is drawn. Two kinds: OpenGL and
// QPainter.
#pragma once

#include "base/theme.h"
#include "scene/draw_list.h"

#include <QObject>
#include <QPoint>
#include <QPointF>

class QWidget;

namespace decodescope::views {

enum class RendererChoice { Auto, Gl, Software };

class SceneCanvas : public QObject {
  Q_OBJECT

 public:
  ~SceneCanvas() override;

  [[nodiscard]] virtual QWidget* widget() = 0;
  /// "OpenGL 4.5, llvmpipe" or "software (QPainter)".
  [[nodiscard]] virtual QString description() const = 0;
  virtual void applyTheme(const Theme& theme);
  void setDrawList(scene::DrawList list);
  [[nodiscard]] const scene::DrawList& drawList() const { return list_; }
  [[nodiscard]] const Theme& theme() const { return theme_; }
  /// How long the last picture took to draw.
  [[nodiscard]] double lastPaintMs() const { return paint_ms_; }

 Q_SIGNALS:
  void hovered(decodescope::scene::PickId pick);
  void clicked(decodescope::scene::PickId pick, QPointF at);
  void doubleClicked(decodescope::scene::PickId pick, QPointF at);
  void contextRequested(decodescope::scene::PickId pick, QPoint global);
  void toolTipRequested(decodescope::scene::PickId pick, QPoint global);
  /// Wheel: the point that should stay, and the factor.
  void zoomed(QPointF at, double factor);
  void dragged(QPointF delta);
  void resized();
  /// The surface cannot draw (any more); use another kind.
  void failed(const QString& reason);

 protected:
  explicit SceneCanvas(const Theme& theme, QObject* parent);
  /// Watches mouse and size of the widget; call once it exists.
  void watch(QWidget* widget);
  bool eventFilter(QObject* watched, QEvent* event) override;
  void setPaintMs(double paint_ms) { paint_ms_ = paint_ms; }

 private:
  [[nodiscard]] scene::PickId pickAt(QPointF at) const;
  bool mouseEvent(QEvent* event);

  scene::DrawList list_;
  Theme theme_;
  double paint_ms_ = 0;
  QPointF press_at_, last_at_;
  bool pressed_ = false, dragging_ = false;
  scene::PickId hovered_ = 0;
};

/// What canvases use when they are made with Auto; set once at start, from the command line or the settings.
void setRendererChoice(RendererChoice choice);
[[nodiscard]] RendererChoice rendererChoice();

/// A canvas of the kind asked for, or of the kind that works and is faster here. Never null: without OpenGL
/// it is QPainter.
[[nodiscard]] SceneCanvas* makeCanvas(RendererChoice choice, const Theme& theme, QWidget* parent);

}  // namespace decodescope::views
