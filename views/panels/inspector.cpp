#include "panels/inspector.h"

#include "base/format.h"
#include "base/icons.h"
#include "base/theme.h"
#include "panels/explain_view.h"
#include "panels/fix_list.h"
#include "panels/identity_card.h"

#include <QDateTime>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace decodescope::views {
namespace {

constexpr std::size_t kMostVisits = 100;
/// Temperatures kept: about 20 s of snapshots, and at most 4 million values.
constexpr std::size_t kMostFrames = 600, kMostValues = 4'000'000;
/// Text that changes faster cannot be read.
constexpr qint64 kRefreshMs = 100;

}  // namespace

Inspector::Inspector(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("inspector"));
  auto* box = new QVBoxLayout(this);
  box->setContentsMargins(0, 0, 0, 0);
  box->setSpacing(0);
  makeHeader();
  header_line_ = new QHBoxLayout;
  header_line_->setContentsMargins(8, 4, 8, 0);
  header_line_->addStretch(1);
  header_line_->addWidget(header_);
  box->addLayout(header_line_);
  splitter_ = new QSplitter(Qt::Vertical, this);
  splitter_->setChildrenCollapsible(false);
  const auto add_scroll = [this] {
    auto* scroll = new QScrollArea(splitter_);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    return scroll;
  };
  scroll_ = add_scroll();
  auto* top = new QWidget(scroll_);
  auto* top_box = new QVBoxLayout(top);
  top_box->setContentsMargins(0, 0, 0, 0);
  top_box->setSpacing(0);
  empty_ = new QLabel(tr("Click a chip, link or number."), top);
  empty_->setProperty("role", QStringLiteral("secondary"));
  empty_->setContentsMargins(12, 12, 12, 12);
  empty_->setWordWrap(true);
  card_ = new IdentityCard(top);
  card_->hide();
  top_box->addWidget(empty_);
  top_box->addWidget(card_);
  top_box->addStretch(1);
  scroll_->setWidget(top);
  explain_ = new ExplainView(splitter_);
  fix_scroll_ = add_scroll();
  fixes_ = new FixList(fix_scroll_);
  fix_scroll_->setWidget(fixes_);
  fix_scroll_->hide();
  for (QScrollArea* scroll : {scroll_, fix_scroll_}) scroll->widget()->installEventFilter(this);
  splitter_->addWidget(scroll_);
  splitter_->addWidget(explain_);
  splitter_->addWidget(fix_scroll_);
  connect(splitter_, &QSplitter::splitterMoved, this, [this] { user_sized_ = true; });
  box->addWidget(splitter_, 1);
  connect(fixes_, &FixList::applyFix, this, &Inspector::applyFix);
  connect(explain_, &ExplainView::goToControl, this, &Inspector::goToControl);
  connect(explain_, &ExplainView::sensitivityRequested, this, &Inspector::sensitivityRequested);
  connect(card_, &IdentityCard::linkClicked, this, [this](quint32 link) {
    Q_EMIT selectionRequested({Selection::Kind::Link, link});
  });
}

void Inspector::makeHeader() {
  header_ = new QWidget(this);
  auto* box = new QHBoxLayout(header_);
  box->setContentsMargins(0, 0, 0, 0);
  box->setSpacing(0);
  const auto add = [&](const QString& icon_name, const QString& text, const QString& key,
                       void (Inspector::*slot)()) {
    auto* button = new QToolButton(header_);
    button->setIcon(icon(icon_name));
    button->setAccessibleName(text);
    button->setToolTip(tr("%1 (%2)").arg(text, key));
    button->setEnabled(false);
    box->addWidget(button);
    connect(button, &QToolButton::clicked, this, slot);
    return button;
  };
  back_ = add(QStringLiteral("chevron-left"), tr("Back"), tr("Alt+Left"), &Inspector::goBack);
  forward_ = add(QStringLiteral("chevron-right"), tr("Forward"), tr("Alt+Right"), &Inspector::goForward);
}

QWidget* Inspector::headerExtras() {
  header_line_->removeWidget(header_);
  header_line_->setContentsMargins(0, 0, 0, 0);
  return header_;
}

void Inspector::visit(const Visit& place) {
  if (!visited_.empty() && visited_[position_] == place) return;
  if (!visited_.empty()) visited_.resize(position_ + 1);
  visited_.push_back(place);
  if (visited_.size() > kMostVisits) visited_.erase(visited_.begin());
  position_ = visited_.size() - 1;
  updateButtons();
}

void Inspector::goBack() {
  if (!canGoBack()) return;
  --position_;
  reopen();
}
void Inspector::goForward() {
  if (!canGoForward()) return;
  ++position_;
  reopen();
}

void Inspector::reopen() {
  updateButtons();
  const Visit place = visited_[position_];
  if (const auto* selection = std::get_if<Selection>(&place)) {
    selection_ = *selection;
    refresh();
    Q_EMIT selectionRequested(selection_);
  } else {
    quantity_ = std::get<QString>(place);
    Q_EMIT explainRequested(quantity_);
  }
}

void Inspector::updateButtons() {
  back_->setEnabled(canGoBack());
  forward_->setEnabled(canGoForward());
}

void Inspector::explain(const QString& quantity) {
  quantity_ = quantity;
  visit(quantity);
  Q_EMIT explainRequested(quantity);
}

void Inspector::showSelection(const Selection& selection) {
  if (selection == selection_) return;
  selection_ = selection;
  if (selection.kind != Selection::Kind::None) visit(selection);
  refresh();
}

void Inspector::setDerivation(std::shared_ptr<const Derivation> root) {
  if (root && quantity_.isEmpty()) quantity_ = QString::fromStdString(root->id);
  explain_->setDerivation(std::move(root));
}
void Inspector::showExplainFailure(const QString& message) {
  explain_->showFailure(message);
}

void Inspector::recordTemperatures(const Snapshot& snapshot) {
  const std::size_t chips = snapshot.chip_temperature_c.size();
  if (chips == 0) return;
  // Another machine, or a step back in time, starts a new record.
  if (!temperatures_.empty() && (temperatures_.back().size() != chips || tokens_.back() > snapshot.token)) {
    temperatures_.clear();
    tokens_.clear();
  }
  temperatures_.push_back(snapshot.chip_temperature_c);
  tokens_.push_back(snapshot.token);
  const std::size_t most = std::clamp<std::size_t>(kMostValues / chips, 2, kMostFrames);
  while (temperatures_.size() > most) {
    temperatures_.pop_front();
    tokens_.pop_front();
  }
}

void Inspector::showSnapshot(const std::shared_ptr<const Snapshot>& snapshot) {
  if (!snapshot) return;
  const bool first = !snapshot_;
  const bool other_scenario = first || snapshot_->revision != snapshot->revision;
  snapshot_ = snapshot;
  recordTemperatures(*snapshot);
  const qint64 now_ms = QDateTime::currentMSecsSinceEpoch();
  if (!other_scenario && now_ms - shown_ms_ < kRefreshMs) return;
  refresh();
}

void Inspector::refresh() {
  if (!snapshot_) return;
  shown_ms_ = QDateTime::currentMSecsSinceEpoch();
  const Identity identity = describe(selection_, *snapshot_);
  const bool any = !identity.name.isEmpty();
  empty_->setVisible(!any);
  card_->setVisible(any);
  fixes_->setViolations(snapshot_->prediction ? snapshot_->prediction->violations : std::vector<Violation>{});
  fix_scroll_->setVisible(snapshot_->prediction && !snapshot_->prediction->violations.empty());
  if (!any) {
    share();
    return;
  }
  const double throttle_c = snapshot_->prediction ? snapshot_->prediction->thermal.limit_c : 0;
  card_->setIdentity(identity, throttle_c);
  const std::vector<std::uint32_t> chips = chipsOf(selection_, *snapshot_->topology);
  std::vector<float> hottest;
  if (!chips.empty())
    for (const std::vector<float>& frame : temperatures_) {
      float most = 0;
      for (const std::uint32_t chip : chips)
        if (chip < frame.size()) most = std::max(most, frame[chip]);
      hottest.push_back(most);
    }
  const double span = tokens_.empty() ? 0 : static_cast<double>(tokens_.back() - tokens_.front());
  card_->setHistory(std::move(hottest), throttle_c,
                    tr("Temperature, °C, last %1 tokens").arg(countText(span)));
  share();
}

/// Each part gets what it needs; the tree gets the rest, and at least a third.
void Inspector::share() {
  share_pending_ = false;
  if (user_sized_) return;
  const int parts = fix_scroll_->isHidden() ? 2 : 3;
  const int all = splitter_->height() - (parts - 1) * splitter_->handleWidth(), width = splitter_->width();
  const auto need = [&](const QScrollArea* area) {
    const QLayout* content = area->widget()->layout();
    return content->hasHeightForWidth() ? content->totalHeightForWidth(width)
                                        : content->totalSizeHint().height();
  };
  int top = need(scroll_) + 4, fixes = fix_scroll_->isHidden() ? 0 : need(fix_scroll_) + 4;
  fixes = std::min(fixes, all / 4);
  top = std::min(top, all * 13 / 20 - fixes);
  const QList<int> sizes{top, all - top - fixes, fixes};
  if (splitter_->sizes() != sizes) splitter_->setSizes(sizes);
}

bool Inspector::eventFilter(QObject* watched, QEvent* event) {
  // Contents that grew or shrank ask for other parts; once, after all of them have.
  if (event->type() == QEvent::LayoutRequest && !share_pending_) {
    share_pending_ = true;
    QTimer::singleShot(0, this, &Inspector::share);
  }
  return QWidget::eventFilter(watched, event);
}

void Inspector::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  share();
}

void Inspector::applyTheme(const Theme& theme) {
  setCurrentTheme(theme);

  explain_->applyTheme(theme);
  splitter_->setHandleWidth(qRound(theme.px(4)));
  card_->updateGeometry();
  update();
}

}  // namespace decodescope::views
