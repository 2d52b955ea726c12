// Play, pause, step, speed: the toolbar that moves time.
#pragma once

#include "app/sim_worker.h"

#include <QToolBar>

class QAction;
class QComboBox;
class QLabel;
class QSlider;

namespace decodescope::app {

class TransportBar : public QToolBar {
  Q_OBJECT

 public:
  explicit TransportBar(QWidget* parent = nullptr);

  void setPlaying(bool playing);
  /// Shows what was reached beside what was asked for.
  void showSpeed(double asked, double got, bool playing);
  [[nodiscard]] double speed() const;
  void setSpeed(double speed);
  [[nodiscard]] StepUnit stepUnit() const;
  [[nodiscard]] QList<QAction*> transportActions() const;

 Q_SIGNALS:
  void playToggled(bool play);
  void stepRequested(decodescope::app::StepUnit unit, int count);
  void stepBackRequested();
  void restartRequested();
  void speedChanged(double speed);

 private:
  void addActions();
  void addSpeed();

  QAction* restart_ = nullptr;
  QAction* back_ = nullptr;
  QAction* play_ = nullptr;
  QAction* step_ = nullptr;
  QAction* fast_ = nullptr;
  QComboBox* unit_ = nullptr;
  QSlider* speed_ = nullptr;
  QLabel* text_ = nullptr;
  bool playing_ = false;
};

/// "0.01x: 1 ms of cluster time takes 0.1 s"
[[nodiscard]] QString speedText(double speed);

}  // namespace decodescope::app
