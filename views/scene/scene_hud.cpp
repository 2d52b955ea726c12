// What stays put while the machine is panned and zoomed: where we are, what happens, buttons, legend.
#include "scene/link_painter.h"
#include "scene/number_text.h"
#include "scene/tile_painter.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace decodescope::scene {
namespace {

Label text(Point at, std::string words, Color color, FontRole font, bool bold, Color halo) {
  return {at, std::move(words), color, Align::Left, font, bold, 1, halo};
}

// "Cluster › Rack 1 › Tray 04"
std::vector<std::string> breadcrumb(const SceneFrame& frame) {
  std::vector<std::string> path{"Cluster"};
  const Pick pick = unpackPick(frame.selected);
  TrayId tray;
  if (pick.kind == PickKind::Tray) tray = TrayId{pick.index};
  if (pick.kind == PickKind::Chip || pick.kind == PickKind::Switch)
    tray = frame.topology.nodes[pick.index].tray;
  if (pick.kind == PickKind::Group && pick.index < frame.layout.groups.size())
    path.push_back(frame.layout.groups[pick.index].title);
  RackId rack = pick.kind == PickKind::Rack ? RackId{pick.index} : RackId{};
  if (tray.isValid() && tray.value < frame.topology.trays.size())
    rack = frame.topology.trays[tray.value].rack;
  if (rack.isValid() && rack.value < frame.topology.racks.size())
    path.push_back(frame.topology.racks[rack.value].label);
  if (tray.isValid() && tray.value < frame.topology.trays.size()) {
    const TopologyTray& box = frame.topology.trays[tray.value];
    path.push_back(box.kind == TrayKind::Switch ? "Switch tray S" + std::to_string(box.number)
                                                : "Tray " + paddedText(box.number, 2));
  }
  return path;
}

float paintBreadcrumb(SceneFrame& frame, Point at, DrawList& hud) {
  const std::vector<std::string> path = breadcrumb(frame);
  const Palette& palette = frame.style.palette;
  float x = at.x;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const bool last = i + 1 == path.size();
    hud.labels.push_back(text({x, at.y}, path[i], last ? palette.text : palette.secondary_text,
                              FontRole::Body, last, palette.canvas));
    x += frame.style.text->width(path[i], FontRole::Body, last) + frame.style.px(7);
    if (last) break;
    hud.labels.push_back(text({x, at.y}, "›", palette.tertiary_text, FontRole::Body, false, palette.canvas));
    x += frame.style.text->width("›", FontRole::Body, false) + frame.style.px(7);
  }
  return x;
}

// What is under way, on one line, or on two where `room` is too narrow. Returns the height taken.
float paintCaption(SceneFrame& frame, Point at, float room, DrawList& hud) {
  const std::string& caption = frame.flow.caption;
  if (caption.empty()) return 0;
  const SceneStyle& style = frame.style;
  const auto widthOf = [&](const std::string& line) {
    return style.text->width(line, FontRole::Body, false);
  };
  std::vector<std::string> lines{caption};
  const auto colon = caption.find(": ");
  if (widthOf(caption) + style.px(16) > room && colon != std::string::npos)
    lines = {caption.substr(0, colon), caption.substr(colon + 2)};
  float width = 0;
  for (const std::string& line : lines) width = std::max(width, widthOf(line));
  const float row = style.px(20), height = row * static_cast<float>(lines.size()) + style.px(2);
  hud.quads.push_back({{at.x, at.y - style.px(11), width + style.px(16), height},
                       style.palette.selection,
                       {},
                       0,
                       4,
                       Hatch::None,
                       0});
  for (std::size_t i = 0; i < lines.size(); ++i) {
    hud.labels.push_back(text({at.x + style.px(8), at.y + row * static_cast<float>(i)}, lines[i],
                              style.palette.text, FontRole::Body, false, {0, 0, 0, 0}));
  }
  return height;
}

// Upper end of the links beside the rack.
float fanTop(const SceneFrame& frame, NodeId node) {
  float top = frame.screen(frame.layout.node_rects[node.value]).center().y;
  for (const RackBox& rack : frame.layout.racks) {
    if (rack.switch_block.width > 0) top = std::min(top, frame.screen(rack.switch_block).y);
  }
  return frame.layout.racks.empty() || frame.layout.racks.front().switch_block.width <= 0 ? INFINITY : top;
}

// What the fan beside the rack shows.
void paintFocusText(SceneFrame& frame, Point at, float width, DrawList& hud) {
  const Pick pick = unpackPick(frame.selected);
  const bool is_switch = pick.kind == PickKind::Switch;
  const NodeId node = is_switch ? NodeId{pick.index} : frame.focus.isValid() ? nodeOf(frame.focus) : NodeId{};
  if (!node.isValid()) return;
  const auto links = linksAt(node, frame.topology);
  if (links.empty()) return;
  const Palette& palette = frame.style.palette;
  const std::string name = nodeLabel(frame.topology, node);
  const bool chosen = is_switch || pick.kind == PickKind::Chip;
  const std::string lower =
      name.empty() ? name
                   : std::string(1, static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])))) +
                         name.substr(1);
  const BundleLoad worst = loadAt(node, frame.topology, frame.loads);
  const TopologyLink& link = frame.topology.links[worst.link.value];
  const std::string other = nodeLabel(frame.topology, link.from == node ? link.to : link.from);
  const auto space = other.rfind(' ');
  const std::string busiest = "busiest to " + (space == std::string::npos ? other : other.substr(space + 1)) +
                              ": " + percentText(worst.ratio);
  const std::string lines[] = {
      (chosen ? "Selected " : "Hottest ") + lower,
      countText(worst.cables) + (worst.cables == 1 ? " link" : " links") +
          (links.size() != worst.cables
               ? " in " + countText(static_cast<std::int64_t>(links.size())) + " bundles"
               : ""),
      busiest};
  float y = at.y;
  const float fan_top = fanTop(frame, node) - frame.style.px(8);
  for (int i = 0; i < 3; ++i) {
    // The lines of the fan have the right of way, except over the first line of text.
    if (i > 0 && y > fan_top) break;
    const bool bold = i != 1;
    const Color color = i == 0   ? palette.text
                        : i == 1 ? palette.secondary_text
                                 : loadTextColor(frame, worst.ratio);
    const FontRole font = i == 0 ? FontRole::Body : FontRole::Secondary;
    Label label = text({at.x, y}, lines[i], color, font, bold, palette.canvas);
    label.scale = std::min(1.0f, width / std::max(1.0f, frame.style.text->width(label.text, font, bold)));
    if (label.scale * frame.style.em(font) >= LabelPlacer::kSmallestText_px) hud.labels.push_back(label);
    y += frame.style.px(17);
  }
}

void addButton(SceneFrame& frame, SceneButton button, Rect box, DrawList& hud) {
  const Palette& palette = frame.style.palette;
  const PickId pick = packPick(PickKind::Button, static_cast<std::uint32_t>(button));
  hud.quads.push_back({box, frame.hovered == pick ? palette.hover : palette.raised, palette.control_border, 1,
                       4, Hatch::None, pick});
  const Point c = box.center();
  const float arm = frame.style.px(5), width = std::max(1.5f, frame.style.px(1.5f));
  const auto stroke = [&](Point a, Point b) {
    hud.curves.push_back({a, a, b, b, palette.text, width, Dash::Solid, 0, 0});
  };
  if (button != SceneButton::Fit) {
    stroke({c.x - arm, c.y}, {c.x + arm, c.y});
    if (button == SceneButton::ZoomIn) stroke({c.x, c.y - arm}, {c.x, c.y + arm});
    return;
  }
  for (const float sx : {-1.0f, 1.0f}) {
    for (const float sy : {-1.0f, 1.0f}) {
      const Point corner{c.x + sx * arm, c.y + sy * arm};
      stroke({corner.x - sx * arm * 0.65f, corner.y}, corner);
      stroke({corner.x, corner.y - sy * arm * 0.65f}, corner);
    }
  }
}

std::string detailText(const SceneFrame& frame) {
  constexpr const char* kNames[] = {"racks", "cells", "tiles", "chips"};
  const float chip_px = frame.layout.chip_px * frame.camera.scale();
  return std::string("Detail: ") + kNames[static_cast<std::size_t>(frame.detail)] + " (" +
         degreesText(std::floor(chip_px)) + " px)";
}

void paintCorner(SceneFrame& frame, Rect visible, DrawList& hud) {
  const Palette& palette = frame.style.palette;
  const float side = frame.style.px(24), gap = frame.style.px(4);
  const std::string detail = detailText(frame);
  const float width = frame.style.text->width(detail, FontRole::Secondary, false) + frame.style.px(16);
  const float left = visible.x, bottom = visible.bottom();
  float x = left;
  for (const SceneButton button : {SceneButton::ZoomOut, SceneButton::ZoomIn, SceneButton::Fit}) {
    addButton(frame, button, {x, bottom - side, side, side}, hud);
    x += side + gap;
  }
  // Above the buttons while the rack leaves room beside it, else in line with them.
  const bool beside = frame.layout.arrangement != Arrangement::Elevation || !frame.camera.isFitted();
  const float room = beside || frame.layout.racks.empty()
                         ? visible.right() - (beside ? x + gap : left)
                         : frame.screen(frame.layout.racks.front().rect).x - visible.x;
  if (width > room) return;
  const Rect chip{beside ? x + gap : left, beside ? bottom - side : bottom - 2 * side - gap, width, side};
  hud.quads.push_back({chip, palette.panel, palette.line, 1, 4, Hatch::None, 0});
  hud.labels.push_back({chip.center(),
                        detail,
                        palette.secondary_text,
                        Align::Center,
                        FontRole::Secondary,
                        false,
                        1,
                        {0, 0, 0, 0}});
  const std::string numbers =
      frame.detail >= Detail::Tiles ? "numbers in tiles: °C now" : "cells: °C now, exact; headers: max";
  const Point at =
      beside ? Point{chip.right() + gap * 2, chip.center().y} : Point{left, chip.y - frame.style.px(12)};
  const float left_over = beside ? visible.right() - at.x : room;
  if (frame.style.text->width(numbers, FontRole::Secondary, false) > left_over) return;
  hud.labels.push_back(text(at, numbers, palette.secondary_text, FontRole::Secondary, false, palette.canvas));
}

std::vector<std::string> notesOf(const SceneFrame& frame) {
  double sum = 0;
  float worst = 0;
  for (const float ratio : frame.snapshot.link_utilization_ratio)
    sum += ratio, worst = std::max(worst, ratio);
  std::vector<std::string> notes;
  const auto count = frame.snapshot.link_utilization_ratio.size();
  if (count > 0)
    notes.push_back("whole step: mean " + percentText(sum / static_cast<double>(count)) + ", max " +
                    percentText(worst));
  std::int64_t cables = 0;
  for (const TopologyLink& link : frame.topology.links) cables += link.multiplicity;
  if (!frame.topology.links.empty()) {
    const TopologyLink& first = frame.topology.links.front();
    notes.push_back(countText(cables) + " links of " +
                    rateText(first.capacity_bytes_per_s / first.multiplicity));
  }
  notes.push_back(frame.layout.arrangement == Arrangement::Elevation ? "bundles: max of their links"
                                                                     : "bundles, headers: max");
  return notes;
}

}  // namespace

void paintHud(SceneFrame& frame, DrawList& hud) {
  const SceneStyle& style = frame.style;
  const float margin = style.px(12), legend_width = legendWidth(style);
  const Rect all = frame.camera.viewport();
  const Rect legend{all.right() - legend_width - margin, all.y + margin, legend_width,
                    all.height - 2 * margin};
  const float crumb_y = all.y + style.px(16);
  const float end = paintBreadcrumb(frame, {all.x + margin, crumb_y}, hud);
  const bool elevation = frame.layout.arrangement == Arrangement::Elevation;
  if (elevation) {
    const float room = frame.layout.racks.empty()
                           ? all.width
                           : frame.screen(frame.layout.racks.front().rect).x - all.x - margin * 2;
    paintCaption(frame, {all.x + margin, crumb_y + style.px(25)}, room, hud);
    // Below a caption of two lines, whether there is one or not: the text does not jump.
    if (room > style.px(130) && frame.camera.isFitted())
      paintFocusText(frame, {all.x + margin, crumb_y + style.px(80)}, room, hud);
  } else {
    const float caption = frame.flow.caption.empty()
                              ? 0
                              : style.text->width(frame.flow.caption, FontRole::Body, false) + style.px(36);
    paintCaption(frame, {end + style.px(10), crumb_y}, all.width, hud);
    const float x = end + style.px(12) + caption;
    if (x + style.text->width(frame.layout.summary, FontRole::Secondary, false) < legend.x - margin) {
      hud.labels.push_back(text({x, crumb_y}, frame.layout.summary, style.palette.secondary_text,
                                FontRole::Secondary, false, style.palette.canvas));
    }
  }
  paintCorner(frame, {all.x + margin, all.y, legend.x - all.x - 2 * margin, all.height - style.px(8)}, hud);
  const ChipSummary chips = summarizeAll(frame);
  LegendInput input{
      frame.scale,    chips.max_c,
      chips.mean_c,   chips.throttled,
      chips.count,    frame.loads.windowText(),
      notesOf(frame), packPick(PickKind::Button, static_cast<std::uint32_t>(SceneButton::Window))};
  paintLegend(input, legend, style, hud);
}

}  // namespace decodescope::scene
