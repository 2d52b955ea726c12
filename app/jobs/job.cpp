#include "app/jobs/job.h"

#include <QMetaObject>

namespace decodescope::app {

bool JobControl::proceed() {
  std::unique_lock lock(mutex_);
  resumed_.wait(lock, [this] { return !paused_ || cancelled_; });
  return !cancelled_;
}

void JobControl::post(std::function<void()> deliver) {
  if (abandoned_) return;
  QMetaObject::invokeMethod(
      receiver_,
      [this, deliver = std::move(deliver)] {
        if (!abandoned_) deliver();
      },
      Qt::QueuedConnection);
}

void JobControl::fail(const QString& message) {
  const std::lock_guard lock(mutex_);
  if (failure_.isEmpty()) failure_ = message;
}

Job::Job(const QString& title, QObject* parent)
    : QObject(parent), title_(title), control_(std::make_shared<JobControl>()) {
  control_->receiver_ = this;
  running_.start();
}

JobProgress Job::progress() const {
  const double now_s = state_ == JobState::Running ? double(running_.nsecsElapsed()) * 1e-9 : 0;
  return {control_->done_, control_->total_, elapsed_before_s_ + now_s};
}

void Job::pause() {
  if (state_ != JobState::Running) return;
  elapsed_before_s_ = progress().elapsed_s;
  state_ = JobState::Paused;
  {
    const std::lock_guard lock(control_->mutex_);
    control_->paused_ = true;
  }
  Q_EMIT changed();
}

void Job::resume() {
  if (state_ != JobState::Paused) return;
  state_ = JobState::Running;
  running_.start();
  {
    const std::lock_guard lock(control_->mutex_);
    control_->paused_ = false;
  }
  control_->resumed_.notify_all();
  Q_EMIT changed();
}

void Job::cancel() {
  {
    const std::lock_guard lock(control_->mutex_);
    control_->cancelled_ = true;
  }
  control_->resumed_.notify_all();
}

void Job::abandon() {
  control_->abandoned_ = true;
  blockSignals(true);
  cancel();
}

void Job::end() {
  if (!isActive()) return;
  elapsed_before_s_ = progress().elapsed_s;
  failure_ = control_->failure_;
  state_ = !failure_.isEmpty()    ? JobState::Failed
           : control_->cancelled_ ? JobState::Cancelled
                                  : JobState::Done;
  Q_EMIT changed();
  Q_EMIT finished();
}

}  // namespace decodescope::app
