// What the inspector says about the selected thing: name, state, four facts, its links. Pure, from a
// snapshot.
#pragma once

#include "base/format.h"
#include "base/snapshot_view.h"

#include <QColor>
#include <QString>
#include <optional>
#include <vector>

namespace decodescope::views {

struct IdentityFact {
  QString title;
  ValueText value;
  QString note;  ///< "limit 88"
};
struct IdentityLink {
  QString name;      ///< the other end
  double ratio = 0;  ///< the busier direction, over the window of the snapshot
  quint32 link = 0;
};
struct Identity {
  QString name, subtitle;
  QString badge;                        ///< "throttled: heat"; empty: none
  std::optional<double> temperature_c;  ///< colour of the swatch
  bool throttled = false;
  std::vector<IdentityFact> facts;
  QString links_title, links_note;
  std::vector<IdentityLink> links;  ///< in the order of the machine
};

/// Empty name when the selection is not in this topology.
[[nodiscard]] Identity describe(const Selection& selection, const Snapshot& snapshot);
/// "heat", "power cap", "heat and power cap" for ThrottleReason bits.
[[nodiscard]] QString throttleText(std::uint8_t bits);
/// Chips that the selection stands for: itself, or those of the tray or rack.
[[nodiscard]] std::vector<std::uint32_t> chipsOf(const Selection& selection, const TopologyView& topology);

}  // namespace decodescope::views
