// The latency chart as a table: one row per column of the chart, newest first.
#pragma once

#include "base/format.h"
#include "charts/latency_history.h"

#include <QAbstractTableModel>
#include <vector>

namespace decodescope::views {

class LatencyTableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;

  void setColumns(std::vector<LatencyColumn> columns);
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  [[nodiscard]] double value_s(const LatencyColumn& column, int section) const;

  std::vector<LatencyColumn> columns_;
  TimeUnit unit_ = TimeUnit::Milliseconds;
};

}  // namespace decodescope::views
