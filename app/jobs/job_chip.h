// The longest-running job in the status bar: title, progress, time left, pause and cancel.
#pragma once

#include <QPointer>
#include <QWidget>

class QLabel;
class QToolButton;

namespace decodescope::app {

class Job;
class JobRunner;

class JobChip : public QWidget {
  Q_OBJECT

 public:
  explicit JobChip(JobRunner& runner, QWidget* parent = nullptr);

 private:
  void update();

  JobRunner& runner_;
  QPointer<Job> job_;
  QLabel* text_;
  QToolButton *pause_, *cancel_;
};

}  // namespace decodescope::app
