#include "base/format.h"
#include "base/theme.h"
#include "panels/event_log.h"

#include <QCoreApplication>

namespace decodescope::views {

QString eventName(EventKind kind) {
  const auto tr = [](const char* text) { return QCoreApplication::translate("EventLog", text); };
  switch (kind) {
    case EventKind::Arrival:
      return tr("arrival");
    case EventKind::Completion:
      return tr("completion");
    case EventKind::Preemption:
      return tr("preemption");
    case EventKind::ThrottleOn:
      return tr("throttling begins");
    case EventKind::ThrottleOff:
      return tr("throttling ends");
    case EventKind::Fault:
      return tr("fault");
    case EventKind::ScenarioChange:
      return tr("scenario changed");
    case EventKind::Shutdown:
      return tr("shutdown");
  }
  return {};
}

void EventLogModel::append(std::span<const EngineEvent> events) {
  if (events.size() > kMost) events = events.subspan(events.size() - kMost);
  if (events.empty()) return;
  const std::size_t total = events_.size() + events.size();
  if (total > kMost) {
    const auto leaving = static_cast<int>(total - kMost);
    beginRemoveRows({}, 0, leaving - 1);
    events_.erase(events_.begin(), events_.begin() + leaving);
    endRemoveRows();
  }
  const int first = static_cast<int>(events_.size());
  beginInsertRows({}, first, first + static_cast<int>(events.size()) - 1);
  events_.insert(events_.end(), events.begin(), events.end());
  endInsertRows();
}

void EventLogModel::clear() {
  beginResetModel();
  events_.clear();
  endResetModel();
}

int EventLogModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(events_.size());
}
int EventLogModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant EventLogModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const EngineEvent& e = event(index.row());
  if (role == Qt::UserRole) return static_cast<int>(e.kind);
  if (role == Qt::TextAlignmentRole)
    return QVariant::fromValue(Qt::AlignVCenter | (index.column() <= Token ? Qt::AlignRight : Qt::AlignLeft));
  if (role == Qt::ForegroundRole && index.column() == Kind) {
    const bool trouble = e.kind == EventKind::Fault || e.kind == EventKind::ThrottleOn ||
                         e.kind == EventKind::Shutdown || e.kind == EventKind::Preemption;
    return trouble ? QVariant(toQColor(currentTheme().palette.warning_text)) : QVariant();
  }
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  switch (index.column()) {
    case Time:
      return tr("%1 s").arg(fixedText(static_cast<double>(e.time_ns) * 1e-9, 3));
    case Token:
      return countText(static_cast<double>(e.token));
    case Kind:
      return e.count > 1 ? tr("%1 ×%2").arg(eventName(e.kind)).arg(e.count) : eventName(e.kind);
    case Text:
      return QString::fromStdString(e.text);
    default:
      return {};
  }
}

QVariant EventLogModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  const QStringList names{tr("Time"), tr("Token"), tr("Event"), tr("What")};
  return names.value(section);
}

}  // namespace decodescope::views
