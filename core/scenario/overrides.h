// Overrides on the command line: --set path=value.
#pragma once

#include <decodescope/expected.h>
#include <decodescope/scenario.h>

#include <span>
#include <string_view>

namespace decodescope::scenario {

/// The scenario with one value changed. A path of the parameter table does what its slider does
/// (`workload.context_tokens` moves the prompt of a closed loop); any other path is a key of the scenario
/// file, such as workload.prompt_tokens.mean or model.layers. Unknown paths name the nearest known one.
[[nodiscard]] Expected<Scenario> applySet(const Scenario&, std::string_view assignment);

/// Paths of all keys of a scenario file.
[[nodiscard]] std::span<const std::string_view> scenarioPaths();

}  // namespace decodescope::scenario
