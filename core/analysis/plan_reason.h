// Why a plan is the best, or what makes it worse than the best, in words.
#pragma once

#include "analysis/ranking.h"

#include <string>

namespace decodescope::analysis {

[[nodiscard]] std::string reasonFor(const PlanOutcome&, const PlanRanking&);
/// "collectives +3.1 ms, weights +0.4 ms": what grew most from one step to another; empty when nothing did.
[[nodiscard]] std::string growthText(const StepBreakdown& from, const StepBreakdown& to);

}  // namespace decodescope::analysis
