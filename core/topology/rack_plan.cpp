#include "topology/rack_plan.h"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <string_view>

namespace decodescope::topology {

namespace {

constexpr int kMaxUnits = 200;
/// Air moves about 40 kW through a rack: four boxes of eight chips, as vendors stack them (NVIDIA DGX
/// SuperPOD reference architecture: four DGX systems per rack). Liquid takes as many as fit.
constexpr int kAirBoxesPerRack = 4, kLiquidBoxesPerRack = 8;

void append(RackPlan& plan, TrayKind kind, int count, int height_units, int& unit) {
  for (int i = 0; i < count; ++i) {
    plan.entries.push_back({kind, unit, height_units});
    unit += height_units;
  }
  if (kind == TrayKind::Compute) plan.compute_trays += count;
  if (kind == TrayKind::Switch) plan.switch_trays += count;
}

Error orderError(const SystemSpec& system, std::string_view word) {
  Error error;
  error.field = fmt::format("system {}, layout.order", system.id);
  error.value = word;
  error.message = "is not a kind of tray and a count";
  error.remedy = "write for example \"power:2 management:1 compute:10 switch:9 compute:8 power:2\"";
  return error;
}

Expected<void> appendWord(RackPlan& plan, const SystemSpec& system, std::string_view word, int& unit) {
  const std::size_t colon = word.find(':');
  const std::string_view kind = word.substr(0, colon);
  const std::string_view count_text = colon == std::string_view::npos ? "1" : word.substr(colon + 1);
  int count = 0;
  const auto [end, failure] =
      std::from_chars(count_text.data(), count_text.data() + count_text.size(), count);
  if (failure != std::errc{} || end != count_text.data() + count_text.size() || count < 0 ||
      count > kMaxUnits)
    return Unexpected(orderError(system, word));
  if (kind == "blank") {
    unit += count;
  } else if (kind == "power") {
    append(plan, TrayKind::Power, count, 1, unit);
  } else if (kind == "management") {
    append(plan, TrayKind::Management, count, 1, unit);
  } else if (kind == "switch") {
    append(plan, TrayKind::Switch, count, 1, unit);
  } else if (kind == "compute") {
    append(plan, TrayKind::Compute, count, system.layout.tray_units, unit);
  } else {
    return Unexpected(orderError(system, word));
  }
  return {};
}

void appendDefaultOrder(RackPlan& plan, const SystemLayout& layout, int& unit) {
  const int above = layout.switch_trays > 0 ? (layout.compute_trays + 1) / 2 : layout.compute_trays;
  append(plan, TrayKind::Power, layout.power_shelves / 2, 1, unit);
  append(plan, TrayKind::Compute, above, layout.tray_units, unit);
  append(plan, TrayKind::Switch, layout.switch_trays, 1, unit);
  append(plan, TrayKind::Compute, layout.compute_trays - above, layout.tray_units, unit);
  append(plan, TrayKind::Power, layout.power_shelves - layout.power_shelves / 2, 1, unit);
}

/// Boxes that hold a whole domain stack up in one rack, in equal heights from the top.
void stackBoxes(RackPlan& plan, const SystemSpec& system) {
  const int height_units = std::max(1, system.layout.tray_units);
  const int limit = system.cooling == "liquid" ? kLiquidBoxesPerRack : kAirBoxesPerRack;
  plan.domains_per_rack = std::clamp(plan.units / height_units, 1, limit);
  const int pitch_units = plan.units / plan.domains_per_rack;
  plan.entries.clear();
  for (int i = 0; i < plan.domains_per_rack; ++i)
    plan.entries.push_back({TrayKind::Compute, i * pitch_units, height_units});
  plan.compute_trays = plan.domains_per_rack;
}

}  // namespace

Expected<RackPlan> planRack(const SystemSpec& system, int domains) {
  const SystemLayout& layout = system.layout;
  RackPlan plan;
  plan.units = std::max(1, layout.units);
  plan.chips_per_tray = std::max(1, layout.chips_per_tray);
  plan.racks = std::max(1, layout.racks);
  plan.switch_racks = std::max(0, layout.switch_racks);
  int unit = 0;
  const std::string_view order = layout.order;
  for (std::size_t from = order.find_first_not_of(' '); from != std::string_view::npos;) {
    const std::size_t to = std::min(order.find(' ', from), order.size());
    if (auto added = appendWord(plan, system, order.substr(from, to - from), unit); !added)
      return Unexpected(added.error());
    from = order.find_first_not_of(' ', to);
  }
  if (plan.compute_trays == 0) appendDefaultOrder(plan, layout, unit);
  if (plan.compute_trays == 0) append(plan, TrayKind::Compute, 1, std::max(1, layout.tray_units), unit);
  plan.units = std::max(plan.units, unit);
  const bool is_box = plan.racks == 1 && plan.compute_trays == 1 && plan.switch_trays == 0;
  if (is_box && domains > 1) stackBoxes(plan, system);
  return plan;
}

RackPlan plainRackPlan(int chips_per_tray, int switch_trays) {
  constexpr int kChipsPerRack = 64;
  RackPlan plan;
  plan.chips_per_tray = std::max(1, chips_per_tray);
  int unit = 0;
  append(plan, TrayKind::Compute, std::max(1, kChipsPerRack / plan.chips_per_tray), 1, unit);
  append(plan, TrayKind::Switch, switch_trays, 1, unit);
  plan.units = std::max(48, unit);
  return plan;
}

}  // namespace decodescope::topology
