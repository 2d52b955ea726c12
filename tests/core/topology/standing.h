// What must hold of any machine that stands on a floor.
#pragma once

#include <decodescope/topology_view.h>

#include <QtTest>
#include <set>

namespace decodescope::test {

/// Every node stands in exactly one tray, at its slot; trays belong to their racks and do not overlap; labels
/// differ.
inline void checkStanding(const TopologyView& view) {
  std::size_t standing = 0;
  for (std::uint32_t t = 0; t < view.trays.size(); ++t) {
    const TopologyTray& tray = view.trays[t];
    standing += tray.nodes.size();
    for (std::size_t s = 0; s < tray.nodes.size(); ++s) {
      QCOMPARE(view.nodes[tray.nodes[s].value].tray.value, t);
      QCOMPARE(std::size_t{view.nodes[tray.nodes[s].value].slot}, s);
    }
  }
  QCOMPARE(standing, view.nodes.size());
  std::size_t trays = 0;
  std::set<std::pair<int, int>> floor;
  for (std::uint32_t r = 0; r < view.racks.size(); ++r) {
    const TopologyRack& rack = view.racks[r];
    QVERIFY(floor.emplace(rack.row, rack.column).second);
    trays += rack.trays.size();
    int free_unit = 0;
    for (const TrayId id : rack.trays) {
      const TopologyTray& tray = view.trays[id.value];
      QCOMPARE(tray.rack.value, r);
      QVERIFY(tray.unit >= free_unit);
      free_unit = tray.unit + tray.height_units;
    }
    QVERIFY(free_unit <= rack.units);
  }
  QCOMPARE(trays, view.trays.size());
  std::set<std::string> labels;
  for (std::uint32_t n = 0; n < view.nodes.size(); ++n)
    QVERIFY2(labels.insert(nodeLabel(view, NodeId{n})).second, nodeLabel(view, NodeId{n}).c_str());
  for (std::uint32_t c = 0; c < view.nodes.size(); ++c)
    QCOMPARE(view.nodes[c].kind == NodeKind::Chip, c < view.chip_count);
}

}  // namespace decodescope::test
