#include "scene/heat_scene.h"

#include "scene/heat_rows.h"
#include "scene/label_placement.h"
#include "scene/legend.h"
#include "scene/number_text.h"

#include <algorithm>
#include <cmath>

namespace decodescope::scene {
namespace {

constexpr std::size_t kMostColumns = 4000;
constexpr std::size_t kMostMarks = 400;

TemperatureScale scaleOf(const Snapshot& snapshot) {
  TemperatureScale scale;
  scale.shutdown_c = 0;
  if (snapshot.prediction && snapshot.prediction->thermal.limit_c > 0)
    scale.throttle_c = snapshot.prediction->thermal.limit_c;
  return scale;
}

float temperatureOf(const Snapshot& snapshot, std::uint32_t chip) {
  return chip < snapshot.chip_temperature_c.size() ? snapshot.chip_temperature_c[chip] : NAN;
}

// The bar beside the map, when there is room for it; returns what is left for the map.
Rect withBar(Rect box, const Snapshot& snapshot, const SceneStyle& style, DrawList& out) {
  if (box.width < style.px(330) || box.height < style.px(90)) return box;
  const float text = style.text->width("88 throttle", FontRole::Secondary, true);
  const float room = text + style.px(30);
  LegendInput input{scaleOf(snapshot), 0, 0, 0, 0, {}, {}, 0};
  const float bar = style.px(12);
  paintTemperatureBar(input,
                      {box.right() - room + style.px(6), box.y + style.px(6), bar, box.height - style.px(30)},
                      style, out);
  out.labels.push_back({{box.right() - room + style.px(6), box.bottom() - style.px(10)},
                        "chip °C",
                        style.palette.secondary_text,
                        Align::Left,
                        FontRole::Secondary,
                        false,
                        1,
                        {0, 0, 0, 0}});
  box.width -= room + style.px(6);
  return box;
}

void addText(DrawList& out, Point at, std::string text, Color color, Align align, bool bold = false,
             Color halo = {0, 0, 0, 0}) {
  out.labels.push_back({at, std::move(text), color, align, FontRole::Secondary, bold, 1, halo});
}

}  // namespace

void HeatScene::adopt(const std::shared_ptr<const TopologyView>& topology) {
  if (topology == topology_) return;
  // A new graph of the same shape (a fault, another fabric) keeps what was seen.
  const bool same = topology_ && topology && topology_->chip_count == topology->chip_count &&
                    topology_->trays.size() == topology->trays.size();
  topology_ = topology;
  rows_ = topology ? heatRows(*topology) : std::vector<HeatRow>{};
  blocks_ = topology ? heatBlocks(*topology) : std::vector<HeatBlock>{};
  if (!same) columns_.clear();
}

void HeatScene::add(const Snapshot& snapshot) {
  adopt(snapshot.topology);
  if (!columns_.empty() && snapshot.token < columns_.front().token) columns_.clear();
  if (!columns_.empty() && snapshot.token < columns_.back().token) return;
  HeatColumn column{snapshot.token, {}};
  column.max_c.reserve(rows_.size());
  for (const HeatRow& row : rows_) {
    float hottest = -INFINITY;
    for (const std::uint32_t chip : row.chips) {
      const float celsius = temperatureOf(snapshot, chip);
      if (celsius > hottest) hottest = celsius;
    }
    column.max_c.push_back(hottest);
  }
  if (!columns_.empty() && columns_.back().token == snapshot.token)
    columns_.back() = std::move(column);
  else
    columns_.push_back(std::move(column));
  while (columns_.size() > kMostColumns ||
         (columns_.size() > 2 && columns_[1].token < snapshot.token - kWindowTokens))
    columns_.pop_front();
}

void HeatScene::addBlock(const HeatBlock& block, const Snapshot& snapshot, Rect box, const SceneStyle& style,
                         PickId selected, DrawList& out) {
  const TemperatureScale scale = scaleOf(snapshot);
  const int rows = (static_cast<int>(block.chips.size()) + block.columns - 1) / block.columns;
  CellGrid grid{
      box, block.columns, rows, {}, packPick(PickKind::Cell, static_cast<std::uint32_t>(cell_chips_.size()))};
  const float width = box.width / static_cast<float>(block.columns),
              height = box.height / static_cast<float>(rows);
  for (int i = 0; i < rows * block.columns; ++i) {
    const std::uint32_t chip =
        i < static_cast<int>(block.chips.size()) ? block.chips[static_cast<std::size_t>(i)] : UINT32_MAX;
    cell_chips_.push_back(chip);
    const float celsius = chip == UINT32_MAX ? NAN : temperatureOf(snapshot, chip);
    grid.cells.push_back(chip == UINT32_MAX ? style.palette.panel
                                            : mapColor(style.temperature_map, scale.ratio(celsius)));
    if (chip == UINT32_MAX) continue;
    const Rect cell{box.x + width * static_cast<float>(i % block.columns),
                    box.y + height * static_cast<float>(i / block.columns), width, height};
    const Color fill = grid.cells.back();
    const bool throttled = chip < snapshot.chip_throttle.size() && snapshot.chip_throttle[chip] != 0;
    if (throttled && out.quads.size() < kMostMarks) {
      out.quads.push_back({cell,
                           {0, 0, 0, 0},
                           textOn(style.palette.canvas),
                           std::min(2.0f, std::min(width, height) / 4),
                           0,
                           Hatch::None,
                           0});
      if (height > 9)
        out.quads.push_back(
            {{cell.x + 2, cell.y + 2, cell.width - 4, cell.height - 4}, fill, {}, 0, 0, Hatch::Diagonal, 0});
    }
    if (selected == packPick(PickKind::Chip, chip))
      out.overlays.push_back({cell, {0, 0, 0, 0}, style.palette.accent, 2, 0, Hatch::None, 0});
    const std::string text = degreesText(celsius);
    const float em = style.em(FontRole::Secondary), scale_text = std::min(1.0f, (height - 3) / (em * 0.76f));
    if (!throttled && em * scale_text >= LabelPlacer::kSmallestText_px && width > em * scale_text * 1.6f) {
      out.labels.push_back({cell.center(),
                            text,
                            textOn(fill),
                            Align::Center,
                            FontRole::Secondary,
                            false,
                            scale_text,
                            {0, 0, 0, 0}});
    }
  }
  out.grids.push_back(std::move(grid));
  // One-pixel lines keep neighbours apart where cells are large enough.
  for (int row = 1; row < rows && height > 5; ++row) {
    const float y = box.y + height * static_cast<float>(row);
    out.quads.push_back({{box.x, y - 0.5f, box.width, 1}, style.palette.panel, {}, 0, 0, Hatch::None, 0});
  }
  for (int column = 1; column < block.columns && width > 5; ++column) {
    const float x = box.x + width * static_cast<float>(column);
    out.quads.push_back({{x - 0.5f, box.y, 1, box.height}, style.palette.panel, {}, 0, 0, Hatch::None, 0});
  }
}

void HeatScene::buildNow(const Snapshot& snapshot, Rect box, const SceneStyle& style, PickId selected,
                         DrawList& out) {
  out.clear();
  out.background = style.palette.panel;
  adopt(snapshot.topology);
  cell_chips_.clear();
  over_time_ = false;
  if (blocks_.empty()) return;
  const Rect area = withBar(box, snapshot, style, out);
  const auto count = static_cast<int>(blocks_.size());
  const bool labelled = !blocks_.front().label.empty();
  const float label = labelled ? style.px(16) : 0;
  int columns = 1;
  float best = -1;
  const int block_rows =
      std::max(1, static_cast<int>(blocks_.front().chips.size()) / blocks_.front().columns);
  for (int c = 1; c <= count; ++c) {
    const int r = (count + c - 1) / c;
    const float width = area.width / static_cast<float>(c * blocks_.front().columns),
                height = (area.height / static_cast<float>(r) - label) / static_cast<float>(block_rows);
    if (std::min(width, height * 3) > best) best = std::min(width, height * 3), columns = c;
  }
  const int rows = (count + columns - 1) / columns;
  const float width = area.width / static_cast<float>(columns),
              height = area.height / static_cast<float>(rows);
  const float gap = std::min(style.px(6), width * 0.1f);
  for (int i = 0; i < count; ++i) {
    const Rect cell{area.x + width * static_cast<float>(i % columns),
                    area.y + height * static_cast<float>(i / columns), width - gap, height - gap};
    const HeatBlock& block = blocks_[static_cast<std::size_t>(i)];
    const bool fits = label > 0 && cell.height > label * 2;
    if (fits && width > style.text->width(block.label, FontRole::Secondary, false))
      addText(out, {cell.x, cell.y + label / 2}, block.label, style.palette.secondary_text, Align::Left);
    addBlock(block, snapshot,
             {cell.x, cell.y + (fits ? label : 0), cell.width, cell.height - (fits ? label : 0)}, style,
             selected, out);
  }
}

int HeatScene::rowOf(PickId pick) const {
  const Pick what = unpackPick(pick);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const HeatRow& row = rows_[i];
    const bool found = (what.kind == PickKind::Tray && row.tray.isValid() && row.tray.value == what.index) ||
                       (what.kind == PickKind::Rack && !row.tray.isValid() && row.rack.isValid() &&
                        row.rack.value == what.index) ||
                       (what.kind == PickKind::Chip &&
                        std::find(row.chips.begin(), row.chips.end(), what.index) != row.chips.end());
    if (found) return static_cast<int>(i);
  }
  return -1;
}

int HeatScene::hottestRow() const {
  if (columns_.empty() || columns_.back().max_c.empty()) return -1;
  const auto& now = columns_.back().max_c;
  return static_cast<int>(std::max_element(now.begin(), now.end()) - now.begin());
}

CellGrid HeatScene::timeGrid(Rect map, std::int64_t from_token, const SceneStyle& style,
                             const TemperatureScale& scale) const {
  const auto rows = static_cast<int>(rows_.size());
  CellGrid grid{map, kBins, rows, {}, packPick(PickKind::Cell, 0)};
  grid.cells.assign(static_cast<std::size_t>(kBins) * static_cast<std::size_t>(rows), style.palette.field);
  std::vector<float> hottest(rows_.size());
  std::size_t next = 0;
  const HeatColumn* latest = nullptr;
  for (int bin = 0; bin < kBins; ++bin) {
    // The hottest that fell into the bin; between snapshots the last one holds.
    const std::int64_t end = from_token + (bin + 1) * kWindowTokens / kBins;
    if (latest) hottest = latest->max_c;
    bool any = latest != nullptr;
    while (next < columns_.size() && columns_[next].token < end) {
      latest = &columns_[next++];
      for (std::size_t row = 0; row < hottest.size() && row < latest->max_c.size(); ++row)
        hottest[row] = any ? std::max(hottest[row], latest->max_c[row]) : latest->max_c[row];
      any = true;
    }
    if (!any || end - kWindowTokens / kBins > columns_.back().token) continue;
    for (int row = 0; row < rows; ++row) {
      grid.cells[static_cast<std::size_t>(row) * kBins + static_cast<std::size_t>(bin)] =
          mapColor(style.temperature_map, scale.ratio(hottest[static_cast<std::size_t>(row)]));
    }
  }
  return grid;
}

void HeatScene::labelRows(Rect map, const SceneStyle& style, int marked, DrawList& out) const {
  const float pitch = map.height / static_cast<float>(rows_.size()),
              line = style.em(FontRole::Secondary) * 1.5f;
  const auto y_of = [&](int row) { return map.y + pitch * (static_cast<float>(row) + 0.5f); };
  std::vector<float> taken;
  const auto label = [&](int row, bool bold) {
    const float y = std::clamp(y_of(row), map.y + line * 0.4f, map.bottom() - line * 0.4f);
    if (std::any_of(taken.begin(), taken.end(), [&](float other) { return std::abs(other - y) < line; }))
      return;
    taken.push_back(y);
    const HeatRow& of = rows_[static_cast<std::size_t>(row)];
    const std::string prefix = row == 0 && of.tray.isValid() && of.label.size() <= 2  ? "tray "
                               : row == 0 && !of.tray.isValid() && !of.rack.isValid() ? "chip "
                                                                                      : "";
    addText(out, {map.x - style.px(7), y}, prefix + of.label,
            bold ? style.palette.text : style.palette.secondary_text, Align::Right, bold);
  };
  if (marked >= 0) label(marked, true);
  label(0, false);
  label(static_cast<int>(rows_.size()) - 1, false);
  const int step = std::max(1, static_cast<int>(std::ceil(static_cast<float>(rows_.size()) / 5)));
  for (int row = step - 1; row < static_cast<int>(rows_.size()); row += step) label(row, false);
}

void HeatScene::buildOverTime(const Snapshot& snapshot, Rect box, const SceneStyle& style, PickId selected,
                              DrawList& out) {
  out.clear();
  out.background = style.palette.panel;
  adopt(snapshot.topology);
  over_time_ = true;
  if (rows_.empty() || columns_.empty()) return;
  const Rect area = withBar(box, snapshot, style, out);
  float label_width = style.text->width("tray 01", FontRole::Secondary, true);
  for (const HeatRow& row : rows_)
    label_width = std::max(label_width, style.text->width(row.label, FontRole::Secondary, true));
  const float left = label_width + style.px(9), axis = style.px(20);
  const Rect map{area.x + left, area.y, std::max(10.0f, area.width - left - style.px(4)),
                 std::max(10.0f, area.height - axis)};
  const std::int64_t last = columns_.back().token,
                     from = std::max<std::int64_t>(columns_.front().token, last - kWindowTokens);
  const auto x_of = [&](std::int64_t token) {
    return map.x + map.width * static_cast<float>(
                                   std::clamp(static_cast<double>(token - from) / kWindowTokens, 0.0, 1.0));
  };
  out.grids.push_back(timeGrid(map, from, style, scaleOf(snapshot)));
  out.quads.push_back({map, {0, 0, 0, 0}, style.palette.line, 1, 0, Hatch::None, 0});
  const int chosen = rowOf(selected), marked = chosen >= 0 ? chosen : hottestRow();
  labelRows(map, style, marked, out);
  const float y = map.bottom() + axis * 0.55f;
  addText(out, {map.x, y}, "token " + countText(from), style.palette.secondary_text, Align::Left);
  addText(out, {map.right(), y}, countText(from + kWindowTokens), style.palette.secondary_text, Align::Right);
  const std::size_t per_row = rows_.front().chips.size();
  if (per_row > 1 && map.width > style.px(260))
    addText(out, {map.center().x, y}, "a row is the max of " + countText(static_cast<std::int64_t>(per_row)),
            style.palette.secondary_text, Align::Center);
  if (marked >= 0) {
    const float pitch = map.height / static_cast<float>(rows_.size()),
                top = map.y + pitch * static_cast<float>(marked);
    out.overlays.push_back({{map.x - 1, top - 1, map.width + 2, std::max(pitch, 3.0f) + 2},
                            {0, 0, 0, 0},
                            chosen >= 0 ? style.palette.accent : style.palette.text,
                            2,
                            0,
                            Hatch::None,
                            0});
    const float celsius = columns_.back().max_c[static_cast<std::size_t>(marked)];
    const bool below = top + pitch + style.px(20) < map.bottom();
    const HeatRow& row = rows_[static_cast<std::size_t>(marked)];
    const std::string name = row.tray.isValid()   ? "tray " + row.label
                             : row.rack.isValid() ? "rack " + row.label
                                                  : "chip " + row.label;
    std::string text = name + ": " + degreesText(celsius) + " °C now" + (chosen >= 0 ? "" : ", the hottest");
    const auto fits = [&] {
      return style.text->width(text, FontRole::Secondary, true) < map.width - style.px(8);
    };
    if (!fits()) text = name + ": " + degreesText(celsius) + " °C";
    if (fits())
      addText(out, {map.center().x, below ? top + pitch + style.px(11) : top - style.px(11)}, text,
              {255, 255, 255, 255}, Align::Center, true, {0, 0, 0, 220});
  }
  const float marker = x_of(snapshot.token);
  out.curves.push_back({{marker, map.y},
                        {marker, map.y},
                        {marker, map.bottom()},
                        {marker, map.bottom()},
                        style.palette.accent,
                        style.px(2),
                        Dash::Solid,
                        0,
                        0});
}

PickId HeatScene::resolve(PickId pick) const {
  const Pick what = unpackPick(pick);
  if (what.kind != PickKind::Cell) return 0;
  if (!over_time_) {
    const bool known = what.index < cell_chips_.size() && cell_chips_[what.index] != UINT32_MAX;
    return known ? packPick(PickKind::Chip, cell_chips_[what.index]) : 0;
  }
  const std::size_t row = what.index / kBins;
  if (row >= rows_.size()) return 0;
  if (rows_[row].tray.isValid()) return packPick(PickKind::Tray, rows_[row].tray.value);
  if (rows_[row].rack.isValid()) return packPick(PickKind::Rack, rows_[row].rack.value);
  return rows_[row].chips.empty() ? 0 : packPick(PickKind::Chip, rows_[row].chips.front());
}

std::string HeatScene::describe(const Snapshot& snapshot, PickId pick) const {
  const PickId target = resolve(pick);
  const Pick what = unpackPick(target);
  if (what.kind == PickKind::Chip && topology_)
    return nodeLabel(*topology_, NodeId{what.index}) + ": " +
           degreesText(temperatureOf(snapshot, what.index)) + " °C";
  const int row = rowOf(target);
  if (row < 0 || columns_.empty()) return {};
  const HeatRow& of = rows_[static_cast<std::size_t>(row)];
  return (of.tray.isValid() ? "Tray " : "Rack ") + of.label + ": hottest chip " +
         degreesText(columns_.back().max_c[static_cast<std::size_t>(row)]) + " °C now";
}

}  // namespace decodescope::scene
