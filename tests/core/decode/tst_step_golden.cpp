// Decode steps worked by hand from published kernel constants: milliseconds of one step, sequences b at
// context s. The constants are those fitted on ai-dynamo/aiconfigurator@095f58a5 (Apache-2.0); kernels run
// cold, and the totals below leave host time out. GEMM rows are compared loosely: their constants have since
// been fitted anew to the same tables, with smaller errors.
#include <QtTest>

#include "fixture.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace decodescope;

namespace {

struct Row {
  const char* operation;  ///< ids joined by '+'
  double ms[3];           ///< b1 s1k, b32 s8k, b256 s1k
};
constexpr std::pair<double, double> kColumns[] = {{1, 1024}, {32, 8192}, {256, 1024}};

const Derivation* find(const Derivation& d, const std::string& id) {
  if (d.id == id) return &d;
  for (const Derivation& child : d.children) {
    if (const Derivation* found = find(child, id)) return found;
  }
  return nullptr;
}

double ms(const Derivation& tree, const std::string& ids) {
  double sum = 0;
  for (std::size_t from = 0; from <= ids.size();) {
    const std::size_t end = std::min(ids.find('+', from), ids.size());
    const Derivation* node = find(tree, "step/" + ids.substr(from, end - from));
    if (node) sum += node->value * 1e3;
    from = end + 1;
  }
  return sum;
}

void compare(const decode::StepModel& step, std::initializer_list<Row> rows, double tolerance) {
  for (std::size_t c = 0; c < std::size(kColumns); ++c) {
    const Derivation tree = step.explain(fixture::input(kColumns[c].first, kColumns[c].second));
    for (const Row& row : rows) {
      const double actual = ms(tree, row.operation);
      // Half a unit of the last printed digit beside the tolerance.
      const bool near = std::fabs(actual - row.ms[c]) <= tolerance * row.ms[c] + 0.0006;
      QVERIFY2(near, qPrintable(QString("%1 column %2: %3 ms, expected %4")
                                    .arg(row.operation)
                                    .arg(c)
                                    .arg(actual)
                                    .arg(row.ms[c])));
    }
  }
}

/// Without host time and without what is hidden: the kernels and collectives one after another.
double gpuTotal_ms(const decode::StepModel& step, double b, double s) {
  const auto r = step.evaluate(fixture::input(b, s));
  return (r.step_s - r.host_s - r.breakdown_s[StepPart::Overlap]) * 1e3;
}

}  // namespace

constexpr double kGemm = 0.25, kOther = 0.012, kTotal = 0.08;

void compareTotals(const decode::StepModel& step, std::initializer_list<std::array<double, 3>> totals) {
  for (const auto& [b, s, expected_ms] : totals) {
    const double ratio = gpuTotal_ms(step, b, s) / expected_ms;
    QVERIFY2(std::fabs(ratio - 1) < kTotal, qPrintable(QString("b%1 s%2: %3").arg(b).arg(s).arg(ratio)));
  }
}

class StepGoldenTest : public QObject {
  Q_OBJECT

 private slots:
  void llama70bOnFourH100() {
    const auto step = fixture::make(
        fixture::Case{"llama3.1-70b", "dgx-h100", "fp8", "bf16", "vllm", fixture::degrees(4), 4});
    compare(*step,
            {{"qkv", {1.155, 1.166, 1.651}},
             {"o", {0.905, 0.921, 1.144}},
             {"ffn_in", {3.796, 3.827, 4.941}},
             {"ffn_out", {2.167, 2.187, 2.909}},
             {"lm_head", {0.189, 0.190, 0.237}}},
            kGemm);
    compare(*step,
            {{"attention", {0.807, 8.100, 8.038}},
             {"norm_attention", {0.219, 0.323, 1.077}},
             {"rope", {0.108, 0.116, 0.175}},
             {"activation", {0.109, 0.143, 0.390}}},
            kOther);
    compareTotals(
        *step,
        {{1, 1024, 10.23}, {32, 1024, 12.29}, {256, 1024, 25.51}, {32, 8192, 18.71}, {256, 32768, 248.72}});
  }

  void llama70bOnEightH100() {
    const auto step = fixture::make(
        fixture::Case{"llama3.1-70b", "dgx-h100", "fp8", "bf16", "vllm", fixture::degrees(8), 8});
    compare(*step,
            {{"qkv", {0.879, 0.886, 1.222}},
             {"o", {0.638, 0.653, 0.789}},
             {"ffn_in", {2.184, 2.203, 2.979}},
             {"ffn_out", {1.291, 1.308, 1.678}},
             {"lm_head", {0.097, 0.098, 0.122}}},
            kGemm);
    compare(*step,
            {{"attention", {0.793, 4.502, 4.409}},
             {"rope", {0.108, 0.112, 0.141}},
             {"activation", {0.108, 0.125, 0.249}}},
            kOther);
    compareTotals(*step, {{1, 1024, 7.14}, {32, 8192, 12.34}, {256, 8192, 43.45}, {256, 32768, 129.93}});
  }

  void llama70bOnEightH200() {
    const auto step = fixture::make(
        fixture::Case{"llama3.1-70b", "hgx-h200", "fp8", "fp8", "trtllm", fixture::degrees(8), 8});
    compare(*step,
            {{"qkv", {0.802, 0.803, 1.168}},
             {"o", {0.559, 0.568, 0.724}},
             {"ffn_in", {1.655, 1.666, 2.820}},
             {"ffn_out", {1.022, 1.032, 1.577}},
             {"lm_head", {0.069, 0.070, 0.103}}},
            kGemm);
    compare(*step, {{"attention", {0.755, 2.679, 2.408}}}, kOther);
    compareTotals(*step, {{1, 1024, 5.85}, {256, 8192, 28.59}, {256, 32768, 67.67}});
  }

  void deepseekOnEightH200() {
    const auto step = fixture::make(
        fixture::Case{"deepseek-v3", "hgx-h200", "fp8_block", "fp8", "trtllm", fixture::degrees(8, 8), 8});
    compare(*step,
            {{"q_a_kv_a", {0.915, 0.916, 1.356}},
             {"q_b", {0.503, 0.503, 0.636}},
             {"o", {0.649, 0.652, 0.991}},
             {"shared_in", {0.763, 0.763, 0.865}},
             {"shared_out", {0.364, 0.367, 0.416}},
             {"router", {0.637, 0.643, 0.706}},
             {"ffn_in+ffn_out", {0.088, 0.088, 0.154}},
             {"lm_head", {0.062, 0.062, 0.092}}},
            kGemm);
    compare(*step,
            {{"absorb_q", {0.285, 0.294, 0.364}},
             {"attention", {0.879, 4.132, 4.165}},
             {"value_up", {0.285, 0.294, 0.364}},
             {"experts", {3.485, 17.117, 24.564}},
             {"norm_attention", {0.163, 0.212, 0.563}},
             {"mla_norms", {0.243, 0.270, 0.460}},
             {"shared_activation", {0.077, 0.077, 0.082}}},
            kOther);
    compareTotals(*step, {{1, 1024, 9.83}, {256, 1024, 40.91}, {256, 8192, 62.67}, {256, 32768, 137.30}});
  }
};

QTEST_GUILESS_MAIN(StepGoldenTest)
#include "tst_step_golden.moc"
