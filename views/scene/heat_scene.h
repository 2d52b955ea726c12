// The engine's chip temperatures as a heat map: every chip now, or every tray over the last tokens.
#pragma once

#include "scene/color_map.h"
#include "scene/picking.h"
#include "scene/scene_style.h"

#include <decodescope/snapshot.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace decodescope::scene {

/// One line of the map over time: a tray, or a rack or slice of larger machines. Shows its hottest chip.
struct HeatRow {
  std::string label;
  std::vector<std::uint32_t> chips;
  TrayId tray;
  RackId rack;
};

/// Chips that stand together, in rows and columns.
struct HeatBlock {
  std::string label;
  int columns = 1;
  std::vector<std::uint32_t> chips;  ///< row by row; UINT32_MAX: no chip there
};

struct HeatColumn {
  std::int64_t token = 0;
  std::vector<float> max_c;  ///< by row
};

class HeatScene {
 public:
  static constexpr std::int64_t kWindowTokens = 1000;
  static constexpr int kBins = 250;

  /// Remembers the temperatures of a live snapshot; one of the past only moves the marker.
  void add(const Snapshot& snapshot);
  void clear() { columns_.clear(); }

  void buildNow(const Snapshot& snapshot, Rect box, const SceneStyle& style, PickId selected, DrawList& out);
  void buildOverTime(const Snapshot& snapshot, Rect box, const SceneStyle& style, PickId selected,
                     DrawList& out);

  [[nodiscard]] const std::vector<HeatRow>& rows() const { return rows_; }
  [[nodiscard]] const std::deque<HeatColumn>& columns() const { return columns_; }
  /// The chip of a cell of the map of now; of the map over time the tray or rack of its row.
  [[nodiscard]] PickId resolve(PickId pick) const;
  [[nodiscard]] std::string describe(const Snapshot& snapshot, PickId pick) const;

 private:
  void adopt(const std::shared_ptr<const TopologyView>& topology);
  void addBlock(const HeatBlock& block, const Snapshot& snapshot, Rect box, const SceneStyle& style,
                PickId selected, DrawList& out);
  void labelRows(Rect map, const SceneStyle& style, int marked, DrawList& out) const;
  [[nodiscard]] CellGrid timeGrid(Rect map, std::int64_t from_token, const SceneStyle& style,
                                  const TemperatureScale& scale) const;
  [[nodiscard]] int rowOf(PickId pick) const;
  [[nodiscard]] int hottestRow() const;

  std::shared_ptr<const TopologyView> topology_;
  std::vector<HeatRow> rows_;
  std::vector<HeatBlock> blocks_;
  std::vector<std::uint32_t> cell_chips_;  ///< by Cell index of the map of now
  std::deque<HeatColumn> columns_;
  bool over_time_ = false;
};

}  // namespace decodescope::scene
