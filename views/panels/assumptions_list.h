// Everything that the result rests on and nobody measured: the assumptions of the prediction, to read and to
// copy.
#pragma once

#include "base/snapshot_view.h"

#include <QStringList>
#include <QWidget>
#include <memory>

class QLabel;
class QListWidget;

namespace decodescope::views {

class AssumptionsList : public QWidget, public SnapshotView {
  Q_OBJECT

 public:
  explicit AssumptionsList(QWidget* parent = nullptr);

  void showSnapshot(const std::shared_ptr<const Snapshot>& snapshot) override;
  void applyTheme(const Theme& theme) override;
  [[nodiscard]] QStringList texts() const { return texts_; }

 private:
  QStringList texts_;
  QLabel* title_ = nullptr;
  QListWidget* list_ = nullptr;
};

}  // namespace decodescope::views
