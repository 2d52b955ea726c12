// Charts: decimation, the latency history and its columns, axes, the dock.
#include "base/theme.h"
#include "charts/axis_range.h"
#include "charts/chart_panel.h"
#include "charts/decimate.h"
#include "charts/latency_dock.h"
#include "views/fixtures.h"
#include "views/widget_checks.h"

#include <rapidcheck.h>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <cmath>
#include <set>

using namespace decodescope;
using namespace decodescope::views;

namespace {

std::vector<QPointF> line(const std::vector<double>& ys) {
  std::vector<QPointF> out;
  for (std::size_t i = 0; i < ys.size(); ++i) out.emplace_back(static_cast<double>(i), ys[i]);
  return out;
}

double sum(const StackParts& parts) {
  double total = 0;
  for (const double part : parts) total += part;
  return total;
}

}  // namespace

class TestCharts : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    installTheme(makeTheme(QStringLiteral("dark"), 1));
  }

  void decimationKeepsEveryExtreme() {
    QVERIFY(rc::check("lowest and highest of every pixel column stay", [](std::vector<std::int16_t> raw) {
      RC_PRE(raw.size() > 2);
      const std::vector<double> ys(raw.begin(), raw.end());
      const std::vector<QPointF> points = line(ys);
      const int columns = *rc::gen::inRange(1, 50);
      const double to = static_cast<double>(points.size() - 1);
      const std::vector<QPointF> kept = decimated(points, 0, to, columns);
      RC_ASSERT(kept.size() <= std::max<std::size_t>(points.size(), 2 * static_cast<std::size_t>(columns)));
      RC_ASSERT(kept.size() <= 4 * static_cast<std::size_t>(columns) || kept.size() == points.size());
      RC_ASSERT(std::is_sorted(kept.begin(), kept.end(), [](QPointF a, QPointF b) { return a.x() < b.x(); }));
      RC_ASSERT(kept.front() == points.front());
      RC_ASSERT(kept.back() == points.back());
      const auto column_of = [&](QPointF p) {
        return std::min(columns - 1.0, std::floor(p.x() / to * columns));
      };
      for (int c = 0; c < columns; ++c) {
        double low = 1e9, high = -1e9, kept_low = 1e9, kept_high = -1e9;
        for (const QPointF p : points)
          if (column_of(p) == c) low = std::min(low, p.y()), high = std::max(high, p.y());
        for (const QPointF p : kept)
          if (column_of(p) == c) kept_low = std::min(kept_low, p.y()), kept_high = std::max(kept_high, p.y());
        RC_ASSERT(low == kept_low);
        RC_ASSERT(high == kept_high);
      }
    }));
  }

  void decimationKeepsASpikeAmongManyPoints() {
    std::vector<double> ys(100000, 1.0);
    ys[54321] = 9.0;
    const std::vector<QPointF> kept = decimated(line(ys), 0, 99999, 300);
    QVERIFY(kept.size() <= 1200);
    QVERIFY(std::any_of(kept.begin(), kept.end(), [](QPointF p) { return p == QPointF(54321, 9.0); }));
  }

  void stackSumsToTheStep() {
    QVERIFY(rc::check("groups sum to the parts while the credit is smaller than what it hides", [] {
      std::array<float, kStepPartCount> parts{};
      double total = 0;
      for (std::size_t i = 0; i + 1 < kStepPartCount; ++i)
        parts[i] = static_cast<float>(*rc::gen::inRange(0, 1000)) * 1e-5F,
        total += static_cast<double>(parts[i]);
      const double hideable = static_cast<double>(parts[static_cast<std::size_t>(StepPart::Collectives)]) +
                              static_cast<double>(parts[static_cast<std::size_t>(StepPart::Math)]);
      parts[static_cast<std::size_t>(StepPart::Overlap)] =
          static_cast<float>(-hideable * *rc::gen::inRange(0, 100) / 100.0);
      total += static_cast<double>(parts[static_cast<std::size_t>(StepPart::Overlap)]);
      const StackParts groups = stackParts(parts);
      for (const double group : groups) RC_ASSERT(group >= 0.0);
      RC_ASSERT(std::abs(sum(groups) - total) <= 1e-9);
    }));
  }

  void overlapHidesTheInterconnectFirst() {
    std::array<float, kStepPartCount> parts{};
    parts[static_cast<std::size_t>(StepPart::Math)] = 8;
    parts[static_cast<std::size_t>(StepPart::Collectives)] = 5;
    parts[static_cast<std::size_t>(StepPart::Overlap)] = -2;
    const StackParts groups = stackParts(parts);
    QCOMPARE(groups[static_cast<std::size_t>(StackGroup::Interconnect)], 3.0);
    QCOMPARE(groups[static_cast<std::size_t>(StackGroup::Compute)], 8.0);
  }

  // 1,000 iterations, ten of them slow: by nearest rank p50 and p95 are the common 20 ms, p99 too (990th of
  // 1,000), and one more slow one among the last 1,000 lifts p99 to 40 ms.
  void percentilesByNearestRank() {
    LatencyHistory history;
    history.append(test::records(0, 1000, 100));
    LatencyColumn last = history.columns(1, 1, 0).front();
    QCOMPARE(last.p50_s, static_cast<double>(0.020F));
    QCOMPARE(last.p95_s, static_cast<double>(0.020F));
    QCOMPARE(last.p99_s, static_cast<double>(0.020F));
    auto slow = test::records(1001, 1002);
    slow.front().duration_ns = 40'000'000;
    history.append(slow);
    last = history.columns(1, 1, 0).front();
    QCOMPARE(last.p99_s, static_cast<double>(0.020F));  // token 0, a slow one, left the window
    slow = test::records(1002, 1003);
    slow.front().duration_ns = 40'000'000;
    history.append(slow);
    last = history.columns(1, 1, 0).front();
    QCOMPARE(last.p99_s, static_cast<double>(0.040F));
  }

  void rollingPercentilesMatchSorting() {
    QVERIFY(
        rc::check("the ring gives what sorting the window gives", [](std::vector<std::uint8_t> durations) {
          RC_PRE(!durations.empty());
          LatencyHistory history(50);
          std::vector<TokenRecord> records;
          for (std::size_t i = 0; i < durations.size(); ++i) {
            TokenRecord r;
            r.token = static_cast<std::int64_t>(i);
            r.duration_ns = 1'000'000 * (1 + durations[i]);
            records.push_back(r);
          }
          history.append(records);
          std::vector<std::int64_t> sorted;
          for (const TokenRecord& r : records) sorted.push_back(r.duration_ns);
          std::sort(sorted.begin(), sorted.end());
          const auto rank =
              static_cast<std::size_t>(std::ceil(0.5 * static_cast<double>(sorted.size()) - 1e-9)) - 1;
          RC_ASSERT(std::abs(history.columns(1, 1, 0).front().p50_s -
                             static_cast<double>(sorted[rank]) * 1e-9) < 1e-7);
        }));
  }

  void columnsCoverEveryTokenOnceAndStandStill() {
    LatencyHistory history;
    history.append(test::records(0, 5003, 97));
    const std::vector<LatencyColumn> columns = history.columns(1000, 120, 0.030);
    QVERIFY(columns.size() <= 121);
    QCOMPARE(columns.front().first_token, 4003);
    QCOMPARE(columns.back().last_token, 5002);
    for (std::size_t i = 1; i < columns.size(); ++i)
      QCOMPARE(columns[i].first_token, columns[i - 1].last_token + 1);
    const std::int64_t width = history.columnWidth(1000, 120);
    for (std::size_t i = 1; i < columns.size(); ++i) QCOMPARE(columns[i].first_token % width, 0);
    // Three tokens later every inner column is the same one.
    history.append(test::records(5003, 5006, 97));
    const std::vector<LatencyColumn> later = history.columns(1000, 120, 0.030);
    const auto same = std::find_if(later.begin(), later.end(), [&](const LatencyColumn& c) {
      return c.first_token == columns[5].first_token;
    });
    QVERIFY(same != later.end());
    QCOMPARE(same->last_token, columns[5].last_token);
    QCOMPARE(same->max_s, columns[5].max_s);
  }

  void spikesAndBreachesSurviveColumns() {
    LatencyHistory history;
    history.append(test::records(0, 2000, 97, 0.04));
    int breaches = 0;
    std::set<std::int64_t> spiky;
    for (const LatencyColumn& c : history.columns(0, 50, 0.030)) {
      breaches += c.breaches;
      if (c.max_s > 0.039) spiky.insert(c.first_token);
      QVERIFY(c.min_s <= c.p50_s + 1e-6 && c.p50_s <= c.p95_s && c.p95_s <= c.p99_s && c.p99_s <= 0.0401);
    }
    QCOMPARE(breaches, 21);  // tokens 0, 97, ..., 1940
    QVERIFY(spiky.size() >= 20);
  }

  // The stack's height is the p50 line, also where slow and fast iterations alternate.
  void stackSumsToTheLineOfP50() {
    LatencyHistory history;
    history.append(test::records(0, 3000, 2, 0.031));
    history.append(test::records(1500, 1700, 3, 0.025));
    for (const LatencyColumn& c : history.columns(0, 40, 0))
      QVERIFY(std::abs(sum(c.stack_s) - c.p50_s) < 1e-6);
  }

  void ringForgetsTheOldest() {
    LatencyHistory history(2000);
    history.append(test::records(0, 1500));
    history.append(test::records(1500, 9000));
    QCOMPARE(history.size(), std::size_t{2000});
    QCOMPARE(history.lastToken(), 8999);
    QCOMPARE(history.columns(0, 10, 0).front().first_token, 7000);
  }

  void aRestartReplacesWhatFollows() {
    LatencyHistory history;
    history.append(test::records(0, 500));
    history.append(test::records(200, 250));
    QCOMPARE(history.lastToken(), 249);
    QCOMPARE(history.size(), std::size_t{250});
    QCOMPARE(history.percentileCount(), std::size_t{250});
  }

  void axesStandStillWhileValuesWander() {
    StickyRange range(false);
    QVERIFY(range.update(24, 30));
    const double low = range.low(), high = range.high();
    QVERIFY(low <= 24 && high >= 30);
    for (const double top : {29.0, 28.5, 30.0, 29.7}) QVERIFY(!range.update(24.2, top));
    QVERIFY(range.update(24, high + 1));
    QVERIFY(range.high() >= high + 1);
    QVERIFY(range.update(24, 24.3));  // far too wide by now
    StickyRange from_zero(true);
    QVERIFY(from_zero.update(0, 24.8));
    QCOMPARE(from_zero.low(), 0.0);
    QVERIFY(!from_zero.update(0, 23));
    QVERIFY(!from_zero.update(NAN, 25));
  }

  void ticksAreRoundAndInOneUnit() {
    const std::vector<ChartTick> ticks = timeTicks(0.020, 0.040, TimeUnit::Milliseconds, 5);
    QVERIFY(ticks.size() >= 3);
    QCOMPARE(ticks.front().text, QStringLiteral("20"));
    QCOMPARE(ticks.front().value, 0.020);
    QCOMPARE(ticks.back().text, QStringLiteral("40"));
  }

  void dockAppendsAndDescribes() {
    LatencyDock dock;
    test::showAt(dock, 560, 300);
    const auto snapshot = test::readySnapshot();
    dock.showSnapshot(snapshot);
    QCOMPARE(dock.history().size(), std::size_t{1204});
    QTRY_VERIFY(dock.accessibleDescription().contains(QStringLiteral("p50 20.0")));
    QVERIFY(dock.accessibleDescription().contains(QStringLiteral("1,000 tokens")));
    auto next = std::make_shared<Snapshot>(*snapshot);
    next->recent = test::records(1204, 1300);
    dock.showSnapshot(next);
    QCOMPARE(dock.history().lastToken(), 1299);
    dock.setHistory(test::records(0, 10));
    QCOMPARE(dock.history().size(), std::size_t{10});
  }

  void dockShowsAtMostTwentyPicturesASecond() {
    LatencyDock dock;
    test::showAt(dock, 560, 300);
    dock.showSnapshot(test::readySnapshot());
    QTest::qWait(120);
    int changes = 0;
    auto* table = dock.findChild<QTableView*>();
    dock.setTableShown(true);
    QTest::qWait(120);
    connect(table->model(), &QAbstractItemModel::dataChanged, this, [&changes] { ++changes; });
    connect(table->model(), &QAbstractItemModel::modelReset, this, [&changes] { ++changes; });
    QElapsedTimer clock;
    clock.start();
    auto snapshot = std::make_shared<Snapshot>(*test::readySnapshot());
    std::int64_t token = 1204;
    while (clock.elapsed() < 600) {
      snapshot->recent = test::records(token, token + 1);
      ++token;
      dock.showSnapshot(snapshot);
      QTest::qWait(2);
    }
    QVERIFY2(changes >= 2 && changes <= 13, qPrintable(QString::number(changes)));
  }

  void tableHoldsTheChart() {
    LatencyDock dock;
    test::showAt(dock, 560, 300);
    dock.showSnapshot(test::readySnapshot());
    QTest::keyClick(&dock, Qt::Key_T, Qt::ControlModifier);
    QTRY_VERIFY(dock.isTableShown());
    const QAbstractItemModel* model = dock.findChild<QTableView*>()->model();
    QTRY_VERIFY(model->rowCount() > 10);
    QCOMPARE(model->index(0, 0).data().toString(), QStringLiteral("1,203"));
    QCOMPARE(model->headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("p50, ms"));
    QCOMPARE(model->index(0, 1).data().toString(), QStringLiteral("20.0"));
    // The parts of a row add up to its median iteration: 20 ms, or 40 in a column that a slow one is the
    // middle of.
    double parts_s = 0;
    for (int c = 6; c < model->columnCount(); ++c)
      parts_s += model->index(0, c).data(Qt::UserRole).toDouble();
    QVERIFY(std::abs(parts_s - 0.020) < 1e-6);
  }

  void hoverNamesTheToken() {
    LatencyDock dock;
    test::showAt(dock, 560, 300);
    dock.showSnapshot(test::readySnapshot());
    QTest::qWait(120);
    QSignalSpy spy(&dock, &LatencyDock::tokenHovered);
    auto* panel = dock.findChild<ChartPanel*>();
    const QRectF plot = panel->plotRect();
    QVERIFY(plot.width() > 200);
    Q_EMIT panel->hovered(1000.0);
    QCOMPARE(spy.count(), 1);
    QVERIFY(std::abs(spy.first().first().toLongLong() - 1000) < 12);
    Q_EMIT panel->hovered(std::nullopt);
    QCOMPARE(spy.last().first().toLongLong(), -1);
  }

  // Drawn, not only computed: the layers' colours are in the picture, in their order, and follow the theme.
  void stackIsDrawnInItsColours() {
    for (const QString& id : themeIds()) {
      installTheme(makeTheme(id, 1));
      LatencyDock dock;
      test::showAt(dock, 560, 320);
      dock.applyTheme(currentTheme());
      dock.showSnapshot(test::readySnapshot());
      QTest::qWait(150);
      const QImage image = dock.grab().toImage();
      const scene::Palette& p = currentTheme().palette;
      int before = image.height();
      for (const scene::Color layer : {p.compute, p.hbm, p.interconnect, p.physical, p.host, p.waiting}) {
        const QColor color = toQColor(layer);
        int count = 0, sum_y = 0;
        for (int y = 0; y < image.height(); ++y)
          for (int x = image.width() / 4; x < image.width() / 2; ++x)
            if (image.pixelColor(x, y) == color) ++count, sum_y += y;
        QVERIFY2(count > 50, qPrintable(id + color.name()));
        QVERIFY(sum_y / count < before);  // each above the one before
        before = sum_y / count;
      }
    }
    installTheme(makeTheme(QStringLiteral("dark"), 1));
  }

  void everythingHasAName() {
    LatencyDock dock;
    test::showAt(dock, 560, 300);
    QCOMPARE(test::unnamedWidgets(&dock), QStringList());
  }

  void refreshIsFast() {
    LatencyDock dock;
    test::showAt(dock, 570, 310);
    dock.setWindow(0);
    auto snapshot = std::make_shared<Snapshot>(*test::readySnapshot());
    snapshot->recent = test::records(0, 10000, 13);
    dock.showSnapshot(snapshot);
    QTest::qWait(200);
    QElapsedTimer clock;
    clock.start();
    for (int i = 0; i < 10; ++i) dock.grab();
    const double picture_ms = static_cast<double>(clock.elapsed()) / 10;
    qInfo("%.1f ms a picture", picture_ms);
    QVERIFY(!dock.grab().isNull());
  }
};

QTEST_MAIN(TestCharts)
#include "tst_charts.moc"
