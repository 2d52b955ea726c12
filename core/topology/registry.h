// The kinds of graph that exist: how each is spelled, and what builds it.
#pragma once

#include "catalog/system_spec.h"
#include "topology/sketch.h"
#include "topology/spec.h"

#include <decodescope/expected.h>

#include <span>
#include <string_view>

namespace decodescope::topology {

struct BuilderEntry {
  std::string_view kind;
  std::string_view parameters;  ///< for --help
  std::string_view example;
  Expected<Sketch> (*from_spec)(const SpecParameters&);
  /// Scale-up graph of `chips` chips of a system; null where no system is built so.
  Expected<Sketch> (*domain)(const SystemSpec&, int chips);
};

[[nodiscard]] std::span<const BuilderEntry> builders();
/// The error lists the nearest kinds.
[[nodiscard]] Expected<const BuilderEntry*> findBuilder(std::string_view kind, std::string_view field);
/// One line per kind, for --help.
[[nodiscard]] std::string specHelp();

}  // namespace decodescope::topology
