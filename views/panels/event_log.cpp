#include "panels/event_log.h"

#include "base/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace decodescope::views {
namespace {

/// Shows one kind, or all but the routine arrivals and completions, or everything.
class KindFilter : public QSortFilterProxyModel {
 public:
  static constexpr int kNotable = -1, kAll = -2;
  using QSortFilterProxyModel::QSortFilterProxyModel;
  void setKind(int kind) {
    kind_ = kind;
    invalidateFilter();
  }

 protected:
  [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
    const int kind = sourceModel()->index(row, 0, parent).data(Qt::UserRole).toInt();
    const bool routine =
        kind == static_cast<int>(EventKind::Arrival) || kind == static_cast<int>(EventKind::Completion);
    return kind_ == kAll || (kind_ == kNotable ? !routine : kind == kind_);
  }

 private:
  int kind_ = kNotable;
};

}  // namespace

EventLog::EventLog(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("eventLog"));
  auto* box = new QVBoxLayout(this);
  box->setContentsMargins(0, 4, 0, 0);
  box->setSpacing(4);
  auto* line = new QHBoxLayout;
  line->setContentsMargins(8, 0, 8, 0);
  kind_ = new QComboBox(this);
  kind_->setAccessibleName(tr("Events shown"));
  kind_->addItem(tr("Notable events"), KindFilter::kNotable);
  kind_->addItem(tr("All events"), KindFilter::kAll);
  for (const EventKind kind :
       {EventKind::Arrival, EventKind::Completion, EventKind::Preemption, EventKind::ThrottleOn,
        EventKind::ThrottleOff, EventKind::Fault, EventKind::ScenarioChange, EventKind::Shutdown})
    kind_->addItem(eventName(kind), static_cast<int>(kind));
  hidden_ = new QLabel(this);
  hidden_->setProperty("role", QStringLiteral("secondary"));
  show_all_ = new QToolButton(this);
  show_all_->setProperty("link", true);
  show_all_->setText(tr("Show all"));
  show_all_->setAccessibleName(tr("Show all events"));
  line->addWidget(kind_);
  line->addStretch(1);
  line->addWidget(hidden_);
  line->addWidget(show_all_);
  box->addLayout(line);
  model_ = new EventLogModel(this);
  proxy_ = new KindFilter(this);
  proxy_->setSourceModel(model_);
  table_ = new QTableView(this);
  table_->setModel(proxy_);
  table_->setAccessibleName(tr("Events"));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setShowGrid(false);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table_->setWordWrap(false);
  box->addWidget(table_, 1);
  connect(kind_, &QComboBox::currentIndexChanged, this, &EventLog::filter);
  connect(show_all_, &QToolButton::clicked, this, [this] { kind_->setCurrentIndex(1); });
  connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
    Q_EMIT tokenActivated(model_->event(proxy_->mapToSource(index).row()).token);
  });
  updateHidden();
  applyTheme(currentTheme());
}

void EventLog::showSnapshot(const std::shared_ptr<const Snapshot>& snapshot) {
  if (!snapshot || snapshot->events.empty() ||
      (snapshot->sequence != 0 && snapshot->sequence == last_sequence_))
    return;
  last_sequence_ = snapshot->sequence;
  const QScrollBar* bar = table_->verticalScrollBar();
  const bool at_end = bar->value() >= bar->maximum() - 1;
  model_->append(snapshot->events);
  updateHidden();
  if (at_end) table_->scrollToBottom();
}

void EventLog::clear() {
  model_->clear();
  updateHidden();
}

void EventLog::filter() {
  static_cast<KindFilter*>(proxy_)->setKind(kind_->currentData().toInt());
  updateHidden();
}

void EventLog::updateHidden() {
  const int hidden = model_->rowCount() - proxy_->rowCount();
  hidden_->setText(model_->rowCount() == 0 ? tr("Nothing happened yet")
                                           : tr("%1 hidden by the filter").arg(hidden));
  hidden_->setVisible(model_->rowCount() == 0 || hidden > 0);
  show_all_->setVisible(hidden > 0);
}

void EventLog::applyTheme(const Theme& theme) {
  setCurrentTheme(theme);

  const QFontMetricsF metrics(theme.body);
  table_->verticalHeader()->setDefaultSectionSize(qRound(metrics.height() + theme.px(6)));
  const auto width = [&](const QString& sample) {
    return qRound(metrics.horizontalAdvance(sample) + theme.px(20));
  };
  table_->setColumnWidth(EventLogModel::Time, width(QStringLiteral("88,888.888 s")));
  table_->setColumnWidth(EventLogModel::Token, width(QStringLiteral("8,888,888")));
  table_->setColumnWidth(EventLogModel::Kind, width(QStringLiteral("throttling begins ×88")));
}

}  // namespace decodescope::views
