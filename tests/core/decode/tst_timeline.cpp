// The timeline is the step: phases in order, without gaps, adding up, layer by layer; links carry what
// collectives move.
#include <QtTest>

#include "fixture.h"
#include "topology/topology.h"

#include <cmath>
#include <numeric>

using namespace decodescope;

namespace {

topology::Topology machine(const Scenario& s) {
  const auto system = fixture::catalog()->system(s.system);
  const auto chip = fixture::catalog()->chip((*system)->chip);
  auto built = topology::buildDeployment(**system, **chip, s.chips, s.fabric);
  if (!built) fixture::stop(built.error());
  return *std::move(built);
}

}  // namespace

class TimelineTest : public QObject {
  Q_OBJECT

 private slots:
  void phasesAddUpToTheStep() {
    for (fixture::Case c : fixture::variety()) {
      Scenario s = fixture::scenarioOf(c);
      s.jitter = true;
      s.serving.two_batch_overlap_ratio = 0.3;
      const auto step = fixture::make(s);
      auto in = fixture::input(64, 5000, step->plan().attentionGroups());
      in.prefill_tokens = 700;
      for (const double clock : {1.0, 0.7}) {
        in.clock_ratio = clock;
        const IterationTimeline t = step->timeline(in, nullptr);
        const double expected_s = step->evaluate(in).step_s;
        double sum = 0, end = 0;
        for (const TimelinePhase& phase : t.phases) {
          QVERIFY(phase.duration_s > 0);
          QVERIFY(std::fabs(phase.start_s - end) <= 1e-12);
          end = phase.start_s + phase.duration_s;
          sum += phase.duration_s;
        }
        QVERIFY2(std::fabs(sum - expected_s) <= 1e-9 * expected_s, c.model.c_str());
        QVERIFY(std::fabs(t.step_s - expected_s) <= 1e-9 * expected_s);
      }
    }
  }

  void layersComeInOrderAndStagesSplitThem() {
    const auto step = fixture::make(fixture::variety()[9]);
    const IterationTimeline t = step->timeline(fixture::input(8, 4096), nullptr);
    QCOMPARE(t.layers, 126);
    QCOMPARE(t.stages, 2);
    std::int32_t layer = -1;
    for (const TimelinePhase& phase : t.phases) {
      if (phase.layer < 0) continue;
      QVERIFY(phase.layer == layer || phase.layer == layer + 1);
      layer = phase.layer;
      QCOMPARE(phase.stage, phase.layer < 63 ? 0 : 1);
    }
    QCOMPARE(layer, 125);
    QCOMPARE(t.stage_chips.size(), std::size_t{2});
    QCOMPARE(t.stage_chips[0].size(), std::size_t{8});
  }

  void linksCarryTheStepsBytes() {
    for (const std::size_t i : {std::size_t{0}, std::size_t{6}, std::size_t{7}}) {
      const fixture::Case c = fixture::variety()[i];
      const Scenario s = fixture::scenarioOf(c);
      const auto step = fixture::make(s);
      const auto topology = machine(s);
      const TopologyView& view = topology.view();
      const auto in =
          fixture::input(64.0 * step->plan().attentionGroups(), 4096, step->plan().attentionGroups());
      std::vector<double> bytes(2 * view.links.size(), 0.0);
      step->addLinkBytes(in, view, bytes);
      // What leaves the chips is what the collectives send: wire bytes of every chip.
      double out_of_chips = 0;
      for (std::size_t l = 0; l < view.links.size(); ++l) {
        const TopologyLink& link = view.links[l];
        if (link.from.value < view.chip_count)
          out_of_chips += bytes[directedIndex(LinkId{static_cast<std::uint32_t>(l)}, Direction::Forward)];
        if (link.to.value < view.chip_count)
          out_of_chips += bytes[directedIndex(LinkId{static_cast<std::uint32_t>(l)}, Direction::Backward)];
      }
      const double expected = step->evaluate(in).wire_bytes * s.chips;
      QVERIFY2(std::fabs(out_of_chips / expected - 1) < 1e-9,
               qPrintable(QString("%1: %2 of %3").arg(c.model.c_str()).arg(out_of_chips).arg(expected)));
      // Asking again adds the same again, from the cache.
      std::vector<double> twice = bytes;
      step->addLinkBytes(in, view, twice);
      for (std::size_t k = 0; k < bytes.size(); ++k)
        QVERIFY(std::fabs(twice[k] - 2 * bytes[k]) <= 1e-9 * twice[k]);
    }
  }

  void phaseTrafficSumsToTheStepsBytes() {
    const Scenario s = fixture::scenarioOf(fixture::variety()[6]);
    const auto step = fixture::make(s);
    const auto topology = machine(s);
    const auto in = fixture::input(128, 4096, 8);
    const IterationTimeline t = step->timeline(in, &topology.view());
    std::vector<double> bytes(2 * topology.view().links.size(), 0.0), phases(bytes.size(), 0.0);
    step->addLinkBytes(in, topology.view(), bytes);
    for (const TimelinePhase& phase : t.phases) {
      if (phase.traffic < 0) continue;
      const PhaseTraffic& traffic = *t.traffic[static_cast<std::size_t>(phase.traffic)];
      for (std::size_t i = 0; i < traffic.directed.size(); ++i)
        phases[traffic.directed[i]] += static_cast<double>(traffic.bytes[i]);
    }
    for (std::size_t i = 0; i < bytes.size(); ++i)
      QVERIFY(std::fabs(phases[i] - bytes[i]) <= 1e-5 * bytes[i] + 1);
  }
};

QTEST_GUILESS_MAIN(TimelineTest)
#include "tst_timeline.moc"
