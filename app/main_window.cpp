#include "app/main_window.h"

#include "app/message_bar.h"
#include "app/pages/page_controller.h"
#include "app/pages/page_host.h"
#include "app/settings.h"
#include "app/transport_bar.h"

#include "charts/latency_dock.h"
#include "controls/control_panel.h"
#include "controls/sparkline.h"
#include "heat/heat_panel.h"
#include "history/history_scrubber.h"
#include "panels/assumptions_list.h"
#include "panels/event_log.h"
#include "panels/headline_strip.h"
#include "panels/inspector.h"
#include "panels/status_chips.h"
#include "rack/rack_page.h"
#include "triangle/triangle_panel.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QDockWidget>
#include <QKeyEvent>
#include <QLineEdit>
#include <QLocale>
#include <QMessageBox>
#include <QScreen>
#include <QTimer>

namespace decodescope::app {
namespace {

/// Iterations behind the first picture: about ten seconds of a decoding rack.
constexpr qint64 kWarmTokens = 600;
constexpr int kSmallScreenHeight = 800;
constexpr double kSmallScreenZoom = 0.9;
constexpr int kSensitivityDelayMs = 20;
constexpr int kRecoveryIntervalMs = 60'000;

/// What has been gathered once must not be gathered again.
std::shared_ptr<const Snapshot> withoutRecords(const std::shared_ptr<const Snapshot>& snapshot) {
  auto copy = std::make_shared<Snapshot>(*snapshot);
  copy->recent.clear();
  copy->events.clear();
  return copy;
}

/// Small screens start with smaller type, so that charts and controls stand whole.
double startZoom(const Options& options) {
  const QSize room =
      options.size.isValid() ? options.size : QGuiApplication::primaryScreen()->availableSize();
  return room.height() < kSmallScreenHeight ? kSmallScreenZoom : 1.0;
}

QString pastText(const Frame& frame) {
  const QLocale locale;
  return MainWindow::tr("Viewing the past: token %1 of %2. A change applies at the live edge.")
      .arg(locale.toString(qint64(frame.snapshot->token)), locale.toString(qint64(frame.live_token)));
}
}  // namespace

MainWindow::MainWindow(const Options& options) : options_(options) {
  setObjectName(QStringLiteral("mainWindow"));
  setAcceptDrops(true);
  setMinimumSize(1024, 640);
  setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
  if (settings::reducedMotion()) setDockOptions(dockOptions() & ~DockOptions(AnimatedDocks));

  setupWorker();
  setupCentre();
  setupDocks();
  setupPages();
  setupMenus();
  wireControls();
  wireViews();
  setTheme(options.theme.isEmpty() ? settings::theme() : options.theme,
           options.zoom > 0 ? options.zoom : settings::zoom(startZoom(options)));
  restoreLayout();
  updateTitle();
}

MainWindow::~MainWindow() {
  thread_.quit();
  thread_.wait();
}

void MainWindow::setupWorker() {
  worker_ = new SimWorker;
  worker_->moveToThread(&thread_);
  connect(&thread_, &QThread::finished, worker_, &QObject::deleteLater);
  connect(worker_, &SimWorker::catalogShared, &bench_, &Workbench::setCatalog);
  connect(worker_, &SimWorker::catalogLoaded, this, [this](const auto& listing, const QStringList& shipped) {
    document_.setListing(listing);
    shipped_scenarios_ = shipped;
  });
  connect(worker_, &SimWorker::opened, this,
          [this](const Scenario& scenario, const QString& file, const QStringList& warnings, bool read_only) {
            controls_->setReference(scenario);
            document_.reset(scenario, file, read_only);
            if (!file.isEmpty()) settings::addRecentFile(file);
            updateRecentMenu();
            if (!warnings.isEmpty()) showMessage(warnings.join(QLatin1Char('\n')), false);
          });
  connect(worker_, &SimWorker::saved, this, [this](const QString& file, const Scenario& scenario) {
    document_.markSaved(file, scenario);
    messages_->dismiss();
    settings::addRecentFile(file);
    updateRecentMenu();
  });
  connect(worker_, &SimWorker::failed, this, [this](const QString& message) {
    showMessage(message, true);
    if (!shown_) Q_EMIT startFailed(message);
  });
  connect(worker_, &SimWorker::framePosted, this, &MainWindow::takeFrame);
  connect(worker_, &SimWorker::playingChanged, this,
          [this](bool playing) { transport_->setPlaying(playing_ = playing); });
  thread_.setObjectName(QStringLiteral("engine"));
  thread_.start();

  connect(&document_, &Document::changed, this, [this] {
    worker_->submit({document_.scenario(), document_.revision()});
    if (document_.listing()) controls_->setScenario(document_.scenario(), *document_.listing());
    if (!sensitivity_timer_->isActive()) sensitivity_timer_->start();
    updateTitle();
  });
  connect(&document_, &Document::titleChanged, this, &MainWindow::updateTitle);

  sensitivity_timer_ = new QTimer(this);
  sensitivity_timer_->setSingleShot(true);
  sensitivity_timer_->setInterval(kSensitivityDelayMs);
  connect(sensitivity_timer_, &QTimer::timeout, this, &MainWindow::refreshSensitivities);
  recovery_timer_ = new QTimer(this);
  recovery_timer_->start(kRecoveryIntervalMs);
  connect(recovery_timer_, &QTimer::timeout, this, &MainWindow::writeRecovery);
}

void MainWindow::start() {
  pages_->show(options_.page);
  rack_->setFocus();
  offerRecovery();
  const qint64 warm = options_.screenshot.isEmpty() ? kWarmTokens : options_.at_token;
  QMetaObject::invokeMethod(
      worker_,
      [worker = worker_, scenario = options_.scenario, speed = transport_->speed(), warm,
       picture = !options_.screenshot.isEmpty(), paused = options_.paused || !options_.screenshot.isEmpty()] {
        worker->setSpeed(speed);
        worker->setWarmTokens(warm);
        if (!picture) worker->setFallbackScenario(QString::fromLatin1(kDefaultScenario));
        worker->start(scenario);
        if (!paused) worker->play();
      });
}

void MainWindow::wireControls() {
  const auto apply_fix = [this](const QString& path, const QString& value) {
    if (const QString error = document_.applyFix(path, value); !error.isEmpty()) showMessage(error, true);
  };
  connect(inspector_, &views::Inspector::applyFix, this, apply_fix);
  connect(controls_, &views::ControlPanel::edited, this,
          [this](const QString& path, const ParameterValue& value, quint64 drag_serial, bool) {
            if (const QString error = document_.setParameter(path, value, drag_serial); !error.isEmpty()) {
              controls_->showError(path, error);
            }
          });
  connect(controls_, &views::ControlPanel::resetRequested, &document_, &Document::resetParameter);
  connect(controls_, &views::ControlPanel::resetAllRequested, &document_, &Document::resetAll);
  connect(controls_, &views::ControlPanel::lockChanged, &document_, &Document::setLocked);
  connect(controls_, &views::ControlPanel::resetSectionRequested, this, [this](const QStringList& paths) {
    document_.undoStack().beginMacro(tr("Reset section"));
    for (const QString& path : paths) document_.resetParameter(path);
    document_.undoStack().endMacro();
  });
  connect(controls_, &views::ControlPanel::explainRequested, inspector_, &views::Inspector::explain);
  connect(controls_, &views::ControlPanel::fixRequested, this, apply_fix);
  connect(&curves_, &SliderCurves::ready, this,
          [this](const QString& path, const std::vector<SensitivityPoint>& curve) {
            std::vector<views::SensitivityPoint> points;
            for (const SensitivityPoint& point : curve)
              points.push_back({point.value, point.tpot_s, point.feasible});
            controls_->setSensitivity(path, points);
          });

  connect(transport_, &TransportBar::playToggled, this, &MainWindow::playPause);
  connect(transport_, &TransportBar::stepRequested, worker_, &SimWorker::step);
  connect(transport_, &TransportBar::stepBackRequested, this, &MainWindow::stepBack);
  connect(transport_, &TransportBar::restartRequested, worker_, &SimWorker::restart);
  connect(transport_, &TransportBar::speedChanged, worker_, &SimWorker::setSpeed);
}

void MainWindow::wireViews() {
  for (views::SnapshotView* view :
       std::initializer_list<views::SnapshotView*>{headline_, controls_, rack_, inspector_, latency_, heat_,
                                                   triangle_, history_, log_, assumptions_, status_})
    snapshot_views_.push_back(view);
  gathering_views_ = {latency_, heat_, history_, log_};
  connect(rack_, &views::RackPage::selectionChanged, this, &MainWindow::select);
  connect(heat_, &views::HeatPanel::selectionChanged, this, &MainWindow::select);
  connect(inspector_, &views::Inspector::selectionRequested, this, &MainWindow::select);
  connect(inspector_, &views::Inspector::goToControl, controls_, &views::ControlPanel::focusParameter);
  connect(inspector_, &views::Inspector::explainRequested, this, [this](const QString& quantity) {
    QMetaObject::invokeMethod(worker_, [worker = worker_, quantity] { worker->explain(quantity); });
  });
  connect(inspector_, &views::Inspector::sensitivityRequested, this,
          [this] { pages_->show(QStringLiteral("triangle")); });
  connect(headline_, &views::HeadlineStrip::explainRequested, inspector_, &views::Inspector::explain);
  connect(status_, &views::StatusChips::explainRequested, inspector_, &views::Inspector::explain);
  connect(latency_, &views::LatencyDock::explainRequested, inspector_, &views::Inspector::explain);
  connect(rack_, &views::RackPage::inspectRequested, this,
          [this] { findChild<QDockWidget*>(QStringLiteral("inspector"))->raise(); });
  connect(worker_, &SimWorker::explained, inspector_, &views::Inspector::setDerivation);
  connect(worker_, &SimWorker::explanationFailed, inspector_,
          [this](const QString&, const QString& message) { inspector_->showExplainFailure(message); });
  connect(log_, &views::EventLog::tokenActivated, worker_, &SimWorker::seek);
  connect(history_, &views::HistoryScrubber::scrubbed, worker_, &SimWorker::seek);
  connect(history_, &views::HistoryScrubber::backToLive, worker_, &SimWorker::backToLive);
}

void MainWindow::takeFrame() {
  if (auto frame = worker_->takeFrame()) showFrame(*frame);
}

void MainWindow::showFrame(const Frame& frame) {
  for (const auto& earlier : frame.earlier) {
    for (views::SnapshotView* view : gathering_views_) view->showSnapshot(earlier);
  }
  shown_ = frame.snapshot;
  if (!frame.past) bench_.setSnapshot(frame.snapshot);
  past_ = frame.past;
  live_token_ = frame.live_token;
  if (frame.past) {
    showPast(frame);
  } else {
    for (views::SnapshotView* view : snapshot_views_) view->showSnapshot(frame.snapshot);
  }
  latency_->showToken(frame.past ? std::optional<qint64>(frame.snapshot->token) : std::nullopt);
  past_bar_->setVisible(frame.past);
  transport_->showSpeed(frame.speed_asked, frame.speed_got, frame.playing && !frame.snapshot->halted);
  history_->setLiveToken(frame.live_token, frame.past);
  const bool feasible = !frame.snapshot->prediction || frame.snapshot->prediction->feasible;
  status_->setState(frame.past                            ? tr("Past")
                    : frame.snapshot->halted && !feasible ? tr("Cannot run")
                    : frame.snapshot->halted              ? tr("Stopped")
                    : frame.playing                       ? tr("Running")
                                                          : tr("Paused"));
  if (frame.snapshot->revision != explained_revision_) {
    explained_revision_ = frame.snapshot->revision;
    const QString quantity = inspector_->explainedQuantity();
    inspector_->explain(quantity.isEmpty() ? QStringLiteral("tpot_s") : quantity);
  }
  Q_EMIT frameShown();
}

void MainWindow::showPast(const Frame& frame) {
  heat_->showPast(frame.snapshot);
  const auto moment = withoutRecords(frame.snapshot);
  for (views::SnapshotView* view : snapshot_views_) {
    if (view != heat_ && view != latency_ && view != log_) view->showSnapshot(moment);
  }
  past_bar_->showText(pastText(frame), false);
}

void MainWindow::refreshSensitivities() {
  curves_.refresh(controls_->sensitivityPaths());
}

void MainWindow::setTheme(const QString& id, double zoom) {
  theme_ = views::makeTheme(id, std::clamp(zoom, 0.8, 3.0));
  QApplication::setPalette(views::widgetPalette(theme_));
  QApplication::setFont(theme_.body);
  setFont(theme_.body);  // widgets that a style sheet has touched no longer follow the application's
  setStyleSheet(views::styleSheet(theme_));
  for (views::SnapshotView* view : snapshot_views_) view->applyTheme(theme_);
  status_->setZoom(theme_.zoom);
  if (shown_) {
    for (views::SnapshotView* view : snapshot_views_) view->showSnapshot(shown_);
  }
}

void MainWindow::chooseTheme(const QString& id, double zoom) {
  setTheme(id, zoom);
  settings::setTheme(theme_.id);
  settings::setZoom(theme_.zoom);
  arrange_timer_->start();
}

void MainWindow::select(const views::Selection& selection) {
  for (views::SnapshotView* view : snapshot_views_) view->showSelection(selection);
}

void MainWindow::showMessage(const QString& text, bool error) {
  messages_->showText(text, error);
}

void MainWindow::updateTitle() {
  setWindowTitle(tr("%1[*] - Decodescope").arg(document_.title()));
  setWindowModified(document_.isModified());
}

void MainWindow::playPause() {
  const bool play = !playing_;
  QMetaObject::invokeMethod(worker_, [worker = worker_, play] { play ? worker->play() : worker->pause(); });
}

void MainWindow::pin(bool on) {
  pinned_ = on ? shown_ : nullptr;
  const std::shared_ptr<const Prediction> prediction = pinned_ ? pinned_->prediction : nullptr;
  headline_->setPinnedSnapshot(pinned_);
  latency_->setPinned(prediction);
  triangle_->setPinned(prediction);
}

void MainWindow::stepBack() {
  const qint64 token = shown_ ? shown_->token : 0;
  if (token > 0) QMetaObject::invokeMethod(worker_, [worker = worker_, token] { worker->seek(token - 1); });
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
  // Single keys act on time unless something that takes text has the focus (then it has already eaten them).
  const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
  const int count = event->modifiers().testFlag(Qt::ControlModifier) ? 10 : 1;
  const auto step = [this, count](StepUnit unit) {
    QMetaObject::invokeMethod(worker_, [worker = worker_, unit, count] { worker->step(unit, count); });
  };
  switch (event->key()) {
    case Qt::Key_Space:
      playPause();
      return;
    case Qt::Key_Period:
      step(shift ? StepUnit::Layer : transport_->stepUnit());
      return;
    case Qt::Key_Greater:
      step(StepUnit::Layer);
      return;
    case Qt::Key_Comma:
      stepBack();
      return;
    case Qt::Key_Home:
      QMetaObject::invokeMethod(worker_, [worker = worker_] { worker->seek(0); });
      return;
    case Qt::Key_End:
      QMetaObject::invokeMethod(worker_, [worker = worker_] { worker->backToLive(); });
      return;
    case Qt::Key_BracketLeft:
      transport_->setSpeed(std::max(kMinSpeed, transport_->speed() / 10));
      return;
    case Qt::Key_BracketRight:
      transport_->setSpeed(std::min(kMaxSpeed, transport_->speed() * 10));
      return;
    default:
      QMainWindow::keyPressEvent(event);
  }
}

}  // namespace decodescope::app
