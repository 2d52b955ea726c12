// A sweep: the steady prediction at every point of a grid, as rows of CSV. Any range of points can be
// computed anywhere in any order and gives the same bytes; threads, progress and files are the caller's.
#pragma once

#include "analysis/grid.h"
#include "analysis/predict.h"
#include "analysis/result_columns.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace decodescope::analysis {

enum class SweepPlan {
  AsStated,  ///< the scenario's: an automatic plan is searched at every point, a given one is held
  Fixed,     ///< the one of the base scenario is held
  Best,      ///< searched at every point, even where the scenario gives one
};

struct SweepOptions {
  SweepPlan plan = SweepPlan::AsStated;
  std::vector<std::string> columns;  ///< result keys; empty: all of them
  std::string version;               ///< of the program, the same in every row
};

/// Points [first, last).
struct PointRange {
  std::uint64_t first = 0, last = 0;
  [[nodiscard]] std::uint64_t size() const { return last - first; }
};
/// Shard `shard` of `shards`, counted from 1: consecutive ranges that cover all points once.
[[nodiscard]] PointRange shardRange(std::uint64_t points, std::uint64_t shard, std::uint64_t shards);

class Sweep {
 public:
  [[nodiscard]] static Expected<Sweep> make(std::shared_ptr<const Catalog>, const Scenario& base,
                                            std::span<const std::string> axes, SweepOptions = {});
  [[nodiscard]] const Grid& grid() const { return grid_; }
  [[nodiscard]] std::uint64_t size() const { return grid_.size(); }
  /// First line of the CSV: varied paths, results, broken rules, why infeasible, version and catalog.
  [[nodiscard]] std::string header() const;

 private:
  friend class SweepWorker;
  std::shared_ptr<const Catalog> catalog_;
  Grid grid_;
  SweepOptions options_;
  std::vector<const ResultColumn*> columns_;
  ColumnNeeds needs_ = ColumnNeeds::Numbers;
};

/// One point with its results. A point that is no legal scenario is infeasible, with the rule "input".
struct SweepPoint {
  Scenario scenario;
  Prediction prediction;
};

/// Computes points, keeping what neighbours share. One per thread.
class SweepWorker {
 public:
  explicit SweepWorker(const Sweep& sweep) : sweep_(&sweep) {}
  /// Valid until the next call. Of the results, only what the sweep's columns take is filled in.
  [[nodiscard]] const SweepPoint& point(std::uint64_t index);
  /// Appends rows until the range ends or `cancelled` is set; returns how many.
  std::uint64_t appendRows(PointRange, std::string& out, const std::atomic<bool>& cancelled);

 private:
  [[nodiscard]] bool isCovered(const Scenario&) const;
  [[nodiscard]] Expected<void> prepare(const Scenario&);
  void fillUnset(Scenario&) const;
  void compute();
  void appendRow(std::uint64_t index, std::string& out) const;

  const Sweep* sweep_;
  std::shared_ptr<const Predictor> predictor_;
  Scenario made_for_;  ///< the scenario for which the predictor was made
  SweepPoint point_;
};

}  // namespace decodescope::analysis
