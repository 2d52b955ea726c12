// One piece of long work off the GUI thread, with progress, pause and cancel.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

namespace decodescope::app {

class Job;

enum class JobState : quint8 { Running, Paused, Done, Cancelled, Failed };

/// Units are the job's own; total 0: not known yet.
struct JobProgress {
  quint64 done = 0, total = 0;
  double elapsed_s = 0;  ///< without pauses
  [[nodiscard]] double rate_per_s() const { return elapsed_s > 0 ? double(done) / elapsed_s : 0; }
  /// Negative while not known.
  [[nodiscard]] double left_s() const {
    return done > 0 && total >= done ? double(total - done) / rate_per_s() : -1;
  }
};

/// What the work sees of its job. Thread-safe; outlives the job.
class JobControl {
 public:
  [[nodiscard]] const std::atomic<bool>& cancelled() const { return cancelled_; }
  /// Waits while the job is paused. False: stop now.
  [[nodiscard]] bool proceed();
  void setTotal(quint64 total) { total_ = total; }
  void advance(quint64 units = 1) { done_ += units; }
  /// Runs `deliver` on the GUI thread, in the order of the posts, unless the job has been abandoned by then.
  void post(std::function<void()> deliver);
  /// Ends the job as failed; the first text counts.
  void fail(const QString& message);

 private:
  friend class Job;
  std::atomic<bool> cancelled_ = false, abandoned_ = false;
  std::atomic<quint64> done_ = 0, total_ = 0;
  std::mutex mutex_;
  std::condition_variable resumed_;
  bool paused_ = false;
  QString failure_;
  QObject* receiver_ = nullptr;  ///< lives until the work has ended
};

using JobWork = std::function<void(JobControl&)>;

/// Lives on the GUI thread, owned by the runner until its work has ended.
class Job : public QObject {
  Q_OBJECT

 public:
  [[nodiscard]] QString title() const { return title_; }
  [[nodiscard]] JobState state() const { return state_; }
  [[nodiscard]] bool isActive() const { return state_ == JobState::Running || state_ == JobState::Paused; }
  [[nodiscard]] JobProgress progress() const;
  [[nodiscard]] QString failure() const { return failure_; }

 public Q_SLOTS:
  void pause();
  void resume();
  /// What has been delivered stays; the work stops at its next look.
  void cancel();
  /// Nothing more is delivered, nobody is told.
  void abandon();

 Q_SIGNALS:
  void changed();   ///< state or progress
  void finished();  ///< done, cancelled or failed; the job is deleted afterwards

 private:
  friend class JobRunner;
  Job(const QString& title, QObject* parent);
  void end();

  QString title_, failure_;
  JobState state_ = JobState::Running;
  std::shared_ptr<JobControl> control_;
  QElapsedTimer running_;
  double elapsed_before_s_ = 0;
};

}  // namespace decodescope::app
