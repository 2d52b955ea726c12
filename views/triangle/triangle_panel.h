// The triangle dock: compute, moving state, physical; by pressure or by time.
#pragma once

#include "base/snapshot_view.h"
#include "base/theme.h"
#include "paint/scene_canvas.h"
#include "paint/text_measure.h"
#include "scene/triangle_scene.h"

#include <QWidget>
#include <deque>
#include <memory>

class QButtonGroup;

namespace decodescope::views {

class ViewSwitch;

class TrianglePanel final : public QWidget, public SnapshotView {
  Q_OBJECT

 public:
  explicit TrianglePanel(QWidget* parent = nullptr);
  explicit TrianglePanel(const Theme& theme, QWidget* parent = nullptr);

  void showSnapshot(const std::shared_ptr<const Snapshot>& snapshot) override;
  void applyTheme(const Theme& theme) override;
  /// A, hollow and dashed; null for none.
  void setPinned(std::shared_ptr<const Prediction> pinned);
  void setReading(scene::TriangleReading reading);
  [[nodiscard]] SceneCanvas& canvas() { return *canvas_; }

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void retranslate();
  void build();

  Theme theme_;
  std::unique_ptr<QtTextMeasure> text_;
  SceneCanvas* canvas_ = nullptr;
  ViewSwitch* bar_ = nullptr;
  QButtonGroup* switch_ = nullptr;
  std::shared_ptr<const Prediction> now_, pinned_;
  std::array<std::deque<std::array<float, 3>>, 2> trails_;  ///< by reading
  scene::TriangleReading reading_ = scene::TriangleReading::Pressure;
};

}  // namespace decodescope::views
