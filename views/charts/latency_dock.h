// Latency of the last tokens: percentiles and target above, where the time went below; or the tail of the
// distribution. Shows at most 20 pictures a second, however fast snapshots come.
#pragma once

#include "base/snapshot_view.h"
#include "charts/latency_history.h"

#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QHBoxLayout;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace decodescope::views {

class LatencyCharts;
class LatencyTableModel;

class LatencyDock : public QWidget, public SnapshotView {
  Q_OBJECT

 public:
  enum class Mode { Stack, Tail };

  explicit LatencyDock(QWidget* parent = nullptr);
  ~LatencyDock() override;

  /// Appends the snapshot's recent iterations.
  void showSnapshot(const std::shared_ptr<const Snapshot>& snapshot) override;
  void applyTheme(const Theme& theme) override;
  /// Replaces everything that is shown, when the history is scrubbed or a file is opened.
  void setHistory(const std::vector<TokenRecord>& records);
  void setPinned(const std::shared_ptr<const Prediction>& prediction);
  /// Crosshair on a token that another view points at; empty takes it away.
  void showToken(std::optional<qint64> token);

  void setMode(Mode mode);
  /// 100, 1000, or 0 for all.
  void setWindow(int tokens);
  void setTableShown(bool shown);
  [[nodiscard]] bool isTableShown() const;
  [[nodiscard]] const LatencyHistory& history() const { return history_; }
  /// The switches, for the dock's title bar. They stand on top of the panel until this takes them from there.
  [[nodiscard]] QWidget* headerExtras();
  /// "p50 19.9 ms, p99 22.8 ms over the last 1,000 tokens", for screen readers and reports.
  [[nodiscard]] QString description() const;
  [[nodiscard]] QSize minimumSizeHint() const override;
  [[nodiscard]] QSize sizeHint() const override;

 Q_SIGNALS:
  /// The mouse points at this token; -1 when it left.
  void tokenHovered(qint64 token);
  void explainRequested(const QString& quantity);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void makeHeader();
  void schedule();
  void refresh();

  LatencyHistory history_;
  Mode mode_ = Mode::Stack;
  int window_ = 1000;
  double target_s_ = 0;
  bool stale_ = true, speculative_ = false;
  std::optional<double> pinned_s_;
  QTimer timer_;
  QWidget* header_ = nullptr;
  QHBoxLayout* header_line_ = nullptr;
  QToolButton *stack_button_ = nullptr, *tail_button_ = nullptr, *table_button_ = nullptr;
  QComboBox* window_box_ = nullptr;
  QStackedWidget* pages_ = nullptr;
  LatencyCharts* charts_ = nullptr;
  QTableView* table_ = nullptr;
  LatencyTableModel* model_ = nullptr;
};

}  // namespace decodescope::views
