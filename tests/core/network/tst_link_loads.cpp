// Bytes on links: closed forms of symmetric collectives, failures, conservation, and a pair-by-pair
// reference.
#include <rapidcheck.h>
#include <QtTest>

#include "core/topology/systems.h"
#include "network/link_loads.h"
#include "topology/topology.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

using namespace decodescope;
using namespace decodescope::network;

namespace {

using Groups = std::vector<std::vector<ChipId>>;

TopologyView specView(const char* spec) {
  const auto built = topology::buildFromSpec(spec);
  if (!built) qFatal("%s", built.error().text().c_str());
  return built->view();
}

TopologyView deploy(const SystemSpec& system, int chips, const Fabric& fabric = {}) {
  const auto built = topology::buildDeployment(system, ChipSpec{}, chips, fabric);
  if (!built) qFatal("%s", built.error().text().c_str());
  return built->view();
}

Groups blocks(std::uint32_t chips, std::uint32_t size) {
  Groups out;
  for (std::uint32_t c = 0; c < chips; c += size) {
    out.emplace_back();
    for (std::uint32_t i = c; i < std::min(c + size, chips); ++i) out.back().push_back(ChipId{i});
  }
  return out;
}

Groups everyone(const TopologyView& view) {
  return blocks(view.chip_count, view.chip_count);
}

std::vector<double> dense(const TopologyView& view, const UnitLoad& load) {
  std::vector<double> out(2 * view.links.size(), 0);
  for (std::size_t i = 0; i < load.directed.size(); ++i) out[load.directed[i]] += load.bytes_per_byte[i];
  return out;
}

std::vector<double> allToAll(const TopologyView& view) {
  return dense(view, unitLoad(view, Collective::AllToAll, "direct", everyone(view)));
}

double largest(const std::vector<double>& load) {
  return *std::max_element(load.begin(), load.end());
}

/// Time of 1 byte per pair over capacities: the largest load per capacity, in units of n - 1 pairs.
double bottleneck_s(const TopologyView& view, const std::vector<double>& load) {
  double worst = 0;
  for (std::size_t e = 0; e < load.size(); ++e) {
    if (load[e] > 0) worst = std::max(worst, load[e] / view.links[e / 2].capacity_bytes_per_s);
  }
  return worst * (view.chip_count - 1);
}

bool close(double a, double b, double tolerance = 1e-12) {
  return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

/// What leaves and enters every node.
std::vector<std::pair<double, double>> balance(const TopologyView& view, const std::vector<double>& load) {
  std::vector<std::pair<double, double>> out(view.nodes.size());
  for (std::size_t l = 0; l < view.links.size(); ++l) {
    const auto [from, to] = std::pair(view.links[l].from.value, view.links[l].to.value);
    out[from].first += load[2 * l];
    out[to].second += load[2 * l];
    out[to].first += load[2 * l + 1];
    out[from].second += load[2 * l + 1];
  }
  return out;
}

struct Neighbour {
  std::uint32_t node;
  double cables;
  std::size_t directed;
};

/// One pair after another: breadth-first search from the sink, per-hop split by multiplicity. Chips of one
/// domain use its links; others the scale-out network, on which chips never relay.
class Reference {
 public:
  explicit Reference(const TopologyView& view) : view_(view), load(2 * view.links.size(), 0) {}

  void send(std::uint32_t source, std::uint32_t sink, double amount) {
    const bool inside = view_.nodes[source].domain == view_.nodes[sink].domain;
    std::vector<int> distance(view_.nodes.size(), -1);
    std::vector<std::uint32_t> order{sink};
    distance[sink] = 0;
    for (std::size_t head = 0; head < order.size(); ++head) {
      if (!inside && head > 0 && order[head] < view_.chip_count) continue;
      for (const Neighbour& n : neighbours(order[head], inside)) {
        if (distance[n.node] >= 0) continue;
        distance[n.node] = distance[order[head]] + 1;
        order.push_back(n.node);
      }
    }
    if (distance[source] < 0) return;
    std::map<int, std::map<std::uint32_t, double>, std::greater<>> waiting;
    waiting[distance[source]][source] = amount;
    for (auto& [at, nodes] : waiting) {
      if (at == 0) break;
      for (const auto& [node, flow] : nodes) {
        double cables = 0;
        for (const Neighbour& n : neighbours(node, inside))
          cables += distance[n.node] == at - 1 ? n.cables : 0;
        for (const Neighbour& n : neighbours(node, inside)) {
          if (distance[n.node] != at - 1) continue;
          load[n.directed] += flow * n.cables / cables;
          waiting[at - 1][n.node] += flow * n.cables / cables;
        }
      }
    }
  }

 private:
  [[nodiscard]] std::vector<Neighbour> neighbours(std::uint32_t node, bool inside) const {
    std::vector<Neighbour> out;
    for (std::uint32_t i = view_.node_link_begin[node]; i < view_.node_link_begin[node + 1]; ++i) {
      const LinkId id = view_.node_links[i];
      const TopologyLink& link = view_.links[id.value];
      if ((link.link_class != LinkClass::ScaleOut) != inside || link.capacity_bytes_per_s <= 0) continue;
      const bool forward = link.from.value == node;
      out.push_back({forward ? link.to.value : link.from.value, double(link.multiplicity),
                     directedIndex(id, forward ? Direction::Forward : Direction::Backward)});
    }
    return out;
  }
  const TopologyView& view_;

 public:
  std::vector<double> load;
};

/// Dimension order by walking, ties half each way.
void walkTorus(const TopologyView& view, std::array<bool, 3> wrap, std::uint32_t source, std::uint32_t sink,
               double amount, std::map<std::pair<std::uint32_t, std::uint32_t>, double>& hops) {
  const auto index = [&](const std::array<int, 3>& c) {
    return static_cast<std::uint32_t>(c[0] + view.torus_dims[0] * (c[1] + view.torus_dims[1] * c[2]));
  };
  std::array<int, 3> at{view.nodes[source].coordinate[0], view.nodes[source].coordinate[1],
                        view.nodes[source].coordinate[2]};
  for (std::size_t d = 0; d < 3; ++d) {
    const int k = view.torus_dims[d], to = view.nodes[sink].coordinate[d];
    const int up = (to - at[d] + k) % k, down = (k - up) % k;
    const auto go = [&](int step, int count, double part) {
      std::array<int, 3> here = at;
      for (int i = 0; i < count; ++i) {
        std::array<int, 3> next = here;
        next[d] = (here[d] + step + k) % k;
        hops[{index(here), index(next)}] += part;
        here = next;
      }
    };
    if (up == 0) continue;
    if (!wrap[d] || k == 2) {
      to > at[d] ? go(1, to - at[d], amount) : go(-1, at[d] - to, amount);
    } else if (up == down) {
      go(1, up, amount / 2);
      go(-1, down, amount / 2);
    } else {
      up < down ? go(1, up, amount) : go(-1, down, amount);
    }
    at[d] = to;
  }
}

Groups randomGroups(std::uint32_t chips) {
  std::vector<std::uint32_t> order(chips);
  std::iota(order.begin(), order.end(), 0U);
  for (std::uint32_t i = chips - 1; i > 0; --i)
    std::swap(order[i], order[*rc::gen::inRange<std::uint32_t>(0, i + 1)]);
  Groups groups;
  for (std::size_t at = 0; at < chips;) {
    const auto size = std::min<std::size_t>(*rc::gen::inRange<std::size_t>(1, 9), chips - at);
    groups.emplace_back();
    for (std::size_t i = 0; i < size; ++i) groups.back().push_back(ChipId{order[at + i]});
    at += size;
  }
  return groups;
}

}  // namespace

class TestLinkLoads : public QObject {
  Q_OBJECT

 private slots:
  void uniformAllToAll_data();
  void uniformAllToAll();
  void everyLinkOfAStarCarriesItsShare();
  void torusTiesSplit();
  void dragonflyShortestPaths();
  void failures();
  void oversubscriptionSlowsAllToAllOnly();
  void matchesPairByPair_data();
  void matchesPairByPair();
  void torusMatchesWalks_data();
  void torusMatchesWalks();
  void flowIsConserved_data();
  void flowIsConserved();
  void ringsAndChains();
  void torusRingsUseAllAxes();
  void hierarchySplitsBetweenTiers();
  void singleRanksSendNothing();
  void budgets();
};

void TestLinkLoads::uniformAllToAll_data() {
  // Seconds for one byte per ordered pair.
  QTest::addColumn<double>("time_s");
  const auto row = [](const char* spec, double time_s) { QTest::newRow(spec) << time_s; };
  row("star:n=72,planes=18x1@50", 71 / 900e9);
  row("star:n=8,planes=5+4+4+5@25", 7 / 450e9);
  row("full-mesh:8@64", 1 / 64e9);
  // N k / 8 per link of a ring of even k, N (k^2 - 1) / (8 k) of odd.
  row("torus:4x4x4@1", 32e-9);
  row("torus:8x8@1", 64e-9);
  row("torus:5x5@1", 15e-9);
  row("torus:4x8@1", 32e-9);
  row("torus:3x3x3@1", 27 * 8 / 24.0 * 1e-9);
  row("torus:16x16x16@1", 4096 * 16 / 8 * 1e-9);
  row("hypercube:6@1", 32e-9);
  // Half the chips to the other half over V / k links without a wrap: (N/2)^2 / (N/k).
  row("torus:8x4,wrap=00@1", 16 * 16 / 4 * 1e-9);
  // Chip-limited: 71 pairs over 900 GB/s; the twin bundles carry 36 * 36 over 18 * 36 links.
  row("nvl36x2", 71 / 900e9);
  row("two-tier:groups=16,chips=36,planes=18,l2=9,links=4@50", 575 / 900e9);
  row("two-tier:groups=4,chips=6,planes=3,l2=2,links=1@1", 6 * 18 / (3 * 2 * 1e9));
  row("leaf-spine:leaves=8,hosts=8,spines=8,links=1@50", 63 / 50e9);
  row("leaf-spine:leaves=8,hosts=8,spines=4,links=1@50", 8 * 56 / 200e9);
  row("fat-tree:k=8@50", 127 / 50e9);
  row("hyperx:4x4,t=4@1", 64e-9);
  row("cloudmatrix384", 383 / 392e9);
}

void TestLinkLoads::uniformAllToAll() {
  QFETCH(double, time_s);
  const TopologyView view = specView(QTest::currentDataTag());
  const double computed_s = bottleneck_s(view, allToAll(view));
  QVERIFY2(close(computed_s, time_s),
           qPrintable(QString("%1 %2").arg(computed_s, 0, 'g', 12).arg(time_s, 0, 'g', 12)));
}

void TestLinkLoads::everyLinkOfAStarCarriesItsShare() {
  const TopologyView view = specView("star:n=8,planes=5+4+4+5@25");
  const std::vector<double> load = allToAll(view);
  for (std::size_t e = 0; e < load.size(); ++e)
    QVERIFY(close(load[e], view.links[e / 2].multiplicity / 18.0));
}

void TestLinkLoads::torusTiesSplit() {
  // 4 x 8: both directions of a link carry the same, 16 of 31 along the short axis, 32 along the long one.
  const TopologyView view = specView("torus:4x8@1");
  const std::vector<double> load = allToAll(view);
  for (std::size_t e = 0; e < load.size(); ++e) {
    const TopologyLink& link = view.links[e / 2];
    const bool along_x = view.nodes[link.from.value].coordinate[1] == view.nodes[link.to.value].coordinate[1];
    QVERIFY(close(load[e] * 31, along_x ? 16 : 32));
  }
}

void TestLinkLoads::dragonflyShortestPaths() {
  // Shortest paths of (4,2,2) use two global links where that is shorter: some carry 94 of the messages that
  // go to 71 peers, where minimal routing with one global link would have 64 on each.
  const TopologyView view = specView("dragonfly:a=4,p=2,h=2@50");
  const double busiest = largest(allToAll(view)) * 71;
  QVERIFY2(close(busiest, 94, 1e-9), qPrintable(QString::number(busiest, 'g', 12)));
}

void TestLinkLoads::failures() {
  TopologyView plane = specView("star:n=72,planes=18x1@50");
  const double whole_s = bottleneck_s(plane, allToAll(plane));
  TopologyView link = plane, half = plane;
  for (TopologyLink& l : plane.links) l.capacity_bytes_per_s *= l.to.value == 72 ? 0 : 1;
  QVERIFY(close(bottleneck_s(plane, allToAll(plane)) / whole_s, 18 / 17.0));
  // One dead link: that chip waits for its 17 links; the links of others carry 1/71 * 1/17 of themselves
  // more.
  link.links[0].capacity_bytes_per_s = 0;
  const std::vector<double> load = allToAll(link);
  QVERIFY(close(bottleneck_s(link, load) / whole_s, 18 / 17.0));
  QCOMPARE(load[0], 0.0);
  QVERIFY(close(load[2 * (5 * 18 + 3)] * 18, 1 + (18 / 17.0 - 1) / 71));
  // A plane at half rate, striping unchanged: twice as long.
  for (TopologyLink& l : half.links) l.capacity_bytes_per_s *= l.to.value == 72 ? 0.5 : 1;
  QVERIFY(close(bottleneck_s(half, allToAll(half)) / whole_s, 2));
  // A leaf that lost one of eight uplinks: 8 * 56 over 7 links, against 63 on a host link.
  TopologyView clos = specView("leaf-spine:leaves=8,hosts=8,spines=8,links=1@50");
  clos.links[64].capacity_bytes_per_s = 0;
  QVERIFY(close(bottleneck_s(clos, allToAll(clos)), 64 / 50e9));
  // A cable of a torus: traffic goes round it.
  TopologyView torus = specView("torus:4x4x4@1");
  torus.links[0].capacity_bytes_per_s = 0;
  const double ratio = bottleneck_s(torus, allToAll(torus)) / 32e-9;
  QVERIFY2(std::abs(ratio - 1.1565) < 1e-4, qPrintable(QString::number(ratio, 'g', 8)));
}

void TestLinkLoads::oversubscriptionSlowsAllToAllOnly() {
  const TopologyView one = deploy(test::hgxH100(), 512), two = deploy(test::hgxH100(), 512, {"rail", 0, 2});
  const Groups all = everyone(one);
  double up_one = 0, up_two = 0;
  const auto a = dense(one, unitLoad(one, Collective::AllToAll, "direct", all));
  const auto b = dense(two, unitLoad(two, Collective::AllToAll, "direct", all));
  for (std::size_t e = 0; e < a.size(); ++e) {
    if (one.links[e / 2].link_class != LinkClass::ScaleOut || one.links[e / 2].from.value < one.chip_count)
      continue;
    up_one = std::max(up_one, a[e] / one.links[e / 2].capacity_bytes_per_s);
    up_two = std::max(up_two, b[e] / two.links[e / 2].capacity_bytes_per_s);
  }
  QVERIFY(close(up_two, 2 * up_one));
}

void TestLinkLoads::matchesPairByPair_data() {
  QTest::addColumn<int>("machine");
  for (int m = 0; m < 11; ++m) QTest::addRow("%d", m) << m;
}

void TestLinkLoads::matchesPairByPair() {
  QFETCH(int, machine);
  const TopologyView view = [&] {
    switch (machine) {
      case 0:
        return specView("star:n=8,planes=5+4+4+5@25");
      case 1:
        return specView("two-tier:groups=3,chips=4,planes=2+1,l2=3,links=2@1");
      case 2:
        return specView("full-mesh:7@1");
      case 3:
        return specView("hyperx:3x2,t=2@1");
      case 4:
        return specView("dragonfly:a=2,p=2,h=1@1");
      case 5:
        return specView("hypercube:4@1");
      case 6:
        return specView("fat-tree:k=4@1");
      case 7:
        return deploy(test::hgxH100(), 28);
      case 8:
        return deploy(test::hgxH100(), 40, {"leaf-spine", 0, 2});
      case 9:
        return deploy(test::hgxH100(), 48, {"torus", 0, 1});
      default:
        return specView("rail:nodes=3,rails=4,spines=2,links=2,units=2,star=2+1@1");
    }
  }();
  QVERIFY(rc::check([&] {
    const Groups groups = randomGroups(view.chip_count);
    const bool ring = *rc::gen::inRange(0, 2) == 1;
    Reference reference(view);
    for (const auto& group : groups) {
      for (std::size_t i = 0; i < group.size() && group.size() > 1; ++i) {
        if (ring) {
          reference.send(group[i].value, group[(i + 1) % group.size()].value, 1);
          continue;
        }
        for (const ChipId other : group) {
          if (other != group[i]) reference.send(group[i].value, other.value, 1.0 / double(group.size() - 1));
        }
      }
    }
    const auto load = dense(view, unitLoad(view, Collective::AllGather, ring ? "ring" : "direct", groups));
    for (std::size_t e = 0; e < load.size(); ++e) RC_ASSERT(std::abs(load[e] - reference.load[e]) < 1e-12);
  }));
}

void TestLinkLoads::torusMatchesWalks_data() {
  QTest::addColumn<std::vector<int>>("wrap");
  QTest::newRow("torus:4x4x4@1") << std::vector<int>{1, 1, 1};
  QTest::newRow("torus:5x3x2@1") << std::vector<int>{1, 1, 1};
  QTest::newRow("torus:6x4@1") << std::vector<int>{1, 1, 1};
  QTest::newRow("torus:4x3x4,wrap=010@1") << std::vector<int>{0, 1, 0};
  QTest::newRow("torus:2x2x2@1") << std::vector<int>{1, 1, 1};
}

void TestLinkLoads::torusMatchesWalks() {
  QFETCH(std::vector<int>, wrap);
  const TopologyView view = specView(QTest::currentDataTag());
  QVERIFY(rc::check([&] {
    const Groups groups = randomGroups(view.chip_count);
    const bool ring = *rc::gen::inRange(0, 2) == 1;
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> hops;
    const std::array<bool, 3> closes{wrap[0] != 0, wrap[1] != 0, wrap[2] != 0};
    for (const auto& group : groups) {
      for (std::size_t i = 0; i < group.size() && group.size() > 1; ++i) {
        for (std::size_t j = 0; j < group.size(); ++j) {
          if (i == j || (ring && j != (i + 1) % group.size())) continue;
          walkTorus(view, closes, group[i].value, group[j].value, ring ? 1 : 1.0 / double(group.size() - 1),
                    hops);
        }
      }
    }
    const auto load = dense(view, unitLoad(view, Collective::AllGather, ring ? "ring" : "direct", groups));
    for (std::size_t l = 0; l < view.links.size(); ++l) {
      const std::uint32_t from = view.links[l].from.value, to = view.links[l].to.value;
      RC_ASSERT(std::abs(load[2 * l] - hops[std::pair(from, to)]) < 1e-12);
      RC_ASSERT(std::abs(load[2 * l + 1] - hops[std::pair(to, from)]) < 1e-12);
    }
  }));
}

void TestLinkLoads::flowIsConserved_data() {
  QTest::addColumn<int>("machine");
  QTest::addColumn<QString>("algorithm");
  for (int machine = 0; machine < 7; ++machine) {
    for (const char* algorithm : {"direct", "ring", "hierarchical", "deepep-normal", "torus-ring"})
      QTest::addRow("%d %s", machine, algorithm) << machine << QString(algorithm);
  }
}

void TestLinkLoads::flowIsConserved() {
  QFETCH(int, machine);
  QFETCH(QString, algorithm);
  const TopologyView view = [&] {
    switch (machine) {
      case 0:
        return deploy(test::nvl72(), 72);
      case 1:
        return deploy(test::nvl72(), 300);
      case 2:
        return deploy(test::nvl576(), 576);
      case 3:
        return deploy(test::nvl36x2(), 72);
      case 4:
        return deploy(test::hgxH100(), 4096);
      case 5:
        return deploy(test::tpuPod({16, 16, 16}, 64, 16, 4, 45e9), 512);
      default:
        return deploy(test::nvl72(), 720, {"torus", 0, 1});
    }
  }();
  for (const std::uint32_t size : {8U, 64U, view.chip_count}) {
    const Groups groups = blocks(view.chip_count, size);
    const auto load = dense(view, unitLoad(view, Collective::AllReduce, algorithm.toStdString(), groups));
    for (const double bytes : load) QVERIFY(bytes >= -1e-12);
    const auto nodes = balance(view, load);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const auto [out, in] = nodes[n];
      if (n >= view.chip_count) {
        QVERIFY2(std::abs(out - in) <= 1e-9 * std::max(1.0, out),
                 qPrintable(QString("%1: %2 %3").arg(n).arg(out).arg(in)));
      } else if (view.layout == TopologyLayout::Racks && size != view.chip_count &&
                 view.chip_count % size == 0) {
        // Injected: one byte per byte; delivered the same, as every rank is as busy as the others.
        QVERIFY2(std::abs(out - 1) < 1e-9 || (algorithm != "direct" && algorithm != "ring"),
                 qPrintable(QString::number(out)));
      }
    }
    double sent = 0, received = 0;
    for (std::size_t n = 0; n < view.chip_count; ++n) {
      sent += nodes[n].first;
      received += nodes[n].second;
    }
    QVERIFY(std::abs(sent - received) <= 1e-9 * sent);
  }
}

void TestLinkLoads::ringsAndChains() {
  const TopologyView view = specView("star:n=4,planes=1@1");
  const auto ring = dense(view, unitLoad(view, Collective::AllGather, "ring", everyone(view)));
  for (const double bytes : ring) QCOMPARE(bytes, 1.0);
  // 0 -> 1 -> 2 -> 3: the first only sends, the last only receives.
  const auto chain = dense(view, unitLoad(view, Collective::SendRecv, "send-recv", everyone(view)));
  QCOMPARE(chain, (std::vector<double>{1, 0, 1, 1, 1, 1, 0, 1}));
}

void TestLinkLoads::torusRingsUseAllAxes() {
  const TopologyView view = specView("torus:4x4x4@1");
  for (const double bytes : dense(view, unitLoad(view, Collective::AllReduce, "torus-ring", everyone(view))))
    QVERIFY(close(bytes, 1 / 6.0));
  // Rows of four along x: both directions of that axis only.
  const auto rows = dense(view, unitLoad(view, Collective::AllReduce, "torus-ring", blocks(64, 4)));
  for (std::size_t e = 0; e < rows.size(); ++e) {
    const TopologyLink& link = view.links[e / 2];
    const bool along_x = view.nodes[link.from.value].coordinate[0] != view.nodes[link.to.value].coordinate[0];
    QVERIFY(close(rows[e] + 1, along_x ? 1.5 : 1));
  }
}

void TestLinkLoads::hierarchySplitsBetweenTiers() {
  // 4 boxes of 8, all-reduce: 2 * 7/8 S inside to 2 * 3/4 * S/8 on the NIC.
  const TopologyView view = deploy(test::hgxH100(), 32);
  const auto load = dense(view, unitLoad(view, Collective::AllReduce, "hierarchical", everyone(view)));
  double inside = 0, nic = 0;
  for (std::size_t l = 0; l < view.links.size(); ++l) {
    if (view.links[l].from.value != 0) continue;
    (view.links[l].link_class == LinkClass::ScaleOut ? nic : inside) += load[2 * l];
  }
  QVERIFY(close(inside + nic, 1));
  QVERIFY(close(nic / inside, (3 / 4.0 / 8) / (7 / 8.0)));
  // Rails: nothing crosses a spine.
  for (std::size_t l = 0; l < view.links.size(); ++l) {
    if (view.nodes[view.links[l].to.value].tier == 12) QCOMPARE(load[2 * l], 0.0);
  }
}

void TestLinkLoads::singleRanksSendNothing() {
  const TopologyView view = deploy(test::hgxH100(), 16);
  QVERIFY(unitLoad(view, Collective::AllReduce, "ring", blocks(16, 1)).directed.empty());
  QVERIFY(unitLoad(view, Collective::AllReduce, "ring", Groups{}).directed.empty());
}

void TestLinkLoads::budgets() {
  // Times are printed; what fails is an algorithm that has become quadratic: minutes instead of milliseconds.
  constexpr double kHang_ms = 10'000;
  const auto time_ms = [](const TopologyView& view, std::uint32_t group, const char* algorithm) {
    QElapsedTimer timer;
    timer.start();
    const UnitLoad load = unitLoad(view, Collective::AllReduce, algorithm, blocks(view.chip_count, group));
    const double ms = static_cast<double>(timer.nsecsElapsed()) * 1e-6;
    qInfo("%s, %u chips, groups of %u, %s: %.2f ms, %zu arcs", view.name.c_str(), view.chip_count, group,
          algorithm, ms, load.directed.size());
    return ms;
  };
  QVERIFY(time_ms(deploy(test::nvl72(), 72), 72, "direct") < kHang_ms);
  QVERIFY(time_ms(deploy(test::nvl576(), 576), 576, "direct") < kHang_ms);
  QVERIFY(time_ms(deploy(test::nvl576(), 576), 8, "ring") < kHang_ms);
  QVERIFY(time_ms(deploy(test::nvl72(), 576), 576, "direct") < kHang_ms);
  const TopologyView large = deploy(test::nvl72(), 10240);
  QVERIFY(time_ms(large, 72, "direct") < kHang_ms);
  QVERIFY(time_ms(large, 10240, "direct") < kHang_ms);
  QVERIFY(time_ms(large, 64, "ring") < kHang_ms);
  const TopologyView torus = deploy(test::tpuPod({16, 24, 24}, 144, 16, 4, 90e9), 9216);
  QVERIFY(time_ms(torus, 9216, "direct") < kHang_ms);
  QVERIFY(time_ms(torus, 64, "direct") < kHang_ms);
  const TopologyView boxes = deploy(test::hgxH100(), 10240);
  QVERIFY(time_ms(boxes, 10240, "direct") < kHang_ms);
}

QTEST_GUILESS_MAIN(TestLinkLoads)
#include "tst_link_loads.moc"
