// The machine as a picture: builds the draw list of the rack page from a snapshot, the camera and what is
// selected.
#pragma once

#include "scene/camera.h"
#include "scene/label_placement.h"
#include "scene/legend.h"
#include "scene/link_loads.h"
#include "scene/machine_layout.h"
#include "scene/picking.h"
#include "scene/scene_style.h"
#include "scene/token_flow.h"

#include <decodescope/snapshot.h>

#include <memory>
#include <optional>
#include <string>

namespace decodescope::scene {

/// How much of a chip shows, by its size on screen: the geometric mean of its sides.
enum class Detail : std::uint8_t { Racks, Cells, Tiles, Chips };
[[nodiscard]] Detail detailOf(float chip_px, float zoom);

/// Everything that painters of one frame share.
struct SceneFrame {
  const TopologyView& topology;
  const Snapshot& snapshot;
  const MachineLayout& layout;
  const Camera& camera;
  const SceneStyle& style;
  const LinkLoads& loads;
  const TokenFlow& flow;
  TemperatureScale scale;
  PickId selected = 0, hovered = 0;
  ChipId focus;      ///< the selected chip, else the hottest one
  float flow_s = 0;  ///< time that moves the dashes
  Detail detail = Detail::Tiles;
  Rect visible;  ///< screen area of the machine
  DrawList& out;
  LabelPlacer& labels;

  [[nodiscard]] Rect screen(Rect world) const { return camera.toScreen(world); }
  [[nodiscard]] bool isVisible(const Rect& on_screen) const { return overlaps(on_screen, visible); }
  [[nodiscard]] float temperature_c(std::uint32_t chip) const;
  [[nodiscard]] bool isThrottled(std::uint32_t chip) const;
  [[nodiscard]] bool isSelected(PickKind kind, std::uint32_t index) const {
    return selected == packPick(kind, index);
  }
};

struct RackSceneInput {
  const Snapshot* snapshot = nullptr;
  PickId selected = 0, hovered = 0;
  float flow_s = 0;
};

/// Buttons on the canvas, as indices of PickKind::Button.
enum class SceneButton : std::uint32_t { ZoomOut, ZoomIn, Fit, Window };

enum class Step : std::uint8_t { Left, Right, Up, Down };

class RackScene {
 public:
  /// `viewport` is the whole canvas. Recomputes the layout only when something changed.
  void setViewport(Rect viewport, const SceneStyle& style);
  void build(const RackSceneInput& input, DrawList& out);

  [[nodiscard]] Camera& camera() { return camera_; }
  [[nodiscard]] const MachineLayout& layout() const { return layout_; }
  [[nodiscard]] Detail detail() const;
  void setLinkWindow(LinkWindow window) { window_ = window; }
  [[nodiscard]] LinkWindow linkWindow() const { return window_; }

  /// Something on the last picture moves: dashes of a busy link.
  [[nodiscard]] bool moves() const { return moves_; }
  /// The chip next to `from` on the canvas in a direction; `from` itself at the edge.
  [[nodiscard]] ChipId neighbour(ChipId from, Step step) const;
  /// Rectangle of a pick in layout coordinates, for the camera; nothing when it has none.
  [[nodiscard]] std::optional<Rect> placeOf(PickId pick) const;
  /// "Chip 04.1, 88 °C, throttled, clock 94 %, busiest link 97 %": tooltips and screen readers.
  [[nodiscard]] std::string describe(const Snapshot& snapshot, PickId pick) const;
  /// One sentence about the whole picture.
  [[nodiscard]] std::string describeAll(const Snapshot& snapshot) const;

 private:
  void relayout();
  [[nodiscard]] ChipId focusChip(const Snapshot& snapshot, PickId selected);

  std::shared_ptr<const TopologyView> topology_;
  MachineLayout layout_;
  Camera camera_;
  SceneStyle style_;
  Rect viewport_;
  LabelPlacer labels_;
  LinkWindow window_ = LinkWindow::BusiestPhase;
  ChipId hottest_;
  bool stale_ = true, moves_ = false;
};

// Painters of one frame, by what they draw.
void paintElevation(SceneFrame& frame);
void paintCluster(SceneFrame& frame);
void paintLattice(SceneFrame& frame);
void paintHud(SceneFrame& frame, DrawList& hud);

}  // namespace decodescope::scene
