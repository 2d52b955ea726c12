#include "app/sim_worker.h"

#include "scenario/scenario_json.h"

#include <QFileInfo>
#include <QSaveFile>
#include <algorithm>
#include <exception>
#include <utility>

namespace decodescope::app {
namespace {

constexpr int kTickMs = 16;
/// Longest the engine runs before the inbox is looked at again.
constexpr qint64 kSliceNs = 12'000'000;
/// Unseen snapshots kept for the next frame.
constexpr std::size_t kMostUnseen = 64;
/// The engine keeps the records of 4,096 iterations; however slow the window is, none is lost.
constexpr qint64 kMostTokensUnseen = 2048;
/// Iterations between the snapshots of a run that nobody watches; its last ones are kept one by one.
constexpr qint64 kRunStride = 16, kRunTail = 24;
/// In slow motion a token takes seconds and charts would not answer to an edit for minutes: once the edits
/// rest, this many iterations are played at once.
constexpr qint64 kSettleTokens = 256;
constexpr int kSettleMs = 120;

QStringList textsOf(const Warnings& warnings) {
  QStringList out;
  for (const Error& warning : warnings) out << QString::fromStdString(warning.text());
  return out;
}

}  // namespace

SimWorker::SimWorker() : timer_(this), settle_timer_(this) {
  settle_timer_.setSingleShot(true);
  settle_timer_.setInterval(kSettleMs);
  connect(&settle_timer_, &QTimer::timeout, this, &SimWorker::settle);
  timer_.setInterval(kTickMs);
  timer_.setTimerType(Qt::PreciseTimer);
  connect(&timer_, &QTimer::timeout, this, [this] { tick(); });
}

SimWorker::~SimWorker() = default;

template <class Action>
void SimWorker::guarded(Action&& action) {
  try {
    action();
  } catch (const std::exception& error) {
    pause();
    engine_.reset();
    Q_EMIT failed(tr("The engine stopped: %1. The scenario is kept; change it or save it.")
                      .arg(QString::fromUtf8(error.what())));
  }
}

void SimWorker::submit(Edit edit) {
  if (inbox_.put(std::move(edit)))
    QMetaObject::invokeMethod(
        this, [this] { drainInbox(); }, Qt::QueuedConnection);
}

void SimWorker::start(const QString& scenario) {
  Warnings warnings;
  auto catalog = Catalog::load(Catalog::defaultFolders(), &warnings);
  if (!catalog) {
    Q_EMIT failed(QString::fromStdString(catalog.error().text()));
    return;
  }
  catalog_ = *std::move(catalog);
  listing_ = std::make_shared<const CatalogListing>(catalog_->listing());
  QStringList shipped;
  for (const auto& item : scenario::shippedScenarios()) shipped << QString::fromStdString(item.id);
  Q_EMIT catalogShared(catalog_);
  Q_EMIT catalogLoaded(listing_, shipped);
  for (const QString& warning : textsOf(warnings)) Q_EMIT failed(warning);
  // A window with nothing in it would help nobody: the message stands above the default scenario.
  if (!open(scenario) && !fallback_scenario_.isEmpty() && scenario != fallback_scenario_)
    open(fallback_scenario_);
}

bool SimWorker::open(const QString& file) {
  Warnings warnings;
  auto scenario = scenario::loadScenario(file.toStdString(), &warnings);
  if (!scenario) {
    Q_EMIT failed(QString::fromStdString(scenario.error().text()));
    return false;
  }
  const bool is_file = QFileInfo(file).isFile();
  fresh_ = true;
  Q_EMIT opened(*scenario, is_file ? file : QString(), textsOf(warnings),
                is_file && !QFileInfo(file).isWritable());
  return true;
}

void SimWorker::openCopy(const QString& file) {
  Warnings warnings;
  auto scenario = scenario::loadScenario(file.toStdString(), &warnings);
  if (!scenario) {
    Q_EMIT failed(QString::fromStdString(scenario.error().text()));
    return;
  }
  fresh_ = true;
  Q_EMIT opened(*scenario, QString(), textsOf(warnings), false);
}

bool SimWorker::write(const QString& file, const Scenario& scenario) {
  QSaveFile out(file);
  const QByteArray text = QByteArray::fromStdString(scenario::writeScenario(scenario));
  if (out.open(QIODevice::WriteOnly) && out.write(text) == text.size() && out.commit()) return true;
  Q_EMIT failed(tr("%1 cannot be written: %2; choose a folder you may write to. Nothing is lost: the "
                   "scenario is still open.")
                    .arg(file, out.errorString()));
  return false;
}

void SimWorker::save(const QString& file, const Scenario& scenario) {
  if (write(file, scenario)) Q_EMIT saved(file, scenario);
}

void SimWorker::saveCopy(const QString& file, const Scenario& scenario) {
  static_cast<void>(write(file, scenario));  // a failure has been told
}

void SimWorker::drainInbox() {
  if (auto edit = inbox_.take()) guarded([&] { applyScenario(*edit); });
}

void SimWorker::applyScenario(const Edit& edit) {
  if (!catalog_) return;
  QElapsedTimer took;
  took.start();
  scenario_ = edit.scenario;
  revision_ = edit.revision;
  past_ = false;
  const bool is_new = std::exchange(fresh_, false);
  if (is_new) forgetMachine();
  if (engine_) {
    if (auto changed = engine_->setScenario(scenario_, revision_); !changed) {
      Q_EMIT failed(QString::fromStdString(changed.error().text()));
      return;
    }
  } else {
    auto made = engine::Engine::make(catalog_, scenario_);
    if (!made) {
      Q_EMIT failed(QString::fromStdString(made.error().text()));
      return;
    }
    engine_ = *std::move(made);
    if (auto changed = engine_->setScenario(scenario_, revision_); !changed) {
      Q_EMIT failed(QString::fromStdString(changed.error().text()));
    }
  }
  edit_ms_ = static_cast<double>(took.nsecsElapsed()) * 1e-6;
  publish();
  if (is_new) {
    if (warm_tokens_ > 0) runTokens(warm_tokens_);
  } else {
    settle_timer_.start();
  }
}

void SimWorker::settle() {
  if (playing_ && slowMotion() && !past_) runTokens(kSettleTokens);
}

void SimWorker::forgetMachine() {
  engine_.reset();
  history_.clear();
  recent_.clear();
}

void SimWorker::play() {
  if (playing_) return;
  past_ = false;
  layer_mode_ = false;
  playing_ = true;
  pacing_.restart();
  wall_.start();
  timer_.start();
  Q_EMIT playingChanged(true);
}

void SimWorker::pause() {
  if (!playing_) return;
  playing_ = false;
  timer_.stop();
  Q_EMIT playingChanged(false);
  publish();
}

void SimWorker::setSpeed(double speed) {
  pacing_.setSpeed(std::clamp(speed, kMinSpeed, kMaxSpeed));
  pacing_.restart();
  publish();
}

void SimWorker::tick() {
  if (!engine_) return;
  guarded([this] {
    const qint64 wall_ns = wall_.nsecsElapsed();
    wall_.start();
    const TimeNs begin = engine_->now();
    const TimeNs target = begin + pacing_.due(wall_ns);
    // Time is advanced in parts so that a late edit is never stuck behind a long stretch.
    QElapsedTimer slice;
    slice.start();
    const TimeNs part = std::max<TimeNs>((target - begin) / 16, 1);
    while (engine_->now() < target && slice.nsecsElapsed() < kSliceNs && !engine_->isHalted()) {
      engine_->advanceUntil(std::min(engine_->now() + part, target));
    }
    pacing_.record(engine_->now() - begin, wall_ns);
    if (frames_.isEmpty() || engine_->token() - published_token_ >= kMostTokensUnseen) publish();
  });
}

void SimWorker::step(StepUnit unit, int count) {
  if (!engine_) return;
  pause();
  past_ = false;
  layer_mode_ = unit == StepUnit::Layer;
  guarded([&] {
    for (int i = 0; i < count && !engine_->isHalted(); ++i) {
      switch (unit) {
        case StepUnit::Token:
          engine_->advanceTokens(1);  // to the end of the running iteration: one more on the counter
          break;
        case StepUnit::Layer:
          engine_->stepLayer();
          break;
        case StepUnit::Event:
          engine_->stepEvent();
          break;
      }
    }
  });
  publish();
}

void SimWorker::restart() {
  if (!catalog_) return;
  forgetMachine();
  guarded([this] { applyScenario({scenario_, revision_}); });
}

void SimWorker::seek(qint64 token) {
  if (!engine_) return;
  pause();
  const auto coarse = history_.at(token), fine = recent_.at(token);
  // The nearest at or before the token asked for; the fine one reaches back less far.
  const auto keyframe = fine && fine->token <= token ? fine : coarse;
  if (!keyframe) return;
  past_ = true;
  post({keyframe, pacing_.asked(), pacing_.got(), playing_, true, engine_->token(), edit_ms_, {}});
}

void SimWorker::backToLive() {
  past_ = false;
  publish();
}

void SimWorker::inject(const Fault& fault) {
  if (!engine_) return;
  guarded([&] { engine_->inject(fault); });
  publish();
}

void SimWorker::runTokens(qint64 tokens) {
  if (!engine_) return;
  guarded([&] {
    const qint64 end = engine_->token() + tokens;
    while (engine_->token() < end && !engine_->isHalted()) {
      const qint64 left = end - engine_->token();
      engine_->advanceTokens(left > kRunTail ? std::min(kRunStride, left - kRunTail) : 1);
      publish(false);
    }
  });
  publish();
}

void SimWorker::publish() {
  publish(slowMotion() || layer_mode_);
}

void SimWorker::publish(bool with_timeline) {
  if (!engine_) return;
  guarded([&] {
    const auto snapshot = engine_->snapshot(with_timeline);
    remember(snapshot);
    published_token_ = snapshot->token;
    if (past_) return;
    post({snapshot, pacing_.asked(), pacing_.got(), playing_, false, snapshot->token, edit_ms_, {}});
  });
}

void SimWorker::remember(const std::shared_ptr<const Snapshot>& snapshot) {
  history_.add(snapshot);
  recent_.add(snapshot);
}

// A frame that was not taken yet is replaced, but the records it brought are not lost.
void SimWorker::post(Frame frame) {
  if (auto unseen = frames_.take(); unseen && !unseen->past) {
    frame.earlier = std::move(unseen->earlier);
    if (!unseen->snapshot->recent.empty() || !unseen->snapshot->events.empty())
      frame.earlier.push_back(std::move(unseen->snapshot));
    if (frame.earlier.size() > kMostUnseen) frame.earlier.erase(frame.earlier.begin());
  }
  if (frames_.put(std::move(frame))) Q_EMIT framePosted();
}

void SimWorker::explain(const QString& quantity) {
  if (!engine_) return;
  guarded([&] {
    auto tree = engine_->predictor().explain(scenario_, quantity.toStdString());
    if (tree) {
      Q_EMIT explained(std::make_shared<const Derivation>(*std::move(tree)));
    } else {
      Q_EMIT explanationFailed(quantity, QString::fromStdString(tree.error().text()));
    }
  });
}

}  // namespace decodescope::app
