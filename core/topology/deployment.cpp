// From a system of the catalog, or a specification, to the machine standing on the floor.
#include "base/units.h"
#include "topology/faults.h"
#include "topology/placement.h"
#include "topology/registry.h"
#include "topology/scale_out.h"
#include "topology/topology.h"

#include <fmt/format.h>
#include <algorithm>

namespace decodescope::topology {

namespace {

constexpr int kMaxChips = 1'000'000;

/// Copies of one or two sketches (whole domains, and a last one with the rest of the chips) in one view,
/// chips first.
std::vector<DomainNodes> stampDomains(TopologyView& view, const std::vector<const Sketch*>& domains) {
  std::vector<DomainNodes> placed(domains.size());
  std::size_t node_count = 0, link_count = 0;
  for (const Sketch* domain : domains) {
    node_count += domain->nodes.size();
    link_count += domain->links.size();
    view.chip_count += domain->chip_count;
  }
  view.nodes.resize(node_count);
  view.links.reserve(link_count);
  std::uint32_t chip = 0, other = view.chip_count;
  for (std::uint32_t d = 0; d < domains.size(); ++d) {
    const Sketch& sketch = *domains[d];
    const auto others = static_cast<std::uint32_t>(sketch.nodes.size()) - sketch.chip_count;
    placed[d] = {chip, sketch.chip_count, other, others};
    const auto where = [&](NodeId local) {
      return NodeId{local.value < sketch.chip_count ? chip + local.value
                                                    : other + local.value - sketch.chip_count};
    };
    for (std::uint32_t n = 0; n < sketch.nodes.size(); ++n) {
      TopologyNode& node = view.nodes[where(NodeId{n}).value];
      node = sketch.nodes[n];
      if (domains.size() > 1) node.domain = d;
    }
    for (TopologyLink link : sketch.links) {
      link.from = where(link.from);
      link.to = where(link.to);
      view.links.push_back(link);
    }
    chip += sketch.chip_count;
    other += others;
  }
  return placed;
}

std::shared_ptr<TopologyView> emptyView(const Sketch& sketch) {
  auto view = std::make_shared<TopologyView>();
  view->name = sketch.name;
  view->layout = sketch.layout;
  view->torus_dims = sketch.torus_dims;
  return view;
}

bool isTorus(const TopologyView& view) {
  return view.layout == TopologyLayout::Torus2d || view.layout == TopologyLayout::Torus3d;
}

void place(TopologyView& view, const RackPlan& plan, const std::vector<DomainNodes>& domains) {
  if (isTorus(view)) {
    placeTorusDomains(view, plan, domains);
  } else {
    placeSwitchedDomains(view, plan, domains);
  }
}

/// Switch trays that the fullest rack of 64 chips needs for first-level switches, two in each.
int switchTraysNeeded(const Sketch& sketch) {
  const auto first_level =
      std::count_if(sketch.nodes.begin(), sketch.nodes.end(),
                    [](const TopologyNode& node) { return node.kind == NodeKind::Switch && node.tier == 1; });
  constexpr int kChipsPerRack = 64, kPerTray = 2;
  const auto racks = std::max<std::int64_t>(1, (sketch.chip_count + kChipsPerRack - 1) / kChipsPerRack);
  return static_cast<int>((first_level + racks * kPerTray - 1) / (racks * kPerTray));
}

Expected<void> checkChips(const SystemSpec& system, int chips) {
  if (chips >= 1 && chips <= kMaxChips && system.chips >= 1) return {};
  return Unexpected(Error{ErrorCode::BadInput, "", "chips", fmt::format("{}", chips),
                          "the number of chips is out of range", fmt::format("give 1 to {}", kMaxChips)});
}

}  // namespace

Expected<Topology> buildFromSpec(std::string_view text) {
  const auto builder = findBuilder(SpecParameters::kindOf(text), fmt::format("topology \"{}\"", text));
  if (!builder) return Unexpected(builder.error());
  const auto spec = SpecParameters::parse(text, (*builder)->example);
  if (!spec) return Unexpected(spec.error());
  auto sketch = (*builder)->from_spec(*spec);
  if (!sketch) return Unexpected(sketch.error());
  sketch->name = text;
  const auto view = emptyView(*sketch);
  const std::vector<DomainNodes> domains = stampDomains(*view, {&*sketch});
  const int chips_per_tray = sketch->chip_count <= 8 ? static_cast<int>(sketch->chip_count) : 4;
  place(*view, plainRackPlan(chips_per_tray, switchTraysNeeded(*sketch)), domains);
  arrangeFloor(*view);
  indexLinks(*view);
  return Topology(view);
}

Expected<Topology> buildDeployment(const SystemSpec& system, const ChipSpec& chip, int chips,
                                   const Fabric& fabric, std::span<const Fault> faults) {
  if (auto ok = checkChips(system, chips); !ok) return Unexpected(ok.error());
  const auto builder = findBuilder(system.graph.builder, fmt::format("system {}, graph.builder", system.id));
  if (!builder) return Unexpected(builder.error());
  if ((*builder)->domain == nullptr)
    return Unexpected(Error{ErrorCode::BadInput, "", fmt::format("system {}, graph.builder", system.id),
                            system.graph.builder, "this kind of graph is not a scale-up domain",
                            "use star, two-tier, full-mesh or torus"});
  const int whole = chips / system.chips, rest = chips % system.chips;
  const auto plan = planRack(system, whole + (rest > 0 ? 1 : 0));
  if (!plan) return Unexpected(plan.error());
  const auto full = (*builder)->domain(system, whole > 0 ? system.chips : rest);
  if (!full) return Unexpected(full.error());
  const auto last = rest > 0 && whole > 0 ? (*builder)->domain(system, rest) : full;
  if (!last) return Unexpected(last.error());
  std::vector<const Sketch*> sketches(static_cast<std::size_t>(std::max(1, whole)), &*full);
  if (rest > 0 && whole > 0) sketches.push_back(&*last);

  const auto view = emptyView(*full);
  view->name = system.name;
  place(*view, *plan, stampDomains(*view, sketches));
  if (sketches.size() > 1) {
    double nic_bytes_per_s = fabric.gb_per_s_per_chip * kGiga;
    if (nic_bytes_per_s <= 0) nic_bytes_per_s = system.nic_bytes_per_s_per_chip;
    if (nic_bytes_per_s <= 0) nic_bytes_per_s = chip.scale_out_bytes_per_s;
    if (auto joined = addScaleOut(*view, fabric, nic_bytes_per_s, static_cast<int>(sketches.size())); !joined)
      return Unexpected(joined.error());
  }
  arrangeFloor(*view);
  indexLinks(*view);
  if (auto applied = applyFaults(*view, faults); !applied) return Unexpected(applied.error());
  return Topology(view);
}

}  // namespace decodescope::topology
