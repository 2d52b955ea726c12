#include "app/jobs/job_chip.h"

#include "app/jobs/job_runner.h"

#include "base/icons.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QToolButton>
#include <cmath>

namespace decodescope::app {
namespace {

/// Shorter work would only flicker.
constexpr double kShownAfter_s = 0.5;

QString durationText(double s) {
  const auto seconds = qint64(std::ceil(s));
  return QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0'));
}

QString textOf(const Job& job) {
  const JobProgress progress = job.progress();
  const QLocale locale;
  QString text = job.title();
  if (progress.total > 0)
    text += QStringLiteral(" %1/%2").arg(locale.toString(progress.done), locale.toString(progress.total));
  if (job.state() == JobState::Paused) return JobChip::tr("%1, paused").arg(text);
  return progress.left_s() < 0 ? text : JobChip::tr("%1, %2 left").arg(text, durationText(progress.left_s()));
}

QToolButton* button(const char* name, const char* icon, const QString& tip) {
  auto* made = new QToolButton;
  made->setObjectName(QLatin1String(name));
  made->setIcon(views::icon(QLatin1String(icon)));
  made->setAutoRaise(true);
  made->setToolTip(tip);
  made->setAccessibleName(tip);
  return made;
}

}  // namespace

JobChip::JobChip(JobRunner& runner, QWidget* parent)
    : QWidget(parent),
      runner_(runner),
      text_(new QLabel),
      pause_(button("jobPause", "pause", tr("Pause or go on"))),
      cancel_(button("jobCancel", "close", tr("Cancel; what has been computed stays"))) {
  setObjectName(QStringLiteral("jobChip"));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  layout->addWidget(text_);
  layout->addWidget(pause_);
  layout->addWidget(cancel_);
  hide();
  connect(&runner, &JobRunner::changed, this, &JobChip::update);
  connect(pause_, &QToolButton::clicked, this, [this] {
    if (job_) job_->state() == JobState::Paused ? job_->resume() : job_->pause();
  });
  connect(cancel_, &QToolButton::clicked, this, [this] {
    if (job_) job_->cancel();
  });
}

void JobChip::update() {
  if (!job_ || !job_->isActive()) job_ = runner_.active().value(0);
  const bool shown = job_ && job_->isActive() &&
                     (job_->state() == JobState::Paused || job_->progress().elapsed_s > kShownAfter_s);
  setVisible(shown);
  if (!shown) return;
  text_->setText(textOf(*job_));
  pause_->setIcon(
      views::icon(job_->state() == JobState::Paused ? QStringLiteral("play") : QStringLiteral("pause")));
}

}  // namespace decodescope::app
