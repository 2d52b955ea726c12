#include "topology/placement.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace decodescope::topology {

namespace {

constexpr int kSwitchesPerTray = 2, kSwitchTraysPerRack = 40, kSwitchRackUnits = 48;

RackId addRack(TopologyView& view, int units, const char* what) {
  TopologyRack rack;
  rack.label = fmt::format("Rack {}{}{}", view.racks.size() + 1, *what != '\0' ? ", " : "", what);
  rack.units = static_cast<std::uint16_t>(units);
  view.racks.push_back(std::move(rack));
  return RackId{static_cast<std::uint32_t>(view.racks.size() - 1)};
}

TrayId addTray(TopologyView& view, RackId rack, const RackPlan::Entry& entry) {
  TopologyTray tray;
  tray.kind = entry.kind;
  tray.rack = rack;
  tray.unit = static_cast<std::uint16_t>(entry.unit);
  tray.height_units = static_cast<std::uint16_t>(entry.height_units);
  tray.number = 1;
  TopologyRack& owner = view.racks[rack.value];
  for (const TrayId other : owner.trays) {
    if (view.trays[other.value].kind == entry.kind) ++tray.number;
  }
  view.trays.push_back(std::move(tray));
  const TrayId id{static_cast<std::uint32_t>(view.trays.size() - 1)};
  owner.trays.push_back(id);
  return id;
}

void stand(TopologyView& view, NodeId node, TrayId tray) {
  std::vector<NodeId>& nodes = view.trays[tray.value].nodes;
  view.nodes[node.value].tray = tray;
  view.nodes[node.value].slot = static_cast<std::uint16_t>(nodes.size());
  nodes.push_back(node);
}

/// One rack of the plan with its trays by kind.
struct BuiltRack {
  RackId id;
  std::vector<TrayId> compute, switches;
};

BuiltRack buildRack(TopologyView& view, const RackPlan& plan) {
  BuiltRack built;
  built.id = addRack(view, plan.units, "");
  for (const RackPlan::Entry& entry : plan.entries) {
    const TrayId tray = addTray(view, built.id, entry);
    if (entry.kind == TrayKind::Compute) built.compute.push_back(tray);
    if (entry.kind == TrayKind::Switch) built.switches.push_back(tray);
  }
  return built;
}

/// Switch k of n over the trays: as many in each as needed, in order.
void spread(TopologyView& view, const std::vector<NodeId>& nodes, const std::vector<TrayId>& trays) {
  const std::size_t per_tray = (nodes.size() + trays.size() - 1) / trays.size();
  for (std::size_t k = 0; k < nodes.size(); ++k) stand(view, nodes[k], trays[k / per_tray]);
}

/// Places one domain at a time into racks that it opens, or shares when domains are single boxes.
class SwitchedPlacer {
 public:
  SwitchedPlacer(TopologyView& view, const RackPlan& plan) : view_(view), plan_(plan) {}

  void place(const DomainNodes& domain) {
    openRacks(domain);
    group_tray_.clear();
    for (std::uint32_t i = 0; i < domain.chips; ++i) placeChip(domain, i);
    std::vector<std::vector<NodeId>> by_rack(racks_.size());
    std::vector<NodeId> higher;
    for (std::uint32_t i = 0; i < domain.others; ++i) {
      const NodeId node{domain.first_other + i};
      const TopologyNode& it = view_.nodes[node.value];
      if (it.kind == NodeKind::Switch && it.tier > 1) {
        higher.push_back(node);
      } else if (it.kind == NodeKind::Cpu || (plan_.switch_trays == 0 && groupStandsInOneTray(it.group))) {
        stand(view_, node, group_tray_[it.group].first);
      } else {
        by_rack[rackOf(group_tray_[it.group].first)].push_back(node);
      }
    }
    for (std::size_t r = 0; r < racks_.size(); ++r) spreadInRack(by_rack[r], racks_[r]);
    placeSwitchRacks(view_, higher, kSwitchesPerTray, plan_.switch_racks, "switches");
  }

 private:
  void openRacks(const DomainNodes& domain) {
    const auto boxes = static_cast<std::uint32_t>(plan_.domains_per_rack);
    if (boxes > 1) {
      // Only the boxes that exist stand in the rack.
      box_ = placed_++ % boxes;
      if (box_ == 0) racks_ = {{addRack(view_, plan_.units, ""), {}, {}}};
      racks_.front().compute.push_back(addTray(view_, racks_.front().id, plan_.entries[box_]));
      return;
    }
    racks_.clear();
    const auto per_rack = static_cast<std::uint32_t>(plan_.chipsPerRack());
    for (std::uint32_t chips = 0; chips < domain.chips; chips += per_rack)
      racks_.push_back(buildRack(view_, plan_));
  }

  void placeChip(const DomainNodes& domain, std::uint32_t i) {
    const NodeId chip{domain.first_chip + i};
    const std::uint32_t ordinal =
        plan_.domains_per_rack > 1 ? box_ : i / static_cast<std::uint32_t>(plan_.chips_per_tray);
    const auto per_rack = static_cast<std::uint32_t>(plan_.compute_trays);
    const TrayId tray = racks_[ordinal / per_rack].compute[ordinal % per_rack];
    stand(view_, chip, tray);
    const std::uint32_t group = view_.nodes[chip.value].group;
    if (group >= group_tray_.size()) group_tray_.resize(group + 1, {tray, tray});
    group_tray_[group].second = tray;
  }

  [[nodiscard]] bool groupStandsInOneTray(std::uint32_t group) const {
    return group_tray_[group].first == group_tray_[group].second;
  }
  [[nodiscard]] std::size_t rackOf(TrayId tray) const {
    return view_.trays[tray.value].rack.value - racks_.front().id.value;
  }
  void spreadInRack(const std::vector<NodeId>& switches, const BuiltRack& rack) {
    if (!switches.empty()) spread(view_, switches, rack.switches.empty() ? rack.compute : rack.switches);
  }

  TopologyView& view_;
  const RackPlan& plan_;
  std::vector<BuiltRack> racks_;
  std::vector<std::pair<TrayId, TrayId>> group_tray_;  ///< first and last tray of each group's chips
  std::uint32_t placed_ = 0, box_ = 0;
};

using Dims = std::array<int, 3>;

/// A box of `count` chips that tiles `outer`: prime factors go to the shortest axis that they divide.
Dims tile(int count, const Dims& outer) {
  Dims box{1, 1, 1};
  for (int factor = 2; count > 1; ++factor) {
    for (; count % factor == 0; count /= factor) {
      std::size_t best = 3;
      for (std::size_t d = 0; d < 3; ++d) {
        if (outer[d] % (box[d] * factor) == 0 && (best == 3 || box[d] < box[best])) best = d;
      }
      if (best < 3) box[best] *= factor;
    }
  }
  return box;
}

Dims dimsOf(const TopologyView& view, const DomainNodes& domain) {
  Dims dims{1, 1, 1};
  for (std::uint32_t i = 0; i < domain.chips; ++i) {
    for (std::size_t d = 0; d < 3; ++d)
      dims[d] = std::max(dims[d], view.nodes[domain.first_chip + i].coordinate[d] + 1);
  }
  return dims;
}

/// Number of the box that holds coordinate `at`, x fastest.
std::uint32_t boxOf(const Dims& at, const Dims& box, const Dims& outer) {
  int index = 0;
  for (std::size_t d = 3; d-- > 0;) index = index * (outer[d] / box[d]) + at[d] / box[d];
  return static_cast<std::uint32_t>(index);
}

void placeTorusDomain(TopologyView& view, const RackPlan& plan, const DomainNodes& domain) {
  const Dims dims = dimsOf(view, domain);
  const Dims cube = tile(plan.chipsPerRack(), dims);
  const Dims tray_box = tile(plan.chips_per_tray, cube);
  const int cubes = static_cast<int>(domain.chips) / (cube[0] * cube[1] * cube[2]);
  std::vector<BuiltRack> racks;
  // Boxes smaller than a rack share one, so that a slice never has more racks than it needs.
  const int trays_per_cube =
      std::max(1, cube[0] * cube[1] * cube[2] / (tray_box[0] * tray_box[1] * tray_box[2]));
  const int cubes_per_rack = std::max(1, plan.compute_trays / trays_per_cube);
  for (int c = 0; c < cubes; c += cubes_per_rack) racks.push_back(buildRack(view, plan));
  for (std::uint32_t i = 0; i < domain.chips; ++i) {
    TopologyNode& chip = view.nodes[domain.first_chip + i];
    const Dims at{chip.coordinate[0], chip.coordinate[1], chip.coordinate[2]};
    const Dims inside{at[0] % cube[0], at[1] % cube[1], at[2] % cube[2]};
    const auto cube_index = static_cast<int>(boxOf(at, cube, dims));
    chip.group = static_cast<std::uint32_t>(cube_index);
    const auto tray_index = static_cast<std::size_t>(boxOf(inside, tray_box, cube)) +
                            static_cast<std::size_t>(cube_index % cubes_per_rack * trays_per_cube);
    const std::vector<TrayId>& trays = racks[static_cast<std::size_t>(cube_index / cubes_per_rack)].compute;
    stand(view, NodeId{domain.first_chip + i}, trays[std::min(tray_index, trays.size() - 1)]);
  }
}

}  // namespace

void placeSwitchedDomains(TopologyView& view, const RackPlan& plan, const std::vector<DomainNodes>& domains) {
  SwitchedPlacer placer(view, plan);
  for (const DomainNodes& domain : domains) placer.place(domain);
}

void placeTorusDomains(TopologyView& view, const RackPlan& plan, const std::vector<DomainNodes>& domains) {
  for (const DomainNodes& domain : domains) placeTorusDomain(view, plan, domain);
}

void placeSwitchRacks(TopologyView& view, const std::vector<NodeId>& switches, int per_tray,
                      int minimum_racks, const char* what) {
  if (switches.empty()) return;
  const int trays = (static_cast<int>(switches.size()) + per_tray - 1) / per_tray;
  const int racks = std::max(minimum_racks, (trays + kSwitchTraysPerRack - 1) / kSwitchTraysPerRack);
  const int trays_per_rack = (trays + racks - 1) / racks;
  RackId rack;
  TrayId tray;
  for (int k = 0; k < static_cast<int>(switches.size()); ++k) {
    const int tray_index = k / per_tray;
    if (k % (per_tray * trays_per_rack) == 0) rack = addRack(view, kSwitchRackUnits, what);
    if (k % per_tray == 0) tray = addTray(view, rack, {TrayKind::Switch, tray_index % trays_per_rack, 1});
    stand(view, switches[static_cast<std::size_t>(k)], tray);
  }
}

void arrangeFloor(TopologyView& view) {
  constexpr std::size_t kShortRow = 8, kSmallFloor = 64;
  std::size_t columns = kShortRow;
  // Racks are about twice as deep with their aisle as they are wide.
  if (view.racks.size() > kSmallFloor)
    columns = static_cast<std::size_t>(std::ceil(std::sqrt(2.0 * static_cast<double>(view.racks.size()))));
  for (std::size_t r = 0; r < view.racks.size(); ++r) {
    view.racks[r].row = static_cast<std::uint16_t>(r / columns);
    view.racks[r].column = static_cast<std::uint16_t>(r % columns);
  }
}

}  // namespace decodescope::topology
