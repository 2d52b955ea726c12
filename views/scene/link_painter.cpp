#include "scene/link_painter.h"

#include "scene/number_text.h"
#include "scene/tile_painter.h"

#include <algorithm>
#include <cmath>

namespace decodescope::scene {
namespace {

Curve straight(Point a, Point b, Color color, float width) {
  return {a, a, b, b, color, width, Dash::Solid, 0, 0};
}

Point directionAt(const Curve& curve, float t, bool backward) {
  const Point a = pointOn(curve, t - 0.02f), b = pointOn(curve, t + 0.02f);
  const float length = std::max(1e-3f, std::hypot(b.x - a.x, b.y - a.y));
  const float sign = backward ? -1.0f : 1.0f;
  return {sign * (b.x - a.x) / length, sign * (b.y - a.y) / length};
}

// Two strokes meeting at the tip, on a patch of background so that they stand off the line.
void addChevron(SceneFrame& frame, Point tip, Point along, Color color, float size) {
  const Point left{tip.x - along.x * size - along.y * size, tip.y - along.y * size + along.x * size};
  const Point right{tip.x - along.x * size + along.y * size, tip.y - along.y * size - along.x * size};
  const float width = std::max(1.5f, frame.style.px(2));
  frame.out.curves.push_back(straight(left, tip, color, width));
  frame.out.curves.push_back(straight(right, tip, color, width));
}

void addChevrons(SceneFrame& frame, const Curve& curve, const LinkStyle& style, bool backward) {
  const Point along = directionAt(curve, 0.5f, backward), middle = pointOn(curve, 0.5f);
  const float size = frame.style.px(4.5f);
  const float reach = size * (style.chevrons == 2 ? 1.7f : 1.2f);
  frame.out.curves.push_back(straight({middle.x - along.x * reach, middle.y - along.y * reach},
                                      {middle.x + along.x * reach, middle.y + along.y * reach},
                                      frame.style.palette.canvas, style.width + 2));
  for (int i = 0; i < style.chevrons; ++i) {
    const float shift = size * (0.6f + (style.chevrons == 2 ? (i == 0 ? -0.65f : 0.65f) : 0.0f));
    addChevron(frame, {middle.x + along.x * shift, middle.y + along.y * shift}, along, curve.color, size);
  }
}

void addBadge(SceneFrame& frame, const Curve& curve, Color color, PickId pick) {
  const Point at = pointOn(curve, 0.5f);
  const float side = frame.style.px(15);
  frame.out.overlays.push_back({{at.x - side / 2, at.y - side / 2, side, side},
                                color,
                                frame.style.palette.canvas,
                                1,
                                3,
                                Hatch::None,
                                pick});
  frame.out.labels.push_back(
      {at, "!", textOn(color), Align::Center, FontRole::Body, true, 0.9f, {0, 0, 0, 0}});
}

bool longEnough(const Curve& curve, float least_px) {
  return std::hypot(curve.to.x - curve.from.x, curve.to.y - curve.from.y) +
             std::hypot(curve.control1.x - curve.from.x, curve.control1.y - curve.from.y) >
         least_px;
}

}  // namespace

PickId linkPick(LinkId link) {
  return link.isValid() ? packPick(PickKind::Link, link.value) : 0;
}

void paintLink(SceneFrame& frame, const LinkLine& line) {
  LinkStyle style = linkStyle(line.ratio, frame.style.palette, frame.style.zoom, frame.style.thresholds);
  style.width = std::max(1.0f, std::min(style.width, line.most_px));
  Curve curve{line.from, line.control1, line.control2, line.to, style.color, style.width, style.dash,
              0,         line.pick};
  if (line.faded < 1) curve.color.a = static_cast<std::uint8_t>(255 * line.faded);
  if (!frame.style.reduced_motion) {
    curve.dash_phase =
        std::fmod(frame.flow_s * style.flow_px_per_s, 1000.0f) * (line.backward ? 1.0f : -1.0f);
  }
  if (line.pick != 0 && (line.pick == frame.selected || line.pick == frame.hovered)) {
    Curve halo = curve;
    halo.width += 4, halo.dash = Dash::Solid, halo.pick = 0;
    halo.color = line.pick == frame.selected ? frame.style.palette.accent : frame.style.palette.tertiary_text;
    frame.out.curves.push_back(halo);
  }
  frame.out.curves.push_back(curve);
  if (style.chevrons > 0 && longEnough(curve, frame.style.px(60)))
    addChevrons(frame, curve, style, line.backward);
  if (style.badge && longEnough(curve, frame.style.px(40))) addBadge(frame, curve, style.color, line.pick);
}

void paintLanes(SceneFrame& frame, LinkLine line, LinkId link) {
  const float forward = frame.loads.forward(link), backward = frame.loads.backward(link);
  line.pick = linkPick(link);
  line.ratio = std::max(forward, backward);
  line.backward = backward > forward;
  const auto& thresholds = frame.style.thresholds;
  if (linkState(forward, thresholds) == linkState(backward, thresholds)) return paintLink(frame, line);
  const float dx = line.to.x - line.from.x, dy = line.to.y - line.from.y;
  const float length = std::max(1e-3f, std::hypot(dx, dy)), shift = frame.style.px(2);
  for (const bool back : {false, true}) {
    const float side = back ? shift / length : -shift / length;
    LinkLine lane = line;
    for (Point* point : {&lane.from, &lane.control1, &lane.control2, &lane.to})
      point->x -= dy * side, point->y += dx * side;
    lane.ratio = back ? backward : forward;
    lane.backward = back;
    const std::size_t before = frame.out.curves.size();
    paintLink(frame, lane);
    for (std::size_t i = before; i < frame.out.curves.size(); ++i) {
      if (frame.out.curves[i].pick != 0)
        frame.out.curves[i].width = std::max(1.0f, frame.out.curves[i].width / 2);
    }
  }
}

Color loadTextColor(const SceneFrame& frame, float ratio) {
  const LinkState state = linkState(ratio, frame.style.thresholds);
  return state < LinkState::Busy ? frame.style.palette.secondary_text
                                 : frame.style.palette.link[static_cast<std::size_t>(state)];
}

void addLoadText(SceneFrame& frame, float ratio, const Rect& box, Align align) {
  const bool bold = linkState(ratio, frame.style.thresholds) >= LinkState::Busy;
  addFittedText(frame, percentText(ratio), box, loadTextColor(frame, ratio), align, FontRole::Secondary,
                bold);
}

}  // namespace decodescope::scene
