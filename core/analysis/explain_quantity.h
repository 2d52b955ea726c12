// Derivations of result keys, one file per subject: each row names a key and makes its tree from the settled
// point that predict() lays out.
#pragma once

#include "analysis/predictor_impl.h"
#include "decode/derivation_nodes.h"

#include <span>
#include <string_view>

namespace decodescope::analysis {

/// What a derivation is made from. `numbers` is the whole prediction, links and scoreboard included.
struct ExplainPoint {
  const Predictor::Impl& model;
  const Scenario& scenario;
  const SettledPoint& settled;
  const Prediction& numbers;
};
struct ExplainRow {
  std::string_view key;
  Derivation (*make)(const ExplainPoint&) = nullptr;
};
[[nodiscard]] std::span<const ExplainRow> servingRows();
[[nodiscard]] std::span<const ExplainRow> memoryRows();
[[nodiscard]] std::span<const ExplainRow> physicalRows();
[[nodiscard]] std::span<const ExplainRow> criteriaRows();

// Trees that others are made of.
[[nodiscard]] Derivation chips(const ExplainPoint&);
[[nodiscard]] Derivation stepTime(const ExplainPoint&);
[[nodiscard]] Derivation tpot(const ExplainPoint&);
[[nodiscard]] Derivation throughput(const ExplainPoint&);
[[nodiscard]] Derivation itPower(const ExplainPoint&);
[[nodiscard]] Derivation facility(const ExplainPoint&);
[[nodiscard]] Derivation costPerHour(const ExplainPoint&);
/// The mean iteration at nominal clock, from which power is settled.
[[nodiscard]] decode::StepResult nominalStep(const ExplainPoint&);

[[nodiscard]] Derivation ratioNode(std::string id, std::string label, std::string unit, Derivation above,
                                   Derivation below);
[[nodiscard]] Derivation productNode(std::string id, std::string label, std::string unit,
                                     std::vector<Derivation> parts);

}  // namespace decodescope::analysis
