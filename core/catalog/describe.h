// A catalog entry value by value, with sources: what `catalog` on the command line and the inspector show.
#pragma once

#include "catalog/catalog.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace decodescope::catalog {

/// What another source says, in SI.
struct Alternative {
  double value = 0;
  Source source;
};

struct DescribedValue {
  std::string name;  ///< in SI, with unit: "memory_bandwidth_bytes_per_s"
  std::variant<double, bool, std::string> value;
  bool whole = false;  ///< a count
  Source source;
  std::vector<Alternative> alternatives;
};

struct DescribedEntry {
  std::string kind, id, name;
  std::vector<DescribedValue> values;
};

enum class EntryKind { Chip, System, Model, Engine };
/// Values that the entry states, in the order of the field table.
[[nodiscard]] Expected<DescribedEntry> describe(const Catalog&, EntryKind, std::string_view id);

}  // namespace decodescope::catalog
