// One row per value of a catalog entry: its JSON key with unit, the member it fills and what it may be.
// Reading files, overriding from a scenario and listing all walk these tables, so a new value is one new row.
#pragma once

#include "base/json_reader.h"
#include "catalog/chip_spec.h"
#include "catalog/engine_spec.h"
#include "catalog/model_spec.h"
#include "catalog/system_spec.h"

#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace decodescope::catalog {

/// Where a value goes.
using Slot = std::variant<double*, int*, bool*, std::string*>;

template <class Spec>
struct Field {
  std::string_view key;   ///< dotted path in the entry, with unit: "memory_bandwidth_gb_per_s"
  std::string_view name;  ///< of the member, as in SourceTable: "memory_bandwidth_bytes_per_s"
  Slot (*slot)(Spec&);
  double to_si = 1;                        ///< JSON value times this is the member
  json::Range range = json::kNotNegative;  ///< of the JSON value
  bool required = false;
};

[[nodiscard]] std::span<const Field<ChipSpec>> chipFields();
[[nodiscard]] std::span<const Field<SystemSpec>> systemFields();
[[nodiscard]] std::span<const Field<ModelSpec>> modelFields();
[[nodiscard]] std::span<const Field<EngineSpec>> engineFields();

}  // namespace decodescope::catalog
