// The rack page: the machine, live. Draws RackScene on a canvas and turns mouse and keys into selection and
// camera moves.
#pragma once

#include "base/snapshot_view.h"
#include "base/theme.h"
#include "paint/scene_canvas.h"
#include "paint/text_measure.h"
#include "scene/rack_scene.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <memory>

namespace decodescope::views {

class RackPage final : public QWidget, public SnapshotView {
  Q_OBJECT

 public:
  explicit RackPage(QWidget* parent = nullptr, RendererChoice renderer = RendererChoice::Auto);
  RackPage(const Theme& theme, RendererChoice renderer, QWidget* parent = nullptr);
  ~RackPage() override;

  void showSnapshot(const std::shared_ptr<const Snapshot>& snapshot) override;
  void applyTheme(const Theme& theme) override;
  void showSelection(const Selection& selection) override;

  [[nodiscard]] QString rendererDescription() const { return canvas_->description(); }
  void setReducedMotion(bool reduced);
  void setLinkWindow(scene::LinkWindow window);
  void fit();
  void fitSelection();
  void zoomBy(double factor);
  /// PNG, SVG or PDF by ending; empty when it went well, else a message.
  [[nodiscard]] QString exportPicture(const QString& file);

  [[nodiscard]] SceneCanvas& canvas() { return *canvas_; }
  [[nodiscard]] scene::RackScene& rackScene() { return scene_; }
  /// Brings the picture up to date at once instead of with the next turn of the event loop.
  void rebuildNow();

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void selectionChanged(const decodescope::views::Selection& selection);
  /// Enter or a double click.
  void inspectRequested(const decodescope::views::Selection& selection);
  void contextMenuRequested(const decodescope::views::Selection& selection, QPoint global);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void makeSurface(RendererChoice renderer);
  void wire();
  void build();
  void scheduleBuild();
  void updateTimer();
  void tick();
  void select(scene::PickId pick, bool tell);
  void press(scene::SceneButton button);
  bool handleStep(int key);
  void announce();
  [[nodiscard]] Selection toSelection(scene::PickId pick) const;

  Theme theme_;
  std::unique_ptr<QtTextMeasure> text_;
  scene::RackScene scene_;
  SceneCanvas* canvas_ = nullptr;
  std::shared_ptr<const Snapshot> snapshot_;
  scene::PickId selected_ = 0, hovered_ = 0;
  QTimer build_timer_, motion_timer_;
  QElapsedTimer motion_clock_, fresh_clock_, announced_;
  float flow_s_ = 0;
  bool reduced_motion_ = false;
  bool ring_ = false;  ///< focus came by keyboard
};

}  // namespace decodescope::views
