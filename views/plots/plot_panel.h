// A plot on the screen: hover, click, keyboard, tool tips, pictures and data as files. Pages fill it with a
// scene::Plot.
#pragma once

#include "base/theme.h"
#include "paint/scene_canvas.h"
#include "paint/text_measure.h"
#include "scene/plot_scene.h"

#include <QTimer>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>

namespace decodescope::views {

class PlotPanel : public QWidget {
  Q_OBJECT

 public:
  explicit PlotPanel(QWidget* parent = nullptr);

  /// Replaces the plot; drawn at the next turn of the event loop. The selection stays when it still exists.
  void setPlot(scene::Plot plot);
  [[nodiscard]] const scene::Plot& plot() const { return plot_; }
  void applyTheme(const Theme& theme);
  /// What a tool tip and the screen reader say of a point.
  void setHitText(std::function<QString(scene::PlotHit)> text) { hit_text_ = std::move(text); }
  void select(std::optional<scene::PlotHit> hit);
  [[nodiscard]] std::optional<scene::PlotHit> selected() const { return selected_; }

  /// PNG, SVG or PDF by the ending. Empty when it went well, else what is wrong and what to do.
  [[nodiscard]] QString exportPicture(const QString& file, const QString& title) const;
  [[nodiscard]] SceneCanvas& canvas() { return *canvas_; }
  [[nodiscard]] const scene::PlotScene& plotScene() const { return scene_; }
  /// Draws now what setPlot has left for later.
  void rebuildNow();

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void hovered(std::optional<decodescope::scene::PlotHit> hit);
  /// By click or arrow keys.
  void selectionChanged(std::optional<decodescope::scene::PlotHit> hit);
  /// Double click or Enter.
  void activated(decodescope::scene::PlotHit hit);
  void contextRequested(std::optional<decodescope::scene::PlotHit> hit, QPoint global);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  void build();
  [[nodiscard]] bool exists(scene::PlotHit hit) const;
  [[nodiscard]] std::optional<scene::PlotHit> stepped(int along, int across) const;

  Theme theme_;
  std::unique_ptr<QtTextMeasure> text_;
  SceneCanvas* canvas_ = nullptr;
  scene::Plot plot_;
  scene::PlotScene scene_;
  std::optional<scene::PlotHit> hovered_, selected_;
  std::function<QString(scene::PlotHit)> hit_text_;
  QTimer build_timer_;
};

}  // namespace decodescope::views
