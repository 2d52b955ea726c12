// Jobs: delivered in order, paused, cancelled with what they had, abandoned without a word.
#include "app/jobs/job_runner.h"

#include <QSignalSpy>
#include <QtTest>
#include <atomic>
#include <stdexcept>

using namespace decodescope::app;

class TestJobs : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void deliversInOrderAndEndsLast() {
    JobRunner runner;
    QList<int> got;
    Job* job = runner.start(QStringLiteral("count"), [&got](JobControl& control) {
      control.setTotal(100);
      for (int i = 0; i < 100; ++i) {
        control.post([&got, i] { got << i; });
        control.advance();
      }
    });
    JobState end = JobState::Running;
    JobProgress progress;
    connect(job, &Job::finished, this, [&, job] {
      end = job->state();
      progress = job->progress();
      QCOMPARE(got.size(), 100);
    });
    QTRY_COMPARE(end, JobState::Done);
    QCOMPARE(progress.done, quint64(100));
    QCOMPARE(progress.total, quint64(100));
    for (int i = 0; i < 100; ++i) QCOMPARE(got[i], i);
    QTRY_VERIFY(runner.active().isEmpty());
  }

  void pauseHoldsAndResumeGoesOn() {
    JobRunner runner;
    std::atomic<int> steps = 0;
    std::atomic<bool> last = false;
    Job* job = runner.start(QStringLiteral("steps"), [&](JobControl& control) {
      while (!last && control.proceed()) {
        ++steps;
        QThread::msleep(1);
      }
    });
    QTRY_VERIFY(steps > 3);
    job->pause();
    QCOMPARE(job->state(), JobState::Paused);
    QTest::qWait(20);  // a step that had begun ends
    const int held = steps;
    QTest::qWait(50);
    QCOMPARE(steps.load(), held);
    job->resume();
    QTRY_VERIFY(steps > held);
    QSignalSpy finished(job, &Job::finished);
    last = true;
    QTRY_COMPARE(finished.size(), 1);
  }

  void cancelKeepsWhatWasDelivered() {
    JobRunner runner;
    int got = 0;
    QPointer<Job> job = runner.start(QStringLiteral("endless"), [&got](JobControl& control) {
      while (control.proceed()) {
        control.post([&got] { ++got; });
        QThread::msleep(1);
      }
    });
    QTRY_VERIFY(got > 2);
    JobState end = JobState::Running;
    connect(job, &Job::finished, this, [&] { end = job->state(); });
    job->pause();
    job->cancel();  // wakes a paused one too
    QTRY_COMPARE(end, JobState::Cancelled);
    QVERIFY(got > 2);
    QTRY_VERIFY(job.isNull());
  }

  void onlyTheLatestDelivers() {
    JobRunner runner;
    LatestJob latest(runner);
    QStringList got;
    std::atomic<bool> first_began = false;
    latest.start(QStringLiteral("old"), [&](JobControl& control) {
      first_began = true;
      while (control.proceed()) control.post([&got] { got << QStringLiteral("old"); });
    });
    QTRY_VERIFY(first_began);
    latest.start(QStringLiteral("new"),
                 [&got](JobControl& control) { control.post([&got] { got << QStringLiteral("new"); }); });
    got.clear();
    QTRY_VERIFY(runner.active().isEmpty());
    QCOMPARE(got, QStringList{QStringLiteral("new")});
  }

  void exceptionsBecomeFailures() {
    JobRunner runner;
    Job* job =
        runner.start(QStringLiteral("bad"), [](JobControl&) { throw std::runtime_error("no such chip"); });
    QString failure;
    connect(job, &Job::finished, this, [&, job] {
      QCOMPARE(job->state(), JobState::Failed);
      failure = job->failure();
    });
    QTRY_VERIFY(failure.contains(QStringLiteral("no such chip")));
  }

  void endsWhileJobsRun() {
    std::atomic<int> running = 0;
    {
      JobRunner runner;
      const auto endless = [&running](JobControl& control) {
        ++running;
        while (control.proceed()) control.post([] {});
        --running;
      };
      runner.start(QStringLiteral("endless"), endless);
      runner.start(QStringLiteral("paused"), endless)->pause();
      QTRY_COMPARE(running.load(), 2);
    }
    QCOMPARE(running.load(), 0);
  }
};

QTEST_GUILESS_MAIN(TestJobs)
#include "tst_jobs.moc"
