// Lengths, arrivals and traces: distributions hold their moments, files their format, errors their place.
#include "base/numeric.h"
#include "serving/arrivals.h"
#include "serving/lengths.h"
#include "serving/speculation.h"
#include "serving/trace.h"

#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <fstream>

using namespace decodescope;
using namespace decodescope::serving;

class TstWorkload : public QObject {
  Q_OBJECT

 private slots:
  void drawLength_fixed_isTheMean();
  void drawLength_lognormal_keepsMeanAndClamps();
  void drawLength_uniform_coversItsRangeEvenly();
  void drawLengthInFlight_uniform_isLengthBiased();
  void open_rateAndBurstiness_matchMoments_data();
  void open_rateAndBurstiness_matchMoments();
  void open_constantGaps_whenCvIsZero();
  void replay_trace_keepsTimesAndEnds();
  void parseTrace_knownFormats_agree_data();
  void parseTrace_knownFormats_agree();
  void parseTrace_unsorted_isSortedFromZero();
  void parseTrace_broken_namesLineAndField_data();
  void parseTrace_broken_namesLineAndField();
  void loadTrace_missingFile_isIoError();
  void expectedTokensPerStep_geometricSum();
  void speculation_withAndWithoutJitter_haveTheSameMean();
};

void TstWorkload::drawLength_fixed_isTheMean() {
  const TokenLength fixed{TokenLength::Distribution::Fixed, 777};
  QCOMPARE(drawLength(fixed, 1, rng::Stream::PromptLength, 5), 777);
  QCOMPARE(drawLengthInFlight(fixed, 1, rng::Stream::PromptLength, 5), 777);
}

void TstWorkload::drawLength_lognormal_keepsMeanAndClamps() {
  TokenLength length{TokenLength::Distribution::Lognormal, 1000, 0.8, 1, 1e7};
  double sum = 0;
  constexpr int kDraws = 40000;
  for (std::uint64_t i = 0; i < kDraws; ++i) sum += drawLength(length, 3, rng::Stream::OutputLength, i);
  // sigma of the mean: 1000 sqrt(exp(0.64) - 1) / sqrt(40000) = 4.7
  QVERIFY(std::fabs(sum / kDraws - 1000) < 20);
  length.max_tokens = 500;
  length.min_tokens = 400;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const int n = drawLength(length, 3, rng::Stream::OutputLength, i);
    QVERIFY(n >= 400 && n <= 500);
  }
}

void TstWorkload::drawLength_uniform_coversItsRangeEvenly() {
  const TokenLength length{TokenLength::Distribution::Uniform, 5, 0, 1, 4};
  std::array<int, 6> seen{};
  constexpr int kDraws = 40000;
  for (std::uint64_t i = 0; i < kDraws; ++i)
    ++seen[static_cast<std::size_t>(drawLength(length, 1, rng::Stream::OutputLength, i))];
  QCOMPARE(seen[0] + seen[5], 0);
  for (std::size_t n = 1; n <= 4; ++n) QVERIFY(std::abs(seen[n] - kDraws / 4) < 500);
}

void TstWorkload::drawLengthInFlight_uniform_isLengthBiased() {
  // Seen at a random instant, the mean of a uniform length on [0, M] is E[L^2] / E[L] = 2 M / 3.
  const TokenLength length{TokenLength::Distribution::Uniform, 500, 0, 1, 999};
  double sum = 0;
  constexpr int kDraws = 20000;
  for (std::uint64_t i = 0; i < kDraws; ++i)
    sum += drawLengthInFlight(length, 1, rng::Stream::OutputLength, i);
  QVERIFY(std::fabs(sum / kDraws / 666.7 - 1) < 0.03);
}

void TstWorkload::open_rateAndBurstiness_matchMoments_data() {
  QTest::addColumn<double>("cv");
  for (const double cv : {0.5, 1.0, 2.5}) QTest::addRow("cv %g", cv) << cv;
}

void TstWorkload::open_rateAndBurstiness_matchMoments() {
  QFETCH(double, cv);
  Workload workload;
  workload.arrivals_per_s = 20;
  workload.burstiness_cv = cv;
  auto process = ArrivalProcess::open(workload, 9, 1000);
  double sum = 0, squares = 0;
  std::int64_t last_ns = 1000;
  constexpr int kArrivals = 40000;
  for (int i = 0; i < kArrivals; ++i) {
    const Arrival arrival = process.take();
    const double gap_s = static_cast<double>(arrival.time_ns - last_ns) * 1e-9;
    QVERIFY(gap_s >= 0);
    last_ns = arrival.time_ns;
    sum += gap_s;
    squares += gap_s * gap_s;
  }
  const double mean = sum / kArrivals;
  QVERIFY(std::fabs(mean * 20 - 1) < 0.05);
  QVERIFY(std::fabs(std::sqrt(squares / kArrivals - mean * mean) / mean / cv - 1) < 0.06);
}

void TstWorkload::open_constantGaps_whenCvIsZero() {
  Workload workload;
  workload.arrivals_per_s = 4;
  workload.burstiness_cv = 0;
  auto process = ArrivalProcess::open(workload, 9, 0);
  QCOMPARE(process.take().time_ns, std::int64_t{250000000});
  QCOMPARE(process.take().time_ns, std::int64_t{500000000});
}

void TstWorkload::replay_trace_keepsTimesAndEnds() {
  const auto trace = std::make_shared<const Trace>(Trace{{0, 5, 6}, {100, 7, 8}});
  auto process = ArrivalProcess::replay(trace, 40);
  QCOMPARE(process.nextTime_ns(), std::int64_t{40});
  QCOMPARE(process.take().prompt_tokens, 5);
  const Arrival second = process.take();
  QCOMPARE(second.time_ns, std::int64_t{140});
  QCOMPARE(second.output_tokens, 8);
  QCOMPARE(process.nextTime_ns(), INT64_MAX);
}

void TstWorkload::parseTrace_knownFormats_agree_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::newRow("azure") << QByteArray(
      "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-12-31 23:59:59.5000000,10,20\n"
      "2024-01-01 00:00:01.7500000,30,40\n");
  QTest::newRow("seconds") << QByteArray(
      "timestamp,prompt_tokens,output_tokens\n100.25,10,20\n102.5,30,40\n");
  QTest::newRow("columns in another order")
      << QByteArray("output_tokens,timestamp,prompt_tokens,note\n20,0,10,a\n40,2.25,30,b\n");
  QTest::newRow("mooncake") << QByteArray(
      "{\"timestamp\": 500, \"input_length\": 10, \"output_length\": 20, \"hash_ids\": [1]}\n\n"
      "{\"timestamp\": 2750, \"input_length\": 30, \"output_length\": 40}\n");
}

void TstWorkload::parseTrace_knownFormats_agree() {
  QFETCH(QByteArray, text);
  const auto trace = parseTrace(text.toStdString(), "t");
  QVERIFY2(trace.has_value(), trace ? "" : trace.error().text().c_str());
  QCOMPARE(*trace, (Trace{{0, 10, 20}, {2250000000, 30, 40}}));
}

void TstWorkload::parseTrace_unsorted_isSortedFromZero() {
  const auto trace = parseTrace("timestamp,prompt_tokens,output_tokens\n5,1,1\n3,2,2\n", "t");
  QVERIFY(trace.has_value());
  QCOMPARE(trace->front().prompt_tokens, 2);
  QCOMPARE(trace->front().time_ns, std::int64_t{0});
  QCOMPARE(trace->back().time_ns, std::int64_t{2000000000});
}

void TstWorkload::parseTrace_broken_namesLineAndField_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QByteArray>("says");
  const QByteArray head = "timestamp,prompt_tokens,output_tokens\n";
  QTest::newRow("text for tokens") << head + "0,1,1\n1,many,1\n" << QByteArray("3");
  QTest::newRow("negative") << head + "0,-4,1\n" << QByteArray("-4");
  QTest::newRow("zero") << head + "0,4,0\n" << QByteArray("output_tokens");
  QTest::newRow("fraction") << head + "0,4,1.5\n" << QByteArray("1.5");
  QTest::newRow("nan") << head + "0,nan,1\n" << QByteArray("prompt_tokens");
  QTest::newRow("no time") << head + "yesterday,4,1\n" << QByteArray("yesterday");
  QTest::newRow("missing cell") << head + "0,4\n" << QByteArray("output_tokens");
  QTest::newRow("unknown columns") << QByteArray("a,b,c\n1,2,3\n") << QByteArray("ContextTokens");
  QTest::newRow("no rows") << head << QByteArray("no requests");
  QTest::newRow("empty") << QByteArray("") << QByteArray("empty");
  QTest::newRow("truncated JSON")
      << QByteArray("{\"timestamp\": 0, \"input_length\": 1, \"output_length\": 1}\n{\"timest")
      << QByteArray("line 2");
  QTest::newRow("JSON without a key")
      << QByteArray("{\"timestamp\": 0, \"input_length\": 1}\n") << QByteArray("output_length");
  QTest::newRow("JSON with text")
      << QByteArray("{\"timestamp\": 0, \"input_length\": \"x\", \"output_length\": 1}\n")
      << QByteArray("line 1, input_length");
}

void TstWorkload::parseTrace_broken_namesLineAndField() {
  QFETCH(QByteArray, text);
  QFETCH(QByteArray, says);
  const auto trace = parseTrace(text.toStdString(), "my.csv");
  QVERIFY(!trace.has_value());
  const QByteArray message = QByteArray::fromStdString(trace.error().text());
  QVERIFY2(message.contains("my.csv"), message.constData());
  QVERIFY2(message.contains(says), message.constData());
}

void TstWorkload::loadTrace_missingFile_isIoError() {
  QTemporaryDir folder;
  const auto missing = loadTrace(folder.filePath("none.csv").toStdString());
  QVERIFY(!missing.has_value());
  QCOMPARE(missing.error().code, ErrorCode::Io);
  QVERIFY(!loadTrace("").has_value());
}

void TstWorkload::expectedTokensPerStep_geometricSum() {
  QCOMPARE(expectedTokensPerStep(std::nullopt), 1.0);
  // 1 + 0.5 + 0.25 + 0.125
  QCOMPARE(expectedTokensPerStep(Speculation{3, 0.5}), 1.875);
  QCOMPARE(expectedTokensPerStep(Speculation{4, 1.0}), 5.0);
  QCOMPARE(expectedTokensPerStep(Speculation{4, 0.0}), 1.0);
}

void TstWorkload::speculation_withAndWithoutJitter_haveTheSameMean() {
  const std::optional<Speculation> speculation = Speculation{4, 0.7};
  const double mean = expectedTokensPerStep(speculation);
  for (const bool jitter : {false, true}) {
    const SpeculationSampler sampler(speculation, jitter, 5);
    std::uint64_t credit = SpeculationSampler::initialCredit(1);
    double sum = 0;
    constexpr int kSteps = 50000;
    for (std::uint64_t step = 0; step < kSteps; ++step) {
      const int tokens = sampler.tokens(1, step, credit);
      QVERIFY(tokens >= 1 && tokens <= 5);
      sum += tokens;
    }
    QVERIFY(std::fabs(sum / kSteps - mean) < (jitter ? 0.03 : 1e-4));
  }
}

QTEST_GUILESS_MAIN(TstWorkload)
#include "tst_workload.moc"
