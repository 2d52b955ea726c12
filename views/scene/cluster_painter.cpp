// Groups around the switches that join them: chips as cells, tier-1 switches as a strip, one box per upper
// plane.
#include "scene/link_painter.h"
#include "scene/number_text.h"
#include "scene/tile_painter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace decodescope::scene {
namespace {

constexpr std::size_t kMostBundleLines = 200;

BundleLoad groupUplink(const SceneFrame& frame, std::size_t group) {
  BundleLoad worst;
  const auto planes = static_cast<std::uint32_t>(frame.layout.planes.size());
  for (std::uint32_t plane = 0; plane < planes; ++plane) {
    const BundleLoad load = frame.layout.group_plane_bundles.load(
        static_cast<std::uint32_t>(group) * planes + plane, frame.loads);
    worst.cables += load.cables;
    if (load.link.isValid() && (!worst.link.isValid() || load.ratio > worst.ratio)) {
      worst.ratio = load.ratio, worst.link = load.link, worst.backward = load.backward;
    }
  }
  return worst;
}

// The group whose links to every plane are shown: the selected one, else the one with the hottest chip.
std::size_t focusGroup(const SceneFrame& frame) {
  const Pick pick = unpackPick(frame.selected);
  if (pick.kind == PickKind::Group && pick.index < frame.layout.groups.size()) return pick.index;
  NodeId node = frame.focus.isValid() ? nodeOf(frame.focus) : NodeId{};
  if (pick.kind == PickKind::Switch) node = NodeId{pick.index};
  if (pick.kind == PickKind::Link && pick.index < frame.topology.links.size())
    node = frame.topology.links[pick.index].from;
  for (std::size_t i = 0; node.isValid() && i < frame.layout.groups.size(); ++i) {
    const GroupBox& group = frame.layout.groups[i];
    const auto& nodes = node.value < frame.topology.chip_count ? group.chip_nodes : group.switch_nodes;
    if (std::find(nodes.begin(), nodes.end(), node) != nodes.end()) return i;
  }
  return 0;
}

void paintGroupHeader(SceneFrame& frame, const GroupBox& group, const Rect& header,
                      const ChipSummary& summary, bool focused) {
  const Palette& palette = frame.style.palette;
  const std::string hottest = "max " + degreesText(summary.max_c) + " °C";
  const float title_width = frame.style.text->width(group.title, FontRole::Body, true);
  const float heat_width = frame.style.text->width(hottest, FontRole::Secondary, focused);
  addFittedText(frame, group.title,
                {header.x, header.y, std::min(header.width, title_width + 4), header.height}, palette.text,
                Align::Left, FontRole::Body, true);
  if (title_width + heat_width + frame.style.px(10) > header.width) return;
  addFittedText(frame, hottest, {header.right() - heat_width - 4, header.y, heat_width + 4, header.height},
                focused ? palette.text : palette.secondary_text, Align::Right, FontRole::Secondary, focused);
}

// Less than six pixels a chip: one tile for the group, by its hottest chip.
void paintGroupTile(SceneFrame& frame, const GroupBox& group, const ChipSummary& summary, PickId pick) {
  const Rect chips = frame.screen(group.chips);
  const Color fill = mapColor(frame.style.temperature_map, frame.scale.ratio(summary.max_c));
  Quad tile{chips, fill, frame.style.palette.control_border,
            1,     2,    summary.throttled > 0 ? Hatch::Diagonal : Hatch::None,
            pick};
  if (summary.throttled > 0) tile.border = frame.style.palette.text, tile.border_width = 2;
  frame.out.quads.push_back(tile);
  const float third = chips.height / 3;
  const Color ink = textOn(fill);
  const float pad = 2;
  const float widest = frame.style.text->width("max 88", FontRole::Secondary, true) * 0.8f;
  if (third < frame.style.px(11) || chips.width < widest) {
    addFittedText(frame, degreesText(summary.max_c),
                  {chips.x + pad, chips.y, chips.width - 2 * pad, chips.height}, ink, Align::Center,
                  FontRole::Secondary, summary.throttled > 0);
    return;
  }
  addFittedText(frame, "max " + degreesText(summary.max_c),
                {chips.x + pad, chips.y, chips.width - 2 * pad, third}, ink, Align::Center,
                FontRole::Secondary, true);
  addFittedText(frame, "med " + degreesText(summary.median_c),
                {chips.x + pad, chips.y + third, chips.width - 2 * pad, third}, ink, Align::Center,
                FontRole::Secondary);
  if (summary.throttled > 0) {
    addFittedText(frame, std::to_string(summary.throttled) + " slow",
                  {chips.x + pad, chips.y + 2 * third, chips.width - 2 * pad, third}, ink, Align::Center,
                  FontRole::Secondary, true);
  }
}

void paintStrip(SceneFrame& frame, const GroupBox& group) {
  for (const NodeId node : group.switch_nodes) {
    const Rect cell = frame.screen(frame.layout.node_rects[node.value]);
    if (cell.width < 1.5f || !frame.isVisible(cell)) continue;
    const float ratio = loadAt(node, frame.topology, frame.loads).ratio;
    const auto state = static_cast<std::size_t>(linkState(ratio, frame.style.thresholds));
    frame.out.quads.push_back({cell,
                               frame.style.palette.link[state],
                               {},
                               0,
                               1,
                               state >= 4 && cell.width > 14 ? Hatch::Cross : Hatch::None,
                               packPick(PickKind::Switch, node.value)});
    if (frame.isSelected(PickKind::Switch, node.value)) paintOutline(frame, cell, true);
  }
}

void paintGroup(SceneFrame& frame, std::size_t index, std::size_t focused) {
  const GroupBox& group = frame.layout.groups[index];
  const Rect box = frame.screen(group.rect);
  if (!frame.isVisible(box)) return;
  const Palette& palette = frame.style.palette;
  const PickId pick = packPick(PickKind::Group, static_cast<std::uint32_t>(index));
  frame.out.quads.push_back({box, palette.rack_metal, palette.line, 1, frame.style.px(4), Hatch::None, pick});
  const ChipSummary summary = summarize(frame, group.chip_nodes);
  if (group.header.height > 0)
    paintGroupHeader(frame, group, frame.screen(group.header), summary, index == focused);
  if (frame.detail == Detail::Racks) {
    paintGroupTile(frame, group, summary, pick);
  } else {
    for (const NodeId chip : group.chip_nodes) {
      const Rect tile = frame.screen(frame.layout.node_rects[chip.value]);
      if (frame.isVisible(tile)) paintChip(frame, chip.value, tile);
    }
  }
  paintStrip(frame, group);
  if (frame.selected == pick ||
      (index == focused && frame.selected != 0 && unpackPick(frame.selected).kind != PickKind::Rack))
    paintOutline(frame, box, true);
  else if (frame.hovered == pick)
    paintOutline(frame, box, false);
}

// From the group's edge straight to the band.
void paintGroupBundle(SceneFrame& frame, const GroupBox& group, const BundleLoad& load) {
  const Rect box = frame.screen(group.rect), band = frame.screen(frame.layout.band);
  const float start_y = group.above ? box.bottom() : box.y, end_y = group.above ? band.y : band.bottom();
  const float x = box.center().x;
  LinkLine line{{x, start_y}, {x, start_y},  {x, end_y},         {x, end_y},
                load.ratio,   load.backward, linkPick(load.link)};
  line.most_px = box.width * 0.2f;
  paintLink(frame, line);
  if (box.width < frame.style.px(56)) return;
  // Near the band, where lines of other groups are fewest; a halo keeps it readable across them.
  const bool loud = linkState(load.ratio, frame.style.thresholds) >= LinkState::Busy;
  const Point at{x + frame.style.px(9), start_y + (end_y - start_y) * 0.74f};
  frame.labels.add({{at, percentText(load.ratio), loadTextColor(frame, load.ratio), Align::Left,
                     FontRole::Secondary, loud, 1, frame.style.palette.canvas},
                    loud ? LabelPriority::Alarm : LabelPriority::Structure,
                    1000 + load.link.value,
                    {}});
}

// Groups of outer rows have others between them and the band: a bar at their edge in place of a line.
void paintOuterBundle(SceneFrame& frame, const GroupBox& group, const BundleLoad& load) {
  const Rect box = frame.screen(group.rect);
  if (!frame.isVisible(box)) return;
  const float height = std::max(2.0f, std::min(frame.style.px(4), box.height * 0.06f));
  const auto state = static_cast<std::size_t>(linkState(load.ratio, frame.style.thresholds));
  const float y = group.above ? box.bottom() - height : box.y;
  frame.out.quads.push_back({{box.x, y, box.width * std::clamp(load.ratio, 0.05f, 1.0f), height},
                             frame.style.palette.link[state],
                             {},
                             0,
                             0,
                             Hatch::None,
                             linkPick(load.link)});
}

bool isInner(const SceneFrame& frame, const GroupBox& group) {
  const Rect& band = frame.layout.band;
  const float distance = group.above ? band.y - group.rect.bottom() : group.rect.y - band.bottom();
  return distance < frame.layout.cables_px + 1;
}

void paintGroupBundles(SceneFrame& frame, std::size_t focused) {
  std::vector<std::pair<BundleLoad, std::size_t>> loads;
  for (std::size_t i = 0; i < frame.layout.groups.size(); ++i) loads.emplace_back(groupUplink(frame, i), i);
  std::stable_sort(loads.begin(), loads.end(),
                   [](const auto& a, const auto& b) { return a.first.ratio > b.first.ratio; });
  if (loads.size() > kMostBundleLines) loads.resize(kMostBundleLines);
  for (const auto& [load, index] : loads) {
    if (index == focused || !load.link.isValid()) continue;
    const GroupBox& group = frame.layout.groups[index];
    isInner(frame, group) ? paintGroupBundle(frame, group, load) : paintOuterBundle(frame, group, load);
  }
}

void paintPlane(SceneFrame& frame, std::size_t index, std::size_t focused) {
  const PlaneBox& plane = frame.layout.planes[index];
  const Rect box = frame.screen(plane.rect);
  if (!frame.isVisible(box)) return;
  const Palette& palette = frame.style.palette;
  const auto planes = static_cast<std::uint32_t>(frame.layout.planes.size());
  const BundleLoad load = frame.layout.group_plane_bundles.load(
      static_cast<std::uint32_t>(focused) * planes + static_cast<std::uint32_t>(index), frame.loads);
  const auto state = linkState(load.ratio, frame.style.thresholds);
  const Color color = palette.link[static_cast<std::size_t>(state)];
  const bool loud = state >= LinkState::Busy;
  const PickId pick = packPick(PickKind::Plane, static_cast<std::uint32_t>(index));
  const float border = state >= LinkState::Hot ? 2.0f : 1.0f;
  frame.out.quads.push_back(
      {box, palette.panel, loud ? color : palette.control_border, border, 3, Hatch::None, pick});
  const float pad = std::min(frame.style.px(4), box.width * 0.08f);
  const Rect line{box.x + pad, box.y + 1, box.width - 2 * pad, box.height * 0.62f};
  const std::string number = degreesText(load.ratio * 100);
  const float title_width = frame.style.text->width(plane.title, FontRole::Secondary, false) +
                            frame.style.text->width(number, FontRole::Secondary, true);
  if ((title_width + frame.style.px(3)) * 0.8f < line.width) {
    const float shrink = std::min(1.0f, line.width / (title_width + frame.style.px(3)));
    const float left = frame.style.text->width(plane.title, FontRole::Secondary, false) * shrink + 2;
    addFittedText(frame, plane.title, {line.x, line.y, left, line.height}, palette.secondary_text,
                  Align::Left, FontRole::Secondary);
    addFittedText(frame, number, {line.x + left, line.y, line.width - left, line.height},
                  loud ? color : palette.secondary_text, Align::Right, FontRole::Secondary, loud);
  } else {
    addFittedText(frame, number, line, loud ? color : palette.secondary_text, Align::Center,
                  FontRole::Secondary, loud);
  }
  const float height = std::max(2.0f, frame.style.px(4));
  frame.out.quads.push_back({{box.x + pad, box.bottom() - height - frame.style.px(4),
                              (box.width - 2 * pad) * std::clamp(load.ratio, 0.0f, 1.0f), height},
                             color,
                             {},
                             0,
                             0,
                             Hatch::None,
                             pick});
  if (frame.selected == pick)
    paintOutline(frame, box, true);
  else if (frame.hovered == pick)
    paintOutline(frame, box, false);
}

void paintFanToPlanes(SceneFrame& frame, std::size_t focused) {
  const GroupBox& group = frame.layout.groups[focused];
  const auto planes = static_cast<std::uint32_t>(frame.layout.planes.size());
  const Rect strip = frame.screen(group.strip.height > 0 ? group.strip : group.rect),
             edge = frame.screen(group.rect);
  const Rect band = frame.screen(frame.layout.band);
  const float cables = frame.layout.cables_px * frame.camera.scale();
  const float near_y = group.above ? band.y - cables : band.bottom() + cables;
  for (std::uint32_t plane = 0; plane < planes; ++plane) {
    const BundleLoad load = frame.layout.group_plane_bundles.load(
        static_cast<std::uint32_t>(focused) * planes + plane, frame.loads);
    if (!load.link.isValid()) continue;
    const Rect target = frame.screen(frame.layout.planes[plane].rect);
    const float along = (static_cast<float>(plane) + 0.5f) / static_cast<float>(planes);
    const Point from{strip.x + strip.width * along, group.above ? edge.bottom() : edge.y};
    const Point to{target.center().x, group.above ? target.y : target.bottom()};
    // Lines that go right run the higher the further right they start, those that go left the other way
    // round: then none cross, whatever group they come from.
    const float rank = to.x > from.x ? 1 - along : along;
    const float level = near_y + (to.y - near_y) * (0.12f + 0.8f * rank);
    LinkLine line{from, {from.x, level}, {to.x, level}, to, load.ratio, load.backward, linkPick(load.link)};
    line.most_px = frame.style.px(3.5f);
    paintLink(frame, line);
  }
}

void captionBand(SceneFrame& frame, std::size_t focused) {
  const Rect band = frame.screen(frame.layout.band);
  const auto planes = static_cast<std::uint32_t>(frame.layout.planes.size());
  const auto& first = frame.layout.planes.front();
  const Palette& palette = frame.style.palette;
  std::string text = std::to_string(planes) + (planes == 1 ? " plane" : " planes") + " × " +
                     std::to_string(first.switches.size()) +
                     (first.switches.size() == 1 ? " switch" : " switches");
  const std::uint32_t cables =
      frame.layout.group_plane_bundles.cables(static_cast<std::uint32_t>(focused) * planes);
  text += ", % of the " + countText(cables) + (cables == 1 ? " link from " : " links from ") +
          frame.layout.groups[focused].title;
  const float y = band.bottom() - frame.style.px(9);
  frame.labels.add({{{band.x + frame.style.px(8), y},
                     text,
                     palette.text,
                     Align::Left,
                     FontRole::Secondary,
                     true,
                     1,
                     {0, 0, 0, 0}},
                    LabelPriority::Structure,
                    111,
                    {}});
  std::size_t worst = 0;
  float worst_ratio = 0, above = 0;
  for (std::uint32_t plane = 0; plane < planes; ++plane) {
    const float ratio = frame.layout.group_plane_bundles
                            .load(static_cast<std::uint32_t>(focused) * planes + plane, frame.loads)
                            .ratio;
    if (ratio > worst_ratio) worst_ratio = ratio, worst = plane;
    above = std::max(above, frame.layout.plane_bundles.load(plane, frame.loads).ratio);
  }
  std::string note = above > 0 ? "to the tier above: max " + percentText(above) : "";
  Color color = loadTextColor(frame, above);
  if (linkState(worst_ratio, frame.style.thresholds) == LinkState::Saturated) {
    note = frame.layout.planes[worst].title + ": " + percentText(worst_ratio) + " demanded";
    color = palette.link[4];
  }
  if (!note.empty())
    frame.labels.add({{{band.right() - frame.style.px(8), y},
                       note,
                       color,
                       Align::Right,
                       FontRole::Secondary,
                       true,
                       1,
                       {0, 0, 0, 0}},
                      LabelPriority::Alarm,
                      112,
                      {}});
}

}  // namespace

void paintCluster(SceneFrame& frame) {
  if (frame.layout.groups.empty()) return;
  const std::size_t focused = focusGroup(frame);
  for (std::size_t i = 0; i < frame.layout.groups.size(); ++i) paintGroup(frame, i, focused);
  if (frame.layout.planes.empty()) return;
  const Palette& palette = frame.style.palette;
  frame.out.quads.push_back({frame.screen(frame.layout.band), palette.rack_metal, palette.line, 1,
                             frame.style.px(4), Hatch::None, 0});
  paintGroupBundles(frame, focused);
  for (std::size_t i = 0; i < frame.layout.planes.size(); ++i) paintPlane(frame, i, focused);
  paintFanToPlanes(frame, focused);
  captionBand(frame, focused);
}

}  // namespace decodescope::scene
