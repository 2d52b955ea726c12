// The engine's thread from the GUI's side: frames arrive, the last edit always wins, nothing blocks.
#include "app/sim_worker.h"
#include "scenario/scenario_json.h"

#include <QTemporaryDir>
#include <QThread>
#include <QtTest>
#include <tuple>

using namespace decodescope;
using app::SimWorker;

// A frame is taken once: conditions that take one are waited for with qWaitFor, as QTRY_ macros evaluate them
// a second time.
constexpr int kWaitMs = 10'000;

/// What a signal of the worker brought, taken over in the test's own thread (QSignalSpy would write from the
/// worker's).
template <class... Arguments>
class Received {
 public:
  template <class Signal>
  Received(SimWorker* worker, Signal signal) {
    QObject::connect(worker, signal, &context_, [this](const Arguments&... arguments) {
      last_ = std::tuple<Arguments...>(arguments...);
      ++count_;
    });
  }
  [[nodiscard]] int count() const { return count_; }
  template <std::size_t I = 0>
  [[nodiscard]] const auto& last() const {
    return std::get<I>(last_);
  }

 private:
  QObject context_;
  std::tuple<Arguments...> last_;
  int count_ = 0;
};
using Opened = Received<Scenario, QString, QStringList, bool>;
using Failed = Received<QString>;

class TstSimWorker : public QObject {
  Q_OBJECT

  QThread thread_;
  SimWorker* worker_ = nullptr;
  Scenario opened_;

  template <class Action>
  void post(Action action) {
    QMetaObject::invokeMethod(worker_, action);
  }
  std::shared_ptr<const Snapshot> nextFrame(quint64 revision) {
    std::shared_ptr<const Snapshot> found;
    const bool came = QTest::qWaitFor(
        [&] {
          if (auto frame = worker_->takeFrame()) found = frame->snapshot;
          return found && found->revision >= revision;
        },
        10'000);
    return came ? found : nullptr;
  }

 private Q_SLOTS:
  void initTestCase() {
    qRegisterMetaType<Scenario>();
    worker_ = new SimWorker;
    worker_->moveToThread(&thread_);
    thread_.start();
    Opened opened(worker_, &SimWorker::opened);
    Failed failed(worker_, &SimWorker::failed);
    post([w = worker_] { w->start(QStringLiteral("deepseek-r1-nvl72")); });
    QVERIFY2(QTest::qWaitFor([&] { return opened.count() > 0; }, 10'000), qPrintable(failed.last()));
    opened_ = opened.last();
    worker_->submit({opened_, 1});
    QVERIFY(nextFrame(1));
  }
  void cleanupTestCase() {
    connect(&thread_, &QThread::finished, worker_, &QObject::deleteLater);
    thread_.quit();
    QVERIFY(thread_.wait(10'000));
  }

  void playing_movesTokensAndTime() {
    post([w = worker_] {
      w->setSpeed(1);
      w->play();
    });
    const auto first = nextFrame(1);
    QVERIFY(first);
    QVERIFY(QTest::qWaitFor(
        [&] {
          const auto later = nextFrame(1);
          return later && later->token > first->token + 3 && later->time_ns > first->time_ns;
        },
        kWaitMs));
    post([w = worker_] { w->pause(); });
  }

  void burstOfEdits_endsWithTheLast() {
    Scenario edited = opened_;
    for (quint64 revision = 2; revision <= 200; ++revision) {
      edited.workload.prompt.mean_tokens = 1024.0 + double(revision);
      worker_->submit({edited, revision});
    }
    const auto last = nextFrame(200);
    QVERIFY(last);
    QCOMPARE(last->scenario->workload.prompt.mean_tokens, 1224.0);
    QCOMPARE(last->prediction->feasible, true);
  }

  void step_movesOneToken() {
    post([w = worker_] { w->pause(); });
    worker_->submit({opened_, 300});
    const auto before = nextFrame(300);
    QVERIFY(before);
    post([w = worker_] { w->step(app::StepUnit::Token, 1); });
    QVERIFY(QTest::qWaitFor(
        [&] {
          const auto after = nextFrame(300);
          return after && after->token > before->token;
        },
        kWaitMs));
  }

  void unseenFrames_loseNoRecord() {
    post([w = worker_] { w->pause(); });
    worker_->submit({opened_, 320});
    const auto before = nextFrame(320);
    QVERIFY(before);
    post([w = worker_] { w->runTokens(300); });
    std::vector<qint64> tokens;
    const auto gather = [&](const std::shared_ptr<const Snapshot>& snapshot) {
      for (const TokenRecord& record : snapshot->recent) tokens.push_back(record.token);
    };
    QVERIFY(QTest::qWaitFor(
        [&] {
          if (auto frame = worker_->takeFrame()) {
            for (const auto& earlier : frame->earlier) gather(earlier);
            gather(frame->snapshot);
          }
          return !tokens.empty() && tokens.back() >= before->token + 299;
        },
        kWaitMs));
    QVERIFY(tokens.size() >= 300);
    for (std::size_t i = 1; i < tokens.size(); ++i) QCOMPARE(tokens[i], tokens[i - 1] + 1);
  }

  void lateTokens_areKeptOneByOne() {
    post([w = worker_] { w->runTokens(100); });
    qint64 live = 0;
    QVERIFY(QTest::qWaitFor(
        [&] {
          if (auto frame = worker_->takeFrame()) live = frame->live_token;
          return live > 0;
        },
        kWaitMs));
    for (qint64 back = 1; back <= 10; ++back) {
      post([w = worker_, token = live - back] { w->seek(token); });
      std::optional<app::Frame> frame;
      QVERIFY(QTest::qWaitFor([&] { return (frame = worker_->takeFrame()) && frame->past; }, kWaitMs));
      QCOMPARE(frame->snapshot->token, live - back);
    }
    post([w = worker_] { w->backToLive(); });
    QVERIFY(QTest::qWaitFor(
        [&] {
          const auto frame = worker_->takeFrame();
          return frame && !frame->past && frame->snapshot->token == live;
        },
        kWaitMs));
  }

  void opening_startsWarmWithANewMachine() {
    Opened opened(worker_, &SimWorker::opened);
    post([w = worker_] {
      w->setWarmTokens(150);
      w->open(QStringLiteral("llama-3.1-70b-hgx-h100"));
    });
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kWaitMs);
    const Scenario scenario = opened.last();
    worker_->submit({scenario, 350});
    std::shared_ptr<const Snapshot> shown;
    QVERIFY(QTest::qWaitFor([&] { return (shown = nextFrame(350)) && shown->token >= 150; }, kWaitMs));
    QVERIFY(shown->token < 200 && shown->scenario->model == scenario.model);
    // Nothing of the other machine is left in the history.
    post([w = worker_] { w->seek(0); });
    QVERIFY(QTest::qWaitFor(
        [&] {
          const auto frame = worker_->takeFrame();
          return frame && frame->past && frame->snapshot->scenario->model == scenario.model;
        },
        kWaitMs));
    post([w = worker_] { w->setWarmTokens(0); });
  }

  void unreadableStart_fallsBack() {
    Opened opened(worker_, &SimWorker::opened);
    Failed failed(worker_, &SimWorker::failed);
    post([w = worker_] {
      w->setFallbackScenario(QStringLiteral("deepseek-r1-nvl72"));
      w->start(QStringLiteral("/no/such/scenario.json"));
    });
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kWaitMs);
    QCOMPARE(failed.count(), 1);
    QVERIFY(failed.last().contains(QStringLiteral("/no/such/scenario.json")));
    QVERIFY(opened.last() == opened_);
  }

  void infeasible_isAPictureWithReasons_notAnError() {
    Failed failed(worker_, &SimWorker::failed);
    Scenario impossible = opened_;
    impossible.chips = 1;
    worker_->submit({impossible, 400});
    const auto frame = nextFrame(400);
    QVERIFY(frame);
    QVERIFY(!frame->prediction->feasible);
    QVERIFY(!frame->prediction->violations.empty());
    QCOMPARE(failed.count(), 0);
    worker_->submit({opened_, 401});
    const auto again = nextFrame(401);
    QVERIFY(again && again->prediction->feasible);
  }

  void explain_answersWithATree() {
    Received<std::shared_ptr<const Derivation>> explained(worker_, &SimWorker::explained);
    post([w = worker_] { w->explain(QStringLiteral("tpot_s")); });
    QTRY_COMPARE(explained.count(), 1);
    const auto tree = explained.last();
    QVERIFY(tree && tree->value > 0 && !tree->children.empty());
  }

  void saving_intoAMissingFolder_saysSo() {
    Failed failed(worker_, &SimWorker::failed);
    post([w = worker_, s = opened_] { w->save(QStringLiteral("/no/such/folder/x.decodescope.json"), s); });
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY(failed.last().contains(QStringLiteral("/no/such/folder")));
  }

  void savedFile_opensAsTheSameScenario() {
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("x.decodescope.json"));
    Received<QString, Scenario> saved(worker_, &SimWorker::saved);
    Opened opened(worker_, &SimWorker::opened);
    post([w = worker_, s = opened_, file] {
      w->save(file, s);
      w->open(file);
    });
    QTRY_COMPARE(saved.count(), 1);
    QTRY_COMPARE(opened.count(), 1);
    QVERIFY(opened.last() == opened_);
  }
};

QTEST_GUILESS_MAIN(TstSimWorker)
#include "tst_sim_worker.moc"
