// The graph in formats that other programs read.
#include "base/csv.h"
#include "topology/topology.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace decodescope::topology {

namespace {

const char* kindId(NodeKind kind) {
  switch (kind) {
    case NodeKind::Chip:
      return "chip";
    case NodeKind::Switch:
      return "switch";
    case NodeKind::Cpu:
      return "cpu";
  }
  return "";
}

const char* classId(LinkClass link_class) {
  switch (link_class) {
    case LinkClass::ScaleUp:
      return "scale-up";
    case LinkClass::InterSwitch:
      return "inter-switch";
    case LinkClass::ScaleOut:
      return "scale-out";
  }
  return "";
}

std::string escapeXml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string escapeDot(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

constexpr std::string_view kGraphmlHead = R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="label" for="node" attr.name="label" attr.type="string"/>
  <key id="kind" for="node" attr.name="kind" attr.type="string"/>
  <key id="tier" for="node" attr.name="tier" attr.type="int"/>
  <key id="plane" for="node" attr.name="plane" attr.type="int"/>
  <key id="domain" for="node" attr.name="domain" attr.type="int"/>
  <key id="cables" for="edge" attr.name="cables" attr.type="int"/>
  <key id="capacity_bytes_per_s" for="edge" attr.name="capacity_bytes_per_s" attr.type="double"/>
  <key id="class" for="edge" attr.name="class" attr.type="string"/>
)";

std::string graphml(const TopologyView& view) {
  std::string out(kGraphmlHead);
  auto to = std::back_inserter(out);
  fmt::format_to(to, "  <graph id=\"{}\" edgedefault=\"undirected\">\n", escapeXml(view.name));
  for (std::uint32_t n = 0; n < view.nodes.size(); ++n) {
    const TopologyNode& node = view.nodes[n];
    fmt::format_to(
        to,
        "    <node id=\"n{}\"><data key=\"label\">{}</data><data key=\"kind\">{}</data><data key=\"tier\">{}"
        "</data><data key=\"plane\">{}</data><data key=\"domain\">{}</data></node>\n",
        n, escapeXml(nodeLabel(view, NodeId{n})), kindId(node.kind), int{node.tier}, node.plane, node.domain);
  }
  for (std::size_t l = 0; l < view.links.size(); ++l) {
    const TopologyLink& link = view.links[l];
    fmt::format_to(to,
                   "    <edge id=\"e{}\" source=\"n{}\" target=\"n{}\"><data key=\"cables\">{}</data><data "
                   "key=\"capacity_bytes_per_s\">{}</data><data key=\"class\">{}</data></edge>\n",
                   l, link.from.value, link.to.value, link.multiplicity,
                   csv::formatNumber(link.capacity_bytes_per_s), classId(link.link_class));
  }
  return out + "  </graph>\n</graphml>\n";
}

std::string dot(const TopologyView& view) {
  std::string out = fmt::format("graph \"{}\" {{\n", escapeDot(view.name));
  auto to = std::back_inserter(out);
  for (std::uint32_t n = 0; n < view.nodes.size(); ++n)
    fmt::format_to(to, "  n{} [label=\"{}\", shape={}];\n", n, escapeDot(nodeLabel(view, NodeId{n})),
                   view.nodes[n].kind == NodeKind::Switch ? "ellipse" : "box");
  for (const TopologyLink& link : view.links)
    fmt::format_to(to, "  n{} -- n{} [label=\"{} x {:g} GB/s\"];\n", link.from.value, link.to.value,
                   link.multiplicity, link.capacity_bytes_per_s / link.multiplicity * 1e-9);
  return out + "}\n";
}

std::string json(const TopologyView& view) {
  nlohmann::ordered_json out{{"name", view.name}, {"chips", view.chip_count}};
  auto& nodes = out["nodes"] = nlohmann::ordered_json::array();
  for (std::uint32_t n = 0; n < view.nodes.size(); ++n) {
    const TopologyNode& node = view.nodes[n];
    nodes.push_back({{"id", n},
                     {"label", nodeLabel(view, NodeId{n})},
                     {"kind", kindId(node.kind)},
                     {"tier", node.tier},
                     {"plane", node.plane},
                     {"domain", node.domain},
                     {"group", node.group}});
    if (node.tray.isValid()) {
      const TopologyTray& tray = view.trays[node.tray.value];
      nodes.back()["rack"] = tray.rack.value + 1;
      nodes.back()["unit"] = tray.unit;
      nodes.back()["slot"] = node.slot;
    }
  }
  auto& links = out["links"] = nlohmann::ordered_json::array();
  for (const TopologyLink& link : view.links)
    links.push_back({{"from", link.from.value},
                     {"to", link.to.value},
                     {"cables", link.multiplicity},
                     {"capacity_bytes_per_s", link.capacity_bytes_per_s},
                     {"latency_s", link.latency_s},
                     {"class", classId(link.link_class)}});
  return out.dump(1) + "\n";
}

}  // namespace

std::string exportGraph(const TopologyView& view, ExportFormat format) {
  switch (format) {
    case ExportFormat::Graphml:
      return graphml(view);
    case ExportFormat::Dot:
      return dot(view);
    case ExportFormat::Json:
      return json(view);
  }
  return {};
}

}  // namespace decodescope::topology
