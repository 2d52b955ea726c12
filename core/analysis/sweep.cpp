#include "analysis/sweep.h"

#include "base/csv.h"
#include "base/text_distance.h"

#include <algorithm>

namespace decodescope::analysis {
namespace {

Error optionError(std::string option, std::string value, std::string message, std::string remedy) {
  return Error{ErrorCode::BadInput, "", std::move(option), std::move(value), std::move(message),
               std::move(remedy)};
}

Expected<std::vector<const ResultColumn*>> chosenColumns(std::span<const std::string> keys) {
  std::vector<const ResultColumn*> out;
  std::vector<std::string_view> known;
  for (const ResultColumn& column : resultColumns()) {
    known.push_back(column.key);
    if (keys.empty()) out.push_back(&column);
  }
  for (const std::string& key : keys) {
    const auto it = std::find(known.begin(), known.end(), key);
    if (it == known.end())
      return Unexpected(
          optionError("--columns", key, "is no result of a prediction", didYouMean(key, known, 3)));
    out.push_back(&resultColumns()[static_cast<std::size_t>(it - known.begin())]);
  }
  return out;
}

/// Gives the base the plan that its points are to have.
Expected<void> choosePlan(const std::shared_ptr<const Catalog>& catalog, SweepPlan choice, Grid& grid) {
  Scenario base = grid.base();
  if (choice == SweepPlan::Best) {
    if (grid.varies("parallel"))
      return Unexpected(
          optionError("--plan", "best", "leaves no plan to vary", "vary the plan with --plan fixed"));
    base.parallel.reset();
  } else if (choice == SweepPlan::Fixed && !base.parallel) {
    const auto at_base = predict(catalog, base, {false, false});
    if (!at_base) return Unexpected(at_base.error());
    base.parallel = at_base->plan.degrees;
  }
  grid.rebase(std::move(base));
  return {};
}

/// Ids that a list names are looked up before the sweep starts.
Expected<void> checkIds(const Catalog& catalog, const Grid& grid) {
  for (const GridAxis& axis : grid.axes()) {
    const bool names = axis.path == "model" || axis.path == "system" || axis.path == "serving.engine";
    if (!names) continue;
    for (const ParameterValue& value : axis.list) {
      const std::string& id = std::get<std::string>(value);
      Expected<void> found;
      if (axis.path == "model") {
        if (const auto entry = catalog.model(id); !entry) found = Unexpected(entry.error());
      } else if (axis.path == "system") {
        if (const auto entry = catalog.system(id); !entry) found = Unexpected(entry.error());
      } else if (const auto entry = catalog.engine(id); !entry) {
        found = Unexpected(entry.error());
      }
      if (!found) return found;
    }
  }
  return {};
}

/// Quotes what was appended since `start` where RFC 4180 asks for it.
void quoteFrom(std::string& out, std::size_t start) {
  if (out.find_first_of(",\"\r\n", start) == std::string::npos) return;
  std::string quoted = "\"";
  for (std::size_t i = start; i < out.size(); ++i) {
    if (out[i] == '"') quoted += '"';
    quoted += out[i];
  }
  out.replace(start, std::string::npos, quoted += '"');
}

void appendCell(std::string& out, std::string_view text) {
  const std::size_t start = out.size();
  out += text;
  quoteFrom(out, start);
}

Violation inputViolation(const Error& error) {
  Violation v;
  v.rule = "input";
  v.message = error.text();
  return v;
}

}  // namespace

PointRange shardRange(std::uint64_t points, std::uint64_t shard, std::uint64_t shards) {
  const std::uint64_t share = points / shards, rest = points % shards;
  const auto start = [&](std::uint64_t i) { return share * i + std::min(i, rest); };
  return {start(shard - 1), start(shard)};
}

Expected<Sweep> Sweep::make(std::shared_ptr<const Catalog> catalog, const Scenario& base,
                            std::span<const std::string> axes, SweepOptions options) {
  Sweep sweep;
  auto grid = Grid::make(base, axes);
  if (!grid) return Unexpected(grid.error());
  if (const auto known = checkIds(*catalog, *grid); !known) return Unexpected(known.error());
  if (const auto chosen = choosePlan(catalog, options.plan, *grid); !chosen)
    return Unexpected(chosen.error());
  auto columns = chosenColumns(options.columns);
  if (!columns) return Unexpected(columns.error());
  sweep.catalog_ = std::move(catalog);
  sweep.grid_ = *std::move(grid);
  sweep.options_ = std::move(options);
  sweep.columns_ = *std::move(columns);
  // Broken rules stand in every row, so the numbers alone are never enough.
  sweep.needs_ = ColumnNeeds::Rules;
  for (const ResultColumn* column : sweep.columns_) sweep.needs_ = std::max(sweep.needs_, column->needs);
  return sweep;
}

std::string Sweep::header() const {
  std::vector<std::string> cells;
  for (const GridAxis& axis : grid_.axes()) cells.push_back(axis.path);
  cells.emplace_back("feasible");
  for (const ResultColumn* column : columns_) cells.push_back(column->key);
  for (const char* last : {"rules_broken", "violation", "violation_message", "version", "catalog_hash"})
    cells.emplace_back(last);
  std::string out;
  csv::appendRecord(out, cells);
  return out;
}

bool SweepWorker::isCovered(const Scenario& s) const {
  if (!predictor_ || !predictor_->covers(s)) return false;
  // Cooling decides what unset values mean, and the fans' speed is the predictor's own.
  if (s.physical.cooling != made_for_.physical.cooling ||
      s.physical.airflow_ratio != made_for_.physical.airflow_ratio)
    return false;
  return s.parallel || s.workload == made_for_.workload;
}

Expected<void> SweepWorker::prepare(const Scenario& s) {
  if (isCovered(s)) return {};
  predictor_.reset();
  auto made = Predictor::make(sweep_->catalog_, s);
  if (!made) return Unexpected(made.error());
  predictor_ = *std::move(made);
  made_for_ = s;
  return {};
}

/// What the scenario leaves to the catalog, as the predictor found it.
void SweepWorker::fillUnset(Scenario& s) const {
  const Scenario& resolved = predictor_->scenario();
  s.precision = resolved.precision;
  s.physical.cooling = resolved.physical.cooling;
  const auto fill = [](std::optional<double>& value, const std::optional<double>& found) {
    if (!value) value = found;
  };
  fill(s.physical.supply_c, resolved.physical.supply_c);
  fill(s.physical.flow_l_per_min_per_chip, resolved.physical.flow_l_per_min_per_chip);
  fill(s.physical.airflow_ratio, resolved.physical.airflow_ratio);
  fill(s.physical.rack_power_cap_kw, resolved.physical.rack_power_cap_kw);
  fill(s.physical.chip_power_cap_w, resolved.physical.chip_power_cap_w);
}

void SweepWorker::compute() {
  if (const auto ready = prepare(point_.scenario); !ready) {
    point_.prediction = Prediction{};
    point_.prediction.violations.push_back(inputViolation(ready.error()));
    return;
  }
  fillUnset(point_.scenario);
  PredictOptions options;
  options.link_loads = sweep_->needs_ >= ColumnNeeds::Links;
  options.scoreboard = sweep_->needs_ >= ColumnNeeds::Scoreboard;
  point_.prediction = predictor_->predict(point_.scenario, options);
}

const SweepPoint& SweepWorker::point(std::uint64_t index) {
  auto scenario = sweep_->grid_.at(index);
  if (scenario) {
    point_.scenario = *std::move(scenario);
    compute();
  } else {
    point_.scenario = sweep_->grid_.base();
    point_.prediction = Prediction{};
    point_.prediction.violations.push_back(inputViolation(scenario.error()));
  }
  return point_;
}

void SweepWorker::appendRow(std::uint64_t index, std::string& out) const {
  const Prediction& p = point_.prediction;
  for (std::size_t axis = 0; axis < sweep_->grid_.axes().size(); ++axis) {
    appendCell(out, valueText(sweep_->grid_.value(index, axis)));
    out += ',';
  }
  out += p.feasible ? "true" : "false";
  for (const ResultColumn* column : sweep_->columns_) {
    out += ',';
    if (!p.feasible) continue;
    const std::size_t start = out.size();
    column->append(p, out);
    quoteFrom(out, start);
  }
  out += ',';
  std::string rules;
  for (const Violation& v : p.violations) rules += (rules.empty() ? "" : ";") + v.rule;
  appendCell(out, rules);
  out += ',';
  const bool says_why = !p.feasible && !p.violations.empty();
  if (says_why) appendCell(out, p.violations.front().rule);
  out += ',';
  if (says_why) appendCell(out, p.violations.front().message);
  out += ',';
  appendCell(out, sweep_->options_.version);
  out += ',';
  out += sweep_->catalog_->hash();
  out += '\n';
}

std::uint64_t SweepWorker::appendRows(PointRange range, std::string& out,
                                      const std::atomic<bool>& cancelled) {
  std::uint64_t rows = 0;
  for (std::uint64_t i = range.first; i < range.last; ++i, ++rows) {
    if (cancelled.load(std::memory_order_relaxed)) break;
    (void)point(i);
    appendRow(i, out);
  }
  return rows;
}

}  // namespace decodescope::analysis
