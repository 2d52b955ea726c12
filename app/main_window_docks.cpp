// Where everything stands in the window, and how it comes back there.
#include "app/dock_title.h"
#include "app/main_window.h"
#include "app/message_bar.h"
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

#include <QDockWidget>
#include <QGuiApplication>
#include <QScreen>
#include <QStatusBar>
#include <QVBoxLayout>

namespace decodescope::app {

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
  layout->addWidget(messages_);
  layout->addWidget(rack_, 1);
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
  status_->setRenderer(rack_->rendererDescription(), views::rendererReport());
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

void MainWindow::resetLayout() {
  for (QDockWidget* dock : findChildren<QDockWidget*>()) {
    dock->setFloating(false);
    dock->show();
  }
  restoreState(default_layout_);
  const auto dock = [this](const char* name) { return findChild<QDockWidget*>(QLatin1String(name)); };
  const int w = width(), h = height();
  resizeDocks({dock("controls"), dock("inspector")}, {int(w * 0.158), int(w * 0.202)}, Qt::Horizontal);
  resizeDocks({dock("latency"), dock("heatmap"), dock("triangle")},
              {int(w * 0.295), int(w * 0.178), int(w * 0.162)}, Qt::Horizontal);
  resizeDocks({dock("latency")}, {int(h * 0.285)}, Qt::Vertical);
  dock("inspector")->raise();
}

void MainWindow::restoreLayout() {
  const QSize fallback(1600, 900);
  if (options_.size.isValid()) {
    resize(options_.size);
  } else if (options_.screenshot.isEmpty() && !settings::windowGeometry().isEmpty()) {
    restoreGeometry(settings::windowGeometry());
  } else {
    const QRect screen = QGuiApplication::primaryScreen()->availableGeometry();
    resize(QSize(1920, 1080).boundedTo(screen.size()).expandedTo(fallback.boundedTo(screen.size())));
    move(screen.topLeft());
  }
  default_layout_ = saveState();
  resetLayout();
  if (options_.screenshot.isEmpty() && !settings::windowState().isEmpty())
    restoreState(settings::windowState());
}

QWidget* MainWindow::viewWidget(const QString& name) const {
  if (name == QLatin1String("rack")) return rack_;
  if (name == QLatin1String("latency")) return latency_;
  if (name == QLatin1String("heatmap")) return heat_;
  if (name == QLatin1String("triangle")) return triangle_;
  if (name == QLatin1String("inspector")) return inspector_;
  if (name == QLatin1String("history")) return history_;
  return const_cast<MainWindow*>(this);
}

}  // namespace decodescope::app
