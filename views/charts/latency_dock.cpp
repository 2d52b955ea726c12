#include "charts/latency_dock.h"

#include "base/icons.h"
#include "base/theme.h"
#include "charts/latency_charts.h"
#include "charts/latency_table_model.h"

#include <QAction>
#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace decodescope::views {
namespace {

constexpr int kRefreshMs = 50;

QToolButton* segment(const QString& text, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setText(text);
  button->setCheckable(true);
  button->setProperty("segment", true);
  return button;
}

}  // namespace

LatencyDock::LatencyDock(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("latencyDock"));
  setAccessibleName(tr("Latency"));
  auto* box = new QVBoxLayout(this);
  box->setContentsMargins(0, 0, 0, 0);
  box->setSpacing(0);
  makeHeader();
  header_line_ = new QHBoxLayout;
  header_line_->setContentsMargins(8, 4, 8, 0);
  header_line_->addStretch(1);
  header_line_->addWidget(header_);
  box->addLayout(header_line_);
  charts_ = new LatencyCharts(this);
  model_ = new LatencyTableModel(this);
  table_ = new QTableView(this);
  table_->setModel(model_);
  table_->setAccessibleName(tr("Latency as a table"));
  table_->verticalHeader()->hide();
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  pages_ = new QStackedWidget(this);
  pages_->addWidget(charts_);
  pages_->addWidget(table_);
  box->addWidget(pages_, 1);
  timer_.setSingleShot(true);
  timer_.setInterval(kRefreshMs);
  connect(&timer_, &QTimer::timeout, this, &LatencyDock::refresh);
  connect(charts_, &LatencyCharts::tokenHovered, this, &LatencyDock::tokenHovered);
  auto* as_table = new QAction(tr("Show as table"), this);
  as_table->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_T));
  as_table->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  connect(as_table, &QAction::triggered, this, [this] { setTableShown(!isTableShown()); });
  addAction(as_table);
}

LatencyDock::~LatencyDock() = default;

void LatencyDock::makeHeader() {
  header_ = new QWidget(this);
  auto* box = new QHBoxLayout(header_);
  box->setContentsMargins(0, 0, 0, 0);
  box->setSpacing(0);
  window_box_ = new QComboBox(header_);
  window_box_->addItem(tr("100"), 100);
  window_box_->addItem(tr("1,000"), 1000);
  window_box_->addItem(tr("all"), 0);
  window_box_->setCurrentIndex(1);
  window_box_->setAccessibleName(tr("Tokens shown"));
  window_box_->setToolTip(tr("Tokens shown: the last 100, the last 1,000, or all that are kept"));
  window_box_->setFocusPolicy(Qt::StrongFocus);
  stack_button_ = segment(tr("Stack"), header_);
  tail_button_ = segment(tr("Tail"), header_);
  stack_button_->setAccessibleName(tr("Percentiles and breakdown over time"));
  tail_button_->setAccessibleName(tr("Tail of the distribution"));
  stack_button_->setChecked(true);
  auto* group = new QButtonGroup(header_);
  group->addButton(stack_button_);
  group->addButton(tail_button_);
  table_button_ = new QToolButton(header_);
  table_button_->setIcon(icon(QStringLiteral("table")));
  table_button_->setCheckable(true);
  table_button_->setAccessibleName(tr("Show as table"));
  table_button_->setToolTip(tr("Show as table (Ctrl+T)"));
  box->addWidget(window_box_);
  box->addSpacing(6);
  box->addWidget(stack_button_);
  box->addWidget(tail_button_);
  box->addSpacing(6);
  box->addWidget(table_button_);
  connect(window_box_, &QComboBox::currentIndexChanged, this,
          [this] { setWindow(window_box_->currentData().toInt()); });
  connect(tail_button_, &QToolButton::toggled, this,
          [this](bool tail) { setMode(tail ? Mode::Tail : Mode::Stack); });
  connect(table_button_, &QToolButton::toggled, this, &LatencyDock::setTableShown);
}

void LatencyDock::showSnapshot(const std::shared_ptr<const Snapshot>& snapshot) {
  if (!snapshot) return;
  history_.append(snapshot->recent);
  if (snapshot->scenario) {
    target_s_ = snapshot->scenario->workload.slo_tpot_ms / 1e3;
    speculative_ = snapshot->scenario->serving.speculation.has_value();
  }
  schedule();
}

void LatencyDock::setHistory(const std::vector<TokenRecord>& records) {
  history_.clear();
  history_.append(records);
  schedule();
}

void LatencyDock::setPinned(const std::shared_ptr<const Prediction>& prediction) {
  pinned_s_ = prediction && prediction->feasible ? std::optional(prediction->tpot_s) : std::nullopt;
  schedule();
}

void LatencyDock::showToken(std::optional<qint64> token) {
  charts_->showToken(token);
}

void LatencyDock::setMode(Mode mode) {
  mode_ = mode;
  (mode == Mode::Tail ? tail_button_ : stack_button_)->setChecked(true);
  charts_->setTailShown(mode == Mode::Tail);
  schedule();
}

void LatencyDock::setWindow(int tokens) {
  window_ = tokens;
  const int index = window_box_->findData(tokens);
  if (index >= 0) window_box_->setCurrentIndex(index);
  schedule();
}

void LatencyDock::setTableShown(bool shown) {
  pages_->setCurrentIndex(shown ? 1 : 0);
  table_button_->setChecked(shown);
  schedule();
}
bool LatencyDock::isTableShown() const {
  return pages_->currentIndex() == 1;
}

void LatencyDock::applyTheme(const Theme& theme) {
  setCurrentTheme(theme);

  table_->verticalHeader()->setDefaultSectionSize(qRound(QFontMetricsF(theme.body).height() + theme.px(6)));
  charts_->applyTheme(theme);
  schedule();
}

QSize LatencyDock::minimumSizeHint() const {
  return {qRound(currentTheme().px(260)), qRound(currentTheme().px(170))};
}
QSize LatencyDock::sizeHint() const {
  return {qRound(currentTheme().px(570)), qRound(currentTheme().px(270))};
}

QWidget* LatencyDock::headerExtras() {
  header_line_->removeWidget(header_);
  header_line_->setContentsMargins(0, 0, 0, 0);
  return header_;
}

void LatencyDock::schedule() {
  stale_ = true;
  if (!timer_.isActive() && isVisible()) timer_.start();
}

void LatencyDock::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  schedule();
}
void LatencyDock::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  schedule();
}

void LatencyDock::refresh() {
  if (!stale_ || history_.size() == 0) return;
  stale_ = false;
  const auto window = static_cast<std::size_t>(window_);
  const std::size_t room = charts_->columnRoom();
  const std::int64_t width = history_.columnWidth(window, room);
  setAccessibleDescription(description());
  if (isTableShown()) {
    model_->setColumns(history_.columns(window, room, target_s_));
  } else if (mode_ == Mode::Tail) {
    charts_->showTail(history_.sortedDurations_s(window), target_s_);
  } else {
    const bool firm = history_.percentileCount() >= LatencyHistory::kFirmCount;
    charts_->showPicture(
        {history_.columns(window, room, target_s_), target_s_, pinned_s_, width, firm, speculative_});
  }
}

QString LatencyDock::description() const {
  const std::vector<LatencyColumn> last = history_.columns(1, 1, target_s_);
  if (last.empty()) return tr("No tokens yet");
  return tr("p50 %1, p95 %2, p99 %3 over the last %4 tokens")
      .arg(timeText(last.front().p50_s).text(), timeText(last.front().p95_s).text(),
           timeText(last.front().p99_s).text(), countText(static_cast<double>(history_.percentileCount())));
}

}  // namespace decodescope::views
