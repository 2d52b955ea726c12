// Machines and states made by hand, for tests of pictures: no catalog, no engine, every number known.
#pragma once

#include <decodescope/snapshot.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace decodescope::test {

/// Adds nodes, links, trays and racks, then finishes the adjacency.
class MachineBuilder {
 public:
  explicit MachineBuilder(std::string name) { view_.name = std::move(name); }

  TopologyView& view() { return view_; }
  TrayId addTray(RackId rack, TrayKind kind, std::uint16_t number, std::uint16_t height_units = 1) {
    const TrayId id{static_cast<std::uint32_t>(view_.trays.size())};
    view_.trays.push_back({kind, rack, unit_, height_units, number, {}});
    unit_ = static_cast<std::uint16_t>(unit_ + height_units);
    view_.racks[rack.value].trays.push_back(id);
    return id;
  }
  RackId addRack(std::string label, std::uint16_t row = 0, std::uint16_t column = 0) {
    unit_ = 0;
    view_.racks.push_back({std::move(label), row, column, 48, {}});
    return RackId{static_cast<std::uint32_t>(view_.racks.size() - 1)};
  }
  NodeId addNode(TopologyNode node) {
    const NodeId id{static_cast<std::uint32_t>(view_.nodes.size())};
    if (node.kind == NodeKind::Chip) ++view_.chip_count;
    if (node.tray.isValid()) {
      node.slot = static_cast<std::uint16_t>(view_.trays[node.tray.value].nodes.size());
      view_.trays[node.tray.value].nodes.push_back(id);
    }
    view_.nodes.push_back(node);
    return id;
  }
  void addLink(NodeId from, NodeId to, LinkClass link_class = LinkClass::ScaleUp, std::uint32_t cables = 1,
               double gb_per_s = 50) {
    view_.links.push_back({from, to, cables, cables * gb_per_s * 1e9, 1e-6, link_class});
  }
  std::shared_ptr<const TopologyView> finish() {
    std::vector<std::vector<LinkId>> at(view_.nodes.size());
    for (std::uint32_t i = 0; i < view_.links.size(); ++i) {
      at[view_.links[i].from.value].push_back(LinkId{i});
      at[view_.links[i].to.value].push_back(LinkId{i});
    }
    view_.node_link_begin.assign(1, 0);
    for (const auto& links : at) {
      view_.node_links.insert(view_.node_links.end(), links.begin(), links.end());
      view_.node_link_begin.push_back(static_cast<std::uint32_t>(view_.node_links.size()));
    }
    return std::make_shared<const TopologyView>(std::move(view_));
  }

 private:
  TopologyView view_;
  std::uint16_t unit_ = 0;
};

/// 18 compute trays of 4 chips around 9 switch trays of 2, every chip wired to every switch.
inline std::shared_ptr<const TopologyView> nvl72Machine() {
  MachineBuilder build("GB200 NVL72");
  const RackId rack = build.addRack("Rack 1");
  std::vector<TrayId> compute, switches;
  for (int i = 0; i < 4; ++i) build.addTray(rack, TrayKind::Power, static_cast<std::uint16_t>(i + 1));
  build.addTray(rack, TrayKind::Management, 1);
  for (std::uint16_t i = 1; i <= 10; ++i) compute.push_back(build.addTray(rack, TrayKind::Compute, i));
  for (std::uint16_t i = 1; i <= 9; ++i) switches.push_back(build.addTray(rack, TrayKind::Switch, i));
  for (std::uint16_t i = 11; i <= 18; ++i) compute.push_back(build.addTray(rack, TrayKind::Compute, i));
  for (int i = 0; i < 4; ++i) build.addTray(rack, TrayKind::Power, static_cast<std::uint16_t>(i + 5));
  for (std::uint32_t chip = 0; chip < 72; ++chip)
    build.addNode({.kind = NodeKind::Chip, .tray = compute[chip / 4]});
  for (std::uint32_t i = 0; i < 18; ++i)
    build.addNode({.kind = NodeKind::Switch,
                   .tier = 1,
                   .plane = static_cast<std::uint16_t>(i),
                   .tray = switches[i / 2]});
  for (std::uint32_t chip = 0; chip < 72; ++chip) {
    for (std::uint32_t plane = 0; plane < 18; ++plane) build.addLink(NodeId{chip}, NodeId{72 + plane});
  }
  return build.finish();
}

/// One chassis: 8 chips, 4 switches, planes of 5, 4, 4 and 5 links.
inline std::shared_ptr<const TopologyView> hgx8Machine() {
  MachineBuilder build("HGX H100");
  const TrayId tray = build.addTray(build.addRack("Rack 1"), TrayKind::Compute, 1, 8);
  for (std::uint32_t chip = 0; chip < 8; ++chip) build.addNode({.kind = NodeKind::Chip, .tray = tray});
  for (std::uint16_t i = 0; i < 4; ++i)
    build.addNode({.kind = NodeKind::Switch, .tier = 1, .plane = i, .tray = tray});
  for (std::uint32_t chip = 0; chip < 8; ++chip) {
    for (std::uint32_t plane = 0; plane < 4; ++plane)
      build.addLink(NodeId{chip}, NodeId{8 + plane}, LinkClass::ScaleUp, plane == 0 || plane == 3 ? 5 : 4,
                    25);
  }
  return build.finish();
}

/// `groups` groups of `chips` (4 a tray) on `planes` first-tier switches each, joined by `upper` switches per
/// plane.
inline std::shared_ptr<const TopologyView> twoTierMachine(std::uint32_t groups = 16, std::uint32_t chips = 36,
                                                          std::uint32_t planes = 18, std::uint32_t upper = 9,
                                                          std::uint32_t cables = 4) {
  MachineBuilder build("NVL576, modelled");
  std::vector<TrayId> trays;
  std::vector<TrayId> switch_trays;
  for (std::uint32_t group = 0; group < groups; ++group) {
    const RackId rack =
        build.addRack("Rack " + std::to_string(group + 1), static_cast<std::uint16_t>(group / 8),
                      static_cast<std::uint16_t>(group % 8));
    for (std::uint32_t i = 0; i < (chips + 3) / 4; ++i)
      trays.push_back(build.addTray(rack, TrayKind::Compute, static_cast<std::uint16_t>(i + 1)));
    switch_trays.push_back(build.addTray(rack, TrayKind::Switch, 1));
  }
  const auto trays_per_group = (chips + 3) / 4;
  for (std::uint32_t group = 0; group < groups; ++group) {
    for (std::uint32_t i = 0; i < chips; ++i)
      build.addNode({.kind = NodeKind::Chip, .group = group, .tray = trays[group * trays_per_group + i / 4]});
  }
  const std::uint32_t first_switch = groups * chips, first_upper = first_switch + groups * planes;
  for (std::uint32_t group = 0; group < groups; ++group) {
    for (std::uint32_t plane = 0; plane < planes; ++plane)
      build.addNode({.kind = NodeKind::Switch,
                     .tier = 1,
                     .plane = static_cast<std::uint16_t>(plane),
                     .group = group,
                     .tray = switch_trays[group]});
  }
  for (std::uint32_t plane = 0; plane < planes; ++plane) {
    for (std::uint32_t i = 0; i < upper; ++i)
      build.addNode(
          {.kind = NodeKind::Switch, .tier = 2, .plane = static_cast<std::uint16_t>(plane), .tray = {}});
  }
  for (std::uint32_t group = 0; group < groups; ++group) {
    for (std::uint32_t plane = 0; plane < planes; ++plane) {
      const NodeId lower{first_switch + group * planes + plane};
      for (std::uint32_t i = 0; i < chips; ++i) build.addLink(NodeId{group * chips + i}, lower);
      for (std::uint32_t i = 0; i < upper; ++i)
        build.addLink(lower, NodeId{first_upper + plane * upper + i}, LinkClass::InterSwitch, cables);
    }
  }
  return build.finish();
}

/// A torus with wrap-around links on every axis longer than two.
inline std::shared_ptr<const TopologyView> torusMachine(std::uint16_t x = 4, std::uint16_t y = 4,
                                                        std::uint16_t z = 4) {
  MachineBuilder build("torus");
  build.view().layout = z > 1 ? TopologyLayout::Torus3d : TopologyLayout::Torus2d;
  build.view().torus_dims = {x, y, z};
  const auto at = [&](std::uint32_t i, std::uint32_t j, std::uint32_t k) {
    return NodeId{(i * y + j) * z + k};
  };
  for (std::uint16_t i = 0; i < x; ++i) {
    for (std::uint16_t j = 0; j < y; ++j) {
      for (std::uint16_t k = 0; k < z; ++k)
        build.addNode({.kind = NodeKind::Chip, .tray = {}, .coordinate = {i, j, k}});
    }
  }
  for (std::uint32_t i = 0; i < x; ++i) {
    for (std::uint32_t j = 0; j < y; ++j) {
      for (std::uint32_t k = 0; k < z; ++k) {
        if (i + 1 < x || x > 2) build.addLink(at(i, j, k), at((i + 1) % x, j, k), LinkClass::ScaleUp, 1, 90);
        if (j + 1 < y || y > 2) build.addLink(at(i, j, k), at(i, (j + 1) % y, k), LinkClass::ScaleUp, 1, 90);
        if (z > 1 && (k + 1 < z || z > 2))
          build.addLink(at(i, j, k), at(i, j, (k + 1) % z), LinkClass::ScaleUp, 1, 90);
      }
    }
  }
  return build.finish();
}

/// Every chip wired to every other.
inline std::shared_ptr<const TopologyView> meshMachine(std::uint32_t chips = 8) {
  MachineBuilder build("MI300X platform");
  build.view().layout = TopologyLayout::Mesh;
  for (std::uint32_t i = 0; i < chips; ++i) build.addNode({.kind = NodeKind::Chip, .tray = {}});
  for (std::uint32_t i = 0; i < chips; ++i) {
    for (std::uint32_t j = i + 1; j < chips; ++j)
      build.addLink(NodeId{i}, NodeId{j}, LinkClass::ScaleUp, 1, 64);
  }
  return build.finish();
}

/// A number in [0, 1) that only depends on its argument.
inline double scatter(std::uint32_t i) {
  return std::fmod(std::abs(std::sin(static_cast<double>(i) * 12.9898 + 78.233)) * 43758.5453, 1.0);
}

/// A state of `machine` at rest: 60 degrees everywhere, links at 40 % in their busiest phase.
inline Snapshot restingSnapshot(std::shared_ptr<const TopologyView> machine) {
  Snapshot snapshot;
  const std::size_t chips = machine->chip_count, directed = 2 * machine->links.size();
  auto prediction = std::make_shared<Prediction>();
  prediction->feasible = true;
  prediction->thermal.limit_c = 88;
  snapshot.prediction = prediction;
  snapshot.sequence = 1;
  snapshot.chip_temperature_c.assign(chips, 60);
  snapshot.chip_power_w.assign(chips, 900);
  snapshot.chip_clock_ratio.assign(chips, 1);
  snapshot.chip_kv_used_ratio.assign(chips, 0.4f);
  snapshot.chip_throttle.assign(chips, 0);
  snapshot.link_utilization_ratio.assign(directed, 0.04f);
  snapshot.link_phase_ratio.assign(directed, 0.4f);
  snapshot.rack_power_w.assign(machine->racks.size(), 115e3f);
  snapshot.breakdown_s.part_s = {3e-3, 4e-3, 8e-3, 1e-3, 4e-3, 1.6e-3, 2e-3, 0.5e-3, 0};
  snapshot.topology = std::move(machine);
  return snapshot;
}

/// A lively state: a cool machine with one hot tray whose chips throttle, uneven links, some hot.
inline Snapshot livelySnapshot(std::shared_ptr<const TopologyView> machine) {
  Snapshot snapshot = restingSnapshot(std::move(machine));
  const TopologyView& view = *snapshot.topology;
  for (std::uint32_t chip = 0; chip < view.chip_count; ++chip) {
    const bool hot = chip / 4 == 3;
    snapshot.chip_temperature_c[chip] =
        hot ? 88.4f - 3 * static_cast<float>(chip % 4) : 57.0f + 8 * static_cast<float>(scatter(chip));
    if (hot && chip % 4 < 2)
      snapshot.chip_throttle[chip] = static_cast<std::uint8_t>(ThrottleReason::HwThermal),
      snapshot.chip_clock_ratio[chip] = 0.94f;
    snapshot.chip_kv_used_ratio[chip] = 0.3f + 0.2f * static_cast<float>(scatter(chip + 500));
  }
  for (std::uint32_t i = 0; i < view.links.size(); ++i) {
    const double node = scatter(view.links[i].from.value + 1000),
                 far = scatter(view.links[i].to.value + 2000), own = scatter(i);
    const auto ratio = static_cast<float>(
        std::min(0.985, 0.28 + 0.2 * node * node + 0.2 * far * far + 0.3 * std::pow(own, 12)));
    snapshot.link_phase_ratio[2 * i] = ratio;
    snapshot.link_phase_ratio[2 * i + 1] = ratio;
    snapshot.link_utilization_ratio[2 * i] = ratio * 0.09f;
    snapshot.link_utilization_ratio[2 * i + 1] = ratio * 0.08f;
  }
  return snapshot;
}

/// An iteration of two layers: attention, combine over every link, experts on every chip.
inline std::shared_ptr<const IterationTimeline> tinyTimeline(const TopologyView& view) {
  auto timeline = std::make_shared<IterationTimeline>();
  timeline->layers = 2;
  timeline->operation_names = {"attention", "MoE combine", "experts"};
  auto traffic = std::make_shared<PhaseTraffic>();
  traffic->name = "EP combine";
  for (std::uint32_t i = 0; i < 2 * view.links.size(); ++i)
    traffic->directed.push_back(i),
        traffic->bytes.push_back(static_cast<float>(view.links[i / 2].capacity_bytes_per_s * 41e-6 * 0.8));
  timeline->traffic.push_back(traffic);
  double now_s = 0;
  for (int layer = 0; layer < 2; ++layer) {
    const std::pair<PhaseKind, double> phases[] = {
        {PhaseKind::Attention, 60e-6}, {PhaseKind::Collective, 41e-6}, {PhaseKind::Experts, 80e-6}};
    for (std::uint32_t i = 0; i < 3; ++i) {
      timeline->phases.push_back({phases[i].first, layer, 0, i, now_s, phases[i].second, i == 1 ? 0 : -1});
      now_s += phases[i].second;
    }
  }
  timeline->step_s = now_s;
  timeline->stage_chips.emplace_back();
  for (std::uint32_t chip = 0; chip < view.chip_count; ++chip)
    timeline->stage_chips[0].push_back(ChipId{chip});
  return timeline;
}

}  // namespace decodescope::test
