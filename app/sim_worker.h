// The engine's thread. Owns catalog, engine and history; takes edits from a one-slot inbox, publishes
// immutable snapshots through a one-slot mailbox. Everything that parses, computes or waits on a file happens
// here, never on the GUI thread.
#pragma once

#include "app/mailbox.h"
#include "app/pacing.h"
#include "engine/engine.h"
#include "engine/history.h"

#include <decodescope/catalog_listing.h>
#include <decodescope/derivation.h>
#include <decodescope/snapshot.h>

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <atomic>
#include <memory>
#include <vector>

namespace decodescope::app {

/// For the keyframes of every late token; 600 of a rack of 72 chips.
inline constexpr std::size_t kRecentBudgetBytes = 16u << 20;

enum class StepUnit { Token, Layer, Event };

/// A scenario on its way to the engine.
struct Edit {
  Scenario scenario;
  quint64 revision = 0;
};

/// What the GUI shows: the newest snapshot, and how the pacing does.
struct Frame {
  std::shared_ptr<const Snapshot> snapshot;
  double speed_asked = 1, speed_got = 1;
  bool playing = false;
  bool past = false;  ///< from history, not the live edge
  std::int64_t live_token = 0;
  double compute_ms = 0;  ///< engine time of the last edit
  /// Snapshots that nobody has seen, oldest first: for the views that gather records.
  std::vector<std::shared_ptr<const Snapshot>> earlier;
};

class SimWorker : public QObject {
  Q_OBJECT

 public:
  SimWorker();
  ~SimWorker() override;

  // Thread-safe; called from the GUI thread.
  void submit(Edit edit);
  [[nodiscard]] std::optional<Frame> takeFrame() { return frames_.take(); }

 public Q_SLOTS:
  /// Loads the catalog and then the scenario (a file, or the id of a shipped one).
  void start(const QString& scenario);
  bool open(const QString& file);
  /// The scenario of a file without the file: saving asks where.
  void openCopy(const QString& file);
  void save(const QString& file, const decodescope::Scenario& scenario);
  /// The same, without becoming the document's file.
  void saveCopy(const QString& file, const decodescope::Scenario& scenario);
  void play();
  void pause();
  void setSpeed(double speed);
  /// Iterations that a newly opened scenario has behind it when it is first shown, so that charts, history
  /// and temperatures start filled. 0 starts cold.
  void setWarmTokens(qint64 tokens) { warm_tokens_ = tokens; }
  /// What `start` opens when its scenario cannot be read; empty: nothing.
  void setFallbackScenario(const QString& id) { fallback_scenario_ = id; }
  void step(decodescope::app::StepUnit unit, int count);
  void restart();  ///< the same scenario from token 0
  void seek(qint64 token);
  void backToLive();
  void inject(const decodescope::Fault& fault);
  void explain(const QString& quantity);
  /// Plays `tokens` iterations as fast as possible, then publishes.
  void runTokens(qint64 tokens);

 Q_SIGNALS:
  void catalogLoaded(std::shared_ptr<const decodescope::CatalogListing> listing,
                     const QStringList& shipped_scenarios);
  /// For what computes beside the engine.
  void catalogShared(std::shared_ptr<const decodescope::Catalog> catalog);
  void opened(const decodescope::Scenario& scenario, const QString& file, const QStringList& warnings,
              bool read_only);
  void saved(const QString& file, const decodescope::Scenario& scenario);
  void failed(const QString& message);
  void framePosted();
  void explained(std::shared_ptr<const decodescope::Derivation> tree);
  void explanationFailed(const QString& quantity, const QString& message);
  void playingChanged(bool playing);

 private:
  [[nodiscard]] bool write(const QString& file, const Scenario& scenario);
  void drainInbox();
  void applyScenario(const Edit& edit);
  void tick();
  void forgetMachine();
  void settle();
  void publish();
  void publish(bool with_timeline);
  void post(Frame frame);
  void remember(const std::shared_ptr<const Snapshot>& snapshot);
  [[nodiscard]] bool slowMotion() const { return pacing_.asked() <= kSlowMotionSpeed; }
  /// Runs `action` and turns an exception into a halted state with a message; the one catch of the program.
  template <class Action>
  void guarded(Action&& action);

  Mailbox<Edit> inbox_;
  Mailbox<Frame> frames_;
  std::shared_ptr<const Catalog> catalog_;
  std::shared_ptr<const CatalogListing> listing_;
  std::unique_ptr<engine::Engine> engine_;
  engine::History history_;
  engine::History recent_{kRecentBudgetBytes, 1};  ///< every token of late: steps back go one by one
  Scenario scenario_;
  quint64 revision_ = 0;
  QTimer timer_;
  QTimer settle_timer_;
  QElapsedTimer wall_;
  Pacing pacing_;
  bool playing_ = false;
  bool past_ = false;
  bool layer_mode_ = false;
  bool fresh_ = false;  ///< the next scenario is another document: a new machine, a new history
  QString fallback_scenario_;
  qint64 warm_tokens_ = 0, published_token_ = 0;
  double edit_ms_ = 0;
};

}  // namespace decodescope::app

Q_DECLARE_METATYPE(std::shared_ptr<const decodescope::CatalogListing>)
Q_DECLARE_METATYPE(std::shared_ptr<const decodescope::Catalog>)
Q_DECLARE_METATYPE(std::shared_ptr<const decodescope::Derivation>)
Q_DECLARE_METATYPE(decodescope::Scenario)
Q_DECLARE_METATYPE(decodescope::Fault)
