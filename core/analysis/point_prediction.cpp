// What the predictor says for a mapped row, in the row's own metric.
#include "analysis/planner.h"
#include "analysis/point_mapping.h"
#include "analysis/predictor_impl.h"
#include "analysis/validate.h"
#include "decode/step_impl.h"
#include "model/arithmetic.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace decodescope::analysis {
namespace {

/// Steps of a batch that decodes together, and its prefill.
class StaticRun {
 public:
  StaticRun(const decode::StepModel& step, const MappedPoint& mapped)
      : step_(step),
        m_(mapped),
        replicas_(std::min<double>(step.plan().replicas, mapped.batch)),
        running_(mapped.batch) {
    if (mapped.regime != Regime::StaticBatch) return;
    // What does not fit at its full length runs after the rest.
    const double fits = fittingSequences(step, mapped.scenario, mapped.prompt_tokens + mapped.output_tokens);
    if (fits >= 1) running_ = std::min(mapped.batch, fits);
  }

  [[nodiscard]] double step_s(double context) const {
    decode::StepInput in;
    in.sequences = running_ / replicas_;
    in.busiest_group_sequences = std::ceil(in.sequences / step_.plan().attentionGroups() - 1e-9);
    in.context_tokens = context;
    return step_.evaluate(in).step_s / step_.tokensPerStep();
  }

  /// Mean over the growing context, by Simpson's rule.
  [[nodiscard]] double meanStep_s() const {
    const double first = m_.prompt_tokens + 1, last = m_.prompt_tokens + m_.output_tokens;
    return (step_s(first) + 4 * step_s((first + last) / 2) + step_s(last)) / 6;
  }

  [[nodiscard]] double prefill_s() const {
    // In chunks no larger than the engine takes at once.
    const double tokens = running_ / replicas_ * m_.prompt_tokens;
    const double chunk = std::max(1.0, static_cast<double>(m_.scenario.serving.chunk_tokens));
    const double passes = std::max(1.0, std::ceil(tokens / chunk));
    decode::StepInput in;
    in.sequences = 0;
    in.busiest_group_sequences = 0;
    in.prefill_tokens = tokens / passes;
    in.prefill_sequences = std::max(1.0, in.prefill_tokens / m_.prompt_tokens);
    in.prefill_past_tokens = std::max(0.0, (m_.prompt_tokens - in.prefill_tokens) / 2);
    return passes * step_.evaluate(in).step_s;
  }

  [[nodiscard]] double endToEnd_s() const {
    if (m_.regime == Regime::StaticDecode)
      return m_.output_tokens * step_s(m_.scenario.workload.context_tokens);
    return m_.batch / running_ * (prefill_s() + (m_.output_tokens - 1) * meanStep_s());
  }

 private:
  const decode::StepModel& step_;
  const MappedPoint& m_;
  double replicas_, running_;
};

double staticValue(const decode::StepModel& step, const MappedPoint& m, const std::string& metric) {
  const StaticRun run(step, m);
  const double chips = m.scenario.chips, context = m.scenario.workload.context_tokens;
  if (metric == "tpot_ms") return run.step_s(context) * 1e3;
  if (metric == "tok_s_user") return 1 / run.step_s(context);
  if (metric == "ttft_s") return run.prefill_s();
  if (metric.starts_with("input_tok_s")) {
    const double rate = m.batch * m.prompt_tokens / run.prefill_s();
    return metric.ends_with("per_node") ? rate / chips * m.chips_per_node : rate;
  }
  if (metric == "mfu") {
    const double flop = 2 * model::countParameters(step.model()).active_excl_input_embedding * m.batch;
    return 100 * flop / (run.step_s(context) * chips * step.chip().bf16_flop_per_s);
  }
  if (metric.starts_with("tpot_")) {
    // The published line over contexts from 256 to 125k.
    constexpr double kShort = 256, kLong = 125000;
    const double slope = (run.step_s(kLong) - run.step_s(kShort)) / (kLong - kShort);
    return metric.starts_with("tpot_slope") ? slope * 1e3 : (run.step_s(kShort) - slope * kShort) * 1e3;
  }
  if (metric == "e2e_latency_s") return run.endToEnd_s();
  if (metric == "e2e_latency_ms") return run.endToEnd_s() * 1e3;
  const bool decode_only = m.regime == Regime::StaticDecode;
  const double rate =
      decode_only ? m.batch / run.step_s(context) : m.batch * m.output_tokens / run.endToEnd_s();
  if (metric == "output_tok_s_per_chip") return rate / chips;
  if (metric == "output_tok_s_per_node") return rate / chips * m.chips_per_node;
  return metric == "output_tok_s_total" ? rate : 0;
}

double serverValue(const Predictor& predictor, const MappedPoint& m, const std::string& metric) {
  const Prediction p = predictor.predict(predictor.scenario(), {false, false});
  if (metric == "tpot_ms") return p.tpot_s * 1e3;
  if (metric == "ttft_s") return p.ttft_s;
  if (metric == "tok_s_user") return p.output_tokens_per_s_per_user;
  if (metric == "output_tok_s_per_chip") return p.output_tokens_per_s_per_chip;
  if (metric == "output_tok_s_per_node") return p.output_tokens_per_s_per_chip * m.chips_per_node;
  if (metric == "e2e_latency_s" || metric == "e2e_latency_ms")
    return (p.ttft_s + p.tpot_s * (m.output_tokens - 1)) * (metric.ends_with("ms") ? 1e3 : 1);
  return metric == "output_tok_s_total" ? p.output_tokens_per_s : 0;
}

bool isStatic(Regime r) {
  return r == Regime::StaticBatch || r == Regime::StaticDecode || r == Regime::PrefillOnly;
}

std::string modelKind(const ModelSpec& model) {
  if (model.mla) return "MLA mixture";
  return model.isMoe() ? "mixture" : "dense";
}

void predictPoint(const std::shared_ptr<const Catalog>& catalog, const MappedPoint& mapped,
                  PointResult& out) {
  const auto predictor = Predictor::make(catalog, mapped.scenario);
  if (!predictor) {
    out.reason = predictor.error().text();
    return;
  }
  const auto& step = (*predictor)->stepModel();
  if (!step) {
    const Prediction p = (*predictor)->predict((*predictor)->scenario(), {false, false});
    out.reason = "predicted infeasible: " +
                 (p.violations.empty() ? std::string("no legal plan") : p.violations.front().message);
    return;
  }
  out.predicted = isStatic(mapped.regime) ? staticValue(*step, mapped, out.point.metric)
                                          : serverValue(**predictor, mapped, out.point.metric);
  if (!mapped.scenario.parallel) out.assumed.push_back("plan " + planText(step->plan()));
  if (!(out.predicted > 0) || !std::isfinite(out.predicted)) {
    out.reason = "no prediction for metric " + out.point.metric;
    return;
  }
  out.ok = true;
  out.ratio = out.predicted / out.point.value;
  out.abs_error_pct = 100 * std::fabs(out.ratio - 1);
}

}  // namespace

PointResult validatePoint(const std::shared_ptr<const Catalog>& catalog, const MeasuredPoint& point) {
  PointResult out;
  out.point = point;
  out.chip = chipOf(*catalog, point);
  out.model = modelOf(*catalog, point);
  out.engine = engineOf(point.engine);
  if (const auto chip = catalog->chip(out.chip)) out.vendor = (*chip)->vendor;
  if (const auto model = catalog->model(out.model)) out.model_kind = modelKind(**model);
  if (out.chip.empty()) out.chip = point.chip_as_published;
  if (out.model.empty()) out.model = point.model_as_published;
  const auto mapped = mapPoint(*catalog, point);
  if (!mapped) {
    out.reason = mapped.error().message;
    return out;
  }
  out.assumed = mapped->assumed;
  out.engine = mapped->engine;
  predictPoint(catalog, *mapped, out);
  return out;
}

Expected<std::vector<PointResult>> validatePoints(const std::shared_ptr<const Catalog>& catalog,
                                                  const csv::Table& table) {
  if (const auto has = table.requireColumns(kRequiredPointColumns); !has) return Unexpected(has.error());
  std::vector<PointResult> out;
  out.reserve(table.size());
  for (std::size_t row = 0; row < table.size(); ++row) {
    const auto point = readPoint(table, row);
    if (point) {
      out.push_back(validatePoint(catalog, *point));
      continue;
    }
    PointResult broken;
    broken.point.id = table.cell(row, "id");
    broken.reason = point.error().text();
    out.push_back(std::move(broken));
  }
  return out;
}

}  // namespace decodescope::analysis
