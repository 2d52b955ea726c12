// All legal plans of a scenario, fully predicted, ranked for an objective, each with the reason why it is not
// the best.
#pragma once

#include "analysis/headline.h"
#include "analysis/predict.h"
#include "parallel/plan.h"

#include <memory>
#include <string>
#include <vector>

namespace decodescope::analysis {

/// What keeps a plan from being chosen, mildest first.
enum class PlanStanding {
  Good,        ///< fits, meets the target of time per token, breaks no rule
  BreaksRule,  ///< would run, but not where it is to stand
  MissesTarget,
  DoesNotFit,
};
[[nodiscard]] std::string_view planStandingId(PlanStanding);

struct PlanOutcome {
  parallel::Plan plan;
  Prediction prediction;
  PlanStanding standing = PlanStanding::DoesNotFit;
  double missing_bytes_per_chip = 0;  ///< of a plan that does not fit
  std::string reason;                 ///< why the best one is the best, and why the others are not
};

struct PlanRanking {
  Objective objective = Objective::Tpot;
  double slo_tpot_ms = 0;
  std::vector<PlanOutcome> plans;     ///< best first
  std::vector<Violation> structural;  ///< why there are none
};
[[nodiscard]] Expected<PlanRanking> rankPlansFor(const std::shared_ptr<const Catalog>&, const Scenario&,
                                                 Objective);

/// Predictors of all legal plans of a scenario, in the planner's order; violations when there are none.
struct LegalPredictors {
  std::vector<std::shared_ptr<const Predictor>> predictors;
  std::vector<parallel::Plan> plans;
  std::vector<Violation> structural;
};
[[nodiscard]] Expected<LegalPredictors> legalPredictors(const std::shared_ptr<const Catalog>&,
                                                        const Scenario&);

}  // namespace decodescope::analysis
