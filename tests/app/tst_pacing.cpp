// Wall time into simulated time, and the one-slot hand-off.
#include "app/mailbox.h"
#include "app/pacing.h"

#include <QtTest>
#include <atomic>
#include <thread>

using namespace decodescope::app;

class TstPacing : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void due_sumsToAskedSpeed_withoutDrift() {
    Pacing pacing;
    pacing.setSpeed(0.0137);
    std::int64_t simulated_ns = 0;
    for (int i = 0; i < 1000; ++i) simulated_ns += pacing.due(16'666'667);
    // 1000 frames of 16.666667 ms at 0.0137 are 228.333338 ms; the remainder carries over, so at most 1 ns is
    // lost.
    QVERIFY(std::abs(simulated_ns - 228'333'337) <= 1);
  }

  void got_tendsToWhatWasSimulated() {
    Pacing pacing;
    pacing.setSpeed(1000);
    pacing.restart();
    QCOMPARE(pacing.got(), 1000.0);
    for (int i = 0; i < 2000; ++i) pacing.record(16'000'000 * 212LL, 16'000'000);
    QVERIFY(std::abs(pacing.got() - 212.0) < 0.01);
  }

  void record_ofNoWallTime_changesNothing() {
    Pacing pacing;
    pacing.record(5, 0);
    QCOMPARE(pacing.got(), 1.0);
  }

  void mailbox_keepsTheLastOnly_andSaysWhenItWasEmpty() {
    Mailbox<int> box;
    QVERIFY(box.put(1));
    QVERIFY(!box.put(2));
    QCOMPARE(*box.take(), 2);
    QVERIFY(!box.take().has_value());
    QVERIFY(box.put(3));
  }

  void mailbox_underTwoThreads_deliversTheLast() {
    Mailbox<int> box;
    constexpr int kLast = 200'000;
    std::thread writer([&] {
      for (int i = 1; i <= kLast; ++i) box.put(i);
    });
    int seen = 0;
    while (seen < kLast) {
      if (const auto value = box.take()) {
        QVERIFY(*value > seen);
        seen = *value;
      }
    }
    writer.join();
    QVERIFY(box.isEmpty());
  }
};

QTEST_GUILESS_MAIN(TstPacing)
#include "tst_pacing.moc"
