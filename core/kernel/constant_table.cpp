#include "kernel/constant_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

namespace decodescope::kernel {
namespace {

using nlohmann::json;

/// Geometric mean leaf by leaf over the objects that have the leaf. Leaves that are not numbers are dropped.
json geometricMean(const std::vector<const json*>& values) {
  if (values.front()->is_object()) {
    json merged = json::object();
    for (const json* value : values) {
      for (const auto& [key, ignored] : value->items()) {
        if (merged.contains(key)) continue;
        std::vector<const json*> parts;
        for (const json* other : values) {
          if (other->contains(key)) parts.push_back(&(*other)[key]);
        }
        json part = geometricMean(parts);
        if (!part.is_null()) merged[key] = std::move(part);
      }
    }
    return merged;
  }
  if (!values.front()->is_number()) return nullptr;
  double log_sum = 0;
  for (const json* value : values) log_sum += std::log(value->get<double>());
  return std::exp(log_sum / static_cast<double>(values.size()));
}

/// Multiplies every number below `key` by `factor`, at any depth.
void scaleLeaves(json& value, double factor) {
  if (value.is_number()) value = value.get<double>() * factor;
  if (value.is_object()) {
    for (auto& part : value) scaleLeaves(part, factor);
  }
}
void scaleNamed(json& value, const json& factors) {
  if (!value.is_object()) return;
  for (auto& [key, part] : value.items()) {
    const auto factor = factors.find(key);
    if (factor != factors.end()) {
      scaleLeaves(part, factor->get<double>());
    } else {
      scaleNamed(part, factors);
    }
  }
}

const json* find(const json& object, std::string_view key) {
  const auto at = object.find(key);
  return at == object.end() ? nullptr : &*at;
}

}  // namespace

ConstantTable::ConstantTable(const json& document, std::string file, std::string exclude_chip)
    : document_(document), file_(std::move(file)), exclude_chip_(std::move(exclude_chip)) {}

Expected<ResolvedConstants> ConstantTable::resolve(std::string_view section, const ChipSpec& chip) const {
  const json* chips = find(document_, "chips");
  if (chips == nullptr)
    return Unexpected(Error{ErrorCode::BadInput, file_, "/chips", "", "is missing", "restore the file"});
  ResolvedConstants resolved;
  const auto measured = [&](std::string_view id) -> const json* {
    const json* entry = id == exclude_chip_ ? nullptr : find(*chips, id);
    return entry == nullptr ? nullptr : find(*entry, section);
  };
  if (const json* own = measured(chip.id)) {
    resolved = {std::make_shared<json>(*own), ConstantOrigin::Own, fmt::format("fitted on {} rows", chip.id)};
    return resolved;
  }
  const json* families = find(document_, "families");
  const json* family = families == nullptr ? nullptr : find(*families, chip.family);
  std::vector<const json*> parts;
  std::vector<std::string> names;
  if (family != nullptr && family->contains("like")) {
    for (const auto& id : (*family)["like"]) {
      if (const json* part = measured(id.get<std::string>())) {
        parts.push_back(part);
        names.push_back(id.get<std::string>());
      }
    }
  }
  if (!parts.empty()) {
    resolved.origin = ConstantOrigin::Sibling;
    resolved.note = fmt::format("family {}, constants of {}", chip.family, fmt::join(names, " and "));
  } else {
    for (const auto& [id, ignored] : chips->items()) {
      if (const json* part = measured(id)) parts.push_back(part);
    }
    resolved.note = fmt::format("geometric mean of {} chips", parts.size());
  }
  json values = parts.empty() ? json::object() : geometricMean(parts);
  if (family != nullptr && (family->contains("scale") || family->contains("set"))) {
    if (const json* factors = find(*family, "scale")) scaleNamed(values, *factors);
    const json* set = find(*family, "set");
    if (const json* patch = set == nullptr ? nullptr : find(*set, section)) values.merge_patch(*patch);
    resolved.origin = ConstantOrigin::FamilyRule;
    resolved.note = fmt::format("rule of family {}", chip.family);
  }
  if (values.empty()) {
    return Unexpected(Error{ErrorCode::BadInput, file_, fmt::format("/chips/{}/{}", chip.id, section), "",
                            "no chip has these constants", "add the section or a family rule"});
  }
  resolved.values = std::make_shared<json>(std::move(values));
  return resolved;
}

std::shared_ptr<const json> ConstantTable::patched(std::string_view section, const ChipSpec& chip) const {
  const json* base = find(document_, section);
  auto values = std::make_shared<json>(base == nullptr ? json::object() : *base);
  const json* families = find(document_, "families");
  const json* family = families == nullptr ? nullptr : find(*families, chip.family);
  if (const json* patch = family == nullptr ? nullptr : find(*family, section)) values->merge_patch(*patch);
  return values;
}

ConstantReader::ConstantReader(const json& object, std::string file, std::string path)
    : object_(&object), file_(std::move(file)), path_(std::move(path)), error_(std::make_shared<Error>()) {}

double ConstantReader::number(std::string_view key) {
  const json* value = find(*object_, key);
  if (value != nullptr && value->is_number()) return value->get<double>();
  fail(key, value == nullptr ? "is missing" : "is not a number");
  return 0;
}

double ConstantReader::numberOr(std::string_view key, double fallback) const {
  const json* value = find(*object_, key);
  return value != nullptr && value->is_number() ? value->get<double>() : fallback;
}

bool ConstantReader::flag(std::string_view key) const {
  const json* value = find(*object_, key);
  return value != nullptr && value->is_boolean() && value->get<bool>();
}

double ConstantReader::byType(std::string_view key, std::string_view type) {
  const json* value = find(*object_, key);
  if (value == nullptr || !value->is_object() || value->empty()) return number(key);
  if (const json* own = find(*value, type)) return own->get<double>();
  double log_sum = 0;
  for (const auto& part : *value) log_sum += std::log(part.get<double>());
  return std::exp(log_sum / static_cast<double>(value->size()));
}

ConstantReader ConstantReader::child(std::string_view key) {
  static const json kEmpty = json::object();
  const json* value = find(*object_, key);
  if (value == nullptr || !value->is_object()) fail(key, "is missing");
  ConstantReader reader(value == nullptr || !value->is_object() ? kEmpty : *value, file_,
                        fmt::format("{}/{}", path_, key));
  reader.error_ = error_;
  return reader;
}

bool ConstantReader::has(std::string_view key) const {
  return find(*object_, key) != nullptr;
}

Expected<void> ConstantReader::status() const {
  if (error_->message.empty()) return {};
  return Unexpected(*error_);
}

void ConstantReader::fail(std::string_view key, std::string message) {
  if (!error_->message.empty()) return;
  *error_ = Error{ErrorCode::BadInput,   file_, fmt::format("{}/{}", path_, key), "", std::move(message),
                  "restore the constant"};
}

}  // namespace decodescope::kernel
