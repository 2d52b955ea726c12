// Two-node thermal network per chip, advanced by the exact exponential: any interval is stable, and cutting it changes
// nothing. P -> die and lid (C1) -R1- sink or cold plate (C2) -R2- reservoir.
#pragma once

#include "catalog/catalog.h"

#include <decodescope/expected.h>

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
  /// Advances by dt_s at constant power and reservoir temperature. Returns the heat that left to the reservoir, J, from the
  /// integral of (T2 - T_ref) / R2 (not from the energy balance, which a test checks against it).
  double advance(ThermalState&, double power_w, double reservoir_c) const;

 private:
  ThermalPath path_;
  double e11_, e12_, e21_, e22_, dt_s_;
};

[[nodiscard]] ThermalState steadyState(const ThermalPath&, double power_w, double reservoir_c);

/// How the chips of a system are cooled, resolved for a chip and the scenario's settings.
struct CoolingSetup {
  bool liquid = false;
  ThermalPath path;
  double supply_c = 25;               ///< coolant supply or air inlet
  double branch_w_per_k = 0;          ///< heat capacity rate of the coolant branch or air lane of one chip
  int chips_in_series = 1;            ///< along one branch or lane (front and rear in air)
  bool as_built = true;               ///< false: other than the system was built for
  bool derived = false;
};
[[nodiscard]] Expected<CoolingSetup> coolingSetup(const Catalog&, const ChipSpec&, const SystemSpec&, bool liquid,
                                                  double supply_c, double flow_l_per_min, double airflow_ratio);
/// Reservoir temperature seen by the chip at `position` (0 first) when each chip upstream gives off `upstream_w` in sum.
[[nodiscard]] double reservoir_c(const CoolingSetup&, double upstream_w, double own_w);

}  // namespace decodescope::physical
