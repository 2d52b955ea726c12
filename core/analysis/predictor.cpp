#include "analysis/planner.h"
#include "analysis/predictor_impl.h"
#include "decode/specs.h"
#include "serving/trace.h"

#include <fmt/format.h>
#include <algorithm>

namespace decodescope::analysis {
namespace {

Expected<void> readTrace(Predictor::Impl& m) {
  if (m.resolved.workload.mode != WorkloadMode::Trace) return {};
  const auto trace = serving::loadTrace(m.resolved.workload.trace_file);
  if (!trace) return Unexpected(trace.error());
  double prompt = 0, output = 0, output_squared = 0;
  for (const serving::TraceRequest& r : *trace) {
    prompt += r.prompt_tokens;
    output += r.output_tokens;
    output_squared += static_cast<double>(r.output_tokens) * r.output_tokens;
  }
  const double n = static_cast<double>(trace->size());
  m.trace = true;
  m.trace_lengths = {prompt / n, std::max(1.0, output / n), output > 0 ? output_squared / (2 * output) : 0.5};
  const double span_s = static_cast<double>(trace->back().time_ns - trace->front().time_ns) * 1e-9;
  m.trace_arrivals_per_s = span_s > 0 ? (n - 1) / span_s : n;
  return {};
}

void choosePlan(Predictor::Impl& m, const decode::Specs& specs) {
  const Scenario& s = m.resolved;
  if (s.parallel) {
    m.structural = parallel::checkPlan(specs.model, specs.system, *s.parallel, s.chips, s.fabric);
    if (m.structural.empty())
      m.step = decode::StepModel::make(m.context, s, parallel::makePlan(*s.parallel, s.chips));
    return;
  }
  // What no plan can mend: more chips than the system has.
  m.structural = parallel::checkPlan(specs.model, specs.system, ParallelDegrees{}, s.chips, s.fabric);
  if (!m.structural.empty()) return;
  const auto ranked = rankPlans(m.context, s, specs.system, specs.model, m.lengthsOf(s), m.arrivalsOf(s));
  m.plan_reason = planReason(ranked, s);
  if (!ranked.empty()) m.step = ranked.front().step;
}

void gatherAssumptions(Predictor::Impl& m, const decode::Specs& specs) {
  auto& out = m.assumptions;
  if (m.given.precision.weights.empty())
    out.push_back("Weights in " + m.resolved.precision.weights +
                  ", as the model is published or the chip allows");
  if (m.given.precision.kv.empty()) out.push_back("KV cache in " + m.resolved.precision.kv);
  if (m.step)
    for (const std::string& a : m.step->assumptions()) out.push_back(a);
  if (m.power.derived) out.push_back("Chip power: " + m.power.provenance);
  if (m.cooling.derived) out.push_back("Cooling: " + m.cooling.provenance);
  if (m.resolved.serving.prefill == PrefillMode::Disaggregated)
    out.emplace_back("Prefill runs in a pool of its own, whose chips are not counted");
  const double context = m.resolved.workload.mode == WorkloadMode::Static
                             ? m.resolved.workload.context_tokens
                             : m.lengthsOf(m.resolved).prompt_tokens + m.lengthsOf(m.resolved).output_tokens;
  if (specs.model.max_context_tokens > 0 && context > specs.model.max_context_tokens)
    out.push_back(fmt::format(
        "Context of {:.0f} tokens is beyond the {:.0f} that {} was trained for: quality not modelled",
        context, specs.model.max_context_tokens, specs.model.name));
}

}  // namespace

Predictor::Predictor() : impl_(std::make_unique<Impl>()) {}
Predictor::~Predictor() = default;

Expected<std::shared_ptr<const Predictor>> Predictor::make(std::shared_ptr<const Catalog> catalog,
                                                           const Scenario& scenario) {
  auto resolved = resolve(*catalog, scenario);
  if (!resolved) return Unexpected(resolved.error());
  const auto specs = decode::resolveSpecs(*catalog, *resolved);
  if (!specs) return Unexpected(specs.error());
  std::shared_ptr<Predictor> made(new Predictor);
  Impl& m = *made->impl_;
  m.catalog = catalog;
  m.given = scenario;
  m.resolved = *std::move(resolved);
  auto context = decode::makeStepContext(catalog, m.resolved);
  if (!context) return Unexpected(context.error());
  m.context = *std::move(context);
  if (const auto read = readTrace(m); !read) return Unexpected(read.error());
  const auto power = physical::chipPowerConstants(*catalog, specs->chip);
  if (!power) return Unexpected(power.error());
  m.power = *power;
  m.site = physical::siteConstants(*catalog);
  choosePlan(m, *specs);
  auto cooling = made->cooling(m.resolved);
  if (!cooling) return Unexpected(cooling.error());
  m.cooling = *std::move(cooling);
  gatherAssumptions(m, *specs);
  if (m.step && fitsMemory(m, m.resolved)) m.exposed = m.step;
  return made;
}

bool sameStructure(const Scenario& a, const Scenario& b) {
  return a.model == b.model && a.system == b.system && a.chips == b.chips && a.precision == b.precision &&
         a.parallel == b.parallel && a.serving == b.serving && a.fabric == b.fabric &&
         a.overrides == b.overrides && a.faults == b.faults && a.jitter == b.jitter &&
         a.workload.mode == b.workload.mode && a.workload.trace_file == b.workload.trace_file;
}

bool Predictor::covers(const Scenario& other) const {
  return sameStructure(impl_->given, other) || sameStructure(impl_->resolved, other);
}

const std::shared_ptr<const decode::StepModel>& Predictor::stepModel() const {
  return impl_->exposed;
}
const Scenario& Predictor::scenario() const {
  return impl_->resolved;
}
const Catalog& Predictor::catalog() const {
  return *impl_->catalog;
}
const physical::ChipPowerConstants& Predictor::chipPower() const {
  return impl_->power;
}

const std::shared_ptr<const topology::Topology>& Predictor::topology() const {
  const std::lock_guard lock(impl_->topology_mutex);
  if (!impl_->topology) {
    const auto specs = decode::resolveSpecs(*impl_->catalog, impl_->resolved);
    if (specs) {
      auto built = topology::buildDeployment(specs->system, specs->chip, impl_->resolved.chips,
                                             impl_->resolved.fabric, impl_->resolved.faults);
      if (built) impl_->topology = std::make_shared<const topology::Topology>(*std::move(built));
    }
  }
  return impl_->topology;
}

Expected<physical::CoolingSetup> Predictor::cooling(const Scenario& s) const {
  const auto specs = decode::resolveSpecs(*impl_->catalog, impl_->resolved);
  if (!specs) return Unexpected(specs.error());
  const Physical& base = impl_->resolved.physical;
  return physical::coolingSetup(
      *impl_->catalog, specs->chip, specs->system, impl_->isLiquid(s), impl_->supply_c(s),
      s.physical.flow_l_per_min_per_chip.value_or(base.flow_l_per_min_per_chip.value_or(0)),
      s.physical.airflow_ratio.value_or(base.airflow_ratio.value_or(1)));
}

physical::ClockLimits Predictor::clockLimits(const Scenario& s) const {
  return impl_->limits(s);
}

}  // namespace decodescope::analysis
