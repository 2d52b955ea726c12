// What a field table cannot hold: lists, choices, and checks across fields.
#pragma once

#include "catalog/entry_reader.h"

namespace decodescope::catalog {

void readSpecial(EntryReader&, ChipSpec&);
void readSpecial(EntryReader&, SystemSpec&);
void readSpecial(EntryReader&, ModelSpec&);
void readSpecial(EntryReader&, EngineSpec&);

/// Ids of attention kinds in files: "full", "sliding-mix", ...
[[nodiscard]] std::string_view attentionKindId(AttentionKind);

}  // namespace decodescope::catalog
