// Torus and full mesh: chips at their coordinates with the links between neighbours; wrap-around links as
// stubs at the rim.
#include "scene/link_painter.h"
#include "scene/number_text.h"
#include "scene/tile_painter.h"

#include <algorithm>
#include <cmath>

namespace decodescope::scene {
namespace {

constexpr std::size_t kMostLinks = 2000;

// Where the line from the middle of `box` towards `target` leaves the box.
Point edgeTowards(const Rect& box, Point target) {
  const Point middle = box.center();
  const float dx = target.x - middle.x, dy = target.y - middle.y;
  const float tx = std::abs(dx) > 1e-3f ? box.width / 2 / std::abs(dx) : INFINITY;
  const float ty = std::abs(dy) > 1e-3f ? box.height / 2 / std::abs(dy) : INFINITY;
  const float t = std::min({tx, ty, 1.0f});
  return {middle.x + dx * t, middle.y + dy * t};
}

bool wraps(const SceneFrame& frame, const TopologyLink& link) {
  if (frame.layout.arrangement != Arrangement::Lattice) return false;
  const auto &a = frame.topology.nodes[link.from.value].coordinate,
             &b = frame.topology.nodes[link.to.value].coordinate;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (std::abs(int{a[axis]} - int{b[axis]}) > 1) return true;
  }
  return false;
}

bool crossesSlices(const SceneFrame& frame, const TopologyLink& link) {
  return frame.layout.sliced && frame.topology.nodes[link.from.value].coordinate[2] !=
                                    frame.topology.nodes[link.to.value].coordinate[2];
}

// The long way round is shown as two stubs that leave the rim on opposite sides.
void paintWrap(SceneFrame& frame, LinkId link, const Rect& a, const Rect& b) {
  const float dx = a.center().x - b.center().x, dy = a.center().y - b.center().y;
  const float length = std::max(1e-3f, std::hypot(dx, dy));
  const float stub = std::min(frame.style.px(26), std::max(a.width, a.height) * 0.55f);
  for (const bool at_from : {true, false}) {
    const float sign = at_from ? 1.0f : -1.0f;
    const Rect& box = at_from ? a : b;
    const Point beyond{box.center().x + sign * dx / length * 1e4f,
                       box.center().y + sign * dy / length * 1e4f};
    const Point start = edgeTowards(box, beyond);
    const Point end{start.x + sign * dx / length * stub, start.y + sign * dy / length * stub};
    const bool outward_is_forward = at_from;
    LinkLine line{start, start, end, end, 0, false, 0};
    if (!outward_is_forward) line = {end, end, start, start, 0, false, 0};
    paintLanes(frame, line, link);
  }
}

// The worse direction, on the line, off its middle where many lines cross.
void addLinkNumber(SceneFrame& frame, Point start, Point end, LinkId id) {
  const float ratio = frame.loads.worst(id);
  const auto along = [&](float t) {
    return Point{start.x + (end.x - start.x) * t, start.y + (end.y - start.y) * t};
  };
  const bool loud = linkState(ratio, frame.style.thresholds) >= LinkState::Busy;
  frame.labels.add({{along(0.28f), percentText(ratio), loadTextColor(frame, ratio), Align::Center,
                     FontRole::Secondary, loud, 1, frame.style.palette.canvas},
                    loud ? LabelPriority::Alarm : LabelPriority::Rest,
                    2000 + id.value,
                    {along(0.72f), along(0.4f), along(0.6f), along(0.2f)}});
}

void paintNeighbourLink(SceneFrame& frame, LinkId id) {
  const TopologyLink& link = frame.topology.links[id.value];
  const Rect &from = frame.layout.node_rects[link.from.value], &to = frame.layout.node_rects[link.to.value];
  if (from.width <= 0 || to.width <= 0 || crossesSlices(frame, link)) return;
  const Rect a = frame.screen(from), b = frame.screen(to);
  if (!frame.isVisible(a) && !frame.isVisible(b)) return;
  if (wraps(frame, link)) return paintWrap(frame, id, a, b);
  const Point start = edgeTowards(a, b.center()), end = edgeTowards(b, a.center());
  paintLanes(frame, {start, start, end, end, 0, false, 0}, id);
  if (frame.detail == Detail::Chips && frame.topology.links.size() <= 64)
    addLinkNumber(frame, start, end, id);
}

void paintSliceFrames(SceneFrame& frame) {
  const Palette& palette = frame.style.palette;
  for (std::uint32_t i = 0; i < frame.layout.groups.size(); ++i) {
    const GroupBox& slice = frame.layout.groups[i];
    const Rect box = frame.screen(slice.rect);
    if (!frame.isVisible(box)) continue;
    const PickId pick = packPick(PickKind::Group, i);
    frame.out.quads.push_back(
        {box, palette.rack_metal, palette.line, 1, frame.style.px(4), Hatch::None, pick});
    const ChipSummary summary = summarize(frame, slice.chip_nodes);
    if (slice.header.height > 0) {
      const Rect header = frame.screen(slice.header);
      const std::string heat = "max " + degreesText(summary.max_c) + " °C";
      addFittedText(frame, slice.title, header, palette.text, Align::Left, FontRole::Secondary, true);
      if (header.width > frame.style.px(110))
        addFittedText(frame, heat, header, palette.secondary_text, Align::Right, FontRole::Secondary);
    }
    if (frame.selected == pick)
      paintOutline(frame, box, true);
    else if (frame.hovered == pick)
      paintOutline(frame, box, false);
  }
}

void paintSliceBundles(SceneFrame& frame) {
  for (std::uint32_t i = 0; i + 1 < frame.layout.groups.size(); ++i) {
    const BundleLoad load = frame.layout.slice_bundles.load(i, frame.loads);
    if (!load.link.isValid()) continue;
    const Rect a = frame.screen(frame.layout.groups[i].rect),
               b = frame.screen(frame.layout.groups[i + 1].rect);
    const Point start = edgeTowards(a, b.center()), end = edgeTowards(b, a.center());
    paintLink(frame, {start, start, end, end, load.ratio, load.backward, linkPick(load.link)});
  }
}

bool touchesSelection(const SceneFrame& frame, const TopologyLink& link, std::uint32_t index) {
  return frame.isSelected(PickKind::Chip, link.from.value) ||
         frame.isSelected(PickKind::Chip, link.to.value) || frame.isSelected(PickKind::Link, index);
}

}  // namespace

void paintLattice(SceneFrame& frame) {
  if (frame.layout.sliced) paintSliceFrames(frame), paintSliceBundles(frame);
  // All links while they can be told apart; of a larger machine those of the selection only.
  const bool all = frame.detail >= Detail::Tiles || frame.topology.links.size() <= 800;
  std::size_t drawn = 0;
  for (std::uint32_t i = 0; i < frame.topology.links.size() && drawn < kMostLinks; ++i) {
    if (!all && !touchesSelection(frame, frame.topology.links[i], i)) continue;
    const std::size_t before = frame.out.curves.size();
    paintNeighbourLink(frame, LinkId{i});
    drawn += frame.out.curves.size() > before ? 1 : 0;
  }
  paintChips(frame);
}

}  // namespace decodescope::scene
