// Collectives: closed forms by hand, published curves, crossovers, monotonicity, rules for chips without
// measurements.
#include <rapidcheck.h>
#include <QtTest>

#include "network/collective_forms.h"

#include <cmath>
#include <filesystem>
#include <numeric>

using namespace decodescope;
using namespace decodescope::network;

namespace {

double relative(double a, double b) {
  return std::abs(a / b - 1);
}
constexpr double kMicro = 1e-6, kGiga = 1e9;

struct Place {
  const char* system;
  const char* engine;
};
constexpr Place kPlaces[] = {{"dgx-a100", "vllm"},         {"dgx-h100", "vllm"}, {"dgx-h100", "sglang"},
                             {"hgx-h200", "trtllm"},       {"dgx-b200", "vllm"}, {"gb200-nvl72", "trtllm"},
                             {"gb200-nvl72", "sglang"},    {"mi300x-8", "vllm"}, {"tpu-v4-pod", "jetstream"},
                             {"tpu-v5e-pod", "jetstream"}, {"l40s-8", "vllm"},   {"cloudmatrix-384", "vllm"},
                             {"vr-nvl72", "trtllm"}};
constexpr Collective kAll[] = {Collective::AllReduce, Collective::AllGather, Collective::ReduceScatter,
                               Collective::AllToAll, Collective::SendRecv};

}  // namespace

class CollectiveTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    const std::filesystem::path folder = std::filesystem::path(DECODESCOPE_SOURCE_DIR) / "resources/catalog";
    auto catalog = Catalog::load(std::vector{folder});
    QVERIFY2(catalog.has_value(), catalog ? "" : catalog.error().text().c_str());
    catalog_ = *catalog;
  }

  void oneShotByHand() {
    // vLLM on H100: 4.052 us (1 + 0.05555 log2 8) and 7 buffers of 64 KiB at 0.561 of 450 GB/s.
    const auto cost = model({"dgx-h100", "vllm"}).cost(Collective::AllReduce, {8, 8}, 65536);
    QCOMPARE(cost.algorithm, std::string_view("one-shot"));
    QVERIFY(relative(cost.latency_s, 4.052e-6 * (1 + 0.05555 * 3)) < 1e-12);
    QVERIFY(relative(cost.transfer_s, 7 * 65536 / (0.561 * 450e9)) < 1e-12);
    QCOMPARE(cost.wire_bytes_per_rank, 7.0 * 65536);
  }

  void enginesCrossFromOneShotToTwoShotToTheLibrary() {
    const auto h100 = model({"dgx-h100", "vllm"});
    // vLLM itself switches at 256 KiB on 8 ranks.
    QCOMPARE(h100.cost(Collective::AllReduce, {8, 8}, 128 << 10).algorithm, std::string_view("one-shot"));
    QCOMPARE(h100.cost(Collective::AllReduce, {8, 8}, 1 << 20).algorithm, std::string_view("two-shot"));
    QCOMPARE(h100.cost(Collective::AllReduce, {8, 8}, 1e9).algorithm, std::string_view("nvls"));
    QCOMPARE(h100.cost(Collective::AllReduce, {2, 2}, 1e9).algorithm, std::string_view("ring"));
    // A100 switches do not reduce.
    QCOMPARE(model({"dgx-a100", "vllm"}).cost(Collective::AllReduce, {8, 8}, 1e9).algorithm,
             std::string_view("ring"));
  }

  void nvlsBusBandwidthFollowsThePublishedCurve() {
    // busbw(n) = 2 (n-1)/(n+1) b: 420 440 460 480 GB/s published for n = 5 to 8 of an H100 node
    // (NVIDIA/nccl#1455).
    const auto& c = model({"dgx-h100", "vllm"}).constants();
    for (const auto& [n, published] : {std::pair(5, 420.0), {6, 440.0}, {7, 460.0}, {8, 480.0}}) {
      const double bytes = 1e12;
      const auto cost = forms::nvlsAllReduce(c.nvls, n, bytes);
      const double bus = bytes / cost.total_s() * 2 * (n - 1) / n / kGiga;
      QVERIFY2(relative(bus, published) < 0.025, qPrintable(QString::number(bus)));
      QVERIFY(relative(bus, 2.0 * (n - 1) / (n + 1) * 0.687 * 450) < 1e-3);
    }
    // NVL72 of 72 ranks: 834.57 GB/s at 8 GiB (coreweave/nccl-tests).
    const auto rack = model({"gb200-nvl72", "vllm"}).cost(Collective::AllReduce, {72, 72}, 8589934592.0);
    QVERIFY(relative(8589934592.0 / rack.total_s() * 2 * 71 / 72 / kGiga, 834.57) < 0.02);
  }

  void wireBytesAreThoseOfTheAlgorithm() {
    const auto& c = model({"dgx-h100", "vllm"}).constants();
    QCOMPARE(forms::twoShot(*c.custom, 8, 1000).wire_bytes_per_rank, 1750.0);
    QCOMPARE(forms::ringAllReduce(c.nccl, 8, 1000).wire_bytes_per_rank, 1750.0);
    QCOMPARE(forms::nvlsAllReduce(c.nvls, 8, 1000).wire_bytes_per_rank, 1125.0);
    QCOMPARE(forms::libraryGather(c.nccl, 8, 1000).wire_bytes_per_rank, 875.0);
    QCOMPARE(forms::libraryAllToAll(c.nccl, 8, 1000).wire_bytes_per_rank, 875.0);
  }

  void torusClosedForm() {
    // 64 chips of a v4 pod are one 4x4x4 cube, optically closed: D = 3 rings. AG: max(6 hops, S / (6 b)); AR
    // twice.
    const auto v4 = model({"tpu-v4-pod", "jetstream"});
    const double link = 0.9 * 45e9, fixed = 1 * kMicro, hop = 1 * kMicro;
    for (const double bytes : {1e3, 1e6, 1e9}) {
      const double expected = std::max(hop * 6, bytes / (6 * link));
      QVERIFY(relative(v4.cost(Collective::AllGather, {64, 64}, bytes).total_s(), fixed + expected) < 1e-12);
      QVERIFY(relative(v4.cost(Collective::AllReduce, {64, 64}, bytes).total_s(), fixed + 2 * expected) <
              1e-12);
    }
    // Four of a v5e pod: 2x2, no wrap-around, one link per axis.
    const auto v5e = model({"tpu-v5e-pod", "jetstream"});
    QVERIFY(relative(v5e.cost(Collective::AllGather, {4, 4}, 1e9).total_s(), fixed + 1e9 / (2 * 0.9 * 50e9)) <
            1e-12);
    // A ring of all-to-all takes a quarter of its all-gather: 16 of one axis, S per rank against 16 S in all.
    SubTorus ring{{16, 1, 1}, {true, false, false}};
    QCOMPARE(ring.allToAllLoad(), 16 / ring.receivingLinks() / 4);
  }

  void subToriAreCompact() {
    const SubTorusTable v4({16, 16, 16}, {true, true, true});
    const auto sorted = [&](int size) {
      auto k = v4.of(size).length;
      std::sort(k.begin(), k.end());
      return k;
    };
    QCOMPARE(sorted(8), (std::array{2, 2, 2}));
    QCOMPARE(sorted(64), (std::array{4, 4, 4}));
    QCOMPARE(sorted(512), (std::array{8, 8, 8}));
    QCOMPARE(sorted(4096), (std::array{16, 16, 16}));
    QCOMPARE(sorted(7), (std::array{1, 1, 7}));
    QCOMPARE(v4.of(64).diameterHops(), 6.0);
    QVERIFY(!v4.of(8).wraps[0]);
    const SubTorusTable v5e({16, 16, 1}, {true, true, false});
    QCOMPARE(v5e.of(256).receivingLinks(), 4.0);  // both axes wrap at 16
    QCOMPARE(v5e.of(64).receivingLinks(), 2.0);   // 8x8 does not
    for (int size = 1; size <= 256; ++size) {
      const auto k = v5e.of(size).length;
      QVERIFY(k[0] * k[1] * k[2] >= size);
    }
  }

  void meshServesAllPeersAtOnce() {
    // MI300X: 0.75 of 64 GB/s per link. Two-shot sends S/8 twice over each link; ring bound 7 x 48 = 336
    // GB/s.
    const auto cost = model({"mi300x-8", "vllm"}).cost(Collective::AllReduce, {8, 8}, 1e9);
    QCOMPARE(cost.algorithm, std::string_view("two-shot"));
    QVERIFY(relative(cost.transfer_s, 2 * 1e9 / 8 / 48e9) < 1e-12);
    QVERIFY(relative(2 * 7.0 / 8 * 1e9 / cost.transfer_s, 336e9) < 1e-12);
    // Two chips see one link only.
    QVERIFY(relative(model({"mi300x-8", "vllm"}).cost(Collective::AllGather, {2, 2}, 1e9).transfer_s,
                     0.5e9 / 48e9) < 1e-12);
  }

  void hierarchyAddsTheNics() {
    // 16 H100 in two nodes, 1 GB: NVLS inside (1.125 S / (0.687 x 450)), 2 (1/2) S/8 over 0.95 x 50 GB/s
    // outside, p = 4.
    const auto cost = model({"dgx-h100", "vllm"}).cost(Collective::AllReduce, {16, 8}, 1e9);
    const double inside = 1.125e9 / (0.687 * 450e9);
    const double nic = 1e9 / 8 / (0.95 * 50e9) * (1 + std::pow(16 / 530.0, 2));
    QVERIFY(relative(cost.transfer_s, std::pow(std::pow(inside, 4) + std::pow(nic, 4), 0.25)) < 1e-9);
    QVERIFY(relative(cost.latency_s, 8 * 8.5e-6 + 8 * 4e-6) < 1e-9);
    QCOMPARE(cost.wire_bytes_per_rank, 1.125e9 + 1e9 / 8);
    // Small messages climb a tree: 2 log2(2) x 8.5 us above the node's own.
    const auto small = model({"dgx-h100", "vllm"}).cost(Collective::AllReduce, {16, 8}, 1024);
    QCOMPARE(small.algorithm, std::string_view("hierarchical-tree"));
    // The network costs more than the node.
    QVERIFY(cost.total_s() > model({"dgx-h100", "vllm"}).cost(Collective::AllReduce, {8, 8}, 1e9).total_s());
  }

  void scaleOutRateIsTheCallers() {
    const auto chip = catalog_->chip("h100-sxm");
    const auto system = catalog_->system("dgx-h100");
    const auto engine = catalog_->engine("vllm");
    const auto slow = CollectiveModel::make(*catalog_, **chip, **system, **engine, 25e9);
    const auto cost = slow->cost(Collective::SendRecv, {2, 1}, 1e9);
    QVERIFY(relative(cost.transfer_s, 1e9 / (0.95 * 25e9)) < 1e-12);
  }

  void deepEpMatchesItsTables() {
    // 128 tokens, 7168 wide, 8 of 256 experts. DeepEP README: H800, 400 Gb/s: EP64 dispatch 173 us; here H100
    // nodes.
    const auto node = model({"dgx-h100", "sglang"});
    const auto ep64 = node.moeExchange(Collective::MoeDispatch, {64, 8}, 128, 7168, 8, 7408.0 / 7168);
    QCOMPARE(ep64.algorithm, std::string_view("deepep-ll"));
    const double volume = 128.0 * 8 * 7408;
    QVERIFY(relative(ep64.latency_s, (14.08 + 3.259 * 4) * kMicro) < 1e-9);
    QVERIFY(relative(ep64.transfer_s, volume * 7 / 8 / (0.957 * 50e9)) < 1e-9);
    QVERIFY(relative(ep64.total_s(), 166.77e-6) < 0.05);  // measured, SGLang 0.5.6
    // Many tokens: one copy per node instead of one per expert.
    const auto many = node.moeExchange(Collective::MoeDispatch, {64, 8}, 8192, 7168, 8, 7408.0 / 7168);
    QCOMPARE(many.algorithm, std::string_view("deepep-normal"));
  }

  void rackExchangeBeatsNodes() {
    // The published reason for NVL72: EP64, 128 tokens per rank.
    const auto rack = model({"gb200-nvl72", "trtllm"}), nodes = model({"dgx-h100", "sglang"});
    for (const auto phase : {Collective::MoeDispatch, Collective::MoeCombine}) {
      const double bytes = phase == Collective::MoeDispatch ? 0.5625 : 2;
      const auto inside = rack.moeExchange(phase, {64, 64}, 128, 7168, 8, bytes);
      QCOMPARE(inside.algorithm, std::string_view("nvlink-one-sided"));
      QVERIFY(3 * inside.total_s() < nodes.moeExchange(phase, {64, 8}, 128, 7168, 8, bytes).total_s());
    }
  }

  void distinctTargetsByHand() {
    // E[distinct ranks] of 8 choices among 8: 8 (1 - (7/8)^8) = 5.2513; balanced reach all 8.
    QVERIFY(std::abs(forms::distinctTargets({1, 8, 1, false}, 8) - 5.25113) < 1e-4);
    QCOMPARE(forms::distinctTargets({1, 8, 1, true}, 8), 8.0);
    QCOMPARE(forms::distinctTargets({1, 8, 1, true}, 64), 8.0);
  }

  void eagerLaunchesHaveAFloor() {
    const auto& c = model({"dgx-h100", "vllm"}).constants();
    QVERIFY(relative(forms::eagerAllReduce(c, 8, 1024).total_s(), 21.6e-6) < 0.01);
    QVERIFY(forms::eagerAllReduce(c, 8, 1e9).total_s() > forms::engineAllReduce(c, 8, 1e9).total_s());
  }

  void nothingToDoCostsNothing() {
    for (const Place& place : kPlaces) {
      for (const Collective kind : kAll) QCOMPARE(model(place).cost(kind, {1, 1}, 1e9).total_s(), 0.0);
    }
  }

  void vanishingMessagesCostLatency() {
    for (const Place& place : kPlaces) {
      for (const Collective kind : kAll) {
        const auto cost = model(place).cost(kind, {8, 8}, 1e-9);
        QVERIFY(cost.latency_s > 0);
        QVERIFY(cost.transfer_s < 1e-3 * cost.latency_s);
      }
    }
  }

  void neverFallsAsBytesGrow() {
    QVERIFY(rc::check([this] {
      const auto m = model(*rc::gen::elementOf(std::vector(std::begin(kPlaces), std::end(kPlaces))));
      const Collective kind = *rc::gen::elementOf(std::vector(std::begin(kAll), std::end(kAll)));
      const int per_domain = *rc::gen::element(1, 2, 4, 8);
      const int size = std::max(2, per_domain * *rc::gen::element(1, 2, 4, 9));
      const double bytes = std::pow(10, *rc::gen::inRange(0, 1000) / 100.0);
      const double more = bytes * *rc::gen::element(1.001, 1.5, 4.0);
      RC_ASSERT(m.cost(kind, {size, per_domain}, more).total_s() >=
                m.cost(kind, {size, per_domain}, bytes).total_s());
      const double tokens = *rc::gen::inRange(1, 10000);
      for (const auto phase : {Collective::MoeDispatch, Collective::MoeCombine}) {
        const auto exchange = [&](double t, double k) {
          return m.moeExchange(phase, {size, per_domain}, t, 7168, k, 1).total_s();
        };
        RC_ASSERT(exchange(tokens * 1.1, 8) >= exchange(tokens, 8));
        RC_ASSERT(exchange(tokens, 9) >= exchange(tokens, 8));
      }
    }));
  }

  void costIsContinuousInBytes() {
    // Engines switch algorithms where they cost the same: no jump.
    QVERIFY(rc::check([this] {
      const auto m = model(*rc::gen::elementOf(std::vector(std::begin(kPlaces), std::end(kPlaces))));
      const double bytes = std::pow(10, *rc::gen::inRange(200, 950) / 100.0);
      const double here = m.cost(Collective::AllReduce, {8, 8}, bytes).total_s();
      RC_ASSERT(m.cost(Collective::AllReduce, {8, 8}, bytes * 1.001).total_s() <= here * 1.002);
    }));
  }

  void neverFallsAsRanksGrow() {
    // NVLS is the exception by design: each rank reduces a smaller share. Tori by powers of two in latency.
    for (const Place& place : kPlaces) {
      const auto m = model(place);
      if (m.constants().kind != ScaleUpKind::Switched) continue;
      const auto& c = m.constants();
      for (const double bytes : {1e2, 1e5, 1e7, 1e9}) {
        for (int g = 2; g < 72; ++g) {
          QVERIFY(forms::ringAllReduce(c.nccl, g + 1, bytes).total_s() >=
                  forms::ringAllReduce(c.nccl, g, bytes).total_s());
          QVERIFY(forms::libraryGather(c.nccl, g + 1, bytes).total_s() >=
                  forms::libraryGather(c.nccl, g, bytes).total_s());
          QVERIFY(forms::libraryAllToAll(c.nccl, g + 1, bytes).total_s() >=
                  forms::libraryAllToAll(c.nccl, g, bytes).total_s());
        }
      }
    }
    const auto v4 = model({"tpu-v4-pod", "jetstream"});
    double latency = 0;
    for (int g = 2; g <= 4096; g *= 2) {
      const double now = v4.cost(Collective::AllReduce, {g, g}, 1).total_s();
      QVERIFY(now >= latency);
      latency = now;
    }
  }

  void chipsWithoutRowsTakeTheirSiblings() {
    // H200 runs H100's constants on the same links; B300 the mean of B200 and GB200.
    const auto h100 = model({"dgx-h100", "vllm"}), h200 = model({"hgx-h200", "vllm"});
    QCOMPARE(h200.cost(Collective::AllReduce, {8, 8}, 1e5).total_s(),
             h100.cost(Collective::AllReduce, {8, 8}, 1e5).total_s());
    QVERIFY(h200.provenance().find("h100-sxm") != std::string::npos);
    const auto b300 = model({"hgx-b300", "vllm"});
    QVERIFY(std::abs(b300.constants().custom->one_shot_s * 1e6 - std::sqrt(6.594 * 5.063)) < 1e-9);
  }

 private:
  CollectiveModel model(Place place) const {
    const auto system = catalog_->system(place.system);
    const auto chip = catalog_->chip((*system)->chip);
    const auto engine = catalog_->engine(place.engine);
    return *CollectiveModel::make(*catalog_, **chip, **system, **engine);
  }
  std::shared_ptr<const Catalog> catalog_;
};

QTEST_GUILESS_MAIN(CollectiveTest)
#include "tst_collective.moc"
