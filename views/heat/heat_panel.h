// The heat map dock: every chip now, or every tray over the last tokens.
#pragma once

#include "base/snapshot_view.h"
#include "base/theme.h"
#include "paint/scene_canvas.h"
#include "paint/text_measure.h"
#include "scene/heat_scene.h"

#include <QTimer>
#include <QWidget>
#include <memory>

class QButtonGroup;

namespace decodescope::views {

class ViewSwitch;

class HeatPanel final : public QWidget, public SnapshotView {
  Q_OBJECT

 public:
  explicit HeatPanel(QWidget* parent = nullptr, RendererChoice renderer = RendererChoice::Auto);
  HeatPanel(const Theme& theme, RendererChoice renderer, QWidget* parent = nullptr);

  void showSnapshot(const std::shared_ptr<const Snapshot>& snapshot) override;
  /// A moment of the past, for looking at: nothing is gathered from it.
  void showPast(const std::shared_ptr<const Snapshot>& snapshot);
  void applyTheme(const Theme& theme) override;
  void showSelection(const Selection& selection) override;
  void setOverTime(bool over_time);
  [[nodiscard]] bool isOverTime() const { return over_time_; }
  [[nodiscard]] SceneCanvas& canvas() { return *canvas_; }
  [[nodiscard]] scene::HeatScene& heatScene() { return scene_; }
  void rebuildNow();

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void selectionChanged(const decodescope::views::Selection& selection);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void makeSwitch();
  void makeSurface(RendererChoice renderer);
  void retranslate();
  void build();
  void scheduleBuild();
  void moveSelection(int rows);

  Theme theme_;
  std::unique_ptr<QtTextMeasure> text_;
  scene::HeatScene scene_;
  SceneCanvas* canvas_ = nullptr;
  ViewSwitch* bar_ = nullptr;
  QButtonGroup* switch_ = nullptr;
  std::shared_ptr<const Snapshot> snapshot_;
  Selection selection_;
  QTimer build_timer_;
  bool over_time_ = true;
};

}  // namespace decodescope::views
