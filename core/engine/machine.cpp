#include "engine/machine.h"

#include "base/rng.h"
#include "engine/fingerprint.h"

#include <algorithm>
#include <cmath>

namespace decodescope::engine {

namespace {

constexpr double kClockSteps = 1024;

}  // namespace

Machine::Machine(const TopologyView& view, const physical::ChipPowerConstants& typical, int chips_per_replica,
                 bool jitter, std::uint64_t seed)
    : chips_per_replica_(static_cast<std::size_t>(std::max(chips_per_replica, 1))) {
  const std::size_t chips = view.chip_count;
  physical::ChipPowerConstants bare = typical;
  bare.provenance.clear();
  if (jitter) {
    constants_.reserve(chips);
    for (std::size_t chip = 0; chip < chips; ++chip) {
      const double leak = rng::Sequence(seed, rng::Stream::ChipLeakage, chip).normal();
      const double dynamic = rng::Sequence(seed, rng::Stream::ChipEnergy, chip).normal();
      constants_.push_back(physical::sampleOfChip(bare, leak, dynamic));
    }
  } else {
    constants_.push_back(bare);
  }
  thermal_.resize(chips);
  clock_.resize(chips);
  power_w_.assign(chips, 0);
  upstream_w_.assign(chips, 0);
  inlet_c_.assign(chips, 25);
  cooling_of_.assign(chips, 0);
  slowest_clock_.assign((chips + chips_per_replica_ - 1) / chips_per_replica_, 1);
  height_ratio_.assign(chips, 0);
  at_row_end_.assign(chips, 0);
  tray_chips_.resize(view.trays.size());
  std::uint16_t last_column = 0;
  for (const TopologyRack& rack : view.racks) last_column = std::max(last_column, rack.column);
  for (std::size_t t = 0; t < view.trays.size(); ++t) {
    const TopologyTray& tray = view.trays[t];
    const TopologyRack& rack = view.racks[tray.rack.value];
    for (const NodeId node : tray.nodes) {
      if (node.value >= chips) continue;
      tray_chips_[t].push_back(node.value);
      height_ratio_[node.value] = 1 - static_cast<double>(tray.unit) / std::max<double>(rack.units, 1);
      at_row_end_[node.value] = last_column > 0 && (rack.column == 0 || rack.column == last_column) ? 1 : 0;
    }
    std::ranges::sort(tray_chips_[t]);
  }
}

// Chips of a tray alternate along their lanes: with two in series the even slots stand in front of the odd
// ones.
void Machine::placeInLanes() {
  before_in_lane_.assign(thermal_.size(), -1);
  for (const auto& chips : tray_chips_) {
    for (std::size_t k = 0; k < chips.size(); ++k) {
      const auto series = static_cast<std::size_t>(std::max(cooling(chips[k]).chips_in_series, 1));
      if (k % series != 0) before_in_lane_[chips[k]] = static_cast<std::int32_t>(chips[k - 1]);
    }
  }
}

void Machine::configure(const MachineSettings& settings) {
  const bool is_first = coolings_.empty();
  const double before_j = is_first ? 0 : storedNow_j();
  coolings_.assign(1, settings.cooling);
  steps_.assign(1, physical::ThermalStep(settings.cooling.path, kTick_s));
  std::ranges::fill(cooling_of_, std::uint16_t{0});
  limits_ = settings.limits;
  for (std::size_t chip = 0; chip < size(); ++chip) {
    inlet_c_[chip] =
        settings.has_inlet_field
            ? settings.inlet.inlet_c(settings.rack_load_ratio, height_ratio_[chip], at_row_end_[chip] != 0)
            : settings.cooling.supply_c;
    if (is_first) thermal_[chip] = {inlet_c_[chip], inlet_c_[chip]};
  }
  placeInLanes();
  if (is_first) {
    stored_at_start_j_ = storedNow_j();
    max_die_c_ = hottest_ever_c_ =
        size() > 0 ? *std::ranges::max_element(inlet_c_) : settings.cooling.supply_c;
  } else {
    rebaseStored(before_j);
  }
}

void Machine::setTrayCooling(TrayId tray, const physical::CoolingSetup& setup) {
  if (tray.value >= tray_chips_.size()) return;
  const double before_j = storedNow_j();
  coolings_.push_back(setup);
  steps_.emplace_back(setup.path, kTick_s);
  for (const std::uint32_t chip : tray_chips_[tray.value]) {
    cooling_of_[chip] = static_cast<std::uint16_t>(coolings_.size() - 1);
  }
  placeInLanes();
  rebaseStored(before_j);
}

// New plates hold other heat at the same temperature; the difference came with the parts, not from the chips.
void Machine::rebaseStored(double before_j) {
  stored_at_start_j_ += storedNow_j() - before_j;
}

double Machine::storedNow_j() const {
  numeric::CompensatedSum sum;
  for (std::size_t chip = 0; chip < size(); ++chip)
    sum.add(physical::storedHeat_j(cooling(chip).path, thermal_[chip]));
  return sum.value();
}

void Machine::settle(std::span<const ReplicaActivity> activities) {
  if (activities.empty()) return;
  for (std::size_t chip = 0; chip < size(); ++chip) {
    const ReplicaActivity& activity = activities[(chip / chips_per_replica_) % activities.size()];
    physical::CoolingSetup here = cooling(chip);
    here.supply_c = inlet_c_[chip];
    const std::int32_t before = before_in_lane_[chip];
    const double upstream_w = before < 0 ? 0
                                         : upstream_w_[static_cast<std::size_t>(before)] +
                                               power_w_[static_cast<std::size_t>(before)];
    upstream_w_[chip] = upstream_w;
    const physical::SteadyPoint point =
        physical::steadyPoint(constants(chip), here, limits_, activity.at_nominal, upstream_w);
    power_w_[chip] = point.power_w;
    thermal_[chip] = physical::steadyState(here.path, point.power_w,
                                           physical::reservoir_c(here, upstream_w, point.power_w));
    physical::ClockState& clock = clock_[chip];
    clock = {};
    clock.clock_ratio = point.clock_ratio;
    clock.filtered_power_w = point.power_w;
    clock.power_capped = point.limited_by == ClockLimit::Power;
    clock.sw_thermal = point.limited_by == ClockLimit::Thermal;
    clock.thermal_ratio = point.clock_ratio;
    if (clock.sw_thermal) clock.previous_die_c = thermal_[chip].die_c;
  }
  stored_at_start_j_ = storedNow_j();
  updateSlowest();
}

void Machine::inherit(const Machine& before) {
  if (before.size() == 0) return;
  for (std::size_t chip = 0; chip < size(); ++chip) {
    const std::size_t from = chip % before.size();
    thermal_[chip] = before.thermal_[from];
    clock_[chip] = before.clock_[from];
    power_w_[chip] = before.power_w_[from];
  }
  stored_at_start_j_ = storedNow_j() - before.heatStored_j();
  energy_j_ = before.energy_j_;
  heat_out_j_ = before.heat_out_j_;
  hottest_ever_c_ = before.hottest_ever_c_;
  updateSlowest();
}

double Machine::chipPower(std::size_t chip, const ReplicaActivity& activity) const {
  const physical::ClockState& clock = clock_[chip];
  if (clock.shut_down) return 0;
  if (activity.is_idle) return physical::idlePower_w(constants(chip), thermal_[chip].die_c, true);
  return physical::chipPower_w(constants(chip), activity.actual, thermal_[chip].die_c, clock.clock_ratio);
}

// While no limit is near, controlClock would only move its power filter.
void Machine::control(std::size_t chip, const ReplicaActivity& activity, TickChange& change) {
  physical::ClockState& clock = clock_[chip];
  const physical::ChipPowerConstants& type = constants(chip);
  const double die_c = thermal_[chip].die_c;
  const bool is_free = clock.reasons == 0 && !clock.power_capped && !clock.sw_thermal &&
                       die_c < type.throttle_c && limits_.clock_limit_ratio >= 1 && clock.clock_ratio >= 1;
  const double cap_w = limits_.power_cap_w;
  if (is_free && (cap_w <= 0 || (power_w_[chip] < cap_w && clock.filtered_power_w < cap_w))) {
    clock.filtered_power_w = power_w_[chip];
    return;
  }
  const std::uint8_t before = clock.reasons;
  const bool was_down = clock.shut_down;
  physical::controlClock(clock, type, limits_, activity.at_nominal, thermal_[chip], kTick_s);
  if (clock.shut_down && !was_down) ++change.shut_down;
  if (before == 0 && clock.reasons != 0) ++change.throttled;
  if (before != 0 && clock.reasons == 0) ++change.released;
  change.reasons |= clock.reasons;
}

TickChange Machine::tick(std::span<const ReplicaActivity> activities) {
  TickChange change;
  double energy_j = 0, heat_out_j = 0, hottest_c = -273.15;
  for (std::size_t chip = 0; chip < size(); ++chip) {
    const ReplicaActivity& activity = activities[(chip / chips_per_replica_) % activities.size()];
    const double power_w = chipPower(chip, activity);
    power_w_[chip] = power_w;
    const std::int32_t before = before_in_lane_[chip];
    upstream_w_[chip] = before < 0 ? 0
                                   : upstream_w_[static_cast<std::size_t>(before)] +
                                         power_w_[static_cast<std::size_t>(before)];
    const physical::CoolingSetup& setup = cooling(chip);
    const double reservoir_c =
        inlet_c_[chip] - setup.supply_c + physical::reservoir_c(setup, upstream_w_[chip], power_w);
    heat_out_j += steps_[cooling_of_[chip]].advance(thermal_[chip], power_w, reservoir_c);
    energy_j += power_w * kTick_s;
    hottest_c = std::max(hottest_c, thermal_[chip].die_c);
    control(chip, activity, change);
  }
  energy_j_.add(energy_j);
  heat_out_j_.add(heat_out_j);
  max_die_c_ = hottest_c;
  hottest_ever_c_ = std::max(hottest_ever_c_, hottest_c);
  mean_power_w_ = size() > 0 ? energy_j / kTick_s / static_cast<double>(size()) : 0;
  updateSlowest();
  return change;
}

void Machine::updateSlowest() {
  for (std::size_t r = 0; r < slowest_clock_.size(); ++r) {
    const std::size_t first = r * chips_per_replica_;
    const std::size_t last = std::min(first + chips_per_replica_, size());
    double slowest = 1;
    for (std::size_t chip = first; chip < last; ++chip) slowest = std::min(slowest, clock_[chip].clock_ratio);
    slowest_clock_[r] = std::floor(slowest * kClockSteps) / kClockSteps;
  }
}

double Machine::meanDie_c() const {
  double sum = 0;
  for (const physical::ThermalState& state : thermal_) sum += state.die_c;
  return thermal_.empty() ? 0 : sum / static_cast<double>(thermal_.size());
}

std::uint64_t Machine::fingerprint(std::uint64_t chain) const {
  constexpr double kThousandths = 1000;
  std::int64_t sum = 0;
  for (std::size_t chip = 0; chip < size(); ++chip) {
    const auto milli_c = static_cast<std::int64_t>(std::floor(thermal_[chip].die_c * kThousandths + 0.5));
    const auto steps = static_cast<std::int64_t>(std::floor(clock_[chip].clock_ratio * kClockSteps));
    // Position enters by the odd multiplier, so that exchanged chips show.
    sum += (milli_c * 4096 + steps) * static_cast<std::int64_t>(2 * chip + 1);
  }
  return mix(chain, sum);
}

}  // namespace decodescope::engine
