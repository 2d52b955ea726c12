// Where everything stands in the window, and how it comes back there.
#include "app/dock_title.h"
#include "app/jobs/job_chip.h"
#include "app/main_window.h"
#include "app/message_bar.h"
#include "app/pages/page_host.h"
#include "app/pages/pages.h"
#include "app/settings.h"
#include "app/transport_bar.h"

#include "charts/latency_dock.h"
#include "controls/control_panel.h"
#include "gl/renderer_probe.h"
#include "heat/heat_panel.h"
#include "history/history_scrubber.h"
#include "panels/assumptions_list.h"
#include "panels/event_log.h"
#include "panels/headline_strip.h"
#include "panels/inspector.h"
#include "panels/status_chips.h"
#include "rack/rack_page.h"
#include "triangle/triangle_panel.h"

#include <QCoreApplication>
#include <QDockWidget>
#include <QGuiApplication>
#include <QScreen>
#include <QStatusBar>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace decodescope::app {
namespace {

constexpr QSize kWanted(1920, 1080);
/// More than any window manager's title bar.
constexpr int kFrameHeight = 60;
/// Narrower windows show the charts below the rack one at a time.
constexpr int kRoomyWidth = 1500;
/// Label, slider and number of a control stand side by side from here on.
constexpr double kControlsWidthPx = 270;

}  // namespace

void MainWindow::setupCentre() {
  transport_ = new TransportBar(this);
  addToolBar(transport_);

  views::setRendererChoice(options_.renderer);
  rack_ = new views::RackPage;
  headline_ = new views::HeadlineStrip;
  messages_ = new MessageBar;
  auto* centre = new QWidget;
  auto* layout = new QVBoxLayout(centre);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  past_bar_ = new MessageBar;
  past_bar_->setAction(tr("Back to live"), [this] {
    QMetaObject::invokeMethod(worker_, [worker = worker_] { worker->backToLive(); });
  });
  past_bar_->setDismissable(false);
  layout->addWidget(past_bar_);
  layout->addWidget(messages_);
  pages_ = new PageHost;
  pages_->addPage(QStringLiteral("rack"), tr("Rack"), tr("What happens in the machine now?"), rack_);
  layout->addWidget(pages_, 1);
  setCentralWidget(centre);

  // The headline spans the window, above the docks.
  auto* strip = new QToolBar(tr("Headline"), this);
  strip->setObjectName(QStringLiteral("headline"));
  strip->setMovable(false);
  strip->addWidget(headline_);
  headline_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  addToolBarBreak();
  addToolBar(strip);

  status_ = new views::StatusChips;
  statusBar()->addWidget(status_, 1);
  statusBar()->addPermanentWidget(new JobChip(bench_.jobs()));
  status_->setRenderer(rack_->rendererDescription(), views::rendererReport());
}

void MainWindow::setupPages() {
  for (const PageRow& row : pageRows()) {
    auto controller = row.make(bench_);
    const QString id = QString::fromLatin1(row.id);
    pages_->addPage(id, QCoreApplication::translate("pages", row.title),
                    QCoreApplication::translate("pages", row.question), controller->widget());
    snapshot_views_.push_back(controller->view());
    page_controllers_.emplace_back(id, std::move(controller));
  }
  connect(pages_, &PageHost::currentChanged, this, &MainWindow::pageChanged);
  connect(&bench_, &Workbench::pageRequested, pages_, &PageHost::show);
  connect(&bench_, &Workbench::messageRequested, this, &MainWindow::showMessage);
  connect(&bench_, &Workbench::explainRequested, inspector_, [this](const QString& quantity) {
    dock("inspector")->show();
    dock("inspector")->raise();
    inspector_->explain(quantity);
  });
}

void MainWindow::pageChanged(const QString& id) {
  showLiveDocks(id == QLatin1String("rack"));
  for (auto& [page_id, controller] : page_controllers_) controller->setShown(page_id == id);
}

/// Latency, heat map and triangle belong to the live rack: another page gets their room.
void MainWindow::showLiveDocks(bool shown) {
  if (shown) {
    for (const QPointer<QDockWidget>& dock : std::exchange(put_away_, {})) {
      if (dock) dock->show();
    }
    if (!arranged_.isEmpty()) arrange_timer_->start();
    return;
  }
  if (!put_away_.empty()) return;
  for (const char* name : {"latency", "heatmap", "triangle"}) {
    QDockWidget* each = dock(name);
    // Before the window is first shown, no dock is visible: only one that was closed stays out.
    const bool closed = each->isHidden() && each->testAttribute(Qt::WA_WState_ExplicitShowHide);
    if (closed || each->isFloating()) continue;
    each->hide();
    put_away_.push_back(each);
  }
}

bool MainWindow::isBusy() const {
  const auto busy = [this](const auto& page) {
    return page.first == pages_->current() && page.second->isBusy();
  };
  return std::ranges::any_of(page_controllers_, busy);
}

QDockWidget* MainWindow::addDock(const QString& name, const QString& title, QWidget* content,
                                 Qt::DockWidgetArea area, QWidget* extras) {
  auto* dock = new QDockWidget(title, this);
  dock->setObjectName(name);
  dock->setTitleBarWidget(new DockTitle(dock, extras));
  dock->setWidget(content);
  addDockWidget(area, dock);
  return dock;
}

void MainWindow::setupDocks() {
  // Left and right docks take the full height between headline and history.
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);

  controls_ = new views::ControlPanel;
  inspector_ = new views::Inspector;
  latency_ = new views::LatencyDock;
  heat_ = new views::HeatPanel;
  triangle_ = new views::TrianglePanel;
  history_ = new views::HistoryScrubber;
  log_ = new views::EventLog;

  addDock(QStringLiteral("controls"), tr("Controls"), controls_, Qt::LeftDockWidgetArea,
          controls_->headerExtras());
  QDockWidget* inspector = addDock(QStringLiteral("inspector"), tr("Inspector"), inspector_,
                                   Qt::RightDockWidgetArea, inspector_->headerExtras());
  QDockWidget* log = addDock(QStringLiteral("events"), tr("Events"), log_, Qt::RightDockWidgetArea);
  assumptions_ = new views::AssumptionsList;
  QDockWidget* assumptions =
      addDock(QStringLiteral("assumptions"), tr("Assumptions"), assumptions_, Qt::RightDockWidgetArea);
  tabifyDockWidget(inspector, log);
  tabifyDockWidget(log, assumptions);
  inspector->raise();

  QDockWidget* latency = addDock(QStringLiteral("latency"), tr("Latency"), latency_, Qt::BottomDockWidgetArea,
                                 latency_->headerExtras());
  QDockWidget* heat = addDock(QStringLiteral("heatmap"), tr("Heat map"), heat_, Qt::BottomDockWidgetArea);
  QDockWidget* triangle =
      addDock(QStringLiteral("triangle"), tr("Triangle"), triangle_, Qt::BottomDockWidgetArea);
  splitDockWidget(latency, heat, Qt::Horizontal);
  splitDockWidget(heat, triangle, Qt::Horizontal);

  auto* strip = new QToolBar(tr("History"), this);
  strip->setObjectName(QStringLiteral("history"));
  strip->setMovable(false);
  history_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  strip->addWidget(history_);
  addToolBar(Qt::BottomToolBarArea, strip);
}

QDockWidget* MainWindow::dock(const char* name) const {
  return findChild<QDockWidget*>(QLatin1String(name));
}

void MainWindow::resetLayout() {
  for (QDockWidget* each : findChildren<QDockWidget*>()) {
    each->setFloating(false);
    each->show();
  }
  restoreState(default_layout_);
  arrangeDocks();
  dock("inspector")->raise();
  put_away_.clear();
  showLiveDocks(pages_->current() == QLatin1String("rack"));
}

/// The shares of the window that the docks begin with. A small window shows the charts one at a time.
void MainWindow::arrangeDocks() {
  QDockWidget *latency = dock("latency"), *heat = dock("heatmap"), *triangle = dock("triangle");
  const bool narrow = width() < kRoomyWidth * theme_.zoom;
  const bool tabbed = tabifiedDockWidgets(latency).contains(heat);
  if (narrow && !tabbed) {
    tabifyDockWidget(latency, heat);
    tabifyDockWidget(heat, triangle);
    latency->raise();
  } else if (!narrow && tabbed) {
    splitDockWidget(latency, heat, Qt::Horizontal);
    splitDockWidget(heat, triangle, Qt::Horizontal);
  }
  const int w = width(), h = height();
  resizeDocks({dock("controls"), dock("inspector")},
              {std::max(int(w * 0.158), qRound(theme_.px(kControlsWidthPx))), int(w * 0.202)},
              Qt::Horizontal);
  if (!narrow) {
    resizeDocks({latency, heat, triangle}, {int(w * 0.295), int(w * 0.178), int(w * 0.162)}, Qt::Horizontal);
  }
  resizeDocks({latency}, {int(h * (narrow ? 0.30 : 0.285))}, Qt::Vertical);
  // Sizes are settled by the layout, which runs after this.
  QTimer::singleShot(0, this, [this] { arranged_ = dockSizes(); });
}

QList<int> MainWindow::dockSizes() const {
  return {dock("controls")->width(), dock("inspector")->width(), dock("latency")->height()};
}

/// The default layout keeps its shares when the window grows; one that the user has changed is left alone.
void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  if (arrange_timer_) arrange_timer_->start();
}

void MainWindow::restoreDocks() {
  if (docks_restored_) {
    if (!arranged_.isEmpty()) arrangeDocks();
    return;
  }
  docks_restored_ = true;
  const QByteArray state = options_.screenshot.isEmpty() ? settings::windowState() : QByteArray();
  if (state.isEmpty() || !restoreState(state)) resetLayout();
}

void MainWindow::restoreLayout() {
  if (options_.size.isValid()) {
    resize(options_.size);
  } else if (options_.screenshot.isEmpty() && !settings::windowGeometry().isEmpty()) {
    restoreGeometry(settings::windowGeometry());
  } else {
    // A window as large as the screen has its title bar on top of that: then it is maximised.
    const QSize room = QGuiApplication::primaryScreen()->availableSize();
    const bool fits = kWanted.width() < room.width() && kWanted.height() + kFrameHeight < room.height();
    resize(kWanted.boundedTo(room));
    if (!fits && options_.screenshot.isEmpty()) setWindowState(windowState() | Qt::WindowMaximized);
  }
  default_layout_ = saveState();
  arrange_timer_ = new QTimer(this);
  arrange_timer_->setSingleShot(true);
  arrange_timer_->setInterval(0);
  connect(arrange_timer_, &QTimer::timeout, this, &MainWindow::restoreDocks);
  arrange_timer_->start();
}

QWidget* MainWindow::viewWidget(const QString& name) const {
  if (name == QLatin1String("page")) return pages_->page(pages_->current());
  if (name == QLatin1String("rack")) return rack_;
  if (name == QLatin1String("latency")) return latency_;
  if (name == QLatin1String("heatmap")) return heat_;
  if (name == QLatin1String("triangle")) return triangle_;
  if (name == QLatin1String("inspector")) return inspector_;
  if (name == QLatin1String("history")) return history_;
  return const_cast<MainWindow*>(this);
}

}  // namespace decodescope::app
