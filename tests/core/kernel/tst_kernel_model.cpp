// The kernel cost model: values computed independently, limits, monotonicity, rules for chips without
// measurements.
#include <rapidcheck.h>
#include <QtTest>

#include "golden.h"

#include "kernel/smooth_maximum.h"

#include <cmath>
#include <functional>

using namespace decodescope;
using namespace decodescope::kernel;

namespace {

constexpr Dtype kDtypes[] = {Dtype::Bf16, Dtype::Fp8,   Dtype::Fp8Dynamic, Dtype::Fp8Block,
                             Dtype::Int8, Dtype::Mxfp4, Dtype::Nvfp4};
constexpr const char* kChips[] = {"a100-80g", "h100-sxm", "h200-sxm", "b200-sxm", "gb200",
                                  "mi300x",   "tpu-v5e",  "l40s",     "vr200"};

KernelModel modelOf(const Catalog& catalog, const char* chip, std::string_view exclude = {}) {
  return *KernelModel::make(catalog, **catalog.chip(chip), AttentionLibrary::Sglang, exclude);
}
double relative(double a, double b) {
  return std::abs(a / b - 1);
}

/// cost(sizes) does not fall when one size grows.
void checkMonotone(const std::vector<double>& sizes,
                   const std::function<double(const std::vector<double>&)>& cost) {
  const double at = cost(sizes);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    auto larger = sizes;
    larger[i] = std::ceil(larger[i] * *rc::gen::element(1.01, 1.3, 2.0, 10.0));
    RC_ASSERT(cost(larger) >= at * (1 - 1e-12));
  }
}

}  // namespace

class KernelModelTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    catalog_ = golden::loadCatalog();
    QVERIFY(catalog_);
  }

  void agreesWithIndependentArithmetic() {
    const auto table = golden::times();
    golden::Predictor predictor(*catalog_);
    QVERIFY(table.size() > 1000);
    for (std::size_t row = 0; row < table.size(); ++row) {
      const double expected = **table.number(row, "microseconds");
      const double predicted = predictor.microseconds(table, row);
      QVERIFY2(
          relative(predicted, expected) < 1e-9,
          qPrintable(QString("line %1: %2 against %3").arg(table.line(row)).arg(predicted).arg(expected)));
    }
  }

  void publishedWorkedValue() {
    // H100, bf16, 4096 x 4096, one token, cold, by hand. Launch 2.489 + 0.09839 us; 0.0342 * sqrt(4096) us;
    // memory 2 * 4096^2 + 2 * 4096 + 2 * 4096 bytes over 0.8702 of 3350 GB/s; math: 32 tiles of 64 x 128 on
    // 132 SMs are 0.2424 waves, 0.0023 of the rest of the wave is paid, at 0.8 of 0.7879 of 989 TFLOP/s.
    const auto cost = modelOf(*catalog_, "h100-sxm").gemm(Dtype::Bf16, 1, 4096, 4096);
    QVERIFY(std::abs(cost.fixed_s * 1e6 - 2.58739) < 1e-9);
    QVERIFY(std::abs(cost.serial_s * 1e6 - 2.1888) < 1e-9);
    QVERIFY(relative(cost.memory_s * 1e6, 33570816 / (3350e3 * 0.8702)) < 1e-12);
    const double waves = 32.0 / 132 + (1 - 32.0 / 132) * 0.0023;
    QVERIFY(relative(cost.math_s, waves * 132 * 2 * 64 * 128 * 4096 / (989e12 * 0.7879 * 0.8)) < 1e-9);
    QCOMPARE(cost.extra_s, 0.0);
    QCOMPARE(cost.flop, 2.0 * 4096 * 4096);
    QCOMPARE(cost.bytes, 33570816.0);
  }

  void smoothMaximumLiesBetweenLargestAndSum() {
    QVERIFY(rc::check([](double) {
      const auto part = [] {
        return *rc::gen::inRange(0, 1000000) * std::pow(10.0, *rc::gen::inRange(-12, 3));
      };
      const double a = part(), b = part(), c = part(), p = *rc::gen::inRange(100, 700) / 100.0;
      const double value = smoothMaximum(p, a, b, c);
      RC_ASSERT(value >= std::max({a, b, c}) * (1 - 1e-15));
      RC_ASSERT(value <= (a + b + c) * (1 + 1e-12));
      RC_ASSERT(smoothMaximum(p, a * 1.5, b, c) >= value * (1 - 1e-15));
      // Leaving out powers below rounding changes nothing.
      const double largest = std::max({a, b, c});
      if (largest > 0) {
        const double plain =
            largest *
            std::pow(std::pow(a / largest, p) + std::pow(b / largest, p) + std::pow(c / largest, p), 1 / p);
        RC_ASSERT(std::abs(value - plain) <= 4e-15 * plain);
      }
    }));
  }

  void neverFallsAsSizesGrow() {
    QVERIFY(rc::check([this] {
      const auto model =
          modelOf(*catalog_, *rc::gen::elementOf(std::vector(std::begin(kChips), std::end(kChips))));
      const Dtype dtype = *rc::gen::elementOf(std::vector(std::begin(kDtypes), std::end(kDtypes)));
      const auto size = [](int most) { return static_cast<double>(*rc::gen::inRange(1, most)); };
      checkMonotone({size(5000), size(30000), size(30000)},
                    [&](const auto& s) { return model.gemm(dtype, s[0], s[1], s[2]).total_s(); });
      // Heads stay a multiple of KV heads, so heads are not varied with them.
      const double kv_heads = size(16);
      checkMonotone({size(600), size(100000), size(8)}, [&](const auto& s) {
        return model.attention(dtype, s[0], s[1], kv_heads * s[2], kv_heads, 128).total_s();
      });
      checkMonotone({size(600), size(100000), size(128)},
                    [&](const auto& s) { return model.mla(dtype, s[0], s[1], s[2]).total_s(); });
      checkMonotone({size(600), size(128)},
                    [&](const auto& s) { return model.mlaBmm(dtype, s[0], s[1]).total_s(); });
      checkMonotone(
          {size(5000), size(8000), size(3000), size(256), size(64), size(9000)},
          [&](const auto& s) { return model.moe(dtype, s[0], s[1], s[2], s[3], s[4], s[5]).total_s(); });
      checkMonotone({size(8), size(9000), size(50000), size(64), size(8)}, [&](const auto& s) {
        return model.prefillAttention(s[0], s[1], s[2], s[3] * s[4], s[4], 128).total_s();
      });
      checkMonotone({size(1000000000)}, [&](const auto& s) { return model.elementwise(s[0]).total_s(); });
    }));
  }

  void hugeProblemsRunAtTheAchievedRate() {
    // M to infinity: 2 M N K over peak times the fitted share, tile and wave effects gone.
    const auto model = modelOf(*catalog_, "h100-sxm");
    const double m = 4194304, n = 8192, k = 8192;
    const auto cost = model.gemm(Dtype::Bf16, m, n, k);
    QVERIFY(relative(cost.math_s, 2 * m * n * k / (989e12 * 0.7879)) < 1e-3);
    QVERIFY(cost.total_s() < 1.05 * cost.math_s);
    // One row: the weights stream from HBM. Context to infinity: the cache does.
    const auto thin = model.gemm(Dtype::Bf16, 1, 65536, 65536);
    QVERIFY(relative(thin.total_s(), 2.0 * 65536 * 65536 / (3350e9 * 0.8702)) < 0.1);
    const auto attention = model.attention(Dtype::Bf16, 64, 1e6, 8, 1, 128);
    QVERIFY(attention.memory_s > 100 * attention.fixed_s);
  }

  void emptyKernelsCostTheirLaunch() {
    const auto model = modelOf(*catalog_, "b200-sxm");
    QCOMPARE(model.elementwise(0).total_s(), model.elementwise(0).fixed_s);
    QVERIFY(model.elementwise(0).fixed_s > 0);
    QCOMPARE(model.prefillAttention(1, 0, 1e5, 32, 8, 128).math_s, 0.0);
    QVERIFY(model.moe(Dtype::Bf16, 0, 4096, 1024, 8, 0, 0).total_s() ==
            model.moe(Dtype::Bf16, 0, 4096, 1024, 8, 0, 0).fixed_s);
  }

  void prefillInChunksDoesTheSameWork() {
    // The math of one prompt equals that of its chunks, each seeing the past: n^2/2 = sum of n_i (past_i +
    // n_i/2).
    const auto model = modelOf(*catalog_, "h200-sxm");
    const double whole = model.prefillAttention(1, 8192, 0, 64, 8, 128).math_s;
    double chunks = 0;
    for (int i = 0; i < 4; ++i) chunks += model.prefillAttention(1, 2048, 2048.0 * i, 64, 8, 128).math_s;
    QVERIFY(relative(chunks, whole) < 1e-12);
  }

  void narrowTypesAreFasterWhereTheChipHasThem() {
    const auto h100 = modelOf(*catalog_, "h100-sxm");
    QVERIFY(h100.gemm(Dtype::Fp8, 16, 28672, 8192).total_s() <
            h100.gemm(Dtype::Bf16, 16, 28672, 8192).total_s());
    QVERIFY(h100.gemm(Dtype::Fp8, 8192, 28672, 8192).total_s() <
            h100.gemm(Dtype::Bf16, 8192, 28672, 8192).total_s());
    // Static scales save TensorRT-LLM's scale kernels: 9.478 - 1.5 us, and 8.712 - 3.3 bytes per activation.
    const double dynamic = h100.gemm(Dtype::Fp8Dynamic, 16, 8192, 8192).total_s();
    const double saved_us = 9.478 - 1.5 + (8.712 - 3.3) * 16 * 8192 / 3350e3;
    QVERIFY(std::abs((dynamic - h100.gemm(Dtype::Fp8, 16, 8192, 8192).total_s()) * 1e6 - saved_us) < 1e-9);
    // An A100 has neither fp8 nor fp4: half or a quarter of the weight bytes, bf16 math.
    const auto a100 = modelOf(*catalog_, "a100-80g");
    const auto bf16 = a100.gemm(Dtype::Bf16, 4096, 8192, 8192), fp8 = a100.gemm(Dtype::Fp8, 4096, 8192, 8192);
    QCOMPARE(fp8.math_s, bf16.math_s);
    QCOMPARE(bf16.bytes - fp8.bytes, 8192.0 * 8192);
    QCOMPARE(bf16.bytes - a100.gemm(Dtype::Mxfp4, 4096, 8192, 8192).bytes, 8192.0 * 8192 * (2 - 4.25 / 8));
  }

  void multiQueryReadsLessThanGrouped() {
    const auto model = modelOf(*catalog_, "h100-sxm");
    const double mha = model.attention(Dtype::Bf16, 32, 8192, 64, 64, 128).bytes;
    const double gqa = model.attention(Dtype::Bf16, 32, 8192, 64, 8, 128).bytes;
    const double mqa = model.attention(Dtype::Bf16, 32, 8192, 64, 1, 128).bytes;
    QVERIFY(mha > gqa && gqa > mqa);
    QVERIFY(model.attention(Dtype::Fp8, 32, 8192, 64, 8, 128).bytes < gqa);
  }

  void replayedOperandsStayInCache() {
    const auto model = modelOf(*catalog_, "h100-sxm");
    // 0.5 MB of weights, five copies in 50 MB of L2: fully resident, a third of the time (assumed speed ratio
    // 3).
    const auto cold = model.gemm(Dtype::Bf16, 1, 512, 512),
               warm = model.gemm(Dtype::Bf16, 1, 512, 512, Residency::Replayed);
    QVERIFY(relative(warm.memory_s * 3, cold.memory_s) < 1e-12);
    QCOMPARE(model.gemm(Dtype::Bf16, 1, 65536, 8192, Residency::Replayed).memory_s,
             model.gemm(Dtype::Bf16, 1, 65536, 8192).memory_s);
  }

  void slowerClocksStretchMathAndMemoryBelowSaturation() {
    const auto cost = modelOf(*catalog_, "h100-sxm").gemm(Dtype::Bf16, 512, 8192, 8192);
    QCOMPARE(cost.total_s(1, 0.6), cost.total_s());
    QVERIFY(cost.total_s(0.7, 0.6) > cost.total_s());
    // At half the clock and saturation 0.6 memory takes 1.2 times as long, math twice.
    KernelCost memory_only;
    memory_only.memory_s = 1;
    QVERIFY(relative(memory_only.total_s(0.5, 0.6), 1.2) < 1e-12);
    KernelCost math_only;
    math_only.math_s = 1;
    QVERIFY(relative(math_only.total_s(0.5, 0.6), 2) < 1e-12);
    QVERIFY(rc::check([&] {
      const double slow = *rc::gen::inRange(20, 100) / 100.0, fast = slow * 1.01;
      RC_ASSERT(cost.total_s(slow, 0.6) >= cost.total_s(fast, 0.6));
    }));
  }

  void chipsWithoutRowsFollowTheRule() {
    // B300 copies the geometric mean of B200 and GB200: sqrt(1.528 * 1.603) us of launch.
    const auto b300 = modelOf(*catalog_, "b300-sxm");
    const double launch_us = b300.gemm(Dtype::Bf16, 1, 128, 128).fixed_s * 1e6;
    QVERIFY(std::abs(launch_us - (std::sqrt(1.528 * 1.603) + 0.09839)) < 1e-9);
    QVERIFY(!b300.isFitted());
    QVERIFY(b300.provenance().find("b200-sxm and gb200") != std::string::npos);
    // Leaving H100 out leaves H200 as its only sibling.
    const auto h100 = modelOf(*catalog_, "h100-sxm"), without = modelOf(*catalog_, "h100-sxm", "h100-sxm");
    QVERIFY(h100.isFitted() && !without.isFitted());
    QVERIFY(std::abs(without.gemm(Dtype::Bf16, 1, 128, 128).fixed_s * 1e6 - (2.558 + 0.09839)) < 1e-9);
    // A100 has no sibling: geometric mean of the other four.
    const auto a100 = modelOf(*catalog_, "a100-80g", "a100-80g");
    const double mean = std::pow(2.489 * 2.558 * 1.528 * 1.603, 0.25);
    QVERIFY(std::abs(a100.gemm(Dtype::Bf16, 1, 128, 128).fixed_s * 1e6 - (mean + 0.09839)) < 1e-9);
    QVERIFY(a100.provenance().find("geometric mean of 4 chips") != std::string::npos);
  }

  void datasheetChangesCarryThrough() {
    // An H100 with twice the bandwidth halves the memory term and nothing else.
    ChipSpec chip = **catalog_->chip("h100-sxm");
    const auto before =
        KernelModel::make(*catalog_, chip, AttentionLibrary::Sglang)->gemm(Dtype::Bf16, 8, 8192, 8192);
    chip.memory_bandwidth_bytes_per_s *= 2;
    const auto after =
        KernelModel::make(*catalog_, chip, AttentionLibrary::Sglang)->gemm(Dtype::Bf16, 8, 8192, 8192);
    QVERIFY(relative(before.memory_s, 2 * after.memory_s) < 1e-12);
    QCOMPARE(after.math_s, before.math_s);
    QCOMPARE(after.fixed_s, before.fixed_s);
  }

  void unknownChipsByTheirDatasheet() {
    ChipSpec chip;
    chip.id = "paper";
    chip.family = "none";
    chip.bf16_flop_per_s = 1e15;
    chip.memory_bandwidth_bytes_per_s = 4e12;
    chip.sm_count = 100;
    const auto model = KernelModel::make(*catalog_, chip, AttentionLibrary::Trtllm);
    QVERIFY(model.has_value());
    QVERIFY(model->provenance().find("geometric mean of 5 chips") != std::string::npos);
    // em: geometric mean of 0.8677 0.8702 0.8982 0.8865 0.8625.
    const double em = std::pow(0.8677 * 0.8702 * 0.8982 * 0.8865 * 0.8625, 0.2);
    const auto cost = model->gemm(Dtype::Bf16, 1, 8192, 8192);
    QVERIFY(relative(cost.memory_s, cost.bytes / (4e12 * em)) < 1e-12);
  }

 private:
  std::shared_ptr<const Catalog> catalog_;
};

QTEST_GUILESS_MAIN(KernelModelTest)
#include "tst_kernel_model.moc"
