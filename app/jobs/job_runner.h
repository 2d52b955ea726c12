// Runs jobs on a pool of low-priority threads, so that engine and window keep theirs.
#pragma once

#include "app/jobs/job.h"

#include <QPointer>
#include <QThreadPool>
#include <QTimer>

namespace decodescope::app {

class JobRunner : public QObject {
  Q_OBJECT

 public:
  explicit JobRunner(QObject* parent = nullptr);
  /// Cancels what runs and waits for it.
  ~JobRunner() override;

  /// The job stays valid until the event loop after its `finished`: keep a QPointer. Exceptions that the work
  /// lets out end it as failed.
  Job* start(const QString& title, JobWork work);
  [[nodiscard]] const QList<Job*>& active() const { return active_; }

 Q_SIGNALS:
  void changed();  ///< a job began, moved on or ended; a few times a second

 private:
  QThreadPool pool_;
  QList<Job*> active_;
  QTimer progress_timer_;
};

/// Work of which only the newest counts: starting anew abandons what still runs.
class LatestJob {
 public:
  explicit LatestJob(JobRunner& runner) : runner_(&runner) {}
  ~LatestJob() { abandon(); }
  LatestJob(const LatestJob&) = delete;
  LatestJob& operator=(const LatestJob&) = delete;

  Job* start(const QString& title, JobWork work) {
    abandon();
    return job_ = runner_->start(title, std::move(work));
  }
  void abandon() {
    if (job_) job_->abandon();
    job_ = nullptr;
  }
  [[nodiscard]] Job* job() const { return job_; }
  [[nodiscard]] bool isActive() const { return job_ && job_->isActive(); }

 private:
  JobRunner* runner_;
  QPointer<Job> job_;
};

}  // namespace decodescope::app
