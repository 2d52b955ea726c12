// What every view is: something that shows the newest snapshot and can be restyled while it runs.
#pragma once

#include <decodescope/ids.h>
#include <decodescope/snapshot.h>

#include <QtGlobal>
#include <memory>

namespace decodescope::views {

struct Theme;

/// The one selected thing; all views listen and agree.
struct Selection {
  enum class Kind : quint8 { None, Chip, Switch, Link, Tray, Rack };
  Kind kind = Kind::None;
  quint32 index = 0;  ///< ChipId, NodeId, LinkId, TrayId or RackId by kind
  friend bool operator==(const Selection&, const Selection&) = default;
};

/// Implemented by widgets. Called on the GUI thread only; must return fast: keep the pointer and update().
class SnapshotView {
 public:
  virtual ~SnapshotView() = default;
  virtual void showSnapshot(const std::shared_ptr<const Snapshot>& snapshot) = 0;
  virtual void applyTheme(const Theme& theme) = 0;
  virtual void showSelection(const Selection&) {}
};

}  // namespace decodescope::views
