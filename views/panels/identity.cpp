#include "panels/identity.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace decodescope::views {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("Identity", text);
}
QString fromStd(const std::string& text) {
  return QString::fromStdString(text);
}

/// Value at `index`, or 0 while the snapshot has none.
double at(const std::vector<float>& values, std::size_t index) {
  return index < values.size() ? static_cast<double>(values[index]) : 0;
}

double linkRatio(const Snapshot& s, std::uint32_t link) {
  const std::vector<float>& ratio =
      s.link_phase_ratio.empty() ? s.link_utilization_ratio : s.link_phase_ratio;
  return std::max(at(ratio, 2 * std::size_t{link}), at(ratio, 2 * std::size_t{link} + 1));
}

std::vector<LinkId> linksOf(const TopologyView& t, std::uint32_t node) {
  if (node + 1 >= t.node_link_begin.size()) return {};
  return {t.node_links.begin() + t.node_link_begin[node], t.node_links.begin() + t.node_link_begin[node + 1]};
}

void addLinks(Identity& out, const Snapshot& s, std::uint32_t node) {
  const TopologyView& t = *s.topology;
  double capacity = 0;
  for (const LinkId id : linksOf(t, node)) {
    const TopologyLink& link = t.links[id.value];
    const NodeId other = link.from.value == node ? link.to : link.from;
    out.links.push_back({fromStd(nodeLabel(t, other)), linkRatio(s, id.value), id.value});
    capacity = std::max(capacity, link.capacity_bytes_per_s);
  }
  if (out.links.empty()) return;
  const auto count = out.links.size();
  out.links_title =
      count == 1 ? tr("1 link to %1").arg(out.links.front().name)
                 : tr("%1 links: %2 … %3").arg(count).arg(out.links.front().name, out.links.back().name);
  out.links_note = tr("% of %1").arg(byteRateText(capacity, 3).text());
}

QString trayText(const TopologyView& t, const TopologyNode& node) {
  if (!node.tray.isValid() || node.tray.value >= t.trays.size()) return {};
  const TopologyTray& tray = t.trays[node.tray.value];
  QString text = tr("tray %1 slot %2").arg(tray.number, 2, 10, QLatin1Char('0')).arg(node.slot + 1);
  if (t.racks.size() > 1 && tray.rack.value < t.racks.size())
    text = fromStd(t.racks[tray.rack.value].label) + QStringLiteral(", ") + text;
  return text;
}

Identity describeChip(std::uint32_t chip, const Snapshot& s) {
  const TopologyView& t = *s.topology;
  Identity out;
  if (chip >= t.chip_count) return out;
  out.name = fromStd(nodeLabel(t, NodeId{chip}));
  out.subtitle = QStringList{fromStd(t.name), trayText(t, t.nodes[chip])}.join(QStringLiteral(", "));
  const std::uint8_t bits = chip < s.chip_throttle.size() ? s.chip_throttle[chip] : 0;
  out.throttled = bits != 0;
  if (out.throttled) out.badge = tr("throttled: %1").arg(throttleText(bits));
  const Prediction p = s.prediction ? *s.prediction : Prediction{};
  const double temperature_c = at(s.chip_temperature_c, chip);
  out.temperature_c = temperature_c;
  out.facts.push_back({tr("Temperature"), temperatureText(temperature_c),
                       p.thermal.limit_c > 0 ? tr("limit %1").arg(exactText(p.thermal.limit_c)) : QString()});
  out.facts.push_back({tr("Clock"), ratioText(at(s.chip_clock_ratio, chip), 3), tr("of nominal")});
  out.facts.push_back({tr("Power"), powerText(at(s.chip_power_w, chip)),
                       p.power.chip_cap_w > 0 ? tr("of %1").arg(countText(p.power.chip_cap_w)) : QString()});
  const MemoryAccount& m = p.memory;
  const double used =
      m.weights_bytes_per_chip + m.kv_bytes_per_chip + m.activation_bytes_per_chip + m.reserve_bytes_per_chip;
  out.facts.push_back(
      {tr("HBM, KV %1 full").arg(ratioText(at(s.chip_kv_used_ratio, chip)).text()), bytesText(used),
       m.capacity_bytes_per_chip > 0 ? tr("of %1").arg(bytesText(m.capacity_bytes_per_chip).number)
                                     : QString()});
  addLinks(out, s, chip);
  return out;
}

Identity describeSwitch(std::uint32_t node, const Snapshot& s) {
  const TopologyView& t = *s.topology;
  Identity out;
  if (node >= t.nodes.size()) return out;
  out.name = fromStd(nodeLabel(t, NodeId{node}));
  const TopologyNode& n = t.nodes[node];
  out.subtitle = n.tier < 10 ? tr("scale-up tier %1, plane %2").arg(n.tier).arg(n.plane + 1)
                             : tr("scale-out tier %1, rail %2").arg(n.tier - 10).arg(n.plane + 1);
  addLinks(out, s, node);
  double sum = 0, most = 0, capacity = 0;
  for (const IdentityLink& link : out.links) {
    sum += link.ratio;
    most = std::max(most, link.ratio);
    capacity += t.links[link.link].capacity_bytes_per_s;
  }
  const double count = std::max<double>(1, static_cast<double>(out.links.size()));
  out.facts = {{tr("Busiest port"), ratioText(most), tr("its busiest phase")},
               {tr("Mean of ports"), ratioText(sum / count), tr("%1 ports").arg(out.links.size())},
               {tr("Capacity"), byteRateText(capacity), tr("per direction")}};
  if (most >= 1) out.badge = tr("saturated");
  return out;
}

Identity describeLink(std::uint32_t index, const Snapshot& s) {
  const TopologyView& t = *s.topology;
  Identity out;
  if (index >= t.links.size()) return out;
  const TopologyLink& link = t.links[index];
  out.name = fromStd(linkLabel(t, LinkId{index}));
  const QString kind = link.link_class == LinkClass::ScaleUp       ? tr("scale-up link")
                       : link.link_class == LinkClass::InterSwitch ? tr("link between switches")
                                                                   : tr("scale-out link");
  out.subtitle = link.multiplicity == 1 ? kind : tr("%1, bundle of %2").arg(kind).arg(link.multiplicity);
  const std::size_t forward = 2 * std::size_t{index}, backward = forward + 1;
  const auto there = tr("%1 over the step");
  out.facts = {{tr("There"), ratioText(at(s.link_phase_ratio, forward)),
                there.arg(ratioText(at(s.link_utilization_ratio, forward)).text())},
               {tr("Back"), ratioText(at(s.link_phase_ratio, backward)),
                there.arg(ratioText(at(s.link_utilization_ratio, backward)).text())},
               {tr("Capacity"), byteRateText(link.capacity_bytes_per_s), tr("per direction")},
               {tr("Latency"), timeText(link.latency_s), tr("one way")}};
  if (linkRatio(s, index) >= 1) out.badge = tr("saturated");
  return out;
}

Identity describeGroup(const Selection& selection, const Snapshot& s) {
  const TopologyView& t = *s.topology;
  Identity out;
  const std::vector<std::uint32_t> chips = chipsOf(selection, t);
  const bool is_rack = selection.kind == Selection::Kind::Rack;
  if (is_rack ? selection.index >= t.racks.size() : selection.index >= t.trays.size()) return out;
  if (is_rack) {
    out.name = fromStd(t.racks[selection.index].label);
    out.subtitle = tr("%1 chips, %2 trays").arg(chips.size()).arg(t.racks[selection.index].trays.size());
  } else {
    const TopologyTray& tray = t.trays[selection.index];
    const QString number = QStringLiteral("%1").arg(tray.number, 2, 10, QLatin1Char('0'));
    out.name =
        tray.kind == TrayKind::Switch ? tr("Switch tray %1").arg(tray.number) : tr("Tray %1").arg(number);
    out.subtitle = tr("%1 devices").arg(tray.nodes.size());
    if (tray.rack.value < t.racks.size())
      out.subtitle += QStringLiteral(", ") + fromStd(t.racks[tray.rack.value].label);
  }
  double hottest = 0, sum_c = 0, power_w = 0, busiest = 0;
  int throttled = 0;
  for (const std::uint32_t chip : chips) {
    const double temperature_c = at(s.chip_temperature_c, chip);
    hottest = std::max(hottest, temperature_c);
    sum_c += temperature_c;
    power_w += at(s.chip_power_w, chip);
    throttled += chip < s.chip_throttle.size() && s.chip_throttle[chip] != 0 ? 1 : 0;
    for (const LinkId link : linksOf(t, chip)) busiest = std::max(busiest, linkRatio(s, link.value));
  }
  if (!chips.empty()) {
    out.temperature_c = hottest;
    out.facts.push_back({tr("Hottest chip"), temperatureText(hottest),
                         tr("mean %1").arg(fixedText(sum_c / static_cast<double>(chips.size()), 1))});
  }
  if (is_rack && selection.index < s.rack_power_w.size()) {
    const double cap_w = s.prediction ? s.prediction->power.rack_cap_w : 0;
    out.facts.push_back({tr("Rack power"), powerText(at(s.rack_power_w, selection.index)),
                         cap_w > 0 ? tr("cap %1").arg(powerText(cap_w, 3).text()) : QString()});
  }
  if (!chips.empty()) {
    out.facts.push_back({tr("Power of chips"), powerText(power_w), tr("%1 chips").arg(chips.size())});
    out.facts.push_back({tr("Busiest link"), ratioText(busiest), tr("its busiest phase")});
  }
  out.throttled = throttled > 0;
  if (throttled > 0) out.badge = tr("%1 throttled").arg(throttled);
  if (chips.empty() && !is_rack) {
    const TopologyTray& tray = t.trays[selection.index];
    for (const NodeId node : tray.nodes)
      for (const LinkId link : linksOf(t, node.value)) busiest = std::max(busiest, linkRatio(s, link.value));
    out.facts.push_back({tr("Busiest port"), ratioText(busiest), tr("its busiest phase")});
  }
  return out;
}

}  // namespace

QString throttleText(std::uint8_t bits) {
  QStringList reasons;
  const auto has = [bits](ThrottleReason reason) { return (bits & static_cast<std::uint8_t>(reason)) != 0; };
  if (has(ThrottleReason::SwThermal) || has(ThrottleReason::HwThermal)) reasons << tr("heat");
  if (has(ThrottleReason::PowerCap)) reasons << tr("power cap");
  if (has(ThrottleReason::HwSlowdown)) reasons << tr("hardware slowdown");
  return reasons.join(tr(" and "));
}

std::vector<std::uint32_t> chipsOf(const Selection& selection, const TopologyView& t) {
  std::vector<std::uint32_t> chips;
  const auto add_tray = [&](std::uint32_t tray) {
    if (tray >= t.trays.size()) return;
    for (const NodeId node : t.trays[tray].nodes)
      if (node.value < t.chip_count) chips.push_back(node.value);
  };
  if (selection.kind == Selection::Kind::Chip && selection.index < t.chip_count)
    chips.push_back(selection.index);
  if (selection.kind == Selection::Kind::Tray) add_tray(selection.index);
  if (selection.kind == Selection::Kind::Rack && selection.index < t.racks.size())
    for (const TrayId tray : t.racks[selection.index].trays) add_tray(tray.value);
  return chips;
}

Identity describe(const Selection& selection, const Snapshot& snapshot) {
  if (!snapshot.topology) return {};
  switch (selection.kind) {
    case Selection::Kind::None:
      return {};
    case Selection::Kind::Chip:
      return describeChip(selection.index, snapshot);
    case Selection::Kind::Switch:
      return describeSwitch(selection.index, snapshot);
    case Selection::Kind::Link:
      return describeLink(selection.index, snapshot);
    case Selection::Kind::Tray:
    case Selection::Kind::Rack:
      return describeGroup(selection, snapshot);
  }
  return {};
}

}  // namespace decodescope::views
