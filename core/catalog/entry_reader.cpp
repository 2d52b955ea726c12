#include "catalog/entry_reader.h"

#include "base/text_distance.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

namespace decodescope::catalog {
namespace {

constexpr std::array<std::pair<std::string_view, Confidence>, 5> kConfidences{
    {{"high", Confidence::High},
     {"medium", Confidence::Medium},
     {"low", Confidence::Low},
     {"estimate", Confidence::Estimate},
     {"derived", Confidence::Derived}}};

/// Keys of a value object or entry that say where values come from; not values themselves.
constexpr std::array<std::string_view, 12> kMetaKeys{
    "id",   "aliases", "base",         "source",          "confidence",     "note",
    "unit", "value",   "alternatives", "further_sources", "attention_note", "activation"};

std::string textOf(const nlohmann::json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

/// Overwrites the parts of `source` that `object` states.
void readSource(const nlohmann::json& object, Source& source) {
  if (const auto it = object.find("source"); it != object.end() && it->is_object()) {
    source.title = textOf(*it, "title");
    source.url = textOf(*it, "url");
    const auto read = it->find("read");
    source.read = read != it->end() && read->is_boolean() && read->get<bool>();
    source.note.clear();
  }
  source.confidence = confidenceFrom(textOf(object, "confidence"), source.confidence);
  if (const std::string note = textOf(object, "note"); !note.empty()) source.note = note;
}

bool isValueObject(const nlohmann::json& node) {
  return node.is_object() && node.contains("value");
}

void collectKeys(const nlohmann::json& node, const std::string& prefix, std::vector<std::string>& out) {
  for (const auto& [key, value] : node.items()) {
    if (std::find(kMetaKeys.begin(), kMetaKeys.end(), key) != kMetaKeys.end()) continue;
    const std::string path = prefix.empty() ? key : prefix + "." + key;
    if (value.is_object() && !isValueObject(value))
      collectKeys(value, path, out);
    else
      out.push_back(path);
  }
}

std::string pointerOf(std::string_view dotted) {
  std::string out(1, '/');
  out += dotted;
  std::replace(out.begin(), out.end(), '.', '/');
  return out;
}

}  // namespace

Confidence confidenceFrom(std::string_view text, Confidence fallback) {
  for (const auto& [id, confidence] : kConfidences) {
    if (id == text) return confidence;
  }
  return fallback;
}

std::string_view confidenceId(Confidence confidence) {
  for (const auto& [id, value] : kConfidences) {
    if (value == confidence) return id;
  }
  return "";
}

EntryReader::EntryReader(json::Reading& reading, const nlohmann::json& entry, std::string pointer)
    : reading_(&reading), entry_(&entry), pointer_(std::move(pointer)) {}

Leaf EntryReader::leaf(std::string_view dotted_key) {
  known_.emplace_back(dotted_key);
  Leaf leaf;
  leaf.pointer = pointer_ + pointerOf(dotted_key);
  readSource(*entry_, leaf.source);
  const nlohmann::json* node = entry_;
  for (std::string_view rest = dotted_key; !rest.empty();) {
    const auto dot = rest.find('.');
    const auto it = node->find(rest.substr(0, dot));
    if (it == node->end()) return leaf;
    node = &*it;
    rest = dot == std::string_view::npos ? std::string_view{} : rest.substr(dot + 1);
    if (!node->is_object()) {
      if (!rest.empty()) return leaf;
      break;
    }
    readSource(*node, leaf.source);
  }
  leaf.stated = true;
  if (isValueObject(*node)) {
    node = &(*node)["value"];
    leaf.pointer += "/value";
  }
  leaf.value = node->is_null() ? nullptr : node;
  return leaf;
}

void EntryReader::warnUnknownKeys() const {
  std::vector<std::string> keys;
  collectKeys(*entry_, "", keys);
  const std::vector<std::string_view> known(known_.begin(), known_.end());
  for (const std::string& key : keys) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    reading_->warn(pointer_ + pointerOf(key), "", "is not a known key of this kind of entry",
                   didYouMean(key, known));
  }
}

void storeValue(json::Reading& reading, const nlohmann::json& value, const std::string& pointer,
                const Slot& slot, double to_si, const json::Range& range) {
  if (const auto* text = std::get_if<std::string*>(&slot)) {
    if (value.is_string())
      **text = value.get<std::string>();
    else
      reading.fail(pointer, json::shown(value), "is not text", "write it in double quotes");
    return;
  }
  if (const auto* flag = std::get_if<bool*>(&slot)) {
    if (value.is_boolean())
      **flag = value.get<bool>();
    else
      reading.fail(pointer, json::shown(value), "is neither true nor false",
                   "write true or false, without quotes");
    return;
  }
  const auto number = json::readNumber(reading, value, pointer, range);
  if (!number) return;
  if (const auto* real = std::get_if<double*>(&slot))
    **real = *number * to_si;
  else if (const auto* whole = std::get_if<int*>(&slot))
    **whole = static_cast<int>(*number);
}

}  // namespace decodescope::catalog
