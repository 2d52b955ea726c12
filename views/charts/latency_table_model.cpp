#include "charts/latency_table_model.h"

#include "charts/latency_charts.h"

namespace decodescope::views {
namespace {

constexpr int kFixedColumns = 6;  // token, p50, p95, p99, least, most

}  // namespace

void LatencyTableModel::setColumns(std::vector<LatencyColumn> columns) {
  const bool same_shape = columns.size() == columns_.size();
  if (!same_shape) beginResetModel();
  columns_ = std::move(columns);
  if (!columns_.empty()) unit_ = timeUnitFor(columns_.back().p50_s);
  if (!same_shape)
    endResetModel();
  else if (!columns_.empty())
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int LatencyTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}
int LatencyTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kFixedColumns + static_cast<int>(kStackGroupCount);
}

double LatencyTableModel::value_s(const LatencyColumn& c, int section) const {
  switch (section) {
    case 1:
      return c.p50_s;
    case 2:
      return c.p95_s;
    case 3:
      return c.p99_s;
    case 4:
      return c.min_s;
    case 5:
      return c.max_s;
    default:
      return c.stack_s[static_cast<std::size_t>(section - kFixedColumns)];
  }
}

QVariant LatencyTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  if (role == Qt::TextAlignmentRole)
    return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
  if (role != Qt::DisplayRole && role != Qt::UserRole) return {};
  const LatencyColumn& c = columns_[columns_.size() - 1 - static_cast<std::size_t>(index.row())];
  if (index.column() == 0)
    return role == Qt::UserRole ? QVariant(static_cast<qlonglong>(c.last_token))
                                : QVariant(countText(static_cast<double>(c.last_token)));
  const double seconds = value_s(c, index.column());
  return role == Qt::UserRole ? QVariant(seconds) : QVariant(timeText(seconds, unit_).number);
}

QVariant LatencyTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  const QStringList names =
      QStringList{tr("Token"), tr("p50"), tr("p95"), tr("p99"), tr("Least"), tr("Most")} + stackGroupNames();
  return section == 0 ? names.first() : tr("%1, %2").arg(names.value(section), timeUnitName(unit_));
}

}  // namespace decodescope::views
