// Published measurements against predictions: one row each, nothing dropped, and the errors by group.
#pragma once

#include "analysis/measured_point.h"
#include "base/csv.h"
#include "catalog/catalog.h"

#include <memory>
#include <string>
#include <vector>

namespace decodescope::analysis {

struct PointResult {
  MeasuredPoint point;
  bool ok = false;
  std::string reason;                      ///< why it was skipped
  std::vector<std::string> assumed;        ///< what the row does not state and how it was chosen
  std::string engine, model_kind, vendor;  ///< as mapped
  std::string chip, model;                 ///< catalog ids, or as published when there is none
  double predicted = 0, ratio = 0, abs_error_pct = 0;
};
[[nodiscard]] Expected<std::vector<PointResult>> validatePoints(const std::shared_ptr<const Catalog>&,
                                                                const csv::Table&);
[[nodiscard]] PointResult validatePoint(const std::shared_ptr<const Catalog>&, const MeasuredPoint&);

/// Errors of the rows that share one value of one column.
struct ErrorGroup {
  std::string by, name;
  int count = 0, skipped = 0;
  double median_abs_pct = 0, p90_abs_pct = 0,
         bias_pct = 0;  ///< bias: median of predicted over measured, less 1
};
/// Groups by tier, metric, chip, model, engine, model kind and vendor, and "all".
[[nodiscard]] std::vector<ErrorGroup> errorGroups(const std::vector<PointResult>&);

/// Whether predictions order the configurations of one source as the measurements do. Rows of one metric are
/// compared with one another; ties in the measurement do not count.
struct SourceRanking {
  std::string source;
  int pairs = 0;
  double kendall_tau = 0;
};
[[nodiscard]] std::vector<SourceRanking> rankings(const std::vector<PointResult>&);

}  // namespace decodescope::analysis
