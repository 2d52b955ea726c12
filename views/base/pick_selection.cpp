#include "base/pick_selection.h"

#include <iterator>

namespace decodescope::views {
namespace {

struct Row {
  Selection::Kind selection;
  scene::PickKind pick;
};
constexpr Row kRows[] = {
    {Selection::Kind::Chip, scene::PickKind::Chip}, {Selection::Kind::Switch, scene::PickKind::Switch},
    {Selection::Kind::Link, scene::PickKind::Link}, {Selection::Kind::Tray, scene::PickKind::Tray},
    {Selection::Kind::Rack, scene::PickKind::Rack},
};

}  // namespace

Selection selectionOf(scene::PickId pick) {
  const scene::Pick what = scene::unpackPick(pick);
  for (const Row& row : kRows) {
    if (row.pick == what.kind) return {row.selection, what.index};
  }
  return {};
}

scene::PickId pickOf(const Selection& selection) {
  for (const Row& row : kRows) {
    if (row.selection == selection.kind) return scene::packPick(row.pick, selection.index);
  }
  return 0;
}

}  // namespace decodescope::views
