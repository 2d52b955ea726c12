// Slider scales of every parameter of the table, and of a few made by hand.
#include "controls/scale_map.h"

#include <QTest>
#include <cmath>

using namespace decodescope;
using namespace decodescope::views;

namespace {

bool isNumber(const ParameterDescriptor& d) {
  return d.scale != ParameterScale::Choice && d.scale != ParameterScale::Switch;
}

ParameterDescriptor number(ParameterScale scale, double low, double high, bool integral) {
  ParameterDescriptor d;
  d.path = "x";
  d.scale = scale;
  d.soft_min = d.hard_min = low;
  d.soft_max = d.hard_max = high;
  d.integral = integral;
  return d;
}

void addAllRows() {
  QTest::addColumn<QString>("path");
  int rows = 0;
  for (const ParameterDescriptor& d : parameterTable()) {
    if (!isNumber(d)) continue;
    const std::string path(d.path);
    QTest::newRow(path.c_str()) << QString::fromStdString(path);
    ++rows;
  }
  QVERIFY(rows >= 15);
}

const ParameterDescriptor& fetched() {
  QFETCH(QString, path);
  return *findParameter(path.toStdString());
}

}  // namespace

class TestScaleMap : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void roundTrip_data() { addAllRows(); }
  // Every slider position gives a value that stands at that position again, up to the parameter's own grain.
  void roundTrip() {
    const ParameterDescriptor& d = fetched();
    const ScaleMap map(d);
    for (int position = 0; position <= ScaleMap::kPositions; ++position) {
      const double fraction = static_cast<double>(position) / ScaleMap::kPositions;
      const double value = map.valueAt(fraction);
      QVERIFY(value >= d.soft_min && value <= d.soft_max);
      if (d.integral) QCOMPARE(value, std::round(value));
      QCOMPARE(map.valueAt(map.fractionOf(value)), value);
      double grain = 0.006;
      for (const int way : {-1, 1})
        grain = std::max(
            grain, std::abs(map.fractionOf(map.stepped(value, way, StepSize::Fine)) - map.fractionOf(value)));
      QVERIFY2(std::abs(map.fractionOf(value) - fraction) <= grain,
               qPrintable(QStringLiteral("position %1, value %2").arg(position).arg(value)));
    }
  }

  void monotone_data() { addAllRows(); }
  void monotone() {
    const ScaleMap map(fetched());
    double before = map.valueAt(0), before_snapped = map.snapped(0);
    for (int position = 1; position <= ScaleMap::kPositions; ++position) {
      const double fraction = static_cast<double>(position) / ScaleMap::kPositions;
      QVERIFY(map.valueAt(fraction) >= before);
      QVERIFY(map.snapped(fraction) >= before_snapped);
      before = map.valueAt(fraction);
      before_snapped = map.snapped(fraction);
    }
    QCOMPARE(map.valueAt(0), fetched().soft_min);
    QCOMPARE(map.valueAt(1), fetched().soft_max);
  }

  void stepsStayInsideAndReturn_data() { addAllRows(); }
  void stepsStayInsideAndReturn() {
    const ParameterDescriptor& d = fetched();
    const ScaleMap map(d);
    for (const StepSize size : {StepSize::Fine, StepSize::Normal, StepSize::Coarse}) {
      double value = d.soft_min;
      for (int i = 0; i < 200; ++i) {
        const double next = map.stepped(value, 1, size);
        QVERIFY(next >= value && next <= d.hard_max);
        if (next == value) QCOMPARE(value, d.hard_max);  // only the end stops it
        value = next;
      }
      for (int i = 0; i < 400; ++i) value = map.stepped(value, -1, size);
      QVERIFY(value >= d.hard_min);
    }
  }

  void ticksAreInsideAndRise_data() { addAllRows(); }
  void ticksAreInsideAndRise() {
    const ParameterDescriptor& d = fetched();
    const ScaleMap map(d);
    for (const int most : {2, 4, 6, 9}) {
      const std::vector<double> ticks = map.ticks(most);
      QVERIFY(ticks.size() >= 2 && ticks.size() <= static_cast<std::size_t>(most) + 1);
      QVERIFY(std::is_sorted(ticks.begin(), ticks.end()));
      QVERIFY(ticks.front() >= d.soft_min && ticks.back() <= d.soft_max * (1 + 1e-9));
    }
  }

  void powersOfTwoAttract() {
    const ScaleMap map(number(ParameterScale::Log2, 1024, 1048576, true));
    const double at = map.fractionOf(131072);
    QCOMPARE(map.snapped(at + 0.014), 131072.0);
    QCOMPARE(map.snapped(at - 0.014), 131072.0);
    QVERIFY(map.snapped(at + 0.02) != 131072.0);
    QVERIFY(map.valueAt(at + 0.014) != 131072.0);  // what Alt gives
  }
  void oneTwoFiveAttracts() {
    const ScaleMap map(number(ParameterScale::Log10, 5, 200, false));
    QCOMPARE(map.snapped(map.fractionOf(50.5)), 50.0);
    QCOMPARE(map.snapped(map.fractionOf(20.3)), 20.0);
  }
  void stopsAttractAndAreSteppedTo() {
    ParameterDescriptor d = number(ParameterScale::Log2, 1, 576, true);
    d.stops = {1, 2, 4, 8, 16, 32, 36, 64, 72, 144, 288, 576};
    const ScaleMap map(d);
    QCOMPARE(map.snapped(map.fractionOf(72) + 0.005), 72.0);
    QCOMPARE(map.stepped(36, 1), 64.0);  // a stop on the way to 72
    QCOMPARE(map.stepped(64, 1), 72.0);
    QCOMPARE(map.stepped(72, 1), 144.0);
    QCOMPARE(map.stepped(72, -1), 64.0);
    QCOMPARE(map.stepped(72, 1, StepSize::Fine), 73.0);
    QCOMPARE(map.stepped(576, 1), 576.0);
  }
  void stepsDoubleOrGoOneTwoFive() {
    const ScaleMap tokens(number(ParameterScale::Log2, 1024, 1048576, true));
    QCOMPARE(tokens.stepped(131072, 1), 262144.0);  // and not 141,072
    QCOMPARE(tokens.stepped(131072, -2), 32768.0);
    const ScaleMap target(number(ParameterScale::Log10, 5, 200, false));
    QCOMPARE(target.stepped(30, 1), 50.0);
    QCOMPARE(target.stepped(30, -1), 20.0);
    QCOMPARE(target.stepped(50, 1), 100.0);
  }
  void oneIsNotAHole() {
    const ScaleMap map(number(ParameterScale::Log2, 1, 1024, true));
    QCOMPARE(map.stepped(1, 1), 2.0);
    QCOMPARE(map.stepped(1, -1), 1.0);
    QCOMPARE(map.stepped(3, -1), 2.0);  // 1.5 rounds to a whole number that is not 3
  }
  void scaleThatBeginsAtZero() {
    const ScaleMap map(number(ParameterScale::Log10, 0, 10000, false));
    QCOMPARE(map.valueAt(0), 0.0);
    QCOMPARE(map.fractionOf(0), 0.0);
    QVERIFY(map.stepped(0, 1) > 0);
  }
};

QTEST_GUILESS_MAIN(TestScaleMap)
#include "tst_scale_map.moc"
