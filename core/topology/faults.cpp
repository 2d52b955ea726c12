#include "topology/faults.h"

#include "base/text_distance.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <optional>

namespace decodescope::topology {

namespace {

constexpr std::string_view kSeparator = " - ";

std::optional<NodeId> findNode(const TopologyView& view, std::string_view label) {
  for (std::uint32_t n = 0; n < view.nodes.size(); ++n) {
    if (nodeLabel(view, NodeId{n}) == label) return NodeId{n};
  }
  return std::nullopt;
}

std::span<const LinkId> linksOf(const TopologyView& view, NodeId node) {
  const std::uint32_t begin = view.node_link_begin[node.value], end = view.node_link_begin[node.value + 1];
  return std::span(view.node_links).subspan(begin, end - begin);
}

std::optional<LinkId> findLink(const TopologyView& view, std::string_view label) {
  const std::size_t at = label.find(kSeparator);
  if (at == std::string_view::npos) return std::nullopt;
  const auto a = findNode(view, label.substr(0, at)),
             b = findNode(view, label.substr(at + kSeparator.size()));
  if (!a || !b) return std::nullopt;
  for (const LinkId id : linksOf(view, *a)) {
    const TopologyLink& link = view.links[id.value];
    if (link.from == *b || link.to == *b) return id;
  }
  return std::nullopt;
}

std::optional<LinkId> firstScaleUpLink(const TopologyView& view, NodeId chip) {
  for (const LinkId id : linksOf(view, chip)) {
    if (view.links[id.value].link_class == LinkClass::ScaleUp) return id;
  }
  return std::nullopt;
}

Error faultError(const TopologyView& view, const Fault& fault) {
  Error error;
  error.code = ErrorCode::NotFound;
  error.field = fmt::format("faults, {}", fault.kind);
  error.value = fault.target;
  error.message = "the machine has nothing of this name";
  std::string example = view.links.empty() ? "" : linkLabel(view, LinkId{0});
  if (fault.kind == "switch") {
    example.clear();
    for (std::uint32_t n = view.chip_count; n < view.nodes.size() && example.empty(); ++n) {
      if (view.nodes[n].kind == NodeKind::Switch) example = nodeLabel(view, NodeId{n});
    }
  }
  error.remedy =
      example.empty() ? "this machine has no such parts" : fmt::format("names are like \"{}\"", example);
  return error;
}

Expected<void> applyFault(TopologyView& view, const Fault& fault) {
  const auto reduce = [&](LinkId id) { view.links[id.value].capacity_bytes_per_s *= fault.capacity_ratio; };
  if (fault.kind == "switch") {
    const auto node = findNode(view, fault.target);
    if (!node || view.nodes[node->value].kind != NodeKind::Switch) return Unexpected(faultError(view, fault));
    for (const LinkId id : linksOf(view, *node)) reduce(id);
    return {};
  }
  auto link = findLink(view, fault.target);
  if (!link && fault.kind == "chip-link") {
    const auto chip = findNode(view, fault.target);
    if (chip && view.nodes[chip->value].kind == NodeKind::Chip) link = firstScaleUpLink(view, *chip);
  }
  if (!link) return Unexpected(faultError(view, fault));
  reduce(*link);
  return {};
}

}  // namespace

Expected<void> applyFaults(TopologyView& view, std::span<const Fault> faults) {
  constexpr std::string_view kKinds[] = {"link", "switch", "chip-link", "flow"};
  for (const Fault& fault : faults) {
    if (fault.kind == "flow") continue;  // coolant: belongs to the thermal model
    if (std::find(std::begin(kKinds), std::end(kKinds), fault.kind) == std::end(kKinds)) {
      const std::string hint = didYouMean(fault.kind, kKinds);
      return Unexpected(Error{ErrorCode::BadInput, "", "faults, kind", fault.kind, "no such kind of fault",
                              hint.empty() ? "link, switch, chip-link or flow" : hint});
    }
    if (!(fault.capacity_ratio >= 0 && fault.capacity_ratio <= 1))
      return Unexpected(Error{ErrorCode::BadInput, "", "faults, capacity_ratio",
                              fmt::format("{}", fault.capacity_ratio), "must be from 0 to 1",
                              "0 takes the part out of service"});
    if (auto applied = applyFault(view, fault); !applied) return applied;
  }
  return {};
}

}  // namespace decodescope::topology
