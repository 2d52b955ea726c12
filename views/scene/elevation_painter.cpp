// Racks seen from the front: trays, chip tiles, switch bars, and the links beside them.
#include "scene/link_painter.h"
#include "scene/number_text.h"
#include "scene/tile_painter.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace decodescope::scene {
namespace {

constexpr float kBulge = 0.75f;  // how far a Bezier reaches towards its control points

void paintRackBody(SceneFrame& frame, const RackBox& rack) {
  const Palette& palette = frame.style.palette;
  const Rect body = frame.screen(rack.rect);
  frame.out.quads.push_back({body, palette.rack_metal, palette.line, 2, frame.style.px(5), Hatch::None,
                             packPick(PickKind::Rack, rack.rack.value)});
}

// Ventilation slots stand for shelves that hold no chips.
void paintSlots(SceneFrame& frame, const Rect& row, float label_width) {
  if (row.height < frame.style.px(6)) return;
  const float left = row.x + label_width, width = (row.width * 0.9f - label_width) / 6;
  const float height = std::min(row.height * 0.5f, frame.style.px(7));
  for (int i = 0; i < 6; ++i) {
    frame.out.quads.push_back(
        {{left + width * static_cast<float>(i), row.center().y - height / 2, width * 0.88f, height},
         frame.style.palette.rack_metal,
         {},
         0,
         0,
         Hatch::None,
         0});
  }
}

void paintTrayRow(SceneFrame& frame, const TrayBox& tray) {
  const Rect row = frame.screen(tray.rect);
  if (!frame.isVisible(row)) return;
  const Palette& palette = frame.style.palette;
  const PickId pick = packPick(PickKind::Tray, tray.tray.value);
  frame.out.quads.push_back({row, palette.rack_metal2, {}, 0, 1, Hatch::None, pick});
  const bool holds_focus = frame.focus.isValid() && frame.topology.nodes[frame.focus.value].tray == tray.tray;
  const bool bold = holds_focus;
  const float label_width = std::min(46 * frame.style.zoom, tray.rect.width * 0.12f) * frame.camera.scale();
  const bool plain = tray.kind == TrayKind::Power || tray.kind == TrayKind::Management;
  // Shelves keep a smaller, common size of text.
  const float indent = std::min(frame.style.px(plain ? 4 : 10), label_width * 0.2f);
  const Rect box{row.x + indent, row.y, plain ? row.width * 0.3f : label_width * 0.72f,
                 std::min(row.height, plain ? frame.style.px(11.5f) : row.height)};
  addFittedText(frame, tray.label, {box.x, row.center().y - box.height / 2, box.width, box.height},
                bold ? palette.text : palette.secondary_text, Align::Left, FontRole::Secondary, bold);
  if (plain) paintSlots(frame, row, std::max(label_width, frame.style.px(64)));
  if (tray.bundle != UINT32_MAX) {
    const float ratio = frame.layout.tray_bundles.load(tray.bundle, frame.loads).ratio;
    const float width = std::min(58 * frame.style.zoom, tray.rect.width * 0.14f) * frame.camera.scale();
    if (!frame.layout.tray_bundles.links(tray.bundle).empty()) {
      addLoadText(frame, ratio, {row.right() - width, row.y, width - frame.style.px(7), row.height},
                  Align::Right);
    }
  }
  if (frame.isSelected(PickKind::Tray, tray.tray.value))
    paintOutline(frame, row, true);
  else if (frame.hovered == pick)
    paintOutline(frame, row, false);
}

std::string switchNumber(const SceneFrame& frame, NodeId node) {
  const std::string label = nodeLabel(frame.topology, node);
  const auto space = label.rfind(' ');
  return space == std::string::npos ? label : label.substr(space + 1);
}

// A bar as long as the busiest port is busy.
void paintSwitch(SceneFrame& frame, NodeId node) {
  const Rect place = frame.screen(frame.layout.node_rects[node.value]);
  if (!frame.isVisible(place)) return;
  const Palette& palette = frame.style.palette;
  const float height = std::max(std::min(place.height * 0.84f, frame.style.px(16)), 2.0f);
  const Rect track{place.x, place.center().y - height / 2, place.width, height};
  const float ratio = loadAt(node, frame.topology, frame.loads).ratio;
  const auto state = static_cast<std::size_t>(linkState(ratio, frame.style.thresholds));
  const Color fill = mix(palette.rack_metal, palette.link[state], state <= 1 ? 0.6 : 0.85);
  const PickId pick = packPick(PickKind::Switch, node.value);
  frame.out.quads.push_back({track, palette.rack_metal, {}, 0, 1, Hatch::None, pick});
  frame.out.quads.push_back({{track.x, track.y, track.width * std::clamp(ratio, 0.0f, 1.0f), height},
                             fill,
                             {},
                             0,
                             1,
                             ratio > 1.001f ? Hatch::Cross : Hatch::None,
                             pick});
  const float text_width = std::min(track.width, frame.style.px(44));
  const bool over_bar = track.width * ratio > text_width * 0.8f;
  addFittedText(frame, switchNumber(frame, node),
                {track.x + frame.style.px(5), track.y - 0.5f, text_width, track.height + 1},
                over_bar ? textOn(fill) : palette.secondary_text, Align::Left, FontRole::Secondary, true);
  if (frame.isSelected(PickKind::Switch, node.value))
    paintOutline(frame, track, true);
  else if (frame.hovered == pick)
    paintOutline(frame, track, false);
}

void paintSwitches(SceneFrame& frame) {
  for (const TrayBox& tray : frame.layout.trays) {
    float worst = -1;
    for (const NodeId node : nodesOfKind(frame.topology, tray.tray, NodeKind::Switch)) {
      paintSwitch(frame, node);
      worst = std::max(worst, loadAt(node, frame.topology, frame.loads).ratio);
    }
    if (tray.kind != TrayKind::Switch || worst < 0) continue;
    const Rect row = frame.screen(tray.rect);
    const float width = std::min(58 * frame.style.zoom, tray.rect.width * 0.14f) * frame.camera.scale();
    if (frame.isVisible(row))
      addLoadText(frame, worst, {row.right() - width, row.y, width - frame.style.px(7), row.height},
                  Align::Right);
  }
}

// --- bundles of trays, right of a rack (left of the first of several) ---

struct Apron {
  float edge = 0;   ///< side of the rack, on screen
  float sign = 1;   ///< +1 right, -1 left
  float reach = 0;  ///< room beside it
};

Apron apronOf(const SceneFrame& frame, const RackBox& rack, bool right) {
  const Rect body = frame.screen(rack.rect);
  const Rect area = frame.screen(frame.layout.area);
  const float edge = right ? body.right() : body.x;
  float limit = right ? area.right() : area.x;
  for (const RackBox& other : frame.layout.racks) {
    if (other.rack == rack.rack) continue;
    const Rect box = frame.screen(other.rect);
    if (right && box.x >= edge) limit = std::min(limit, (box.x + edge) / 2);
    if (!right && box.right() <= edge) limit = std::max(limit, (box.right() + edge) / 2);
  }
  return {edge, right ? 1.0f : -1.0f, std::abs(limit - edge) - frame.style.px(14)};
}

struct TrayLine {
  const TrayBox* tray;
  BundleLoad load;
};

void paintTrayLines(SceneFrame& frame, const Apron& apron, std::vector<TrayLine> lines, float from_y,
                    float to_y, float full_count) {
  // Nearest tray first: its loop is the innermost.
  const auto count = static_cast<float>(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const float y = frame.screen(lines[i].tray->rect).center().y;
    const float port = from_y + (to_y - from_y) * (static_cast<float>(i) + 0.5f) / count;
    const float reach = apron.reach / kBulge * (0.14f + 0.86f * (static_cast<float>(i) + 1) / full_count);
    const float x = apron.edge + apron.sign * reach;
    const float start = apron.edge, end = apron.edge + apron.sign * frame.style.px(8);
    LinkLine line{{start, y},
                  {x, y},
                  {x, port},
                  {end, port},
                  lines[i].load.ratio,
                  lines[i].load.backward,
                  packPick(PickKind::Tray, lines[i].tray->tray.value)};
    line.most_px = std::abs(to_y - from_y) / count * 0.7f;
    paintLink(frame, line);
  }
}

void paintBundles(SceneFrame& frame, const RackBox& rack, bool right) {
  if (rack.switch_block.width <= 0) return;
  const Apron apron = apronOf(frame, rack, right);
  const Rect block = frame.screen(rack.switch_block);
  if (apron.reach < frame.style.px(30)) return;
  std::vector<TrayLine> above, below;
  for (const TrayBox& tray : frame.layout.trays) {
    if (tray.bundle == UINT32_MAX || frame.topology.trays[tray.tray.value].rack != rack.rack) continue;
    if (frame.layout.tray_bundles.links(tray.bundle).empty()) continue;
    const bool is_above = frame.screen(tray.rect).center().y < block.center().y;
    (is_above ? above : below).push_back({&tray, frame.layout.tray_bundles.load(tray.bundle, frame.loads)});
  }
  std::reverse(above.begin(), above.end());
  const auto most = static_cast<float>(std::max(above.size(), below.size()));
  const float share = above.empty() ? 0 : below.empty() ? 1 : 0.55f;
  const float split = block.y + block.height * share;
  paintTrayLines(frame, apron, above, block.y, split, most);
  paintTrayLines(frame, apron, below, block.bottom(), split, most);
  const float bar = frame.style.px(6);
  const float x = right ? apron.edge + 1 : apron.edge - 1 - bar;
  frame.out.overlays.push_back({{x, block.y, bar, block.height},
                                frame.style.palette.rack_metal2,
                                frame.style.palette.control_border,
                                1,
                                2,
                                Hatch::None,
                                0});
}

void captionBundles(SceneFrame& frame, const RackBox& rack) {
  std::uint32_t cables = 0;
  for (const TrayBox& tray : frame.layout.trays) {
    if (tray.bundle != UINT32_MAX) cables = std::max(cables, frame.layout.tray_bundles.cables(tray.bundle));
  }
  if (cables == 0 || rack.switch_block.width <= 0) return;
  const Rect body = frame.screen(rack.rect);
  const float x = body.right() + frame.style.px(14);
  const Palette& palette = frame.style.palette;
  const std::string links = countText(cables) + (cables == 1 ? " link" : " links");
  frame.labels.add({{{x, body.y + frame.style.px(8)},
                     "Tray bundles, " + links + " each",
                     palette.text,
                     Align::Left,
                     FontRole::Body,
                     true,
                     1,
                     palette.canvas},
                    LabelPriority::Structure,
                    101,
                    {}});
  frame.labels.add({{{x, body.bottom() - frame.style.px(9)},
                     "width, colour, pattern = max of " + links,
                     palette.secondary_text,
                     Align::Left,
                     FontRole::Secondary,
                     false,
                     1,
                     palette.canvas},
                    LabelPriority::Structure,
                    102,
                    {}});
}

// --- every link of the chip in focus, left of its rack ---

struct FanEnd {
  LinkId link;
  NodeId node;
  float y = 0;
};

std::vector<FanEnd> fanOf(const SceneFrame& frame, NodeId from) {
  std::map<float, int> used;
  std::vector<FanEnd> ends;
  for (const LinkId link : linksAt(from, frame.topology)) {
    const TopologyLink& ends_of = frame.topology.links[link.value];
    const NodeId other = ends_of.from == from ? ends_of.to : ends_of.from;
    const Rect& place = frame.layout.node_rects[other.value];
    if (place.width <= 0 || frame.topology.nodes[other.value].tray == frame.topology.nodes[from.value].tray)
      continue;
    const Rect row = frame.screen(place);
    // Chips of one tray share its height; their ports sit one below the other.
    ends.push_back({link, other, row.center().y});
    ++used[row.center().y];
  }
  std::map<float, int> seen;
  for (FanEnd& end : ends) {
    const float y = end.y;
    const int count = used[y], index = seen[y]++;
    const float height = frame.screen(frame.layout.node_rects[end.node.value]).height;
    end.y += (static_cast<float>(index) - static_cast<float>(count - 1) / 2) * height * 0.8f /
             static_cast<float>(std::max(1, count));
  }
  return ends;
}

void paintFan(SceneFrame& frame, const RackBox& rack, NodeId from, bool right) {
  std::vector<FanEnd> ends = fanOf(frame, from);
  if (ends.empty()) return;
  const Apron apron = apronOf(frame, rack, right);
  if (apron.reach < frame.style.px(30)) return;
  const Rect tile = frame.screen(frame.layout.node_rects[from.value]);
  const float y = tile.center().y;
  std::stable_sort(ends.begin(), ends.end(),
                   [y](const FanEnd& a, const FanEnd& b) { return std::abs(a.y - y) < std::abs(b.y - y); });
  const float most_px = std::max(1.0f, apron.reach * 0.7f / static_cast<float>(ends.size()) * 0.62f);
  // The line to the rack's edge starts beside the tray's outermost tile.
  float tile_edge = right ? tile.right() : tile.x;
  for (const NodeId node :
       nodesOfKind(frame.topology, frame.topology.nodes[from.value].tray, NodeKind::Chip)) {
    const Rect other = frame.screen(frame.layout.node_rects[node.value]);
    tile_edge = right ? std::max(tile_edge, other.right()) : std::min(tile_edge, other.x);
  }
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const float rank = static_cast<float>(i + 1) / static_cast<float>(ends.size());
    const float x = apron.edge + apron.sign * apron.reach / kBulge * (0.3f + 0.7f * rank);
    LinkLine line{{apron.edge, y}, {x, y}, {x, ends[i].y}, {apron.edge, ends[i].y}, 0, false, 0};
    line.most_px = most_px;
    const bool away = frame.topology.links[ends[i].link.value].from == from;
    if (!away) std::swap(line.from, line.to), std::swap(line.control1, line.control2);
    paintLanes(frame, line, ends[i].link);
    const float dot = frame.style.px(4);
    frame.out.overlays.push_back({{apron.edge - dot / 2, ends[i].y - dot / 2, dot, dot},
                                  frame.style.palette.text,
                                  {},
                                  0,
                                  dot / 2,
                                  Hatch::None,
                                  0});
  }
  // From the tile to the edge of the rack, with a gap for the tray's number.
  const auto stub = [&](float from_x, float to_x) {
    if ((to_x - from_x) * apron.sign <= 0) return;
    frame.out.curves.push_back({{from_x, y},
                                {from_x, y},
                                {to_x, y},
                                {to_x, y},
                                frame.style.palette.text,
                                frame.style.px(2),
                                Dash::Solid,
                                0,
                                0});
  };
  const float text_edge = apron.edge + frame.style.px(6) * frame.camera.scale();
  if (right) return stub(tile_edge, apron.edge);
  stub(tile_edge, text_edge + frame.style.px(30));
  stub(text_edge + frame.style.px(4), apron.edge);
}

// --- links inside one chassis, and between racks ---

void paintInside(SceneFrame& frame) {
  std::size_t drawn = 0;
  for (std::uint32_t i = 0; i < frame.topology.links.size() && drawn < 400; ++i) {
    const TopologyLink& link = frame.topology.links[i];
    const TopologyNode &from = frame.topology.nodes[link.from.value],
                       &to = frame.topology.nodes[link.to.value];
    if (from.tray != to.tray || !from.tray.isValid()) continue;
    const Rect a = frame.screen(frame.layout.node_rects[link.from.value]),
               b = frame.screen(frame.layout.node_rects[link.to.value]);
    if (a.width <= 0 || b.width <= 0 || !frame.isVisible(a)) continue;
    const Rect &upper = a.y < b.y ? a : b, &lower = a.y < b.y ? b : a;
    const float reach = std::max(0.0f, lower.y - upper.bottom()) * 0.6f;
    const Point start{upper.center().x, upper.bottom()}, end{lower.center().x, lower.y};
    LinkLine line{start, {start.x, start.y + reach}, {end.x, end.y - reach}, end, 0, false, 0};
    if (&upper == &b) std::swap(line.from, line.to), std::swap(line.control1, line.control2);
    const bool apart = frame.selected == 0 || frame.isSelected(PickKind::Chip, link.from.value) ||
                       frame.isSelected(PickKind::Switch, link.from.value) ||
                       frame.isSelected(PickKind::Chip, link.to.value) ||
                       frame.isSelected(PickKind::Switch, link.to.value) ||
                       frame.isSelected(PickKind::Link, i);
    line.faded = apart ? 1.0f : 0.45f;
    paintLanes(frame, line, LinkId{i});
    ++drawn;
  }
}

void paintBetweenRacks(SceneFrame& frame) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<LinkId>> joins;
  for (std::uint32_t i = 0; i < frame.topology.links.size(); ++i) {
    const TopologyLink& link = frame.topology.links[i];
    if (link.link_class != LinkClass::InterSwitch) continue;
    const TrayId from = frame.topology.nodes[link.from.value].tray,
                 to = frame.topology.nodes[link.to.value].tray;
    if (!from.isValid() || !to.isValid()) continue;
    if (frame.topology.trays[from.value].rack == frame.topology.trays[to.value].rack) continue;
    joins[{from.value, to.value}].push_back(LinkId{i});
  }
  for (const auto& [trays, links] : joins) {
    BundleLoad worst;
    for (const LinkId link : links) {
      const float ratio = frame.loads.worst(link);
      if (!worst.link.isValid() || ratio > worst.ratio)
        worst.ratio = ratio, worst.link = link,
        worst.backward = frame.loads.backward(link) > frame.loads.forward(link);
    }
    const auto row_of = [&](std::uint32_t tray) {
      const auto box = std::find_if(frame.layout.trays.begin(), frame.layout.trays.end(),
                                    [tray](const TrayBox& b) { return b.tray.value == tray; });
      return box == frame.layout.trays.end() ? Rect{} : frame.screen(box->rect);
    };
    const Rect a = row_of(trays.first), b = row_of(trays.second);
    if (a.width <= 0 || b.width <= 0) continue;
    const bool ordered = a.x < b.x;
    const Point start{ordered ? a.right() + frame.style.px(8) : a.x - frame.style.px(8), a.center().y};
    const Point end{ordered ? b.x - frame.style.px(8) : b.right() + frame.style.px(8), b.center().y};
    const float middle = (start.x + end.x) / 2;
    paintLink(
        frame,
        {start, {middle, start.y}, {middle, end.y}, end, worst.ratio, worst.backward, linkPick(worst.link)});
  }
}

NodeId fanNode(const SceneFrame& frame) {
  const Pick pick = unpackPick(frame.selected);
  if (pick.kind == PickKind::Switch) return NodeId{pick.index};
  if (pick.kind == PickKind::Link && pick.index < frame.topology.links.size())
    return frame.topology.links[pick.index].from;
  return frame.focus.isValid() ? nodeOf(frame.focus) : NodeId{};
}

}  // namespace

void paintElevation(SceneFrame& frame) {
  for (const RackBox& rack : frame.layout.racks) paintRackBody(frame, rack);
  for (const TrayBox& tray : frame.layout.trays) paintTrayRow(frame, tray);
  paintSwitches(frame);
  paintChips(frame);
  paintInside(frame);
  paintBetweenRacks(frame);
  const NodeId from = fanNode(frame);
  const bool single = frame.layout.racks.size() == 1;
  for (std::size_t i = 0; i < frame.layout.racks.size(); ++i) {
    const RackBox& rack = frame.layout.racks[i];
    const TrayId tray = from.isValid() ? frame.topology.nodes[from.value].tray : TrayId{};
    const bool holds = tray.isValid() && frame.topology.trays[tray.value].rack == rack.rack;
    // Of several racks each has one free side: links of the selection take it over.
    const bool right = single || i + 1 == frame.layout.racks.size();
    if (single || !holds) paintBundles(frame, rack, right);
    if (holds) paintFan(frame, rack, from, single ? false : right);
  }
  if (single) captionBundles(frame, frame.layout.racks.front());
}

}  // namespace decodescope::scene
