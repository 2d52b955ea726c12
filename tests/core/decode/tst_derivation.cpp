// Recombination rules, and the step's tree: every node follows from its children, and the root is the step.
#include <QtTest>

#include "decode/derivation_nodes.h"
#include "fixture.h"

#include <cmath>

using namespace decodescope;

namespace {

Derivation value(double v) {
  return decode::leaf("v", "v", v, "s", SourceKind::Derived, "test");
}

double combine(Combine rule, std::vector<double> values, double exponent = 1) {
  Derivation d;
  d.combine = rule;
  d.exponent = exponent;
  for (const double v : values) d.children.push_back(value(v));
  return recombine(d);
}

/// Largest relative difference between a node and what its children give, anywhere in the tree.
double worst(const Derivation& d) {
  double out =
      d.children.empty() ? 0 : std::fabs(recombine(d) - d.value) / std::max(1e-300, std::fabs(d.value));
  for (const Derivation& child : d.children) out = std::max(out, worst(child));
  return out;
}

int countLeavesWithoutSource(const Derivation& d) {
  if (d.children.empty()) return d.source.empty() && d.parameter_path.empty() ? 1 : 0;
  int n = 0;
  for (const Derivation& child : d.children) n += countLeavesWithoutSource(child);
  return n;
}

const Derivation* find(const Derivation& d, const std::string& id) {
  if (d.id == id) return &d;
  for (const Derivation& child : d.children) {
    if (const Derivation* found = find(child, id)) return found;
  }
  return nullptr;
}

}  // namespace

class DerivationTest : public QObject {
  Q_OBJECT

 private slots:
  void rules() {
    QCOMPARE(combine(Combine::Sum, {1, 2, 3.5}), 6.5);
    QCOMPARE(combine(Combine::Product, {2, 3, 4}), 24.0);
    QCOMPARE(combine(Combine::Quotient, {24, 3, 4}), 2.0);
    QCOMPARE(combine(Combine::Max, {2, 7, 4}), 7.0);
    QCOMPARE(combine(Combine::Min, {2, 7, 4}), 2.0);
    QCOMPARE(combine(Combine::PowerNorm, {3, 4}, 2), 5.0);
    QCOMPARE(combine(Combine::PowerNorm, {0, 0}, 3), 0.0);
    QCOMPARE(combine(Combine::Sqrt, {3, 16}), 12.0);
    Derivation alone = value(5);
    QCOMPARE(recombine(alone), 5.0);
  }

  void stepTreeRecombines() {
    for (const fixture::Case& c : fixture::variety()) {
      const auto step = fixture::make(c);
      decode::StepInput in = fixture::input(48, 6000, step->plan().attentionGroups());
      in.prefill_tokens = 1024;
      in.prefill_past_tokens = 512;
      const Derivation tree = step->explain(in);
      QVERIFY2(worst(tree) < 1e-9, c.model.c_str());
      const double step_s = step->evaluate(in).step_s;
      QVERIFY2(std::fabs(tree.value - step_s) <= 1e-9 * step_s, c.model.c_str());
      QVERIFY2(countLeavesWithoutSource(tree) == 0, c.model.c_str());
      in.clock_ratio = 0.7;
      const Derivation slowed = step->explain(in);
      QVERIFY(worst(slowed) < 1e-9);
      QVERIFY(std::fabs(slowed.value - step->evaluate(in).step_s) <= 1e-9 * slowed.value);
      QVERIFY(find(slowed, "step/throttle") != nullptr);
    }
  }

  void leavesReachTheDatasheet() {
    const auto step = fixture::make(
        fixture::Case{"llama3.1-70b", "dgx-h100", "fp8", "bf16", "vllm", fixture::degrees(8), 8});
    const Derivation tree = step->explain(fixture::input(32, 8192));
    const Derivation* bandwidth = find(tree, "step/qkv/bandwidth");
    QVERIFY(bandwidth);
    QCOMPARE(bandwidth->value, step->chip().memory_bandwidth_bytes_per_s);
    QVERIFY(bandwidth->source_kind == SourceKind::Catalog);
    // QKV of one of 8 ranks: (8 query + 2 x 1 KV heads) x 128 outputs by 8192 inputs at one byte.
    const Derivation* weights = find(tree, "step/qkv/operand");
    QVERIFY(weights);
    QCOMPARE(weights->value, (8.0 + 2) * 128 * 8192);
    // KV cache: 32 sequences x 8192 tokens x 2 x 1 head x 128 x 2 bytes.
    QCOMPARE(find(tree, "step/attention/operand")->value, 32.0 * 8192 * 2 * 128 * 2);
  }

  void sharesOfTheRootAddUp() {
    const auto step = fixture::make(fixture::variety()[6]);
    const Derivation tree = step->explain(fixture::input(64, 4096, 8));
    double sum = 0;
    for (const Derivation& child : tree.children) sum += child.share;
    QVERIFY(std::fabs(sum - 1) < 1e-12);
  }
};

QTEST_GUILESS_MAIN(DerivationTest)
#include "tst_derivation.moc"
