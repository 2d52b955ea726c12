// The window: rack page in the middle, docks around it, one set of actions. Wires views to the document and
// the worker; computes nothing.
#pragma once

#include "app/document.h"
#include "app/options.h"
#include "app/sim_worker.h"
#include "app/slider_curves.h"
#include "app/workbench.h"

#include "base/snapshot_view.h"
#include "base/theme.h"

#include <QMainWindow>
#include <QPointer>
#include <QThread>
#include <memory>
#include <vector>

class QLabel;
class QUndoView;

namespace decodescope::views {
class AssumptionsList;
class ControlPanel;
class EventLog;
class HeadlineStrip;
class HeatPanel;
class HistoryScrubber;
class Inspector;
class LatencyDock;
class RackPage;
class StatusChips;
class TrianglePanel;
}  // namespace decodescope::views

namespace decodescope::app {

class MessageBar;
class PageController;
class PageHost;
class TransportBar;

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  explicit MainWindow(const Options& options);
  ~MainWindow() override;

  /// Loads the scenario named in the options; the window fills when the worker answers.
  void start();
  void setTheme(const QString& id, double zoom);
  /// The same, remembered for the next start.
  void chooseTheme(const QString& id, double zoom);
  /// In the bar above the page.
  void showMessage(const QString& text, bool error);
  /// The widget that --view names.
  [[nodiscard]] QWidget* viewWidget(const QString& name) const;
  [[nodiscard]] SimWorker& worker() { return *worker_; }
  [[nodiscard]] Document& document() { return document_; }
  [[nodiscard]] const Snapshot* shown() const { return shown_.get(); }
  [[nodiscard]] views::ControlPanel& controls() { return *controls_; }
  [[nodiscard]] views::RackPage& rack() { return *rack_; }
  [[nodiscard]] PageHost& pages() { return *pages_; }
  [[nodiscard]] Workbench& bench() { return bench_; }
  /// Whether what is shown still waits for results.
  [[nodiscard]] bool isBusy() const;
  [[nodiscard]] views::Inspector& inspector() { return *inspector_; }
  [[nodiscard]] TransportBar& transport() { return *transport_; }
  [[nodiscard]] const views::Theme& theme() const { return theme_; }

 Q_SIGNALS:
  void frameShown();
  void startFailed(const QString& message);

 protected:
  void closeEvent(QCloseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  // main_window_docks.cpp
  void setupCentre();
  void setupPages();
  void setupDocks();
  void pageChanged(const QString& id);
  void showLiveDocks(bool shown);
  QDockWidget* addDock(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area,
                       QWidget* extras = nullptr);
  void resetLayout();
  void restoreLayout();
  void restoreDocks();
  void arrangeDocks();
  [[nodiscard]] QDockWidget* dock(const char* name) const;
  [[nodiscard]] QList<int> dockSizes() const;
  // main_window_actions.cpp
  void setupMenus();
  void setupFileMenu();
  void setupEditMenu();
  void setupViewMenu();
  void setupPagesMenu(QMenu* menu);
  void setupSimulateMenu();
  void setupHelpMenu();
  void updateRecentMenu();
  void cyclePane(int step);
  // main_window_files.cpp
  void openFile(const QString& file);
  void openDialog();
  bool saveTo(const QString& file);
  bool save();
  bool saveAs();
  bool mayDiscard();
  bool mayStopJobs();
  void exportView();
  void writeRecovery();
  void offerRecovery();
  // main_window.cpp
  void setupWorker();
  void wireControls();
  void wireViews();
  void takeFrame();
  void showFrame(const Frame& frame);
  void showPast(const Frame& frame);
  void select(const views::Selection& selection);
  void updateTitle();
  void playPause();
  void pin(bool on);
  void stepBack();
  void refreshSensitivities();

  Options options_;
  Document document_;
  Workbench bench_{document_};
  SliderCurves curves_{bench_};
  QThread thread_;
  SimWorker* worker_ = nullptr;
  views::Theme theme_;
  std::vector<views::SnapshotView*> snapshot_views_;
  std::vector<views::SnapshotView*> gathering_views_;  ///< those that must see every snapshot

  MessageBar* messages_ = nullptr;
  MessageBar* past_bar_ = nullptr;
  TransportBar* transport_ = nullptr;
  views::HeadlineStrip* headline_ = nullptr;
  PageHost* pages_ = nullptr;
  std::vector<std::pair<QString, std::unique_ptr<PageController>>> page_controllers_;
  views::RackPage* rack_ = nullptr;
  views::ControlPanel* controls_ = nullptr;
  views::Inspector* inspector_ = nullptr;
  views::LatencyDock* latency_ = nullptr;
  views::HeatPanel* heat_ = nullptr;
  views::TrianglePanel* triangle_ = nullptr;
  views::HistoryScrubber* history_ = nullptr;
  views::EventLog* log_ = nullptr;
  views::AssumptionsList* assumptions_ = nullptr;
  views::StatusChips* status_ = nullptr;
  QStringList shipped_scenarios_;
  QMenu* recent_menu_ = nullptr;
  QMenu* panels_menu_ = nullptr;
  QByteArray default_layout_;
  QTimer* arrange_timer_ = nullptr;
  QList<int> arranged_;  ///< dock sizes as last arranged: others mean that the user has moved something
  bool docks_restored_ = false;
  std::vector<QPointer<QDockWidget>> put_away_;  ///< live docks that give their room to a page

  std::shared_ptr<const Snapshot> shown_;
  quint64 explained_revision_ = 0;
  bool playing_ = false, past_ = false;
  qint64 live_token_ = 0;
  QTimer* sensitivity_timer_ = nullptr;
  std::shared_ptr<const Snapshot> pinned_;
  QTimer* recovery_timer_ = nullptr;
};

}  // namespace decodescope::app
