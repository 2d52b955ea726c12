// Randomness, portable arithmetic and histograms: published test vectors, limits and moments.
#include "base/histogram.h"
#include "base/numeric.h"
#include "base/rng.h"

#include <QtTest>
#include <cmath>
#include <vector>

using namespace decodescope;

class TstRandom : public QObject {
  Q_OBJECT

 private slots:
  void philox_publishedVectors_match();
  void uniform_anyKey_staysInsideUnitInterval();
  void uniform_differentKeys_areUnrelated();
  void normal_manyDraws_haveUnitMoments();
  void gamma_shapes_haveMeanAndVarianceOfShape_data();
  void gamma_shapes_haveMeanAndVarianceOfShape();
  void largestExponential_members_hasHarmonicMean();
  void portableExpAndLog_agreeWithLibm();
  void compensatedSum_smallOnLarge_losesNothing();
  void pairwiseSum_equalsExact();
  void histogram_percentiles_areWithinABin();
  void histogram_merge_equalsOneHistogram();
};

void TstRandom::philox_publishedVectors_match() {
  // Random123 distribution, kat_vectors, philox4x32 10 rounds.
  using rng::Block;
  QCOMPARE(rng::philox4x32({0, 0, 0, 0}, {0, 0}), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const std::uint32_t f = 0xffffffff;
  QCOMPARE(rng::philox4x32({f, f, f, f}, {f, f}), (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  QCOMPARE(rng::philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
           (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

void TstRandom::uniform_anyKey_staysInsideUnitInterval() {
  double sum = 0;
  constexpr int kDraws = 100000;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const double u = rng::uniform(7, rng::Stream::Arrival, i % 13, i);
    QVERIFY(u > 0 && u < 1);
    sum += u;
  }
  // Standard error of the mean is 1/sqrt(12 n) = 0.0009.
  QVERIFY(std::fabs(sum / kDraws - 0.5) < 0.005);
}

void TstRandom::uniform_differentKeys_areUnrelated() {
  const double u = rng::uniform(1, rng::Stream::Arrival, 2, 3);
  QVERIFY(u != rng::uniform(2, rng::Stream::Arrival, 2, 3));
  QVERIFY(u != rng::uniform(1, rng::Stream::HostNoise, 2, 3));
  QVERIFY(u != rng::uniform(1, rng::Stream::Arrival, 3, 3));
  QVERIFY(u != rng::uniform(1, rng::Stream::Arrival, 2, 4));
  QCOMPARE(u, rng::uniform(1, rng::Stream::Arrival, 2, 3));
}

void TstRandom::normal_manyDraws_haveUnitMoments() {
  rng::Sequence draws(3, rng::Stream::ChipEnergy, 0);
  double sum = 0, squares = 0, fourth = 0;
  constexpr int kDraws = 100000;
  for (int i = 0; i < kDraws; ++i) {
    const double x = draws.normal();
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
  }
  QVERIFY(std::fabs(sum / kDraws) < 0.015);
  QVERIFY(std::fabs(squares / kDraws - 1) < 0.025);
  QVERIFY(std::fabs(fourth / kDraws - 3) < 0.2);  // kurtosis of the normal distribution
}

void TstRandom::gamma_shapes_haveMeanAndVarianceOfShape_data() {
  QTest::addColumn<double>("shape");
  for (const double shape : {0.25, 0.5, 1.0, 4.0, 50.0}) QTest::addRow("%g", shape) << shape;
}

void TstRandom::gamma_shapes_haveMeanAndVarianceOfShape() {
  QFETCH(double, shape);
  rng::Sequence draws(11, rng::Stream::Arrival, 5);
  double sum = 0, squares = 0;
  constexpr int kDraws = 200000;
  for (int i = 0; i < kDraws; ++i) {
    const double x = draws.gamma(shape);
    QVERIFY(x >= 0);
    sum += x;
    squares += x * x;
  }
  const double mean = sum / kDraws;
  QVERIFY(std::fabs(mean / shape - 1) < 0.02);
  QVERIFY(std::fabs((squares / kDraws - mean * mean) / shape - 1) < 0.06);
}

void TstRandom::largestExponential_members_hasHarmonicMean() {
  // The mean of the largest of m unit exponentials is the harmonic number H_m (Renyi).
  for (const int members : {1, 8, 72}) {
    double harmonic = 0;
    for (int k = 1; k <= members; ++k) harmonic += 1.0 / k;
    double sum = 0;
    constexpr int kDraws = 50000;
    for (std::uint64_t i = 0; i < kDraws; ++i) {
      sum += rng::largestExponential(rng::uniform(1, rng::Stream::KernelNoise, 0, i), members);
    }
    QVERIFY(std::fabs(sum / kDraws / harmonic - 1) < 0.03);
  }
}

void TstRandom::portableExpAndLog_agreeWithLibm() {
  for (double x = -690; x < 690; x += 0.377) {
    QVERIFY(numeric::approxEqual(numeric::portableExp(x), std::exp(x), 5e-15, 0));
  }
  for (double x = 1e-300; x < 1e300; x *= 1.9) {
    QVERIFY(numeric::approxEqual(numeric::portableLog(x), std::log(x), 5e-15, 1e-15));
  }
  QCOMPARE(numeric::portableLog(1.0), 0.0);
  QVERIFY(std::isinf(numeric::portableLog(0.0)));
  QVERIFY(numeric::approxEqual(numeric::portablePow(2.0, 10.0), 1024.0, 1e-14));
}

void TstRandom::compensatedSum_smallOnLarge_losesNothing() {
  numeric::CompensatedSum sum;
  sum.add(1e16);
  for (int i = 0; i < 1000; ++i) sum.add(1.0);
  sum.add(-1e16);
  QCOMPARE(sum.value(), 1000.0);
}

void TstRandom::pairwiseSum_equalsExact() {
  std::vector<double> values(10001, 0.125);
  QCOMPARE(numeric::pairwiseSum(values), 10001 * 0.125);
  QCOMPARE(numeric::pairwiseSum({}), 0.0);
}

void TstRandom::histogram_percentiles_areWithinABin() {
  Histogram histogram;
  QCOMPARE(histogram.percentile(0.5), 0.0);
  for (std::int64_t v = 1; v <= 1000000; ++v) histogram.add(v * 7);
  for (const double ratio : {0.01, 0.5, 0.95, 0.99}) {
    QVERIFY(numeric::approxEqual(histogram.percentile(ratio), ratio * 7e6, 1.0 / 256));
  }
  QCOMPARE(histogram.percentile(1.0), 7e6);
  QCOMPARE(histogram.percentile(0.0), 7.0);
  QCOMPARE(histogram.mean(), 3500003.5);
  histogram.add(-5);
  QCOMPARE(histogram.smallest(), std::int64_t{0});
}

void TstRandom::histogram_merge_equalsOneHistogram() {
  Histogram a, b, both;
  for (std::int64_t i = 0; i < 5000; ++i) {
    const std::int64_t value = (i * i * 7919) % 123457;
    (i % 3 == 0 ? a : b).add(value, 1 + i % 2);
    both.add(value, 1 + i % 2);
  }
  a.merge(b);
  QCOMPARE(a.count(), both.count());
  for (const double ratio : {0.1, 0.5, 0.9, 0.999}) QCOMPARE(a.percentile(ratio), both.percentile(ratio));
  QCOMPARE(a.mean(), both.mean());
}

QTEST_GUILESS_MAIN(TstRandom)
#include "tst_random.moc"
