// Reads one catalog entry through its field table. A value is plain, with the entry's own source, or an
// object
// {"value", "unit", "source", "confidence", "note", "alternatives"}.
#pragma once

#include "base/json_reader.h"
#include "catalog/field.h"
#include "catalog/source.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace decodescope::catalog {

/// A value found in an entry, with where it came from.
struct Leaf {
  const nlohmann::json* value = nullptr;  ///< null when absent or stated as unknown
  std::string pointer;
  Source source;
  bool stated = false;  ///< the key is there, even if its value is null
};

/// Reader of one entry; remembers which keys were asked for.
class EntryReader {
 public:
  EntryReader(json::Reading&, const nlohmann::json& entry, std::string pointer);

  [[nodiscard]] Leaf leaf(std::string_view dotted_key);
  [[nodiscard]] const nlohmann::json& entry() const { return *entry_; }
  [[nodiscard]] json::Reading& reading() { return *reading_; }
  [[nodiscard]] const std::string& pointer() const { return pointer_; }
  /// Warns about keys below the entry that no field asked for.
  void warnUnknownKeys() const;

 private:
  json::Reading* reading_;
  const nlohmann::json* entry_;
  std::string pointer_;
  std::vector<std::string> known_;
};

/// Stores a JSON value in a slot, in SI; errors go to the reading.
void storeValue(json::Reading&, const nlohmann::json& value, const std::string& pointer, const Slot&,
                double to_si, const json::Range&);

/// Fills all fields of `spec` from the entry.
template <class Spec>
void readFields(EntryReader& reader, std::span<const Field<Spec>> fields, Spec& spec) {
  for (const Field<Spec>& field : fields) {
    Leaf leaf = reader.leaf(field.key);
    if (leaf.value != nullptr)
      storeValue(reader.reading(), *leaf.value, leaf.pointer, field.slot(spec), field.to_si, field.range);
    if (leaf.value == nullptr && field.required) {
      reader.reading().fail(leaf.pointer, "", "is missing", "every entry needs it");
    }
    if (leaf.stated) spec.sources.emplace(field.name, std::move(leaf.source));
  }
}

[[nodiscard]] Confidence confidenceFrom(std::string_view text, Confidence fallback);
[[nodiscard]] std::string_view confidenceId(Confidence);

}  // namespace decodescope::catalog
