// The row of headline numbers above the pages. Each is a button that asks for its explanation.
#pragma once

#include "base/snapshot_view.h"
#include "panels/headline.h"

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

namespace decodescope::views {

class HeadlineTile;

class HeadlineStrip : public QWidget, public SnapshotView {
  Q_OBJECT

 public:
  explicit HeadlineStrip(QWidget* parent = nullptr);

  void showSnapshot(const std::shared_ptr<const Snapshot>& snapshot) override;
  void applyTheme(const Theme& theme) override;
  /// Compares with A from now on; null unpins. A snapshot also brings p99 and temperatures as measured.
  void setPinned(const std::shared_ptr<const Prediction>& prediction);
  void setPinnedSnapshot(const std::shared_ptr<const Snapshot>& snapshot);
  [[nodiscard]] const std::vector<HeadlineTile*>& tiles() const { return tiles_; }

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;

 Q_SIGNALS:
  void explainRequested(const QString& quantity);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  [[nodiscard]] int columnsFor(int width) const;
  void place();
  void refresh();

  std::vector<HeadlineTile*> tiles_;
  std::shared_ptr<const Snapshot> snapshot_;
  std::optional<HeadlineValues> pinned_;
};

}  // namespace decodescope::views
