// Two-node thermal network per chip, advanced by the exact exponential: any interval is stable, and cutting
// it changes nothing. P -> die and lid (C1) -R1- sink or cold plate (C2) -R2- reservoir.
#pragma once

#include "catalog/catalog.h"

#include <decodescope/expected.h>

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace decodescope::physical {

struct ThermalPath {
  double c1_j_per_k = 0, r1_k_per_w = 0, c2_j_per_k = 0, r2_k_per_w = 0;
  [[nodiscard]] double total_k_per_w() const { return r1_k_per_w + r2_k_per_w; }
};
struct ThermalState {
  double die_c = 25, sink_c = 25;
};

/// exp(A dt) of one path, made once per path and interval.
class ThermalStep {
 public:
  ThermalStep(const ThermalPath&, double dt_s);
  /// Advances by dt_s at constant power and reservoir temperature. Returns the heat that left to the
  /// reservoir, J, from the integral of (T2 - T_ref) / R2 (not from the energy balance, which a test checks
  /// against it).
  double advance(ThermalState&, double power_w, double reservoir_c) const;
  [[nodiscard]] double dt_s() const { return dt_s_; }

 private:
  ThermalPath path_;
  double g11_, g12_, g21_, g22_;  ///< exp(A dt) - 1, so that short intervals lose no digits
  double q1_, q2_;  ///< row of A^-1 (exp(A dt) - 1) that gives the integral of the sink's deviation
  double dt_s_;
};

[[nodiscard]] ThermalState steadyState(const ThermalPath&, double power_w, double reservoir_c);
/// Heat stored above 0 degrees.
[[nodiscard]] double storedHeat_j(const ThermalPath&, const ThermalState&);
/// Slow and fast time constant.
[[nodiscard]] std::array<double, 2> timeConstants_s(const ThermalPath&);

/// How the chips of a system are cooled, resolved for a chip and the scenario's settings.
struct CoolingSetup {
  bool liquid = false;
  ThermalPath path;
  double supply_c = 25;       ///< coolant supply or air inlet
  double branch_w_per_k = 0;  ///< heat capacity rate of the coolant branch or air lane of one chip
  int chips_in_series = 1;    ///< along one branch or lane (front and rear in air)
  bool as_built = true;       ///< false: other than the system was built for
  bool derived = false;
  double flow_ratio = 1;  ///< flow over the setup's rated flow, or the airflow ratio
  std::string provenance;
};
/// A flow or airflow of 0 or less takes the system's own, else the setup's rated one.
[[nodiscard]] Expected<CoolingSetup> coolingSetup(const Catalog&, const ChipSpec&, const SystemSpec&,
                                                  bool liquid, double supply_c, double flow_l_per_min,
                                                  double airflow_ratio);
[[nodiscard]] Expected<CoolingSetup> coolingSetup(const nlohmann::json& physical, const ChipSpec&,
                                                  const SystemSpec&, bool liquid, double supply_c,
                                                  double flow_l_per_min, double airflow_ratio);
/// Whether the system was built for this cooling; one built for both is built for either.
[[nodiscard]] bool builtFor(const SystemSpec&, bool liquid);

/// Setups by their name in physical.json ("GB200", "HGX-B200"), without a system around them.
[[nodiscard]] Expected<CoolingSetup> plateSetup(const nlohmann::json& physical, std::string_view name,
                                                double supply_c, double flow_l_per_min);
[[nodiscard]] Expected<CoolingSetup> chassisSetup(const nlohmann::json& physical, std::string_view name,
                                                  double inlet_c, double airflow_ratio);

/// Reservoir temperature seen by a chip when those upstream of it give off `upstream_w` in sum: the local
/// air, or the mean coolant between its inlet and outlet.
[[nodiscard]] double reservoir_c(const CoolingSetup&, double upstream_w, double own_w);
/// Coolant or air temperature behind the chip.
[[nodiscard]] double outlet_c(const CoolingSetup&, double upstream_w, double own_w);
/// Kelvin of the junction above the fluid arriving at the chip, per watt of its own.
[[nodiscard]] double junction_k_per_w(const CoolingSetup&);

/// The path of a plate whose flow has stopped: heat stays in die, plate and this much stagnant coolant.
[[nodiscard]] ThermalPath withoutFlow(const ThermalPath&, double stored_coolant_j_per_k);
/// Time from the loss of flow, at steady state before, until the die reaches `limit_c`. Infinite when it
/// never does.
[[nodiscard]] double rideThrough_s(const ThermalPath&, double power_w, double reservoir_c,
                                   double stored_coolant_j_per_k, double limit_c);

/// Air inlet of a place in the room: supply, recirculation that grows with the rack's load and the square of
/// the height, and the row's end. Shape from TAPAS (arXiv 2501.02600), values assumed.
struct InletField {
  double supply_c = 20, recirculation_k = 2, row_end_k = 1;
  [[nodiscard]] double inlet_c(double rack_load_ratio, double height_ratio, bool at_row_end) const;
};
[[nodiscard]] Expected<InletField> inletField(const nlohmann::json& physical, double supply_c,
                                              bool contained);

}  // namespace decodescope::physical
