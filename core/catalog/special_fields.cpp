#include "catalog/special_fields.h"

#include "base/units.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace decodescope::catalog {
namespace {

constexpr std::array<std::string_view, 6> kAttentionKinds{"full",        "sliding",    "sliding-mix",
                                                          "chunked-mix", "linear-mix", "sparse-topk"};
constexpr std::array<std::string_view, 4> kScaleUpKinds{"switched", "mesh", "torus", "pcie"};

std::vector<std::string> readAliases(EntryReader& reader) {
  std::vector<std::string> out;
  const auto it = reader.entry().find("aliases");
  if (it == reader.entry().end()) return out;
  if (!it->is_array()) {
    reader.reading().fail(reader.pointer() + "/aliases", json::shown(*it), "is not an array",
                          "write [\"other-id\"]");
    return out;
  }
  for (const nlohmann::json& alias : *it) {
    if (alias.is_string())
      out.push_back(alias.get<std::string>());
    else
      reader.reading().fail(reader.pointer() + "/aliases", json::shown(alias), "is not text",
                            "write ids in double quotes");
  }
  return out;
}

/// Index of the text among `names`; absent is 0.
std::size_t readChoice(EntryReader& reader, std::string_view key, std::span<const std::string_view> names) {
  const Leaf leaf = reader.leaf(key);
  if (leaf.value == nullptr) return 0;
  const std::string given = leaf.value->is_string() ? leaf.value->get<std::string>() : std::string();
  const auto it = std::find(names.begin(), names.end(), given);
  if (it != names.end()) return static_cast<std::size_t>(it - names.begin());
  reader.reading().fail(leaf.pointer, json::shown(*leaf.value), "is not a known choice",
                        fmt::format("write one of: {}", fmt::join(names, ", ")));
  return 0;
}

/// Numbers of an array, each within `range`.
std::vector<double> readNumbers(EntryReader& reader, std::string_view key, const json::Range& range) {
  std::vector<double> out;
  const Leaf leaf = reader.leaf(key);
  if (leaf.value == nullptr) return out;
  if (!leaf.value->is_array()) {
    reader.reading().fail(leaf.pointer, json::shown(*leaf.value), "is not an array", "write [1, 2, ...]");
    return out;
  }
  for (const nlohmann::json& item : *leaf.value)
    out.push_back(json::readNumber(reader.reading(), item, leaf.pointer, range).value_or(1));
  return out;
}

void check(EntryReader& reader, bool holds, const char* key, std::string value, std::string message,
           std::string remedy) {
  if (!holds)
    reader.reading().fail(reader.pointer() + "/" + key, std::move(value), std::move(message),
                          std::move(remedy));
}

void checkLayout(EntryReader& reader, const SystemSpec& s) {
  const SystemLayout& l = s.layout;
  const int places = l.racks * l.compute_trays * l.chips_per_tray;
  check(reader, places >= s.chips, "layout", fmt::format("{}", places),
        fmt::format("has fewer places than the system has chips ({})", s.chips),
        "racks x compute_trays x chips_per_tray must hold them");
}

}  // namespace

std::string_view attentionKindId(AttentionKind kind) {
  return kAttentionKinds[static_cast<std::size_t>(kind)];
}

void readSpecial(EntryReader& reader, ChipSpec& chip) {
  chip.aliases = readAliases(reader);
  chip.scale_up = static_cast<ScaleUpKind>(readChoice(reader, "scale_up_kind", kScaleUpKinds));
}

void readSpecial(EntryReader& reader, EngineSpec& engine) {
  engine.aliases = readAliases(reader);
}

void readSpecial(EntryReader& reader, SystemSpec& system) {
  system.aliases = readAliases(reader);
  for (const double links : readNumbers(reader, "scale_up.planes", {1, 1000, "links", true})) {
    system.graph.planes.push_back(static_cast<int>(links));
  }
  const auto dims = readNumbers(reader, "scale_up.torus_dims", {1, 10000, "chips", true});
  for (std::size_t i = 0; i < std::min<std::size_t>(dims.size(), 3); ++i)
    system.graph.torus_dims[i] = static_cast<int>(dims[i]);
  const auto axes = readNumbers(reader, "scale_up.axis_link_gb_per_s", json::kPositive);
  for (std::size_t i = 0; i < std::min<std::size_t>(axes.size(), 3); ++i)
    system.graph.axis_link_bytes_per_s[i] = axes[i] * kGiga;
  if (const Leaf wrap = reader.leaf("scale_up.torus_wrap"); wrap.value != nullptr && wrap.value->is_array()) {
    for (std::size_t i = 0; i < std::min<std::size_t>(wrap.value->size(), 3); ++i) {
      const nlohmann::json& item = (*wrap.value)[i];
      if (item.is_boolean())
        system.graph.torus_wrap[i] = item.get<bool>();
      else
        reader.reading().fail(wrap.pointer, json::shown(item), "is neither true nor false",
                              "write [true, true, true]");
    }
  }
  constexpr std::array<std::string_view, 2> kCoolings{"air", "liquid"};
  if (reader.reading().ok()) system.cooling = kCoolings[readChoice(reader, "cooling", kCoolings)];
  checkLayout(reader, system);
}

void readSpecial(EntryReader& reader, ModelSpec& m) {
  m.aliases = readAliases(reader);
  m.attention = static_cast<AttentionKind>(readChoice(reader, "attention.kind", kAttentionKinds));
  const int kinds = m.layers_full + m.layers_local + m.layers_linear;
  if (kinds == 0) m.layers_full = m.layers;
  check(reader, kinds == 0 || kinds == m.layers, "attention", fmt::format("{}", kinds),
        fmt::format("has layers that do not add up to {}", m.layers),
        "layers_full + layers_local + layers_linear must be layers");
  check(reader, m.layers_local == 0 || m.window > 0, "attention/window_tokens", "", "is missing",
        "local layers need a window");
  check(reader, m.heads % std::max(1, m.kv_heads) == 0, "kv_heads", fmt::format("{}", m.kv_heads),
        fmt::format("does not divide the {} heads", m.heads),
        "every KV head serves the same number of query heads");
  check(reader, !m.moe || m.moe->top_k <= m.moe->experts, "moe/top_k",
        m.moe ? fmt::format("{}", m.moe->top_k) : "", "is more than the number of experts", "lower it");
}

}  // namespace decodescope::catalog
