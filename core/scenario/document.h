// A scenario as a JSON document in the order in which files are written.
#pragma once

#include <decodescope/scenario.h>

#include <nlohmann/json_fwd.hpp>

namespace decodescope::scenario {

/// Values that equal a new scenario's are left out, except those that say what the scenario is about.
[[nodiscard]] nlohmann::ordered_json toDocument(const Scenario&);

}  // namespace decodescope::scenario
