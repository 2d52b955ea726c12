// The status bar: what the program does, four headline numbers, what binds, renderer and zoom.
#pragma once

#include "base/snapshot_view.h"

#include <QString>
#include <QWidget>
#include <memory>
#include <vector>

class QLabel;
class QToolButton;

namespace decodescope::views {

class StatusChips : public QWidget, public SnapshotView {
  Q_OBJECT

 public:
  explicit StatusChips(QWidget* parent = nullptr);

  /// "Paused at layer 31"; also announced to screen readers.
  void setState(const QString& text);
  /// "GL: on", "software"; the tool tip gives details.
  void setRenderer(const QString& text, const QString& details);
  void setZoom(double zoom);

  void showSnapshot(const std::shared_ptr<const Snapshot>& snapshot) override;
  void applyTheme(const Theme& theme) override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void explainRequested(const QString& quantity);
  void rendererClicked();
  void zoomClicked();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QToolButton* addQuantity(const QString& quantity, const QString& name);
  QToolButton* addChip(const QString& icon_name, const QString& name);
  void fit();

  QLabel* state_ = nullptr;
  std::vector<QToolButton*> quantities_;  ///< in the order in which they give way when it gets narrow
  QToolButton *per_user_ = nullptr, *per_chip_ = nullptr, *energy_ = nullptr, *cost_ = nullptr,
              *bound_ = nullptr;
  QToolButton *renderer_ = nullptr, *zoom_ = nullptr;
};

}  // namespace decodescope::views
