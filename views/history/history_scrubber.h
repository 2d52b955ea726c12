// The strip below the pages: what has been, where we are, and the way back to live.
#pragma once

#include "base/snapshot_view.h"
#include "base/theme.h"
#include "paint/scene_canvas.h"
#include "paint/text_measure.h"
#include "scene/history_scene.h"

#include <QTimer>
#include <QWidget>
#include <memory>

namespace decodescope::views {

class HistoryScrubber final : public QWidget, public SnapshotView {
  Q_OBJECT

 public:
  explicit HistoryScrubber(QWidget* parent = nullptr);
  explicit HistoryScrubber(const Theme& theme, QWidget* parent = nullptr);

  void showSnapshot(const std::shared_ptr<const Snapshot>& snapshot) override;
  void applyTheme(const Theme& theme) override;
  /// The newest token there is, and whether the snapshot shown is an older one.
  void setLiveToken(qint64 live_token, bool past);
  [[nodiscard]] SceneCanvas& canvas() { return *canvas_; }
  [[nodiscard]] scene::HistoryScene& historyScene() { return scene_; }
  void rebuildNow();

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void scrubbed(qint64 token);
  void backToLive();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void build();
  void scrubTo(qint64 token);

  Theme theme_;
  std::unique_ptr<QtTextMeasure> text_;
  scene::HistoryScene scene_;
  SceneCanvas* canvas_ = nullptr;
  std::shared_ptr<const Snapshot> snapshot_;
  scene::PickId hovered_ = 0;
  QTimer build_timer_;
  bool past_ = false;
  bool ring_ = false;  ///< focus came by keyboard
};

}  // namespace decodescope::views
