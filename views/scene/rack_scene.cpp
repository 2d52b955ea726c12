#include "scene/rack_scene.h"

#include "scene/number_text.h"
#include "scene/tile_painter.h"

#include <algorithm>
#include <cmath>

namespace decodescope::scene {
namespace {

// A new hottest chip must be this much hotter, so that the focus does not flicker.
constexpr float kFocusHysteresis_c = 1.0f;

bool samePalette(const SceneStyle& a, const SceneStyle& b) {
  return a.zoom == b.zoom && a.text == b.text;
}

TemperatureScale scaleOf(const Snapshot& snapshot) {
  TemperatureScale scale;
  if (snapshot.prediction && snapshot.prediction->thermal.limit_c > 0) {
    scale.throttle_c = snapshot.prediction->thermal.limit_c;
    scale.shutdown_c = 0;
  }
  return scale;
}

// A score that prefers what lies ahead over what lies aside.
float stepCost(Point from, Point to, Step step) {
  const float dx = to.x - from.x, dy = to.y - from.y;
  const bool sideways = step == Step::Left || step == Step::Right;
  const float ahead = (sideways ? dx : dy) * (step == Step::Left || step == Step::Up ? -1.0f : 1.0f);
  const float aside = std::abs(sideways ? dy : dx);
  return ahead <= 0.5f ? INFINITY : ahead + 3 * aside;
}

std::string throttleText(std::uint8_t bits) {
  std::string text;
  const auto add = [&](ThrottleReason reason, const char* name) {
    if ((bits & static_cast<std::uint8_t>(reason)) != 0)
      text += text.empty() ? name : std::string(" and ") + name;
  };
  add(ThrottleReason::PowerCap, "power cap");
  add(ThrottleReason::SwThermal, "heat");
  add(ThrottleReason::HwThermal, "heat (hardware)");
  add(ThrottleReason::HwSlowdown, "hardware slowdown");
  return text;
}

std::string describeChip(const TopologyView& topology, const Snapshot& snapshot, const LinkLoads& loads,
                         std::uint32_t chip) {
  std::string text = nodeLabel(topology, NodeId{chip});
  if (chip < snapshot.chip_temperature_c.size())
    text += ", " + degreesText(snapshot.chip_temperature_c[chip]) + " °C";
  if (chip < snapshot.chip_throttle.size() && snapshot.chip_throttle[chip] != 0)
    text += ", slowed by " + throttleText(snapshot.chip_throttle[chip]);
  if (chip < snapshot.chip_clock_ratio.size())
    text += ", clock " + percentText(snapshot.chip_clock_ratio[chip]);
  if (chip < snapshot.chip_power_w.size())
    text += ", " + countText(std::lround(snapshot.chip_power_w[chip])) + " W";
  if (chip < snapshot.chip_kv_used_ratio.size())
    text += ", KV cache " + percentText(snapshot.chip_kv_used_ratio[chip]);
  const BundleLoad load = loadAt(NodeId{chip}, topology, loads);
  if (load.link.isValid()) text += ", busiest link " + percentText(load.ratio);
  return text;
}

}  // namespace

Detail detailOf(float chip_px, float zoom) {
  if (chip_px < 6) return Detail::Racks;
  if (chip_px < 16) return Detail::Cells;
  return chip_px < 48 * std::max(1.0f, zoom) ? Detail::Tiles : Detail::Chips;
}

float SceneFrame::temperature_c(std::uint32_t chip) const {
  return chip < snapshot.chip_temperature_c.size() ? snapshot.chip_temperature_c[chip] : NAN;
}
bool SceneFrame::isThrottled(std::uint32_t chip) const {
  return chip < snapshot.chip_throttle.size() && snapshot.chip_throttle[chip] != 0;
}

void RackScene::setViewport(Rect viewport, const SceneStyle& style) {
  const bool same =
      viewport.width == viewport_.width && viewport.height == viewport_.height && samePalette(style, style_);
  viewport_ = viewport;
  style_ = style;
  stale_ = stale_ || !same;
}

void RackScene::relayout() {
  stale_ = false;
  camera_.setViewport(viewport_);
  if (!topology_) return;
  const float margin = style_.px(12);
  const float legend = legendWidth(style_) + 2 * margin;
  Rect area{viewport_.x + margin, viewport_.y + style_.px(8),
            std::max(10.0f, viewport_.width - legend - 2 * margin),
            std::max(10.0f, viewport_.height - style_.px(16))};
  layout_ = layoutMachine(*topology_, area, style_.zoom);
  if (layout_.arrangement == Arrangement::Elevation) return;
  // Other arrangements leave the top to the breadcrumb and the bottom to the buttons.
  area.y += style_.px(26);
  area.height = std::max(10.0f, area.height - style_.px(26 + 32));
  layout_ = layoutMachine(*topology_, area, style_.zoom);
}

Detail RackScene::detail() const {
  return detailOf(layout_.chip_px * camera_.scale(), style_.zoom);
}

ChipId RackScene::focusChip(const Snapshot& snapshot, PickId selected) {
  const Pick pick = unpackPick(selected);
  if (pick.kind == PickKind::Chip && pick.index < topology_->chip_count) return ChipId{pick.index};
  const auto& heat = snapshot.chip_temperature_c;
  if (heat.empty() || topology_->chip_count == 0) return {};
  const auto count = std::min<std::size_t>(heat.size(), topology_->chip_count);
  const auto hottest = static_cast<std::size_t>(
      std::max_element(heat.begin(), heat.begin() + static_cast<std::ptrdiff_t>(count)) - heat.begin());
  const bool keep = hottest_.isValid() && hottest_.value < count &&
                    heat[hottest] < heat[hottest_.value] + kFocusHysteresis_c;
  if (!keep) hottest_ = ChipId{static_cast<std::uint32_t>(hottest)};
  return hottest_;
}

void RackScene::build(const RackSceneInput& input, DrawList& out) {
  out.clear();
  out.background = style_.palette.canvas;
  moves_ = false;
  if (input.snapshot == nullptr || !input.snapshot->topology || style_.text == nullptr) return;
  const Snapshot& snapshot = *input.snapshot;
  if (topology_ != snapshot.topology)
    topology_ = snapshot.topology, stale_ = true, hottest_ = {}, camera_.fit();
  if (stale_) relayout();
  const LinkLoads loads(snapshot, window_);
  const TokenFlow flow = tokenFlow(snapshot);
  const float margin = style_.px(12);
  const Rect visible{viewport_.x, viewport_.y,
                     std::max(1.0f, viewport_.width - legendWidth(style_) - 2 * margin), viewport_.height};
  out.clip = visible;
  SceneFrame frame{*topology_,
                   snapshot,
                   layout_,
                   camera_,
                   style_,
                   loads,
                   flow,
                   scaleOf(snapshot),
                   input.selected,
                   input.hovered,
                   focusChip(snapshot, input.selected),
                   input.flow_s,
                   detail(),
                   visible,
                   out,
                   labels_};
  switch (layout_.arrangement) {
    case Arrangement::Elevation:
      paintElevation(frame);
      break;
    case Arrangement::Cluster:
      paintCluster(frame);
      break;
    case Arrangement::Lattice:
    case Arrangement::Ring:
      paintLattice(frame);
      break;
  }
  // Without a selection the outline says which chip the page follows.
  const PickId shown =
      input.selected != 0 || !frame.focus.isValid() ? 0 : packPick(PickKind::Chip, frame.focus.value);
  for (const PickId pick : {shown, input.hovered, input.selected}) {
    const Pick what = unpackPick(pick);
    if (what.kind != PickKind::Chip || what.index >= topology_->chip_count) continue;
    const Rect tile = camera_.toScreen(layout_.node_rects[what.index]);
    if (overlaps(tile, visible)) paintOutline(frame, tile, pick == input.selected);
  }
  for (const Label& label : out.labels) labels_.reserve(labelBox(label, *style_.text));
  labels_.place(visible, *style_.text, out.labels);
  for (const Curve& curve : out.curves)
    moves_ = moves_ || ((curve.dash == Dash::Long || curve.dash == Dash::Short) && curve.pick != 0);
  out.layers.emplace_back();
  paintHud(frame, out.layers.back());
}

ChipId RackScene::neighbour(ChipId from, Step step) const {
  if (!topology_ || from.value >= layout_.node_rects.size()) return from;
  const Point start = layout_.node_rects[from.value].center();
  ChipId best = from;
  float best_cost = INFINITY;
  for (std::uint32_t chip = 0; chip < topology_->chip_count; ++chip) {
    const float cost = stepCost(start, layout_.node_rects[chip].center(), step);
    if (cost < best_cost) best_cost = cost, best = ChipId{chip};
  }
  return best;
}

std::optional<Rect> RackScene::placeOf(PickId id) const {
  const Pick pick = unpackPick(id);
  switch (pick.kind) {
    case PickKind::Chip:
    case PickKind::Switch:
      if (pick.index < layout_.node_rects.size() && layout_.node_rects[pick.index].width > 0)
        return layout_.node_rects[pick.index];
      break;
    case PickKind::Group:
      if (pick.index < layout_.groups.size()) return layout_.groups[pick.index].rect;
      break;
    case PickKind::Plane:
      if (pick.index < layout_.planes.size()) return layout_.planes[pick.index].rect;
      break;
    case PickKind::Tray:
      for (const TrayBox& tray : layout_.trays)
        if (tray.tray.value == pick.index) return tray.rect;
      break;
    case PickKind::Rack:
      for (const RackBox& rack : layout_.racks)
        if (rack.rack.value == pick.index) return rack.rect;
      break;
    case PickKind::None:
    case PickKind::Link:
    case PickKind::Cell:
    case PickKind::Button:
    case PickKind::Event:
      break;
  }
  return std::nullopt;
}

std::string RackScene::describe(const Snapshot& snapshot, PickId id) const {
  if (!topology_ || snapshot.topology != topology_) return {};
  const Pick pick = unpackPick(id);
  const LinkLoads loads(snapshot, window_);
  switch (pick.kind) {
    case PickKind::Chip:
      return pick.index < topology_->chip_count ? describeChip(*topology_, snapshot, loads, pick.index)
                                                : std::string();
    case PickKind::Switch: {
      const BundleLoad load = loadAt(NodeId{pick.index}, *topology_, loads);
      return nodeLabel(*topology_, NodeId{pick.index}) + ", " + countText(load.cables) +
             " links, busiest port " + percentText(load.ratio);
    }
    case PickKind::Link: {
      if (pick.index >= topology_->links.size()) return {};
      const TopologyLink& link = topology_->links[pick.index];
      const std::string cables = link.multiplicity > 1 ? std::to_string(link.multiplicity) + " cables, " : "";
      return linkLabel(*topology_, LinkId{pick.index}) + ", " + cables + rateText(link.capacity_bytes_per_s) +
             ", there " + percentText(loads.forward(LinkId{pick.index})) + ", back " +
             percentText(loads.backward(LinkId{pick.index}));
    }
    case PickKind::Tray: {
      for (const TrayBox& tray : layout_.trays) {
        if (tray.tray.value != pick.index || tray.bundle == UINT32_MAX) continue;
        const BundleLoad load = layout_.tray_bundles.load(tray.bundle, loads);
        return "Tray " + tray.label + ", " + countText(load.cables) + " links, busiest " +
               percentText(load.ratio) +
               (load.link.isValid() ? " (" + linkLabel(*topology_, load.link) + ")" : "");
      }
      return {};
    }
    case PickKind::Group:
      return pick.index < layout_.groups.size()
                 ? layout_.groups[pick.index].title + ", " +
                       countText(static_cast<std::int64_t>(layout_.groups[pick.index].chip_nodes.size())) +
                       " chips"
                 : std::string();
    case PickKind::Plane:
      return pick.index < layout_.planes.size()
                 ? layout_.planes[pick.index].title + ", " +
                       countText(static_cast<std::int64_t>(layout_.planes[pick.index].switches.size())) +
                       " switches"
                 : std::string();
    case PickKind::Rack:
      return pick.index < topology_->racks.size() ? topology_->racks[pick.index].label : std::string();
    case PickKind::Button: {
      constexpr const char* kNames[] = {
          "Zoom out (-)", "Zoom in (+)", "Fit the whole machine (F)",
          "Click to switch between each link's busiest phase and the whole step"};
      return pick.index < std::size(kNames) ? kNames[pick.index] : "";
    }
    case PickKind::None:
    case PickKind::Cell:
    case PickKind::Event:
      break;
  }
  return {};
}

std::string RackScene::describeAll(const Snapshot& snapshot) const {
  if (!snapshot.topology) return "No machine.";
  const auto& heat = snapshot.chip_temperature_c;
  std::string text = snapshot.topology->name + ", " + countText(snapshot.topology->chip_count) + " chips";
  if (!heat.empty()) text += ", hottest " + degreesText(*std::max_element(heat.begin(), heat.end())) + " °C";
  const auto throttled = std::count_if(snapshot.chip_throttle.begin(), snapshot.chip_throttle.end(),
                                       [](std::uint8_t bits) { return bits != 0; });
  text += ", " + countText(throttled) + " throttled";
  const auto& use = snapshot.link_phase_ratio;
  if (!use.empty())
    text +=
        ", busiest link " + percentText(*std::max_element(use.begin(), use.end())) + " in its busiest phase";
  return text + ".";
}

}  // namespace decodescope::scene
