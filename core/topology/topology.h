// Owning graph of a deployment, its routing and its facts. Boost.Graph stays behind graph_bgl.h.
#pragma once

#include "catalog/catalog.h"

#include <decodescope/expected.h>
#include <decodescope/scenario.h>
#include <decodescope/topology_view.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace decodescope::topology {

/// Facts computed on the built graph (never from formulas). Distances are hops between chips.
struct Facts {
  std::int64_t vertices = 0, bundles = 0, links = 0;
  int diameter = 0;
  double average_distance = 0;
  double bisection_bytes_per_s = 0;
};

class Topology {
 public:
  explicit Topology(std::shared_ptr<const TopologyView> view) : view_(std::move(view)) {}
  [[nodiscard]] const TopologyView& view() const { return *view_; }
  [[nodiscard]] const std::shared_ptr<const TopologyView>& sharedView() const { return view_; }
  [[nodiscard]] Facts facts() const;

 private:
  std::shared_ptr<const TopologyView> view_;
};

/// From a specification such as "torus:4x4x4@90", "star:n=72,planes=18x1@50", "nvl36x2" (all kinds: --help of
/// `topology`).
[[nodiscard]] Expected<Topology> buildFromSpec(std::string_view spec);

/// The machine of a scenario: `chips` chips of `system` as one or several scale-up domains standing in racks,
/// joined by `fabric` when there are several. Faults are applied as reduced capacities.
[[nodiscard]] Expected<Topology> buildDeployment(const SystemSpec&, const ChipSpec&, int chips, const Fabric&,
                                                 std::span<const Fault> faults = {});

enum class ExportFormat { Graphml, Dot, Json };
[[nodiscard]] std::string exportGraph(const TopologyView&, ExportFormat);

}  // namespace decodescope::topology
