// The frontier of tokens per second and user against what the deployment makes of its chips, money or power,
// over all legal plans and concurrencies.
#pragma once

#include "analysis/ranking.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace decodescope::analysis {

inline constexpr std::size_t kNotDominated = static_cast<std::size_t>(-1);

/// For each point of (x, y), both better when larger: a point of the frontier that is at least as good in
/// both and better in one, or kNotDominated. Of several, the one with the largest y, then the largest x.
[[nodiscard]] std::vector<std::size_t> dominators(std::span<const double> x, std::span<const double> y);

struct ParetoPoint {
  std::size_t plan = 0;    ///< position in ParetoFront::plans
  double concurrency = 0;  ///< asked for; all of it fits
  Prediction prediction;
  double x = 0, y = 0;  ///< tokens per second and user; the objective, larger is better
  std::size_t dominated_by = kNotDominated;
  std::string why;  ///< why it is dominated
};

struct ParetoFront {
  Objective objective = Objective::Throughput;
  std::vector<parallel::Plan> plans;
  std::size_t plans_that_fit = 0;
  std::vector<ParetoPoint> points;  ///< by plan, then by concurrency
  std::vector<Violation> structural;
};

/// Powers of two up to `most`, and `most` itself.
[[nodiscard]] std::vector<double> doublingsUpTo(double most);

/// `concurrencies`: asked of every plan as far as they fit; empty: doublings up to what the plan's memory
/// holds. An open loop or a trace is looked at as a closed loop of its lengths.
[[nodiscard]] Expected<ParetoFront> paretoFront(const std::shared_ptr<const Catalog>&, const Scenario&,
                                                Objective, std::span<const double> concurrencies = {});

}  // namespace decodescope::analysis
