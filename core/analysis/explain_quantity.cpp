// explain(): finds the key's row and makes its tree.
#include "analysis/explain_quantity.h"

#include <algorithm>

namespace decodescope::analysis {
namespace {

const std::vector<ExplainRow>& allRows() {
  static const std::vector<ExplainRow> rows = [] {
    std::vector<ExplainRow> out;
    for (const auto subject : {servingRows(), memoryRows(), physicalRows(), criteriaRows()})
      out.insert(out.end(), subject.begin(), subject.end());
    return out;
  }();
  return rows;
}

const ExplainRow* findRow(std::string_view key) {
  const auto& rows = allRows();
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const ExplainRow& row) { return row.key == key; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

Derivation ratioNode(std::string id, std::string label, std::string unit, Derivation above,
                     Derivation below) {
  const std::string formula = above.label + " / " + below.label;
  std::vector<Derivation> parts;
  parts.push_back(std::move(above));
  parts.push_back(std::move(below));
  return decode::combined(std::move(id), std::move(label), std::move(unit), Combine::Quotient, formula,
                          std::move(parts));
}

Derivation productNode(std::string id, std::string label, std::string unit, std::vector<Derivation> parts) {
  std::string formula;
  for (const Derivation& part : parts) formula += (formula.empty() ? "" : " x ") + part.label;
  return decode::combined(std::move(id), std::move(label), std::move(unit), Combine::Product,
                          std::move(formula), std::move(parts));
}

Derivation chips(const ExplainPoint& e) {
  return decode::leaf("chips", "Chips", e.model.resolved.chips, "chips", SourceKind::UserSet, "scenario",
                      "chips");
}

decode::StepResult nominalStep(const ExplainPoint& e) {
  double overload = 0;
  return operatingLoop(*e.model.step, e.scenario, e.settled.lengths, e.model.arrivalsOf(e.scenario), 1,
                       &overload)
      .step.mean;
}

std::span<const std::string_view> Predictor::quantities() {
  static const std::vector<std::string_view> keys = [] {
    std::vector<std::string_view> out;
    for (const ExplainRow& row : allRows()) out.push_back(row.key);
    return out;
  }();
  return keys;
}

Expected<Derivation> Predictor::explain(const Scenario& s, std::string_view quantity) const {
  const Impl& m = *impl_;
  const ExplainRow* row = findRow(quantity);
  if (row == nullptr) {
    std::string known;
    for (const std::string_view q : quantities()) known += (known.empty() ? "" : ", ") + std::string(q);
    return Unexpected(Error{ErrorCode::NotFound, "", "QUANTITY", std::string(quantity),
                            "is not a quantity that can be explained", known});
  }
  if (!m.step || !fitsMemory(m, s)) {
    const std::string why = m.step                 ? memoryViolation(m, s).message
                            : m.structural.empty() ? "no legal plan"
                                                   : m.structural.front().message;
    return Unexpected(
        Error{ErrorCode::BadInput, "", "scenario", s.name, "is infeasible: " + why, "see predict"});
  }
  const SettledPoint p = settle(m, s);
  const Prediction numbers = predict(s);
  Derivation root = row->make({m, s, p, numbers});
  decode::setShares(root);
  return root;
}

}  // namespace decodescope::analysis
