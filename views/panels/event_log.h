// What happened: a ring of events, newest last, with a filter by kind.
#pragma once

#include "base/snapshot_view.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <QWidget>
#include <deque>
#include <memory>
#include <span>

class QComboBox;
class QLabel;
class QTableView;
class QToolButton;

namespace decodescope::views {

class EventLogModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Time, Token, Kind, Text, ColumnCount };
  static constexpr std::size_t kMost = 5000;

  using QAbstractTableModel::QAbstractTableModel;
  /// The oldest give way beyond kMost.
  void append(std::span<const EngineEvent> events);
  void clear();
  [[nodiscard]] const EngineEvent& event(int row) const { return events_[static_cast<std::size_t>(row)]; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::deque<EngineEvent> events_;
};

/// "preemption", "fault" ...
[[nodiscard]] QString eventName(EventKind kind);

class EventLog : public QWidget, public SnapshotView {
  Q_OBJECT

 public:
  explicit EventLog(QWidget* parent = nullptr);

  void showSnapshot(const std::shared_ptr<const Snapshot>& snapshot) override;
  void applyTheme(const Theme& theme) override;
  void clear();
  [[nodiscard]] EventLogModel* model() const { return model_; }

 Q_SIGNALS:
  /// Take the history there.
  void tokenActivated(qint64 token);

 private:
  void filter();
  void updateHidden();

  EventLogModel* model_ = nullptr;
  QSortFilterProxyModel* proxy_ = nullptr;
  QTableView* table_ = nullptr;
  QComboBox* kind_ = nullptr;
  QLabel* hidden_ = nullptr;
  QToolButton* show_all_ = nullptr;
  quint64 last_sequence_ = 0;
};

}  // namespace decodescope::views
