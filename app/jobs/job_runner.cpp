#include "app/jobs/job_runner.h"

#include <exception>

namespace decodescope::app {
namespace {
constexpr int kMostJobs = 4;
constexpr int kProgressIntervalMs = 100;
}  // namespace

JobRunner::JobRunner(QObject* parent) : QObject(parent) {
  pool_.setMaxThreadCount(kMostJobs);
  pool_.setThreadPriority(QThread::LowPriority);
  progress_timer_.setInterval(kProgressIntervalMs);
  connect(&progress_timer_, &QTimer::timeout, this, [this] {
    for (Job* job : active_) Q_EMIT job->changed();
    Q_EMIT changed();
  });
}

JobRunner::~JobRunner() {
  for (Job* job : active_) job->abandon();
  pool_.waitForDone();
}

Job* JobRunner::start(const QString& title, JobWork work) {
  auto* job = new Job(title, this);
  active_ << job;
  if (!progress_timer_.isActive()) progress_timer_.start();
  pool_.start([this, job, control = job->control_, work = std::move(work)] {
    try {
      if (!control->cancelled()) work(*control);
    } catch (const std::exception& error) {
      control->fail(tr("The work stopped: %1").arg(QString::fromUtf8(error.what())));
    }
    // Queued behind everything that the work has posted.
    QMetaObject::invokeMethod(
        job,
        [this, job] {
          job->end();
          active_.removeOne(job);
          if (active_.isEmpty()) progress_timer_.stop();
          job->deleteLater();
          Q_EMIT changed();
        },
        Qt::QueuedConnection);
  });
  Q_EMIT changed();
  return job;
}

}  // namespace decodescope::app
