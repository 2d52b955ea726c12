#include "scene/tile_painter.h"

#include "scene/number_text.h"

#include <algorithm>
#include <cmath>

namespace decodescope::scene {
namespace {

constexpr float kInkRatio = 0.76f;  // height of digits over the font's size
constexpr float kSmallestEm_px = 9;
constexpr float kSmallestNumberTile_px = 10.5f;  // lower tiles would be all digits

// The ends of the colour map vanish into the background without a line around them: the hot end on light
// themes, the cold end on dark ones.
Color cellBorder(const SceneFrame& frame, Color fill) {
  const Palette& palette = frame.style.palette;
  return !palette.dark || contrast(fill, palette.rack_metal2) < 1.3 ? palette.control_border
                                                                    : Color{0, 0, 0, 0};
}

// Hatching would eat the digits: they stand on a patch of the plain fill.
void addPatch(SceneFrame& frame, const std::string& text, const Rect& tile, Color fill) {
  const float width = frame.style.text->width(text, FontRole::Body, true) + frame.style.px(10);
  const float inset = frame.style.px(2);
  frame.out.quads.push_back({{tile.center().x - width / 2, tile.y + inset, width, tile.height - 2 * inset},
                             fill,
                             {},
                             0,
                             0,
                             Hatch::None,
                             0});
}

void addKvBar(SceneFrame& frame, std::uint32_t chip, const Rect& tile) {
  if (chip >= frame.snapshot.chip_kv_used_ratio.size()) return;
  const float used = std::clamp(frame.snapshot.chip_kv_used_ratio[chip], 0.0f, 1.0f);
  const float margin = frame.style.px(4), height = std::max(3.0f, tile.height * 0.07f);
  const Rect track{tile.x + margin, tile.bottom() - margin - height, tile.width - 2 * margin, height};
  frame.out.quads.push_back({track, {0, 0, 0, 110}, {}, 0, 0, Hatch::None, packPick(PickKind::Chip, chip)});
  frame.out.quads.push_back({{track.x, track.y, track.width * used, height},
                             frame.style.palette.hbm,
                             {},
                             0,
                             0,
                             Hatch::None,
                             packPick(PickKind::Chip, chip)});
}

std::string chipNumber(const SceneFrame& frame, std::uint32_t chip) {
  const std::string label = nodeLabel(frame.topology, NodeId{chip});
  return label.starts_with("Chip ") ? label.substr(5) : label;
}

void addChipText(SceneFrame& frame, std::uint32_t chip, const Rect& tile, Color fill) {
  const Color ink = textOn(fill);
  const float celsius = frame.temperature_c(chip);
  if (frame.detail != Detail::Chips || tile.height < frame.style.px(44)) {
    const bool bold = frame.isThrottled(chip);
    const std::string text = degreesText(celsius);
    if (bold && tile.width > frame.style.px(40)) addPatch(frame, text, tile, fill);
    if (!bold || tile.width > frame.style.px(40))
      addFittedText(frame, text, tile, ink, Align::Center, FontRole::Body, bold);
    return;
  }
  const float line = tile.height / 3.4f;
  const Rect name{tile.x, tile.y + line * 0.1f, tile.width, line},
      heat{tile.x, name.bottom(), tile.width, line}, clock{tile.x, heat.bottom(), tile.width, line * 0.9f};
  addFittedText(frame, chipNumber(frame, chip), name, ink, Align::Center, FontRole::Secondary);
  addFittedText(frame, degreesText(celsius) + " °C", heat, ink, Align::Center, FontRole::Title, true);
  if (chip < frame.snapshot.chip_clock_ratio.size()) {
    addFittedText(frame, "clock " + percentText(frame.snapshot.chip_clock_ratio[chip]), clock, ink,
                  Align::Center, FontRole::Secondary);
  }
  addKvBar(frame, chip, tile);
}

}  // namespace

bool addFittedText(SceneFrame& frame, const std::string& text, const Rect& box, Color color, Align align,
                   FontRole font, bool bold) {
  const float em = frame.style.em(font);
  const float width = frame.style.text->width(text, font, bold);
  const float by_height = (box.height - std::min(4.0f, box.height * 0.14f)) / (em * kInkRatio);
  const float by_width = (box.width - 2) / std::max(1.0f, width);
  const float scale = std::min({1.0f, by_height, by_width});
  if (em * scale < kSmallestEm_px) return false;
  const float x = align == Align::Left ? box.x : align == Align::Center ? box.center().x : box.right();
  frame.out.labels.push_back({{x, box.center().y}, text, color, align, font, bold, scale, {0, 0, 0, 0}});
  return true;
}

void paintChip(SceneFrame& frame, std::uint32_t chip, const Rect& tile) {
  const float celsius = frame.temperature_c(chip);
  const Color fill = mapColor(frame.style.temperature_map, frame.scale.ratio(celsius));
  const bool throttled = frame.isThrottled(chip);
  const bool working = frame.flow.isWorking(chip);
  Quad quad{tile, fill, cellBorder(frame, fill), 1, 0, Hatch::None, packPick(PickKind::Chip, chip)};
  quad.radius = tile.height > 10 ? std::min(2.0f, tile.height / 6) : 0;
  if (working) {
    quad.border = frame.style.palette.compute;
    quad.border_width =
        std::clamp(std::min(tile.width, tile.height) / 7, 1.0f, std::max(1.5f, frame.style.px(2)));
  }
  if (throttled) {
    const float side = std::min(tile.width, tile.height);
    quad.hatch = side >= 8 ? Hatch::Diagonal : Hatch::None;
    quad.border = textOn(frame.style.palette.canvas);
    quad.border_width = std::clamp(side / 6, 1.0f, std::max(1.5f, frame.style.px(2)));
  }
  frame.out.quads.push_back(quad);
  if (frame.detail >= Detail::Tiles && tile.height >= kSmallestNumberTile_px)
    addChipText(frame, chip, tile, fill);
}

void paintChips(SceneFrame& frame) {
  for (std::uint32_t chip = 0; chip < frame.topology.chip_count; ++chip) {
    const Rect& place = frame.layout.node_rects[chip];
    if (place.width <= 0) continue;
    const Rect tile = frame.screen(place);
    if (frame.isVisible(tile)) paintChip(frame, chip, tile);
  }
}

void paintOutline(SceneFrame& frame, const Rect& rect, bool selected) {
  const float width = selected ? std::max(2.0f, frame.style.px(2)) : std::max(1.0f, frame.style.px(1.5f));
  const float grow = selected ? width + 1 : width;
  const Rect around{rect.x - grow, rect.y - grow, rect.width + 2 * grow, rect.height + 2 * grow};
  const Color color = selected ? frame.style.palette.accent : frame.style.palette.text;
  frame.out.overlays.push_back({around, {0, 0, 0, 0}, color, width, 3, Hatch::None, 0});
}

ChipSummary summarize(const SceneFrame& frame, const std::vector<NodeId>& chips) {
  ChipSummary summary;
  std::vector<float> values;
  values.reserve(chips.size());
  double sum = 0;
  for (const NodeId node : chips) {
    const float celsius = frame.temperature_c(node.value);
    if (values.empty() || celsius > summary.max_c) summary.max_c = celsius, summary.hottest = node.value;
    if (frame.isThrottled(node.value)) ++summary.throttled;
    sum += celsius;
    values.push_back(celsius);
  }
  summary.count = static_cast<std::uint32_t>(values.size());
  if (values.empty()) return summary;
  summary.mean_c = static_cast<float>(sum / static_cast<double>(values.size()));
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  summary.median_c = *middle;
  return summary;
}

ChipSummary summarizeAll(const SceneFrame& frame) {
  std::vector<NodeId> chips;
  chips.reserve(frame.topology.chip_count);
  for (std::uint32_t chip = 0; chip < frame.topology.chip_count; ++chip) chips.push_back(NodeId{chip});
  return summarize(frame, chips);
}

}  // namespace decodescope::scene
