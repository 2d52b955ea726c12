// The triangle, large, and beside it what 10 % more of each resource would buy.
#pragma once

#include "base/snapshot_view.h"
#include "triangle/gain_table.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;

namespace decodescope::views {

class TrianglePanel;

class TrianglePage : public QWidget, public SnapshotView {
  Q_OBJECT

 public:
  /// `objectives` are what a gain can be looked for in, by name; the first is chosen.
  explicit TrianglePage(const QStringList& objectives, QWidget* parent = nullptr);

  void showSnapshot(const std::shared_ptr<const Snapshot>& snapshot) override;
  void applyTheme(const Theme& theme) override;

  /// The answer in a sentence, the bars under it, and why some resources have none.
  void showGains(const QString& answer, const std::vector<ResourceGainRow>& rows, const QString& skipped);
  /// While there are no gains: being computed, or why there are none.
  void showMessage(const QString& text);
  [[nodiscard]] int objective() const;
  [[nodiscard]] QString answer() const;
  [[nodiscard]] GainTable& gains() { return *gains_; }
  [[nodiscard]] TrianglePanel& triangle() { return *triangle_; }

 Q_SIGNALS:
  void objectiveChanged();
  /// Loads the scenario with the change of this row.
  void gainActivated(int row);

 private:
  QLayout* makeSide();

  std::vector<ResourceGainRow> rows_;
  TrianglePanel* triangle_ = nullptr;
  QComboBox* objective_ = nullptr;
  QLabel *answer_ = nullptr, *skipped_ = nullptr;
  GainTable* gains_ = nullptr;
  QPushButton* load_ = nullptr;
};

}  // namespace decodescope::views
