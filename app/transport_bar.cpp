#include "app/transport_bar.h"

#include "base/icons.h"

#include <QAction>
#include <QComboBox>
#include <QIcon>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QSlider>
#include <cmath>

namespace decodescope::app {
namespace {

constexpr int kStepsPerDecade = 100;
constexpr int kMinPosition = -3 * kStepsPerDecade, kMaxPosition = 3 * kStepsPerDecade;

int positionOf(double speed) {
  return int(std::lround(std::log10(speed) * kStepsPerDecade));
}
double speedAt(int position) {
  return std::pow(10.0, position / double(kStepsPerDecade));
}

/// A decade is sticky: within 6 % of travel of one it snaps to it.
int snapped(int position) {
  const int decade = int(std::lround(position / double(kStepsPerDecade))) * kStepsPerDecade;
  return std::abs(position - decade) <= 6 ? decade : position;
}

QString shortNumber(double value) {
  if (value >= 1) return QLocale().toString(value, 'f', value < 10 && value != std::round(value) ? 1 : 0);
  return QLocale().toString(value, 'g', 2);
}

}  // namespace

QString speedText(double speed) {
  const double wall_s_per_ms = 1e-3 / speed;
  if (wall_s_per_ms >= 0.1) {
    return TransportBar::tr("%1×: 1 ms of cluster time takes %2 s")
        .arg(shortNumber(speed), shortNumber(wall_s_per_ms));
  }
  if (speed < 1) {
    return TransportBar::tr("%1×: 1 s of cluster time takes %2 s")
        .arg(shortNumber(speed), shortNumber(1 / speed));
  }
  if (speed == 1) return TransportBar::tr("1×: as fast as the cluster");
  return TransportBar::tr("%1×: %1 s of cluster time a second").arg(shortNumber(speed));
}

TransportBar::TransportBar(QWidget* parent) : QToolBar(tr("Transport"), parent) {
  setObjectName(QStringLiteral("transport"));
  addActions();
  addSeparator();
  addSpeed();
}

void TransportBar::addActions() {
  const auto add = [this](const QString& text, const QKeySequence& key, const QString& icon, auto&& slot) {
    auto* action = addAction(views::icon(icon), text);
    if (!key.isEmpty()) {
      action->setShortcut(key);
      action->setToolTip(tr("%1 (%2)").arg(text, key.toString(QKeySequence::NativeText)));
    }
    connect(action, &QAction::triggered, this, slot);
    return action;
  };
  restart_ = add(tr("Restart"), {}, QStringLiteral("restart"), [this] { Q_EMIT restartRequested(); });
  back_ = add(tr("Step back"), {}, QStringLiteral("step-back"), [this] { Q_EMIT stepBackRequested(); });
  play_ = add(tr("Play"), {}, QStringLiteral("play"), [this] { Q_EMIT playToggled(!playing_); });
  step_ = add(tr("Step forward"), {}, QStringLiteral("step-forward"),
              [this] { Q_EMIT stepRequested(stepUnit(), 1); });
  fast_ = add(tr("Fast: 1000 times"), {}, QStringLiteral("fast"), [this] {
    setSpeed(kMaxSpeed);
    Q_EMIT playToggled(true);
  });
  // The shortcuts of single keys act in the window; they are set by the main window, which keeps them out of
  // text fields.
  addWidget(new QLabel(tr(" Step "), this));
  unit_ = new QComboBox(this);
  unit_->addItem(tr("token"), int(StepUnit::Token));
  unit_->addItem(tr("layer"), int(StepUnit::Layer));
  unit_->addItem(tr("event"), int(StepUnit::Event));
  unit_->setAccessibleName(tr("Step unit"));
  addWidget(unit_);
}

void TransportBar::addSpeed() {
  addWidget(new QLabel(tr(" Speed "), this));
  speed_ = new QSlider(Qt::Horizontal, this);
  speed_->setRange(kMinPosition, kMaxPosition);
  speed_->setSingleStep(10);
  speed_->setPageStep(kStepsPerDecade);
  speed_->setTickInterval(kStepsPerDecade);
  speed_->setTickPosition(QSlider::TicksBelow);
  speed_->setFixedWidth(130);
  speed_->setFocusPolicy(Qt::StrongFocus);
  speed_->setAccessibleName(tr("Speed of simulated time"));
  addWidget(speed_);
  text_ = new QLabel(this);
  setSpeed(kStartSpeed);
  text_->setText(QLatin1Char(' ') + speedText(kStartSpeed));
  text_->setMinimumWidth(fontMetrics().horizontalAdvance(speedText(0.01)) + 16);
  addWidget(text_);
  connect(speed_, &QSlider::valueChanged, this, [this](int position) {
    const int snap = snapped(position);
    if (snap != position) {
      const QSignalBlocker blocker(speed_);
      speed_->setValue(snap);
    }
    text_->setText(QLatin1Char(' ') + speedText(speed()));
    Q_EMIT speedChanged(speed());
  });
}

void TransportBar::setPlaying(bool playing) {
  playing_ = playing;
  play_->setText(playing ? tr("Pause") : tr("Play"));
  play_->setToolTip(playing ? tr("Pause (Space)") : tr("Play (Space)"));
  play_->setIcon(views::icon(playing ? QStringLiteral("pause") : QStringLiteral("play")));
}

void TransportBar::showSpeed(double asked, double got, bool playing) {
  const bool behind = playing && got < 0.8 * asked;
  text_->setText(
      QLatin1Char(' ') +
      (behind ? tr("asked %1×, getting %2×").arg(shortNumber(asked), shortNumber(got)) : speedText(asked)));
}

double TransportBar::speed() const {
  return speedAt(speed_->value());
}

void TransportBar::setSpeed(double speed) {
  speed_->setValue(positionOf(speed));
}

StepUnit TransportBar::stepUnit() const {
  return StepUnit(unit_->currentData().toInt());
}

QList<QAction*> TransportBar::transportActions() const {
  return {restart_, back_, play_, step_, fast_};
}

}  // namespace decodescope::app
