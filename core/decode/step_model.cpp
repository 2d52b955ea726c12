#include "decode/step_model.h"

#include "decode/step_impl.h"
#include "physical/chip_power.h"

#include <fmt/format.h>
#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>

namespace decodescope::decode {
namespace {

/// Run-to-run spread of one kernel on one chip, as a share of its time. Assumption: public kernel tables give
/// one mean per shape; repeated measurements of the same shape agree within about this.
constexpr double kKernelNoiseRatio = 0.01;

/// Expected maximum of `n` standard normal values (Blom 1958: quantile of (n - 0.375) / (n + 0.25)).
double expectedMaxNormal(int n) {
  if (n <= 1) return 0;
  const double p = (n - 0.375) / (n + 0.25);
  return std::sqrt(2.0) * boost::math::erf_inv(2 * p - 1);
}

bool isBlackwellOrLater(std::string_view family) {
  return family.starts_with("sm10") || family.starts_with("rubin");
}

double scaleOut_bytes_per_s(const Scenario& scenario, const SystemSpec& system) {
  const double nic = scenario.fabric.gb_per_s_per_chip > 0 ? scenario.fabric.gb_per_s_per_chip * 1e9
                                                           : system.nic_bytes_per_s_per_chip;
  return nic / std::max(1.0, scenario.fabric.oversubscription);
}

}  // namespace

Expected<std::shared_ptr<const StepContext>> makeStepContext(std::shared_ptr<const Catalog> catalog,
                                                             const Scenario& scenario) {
  auto specs = resolveSpecs(*catalog, scenario);
  if (!specs) return Unexpected(specs.error());
  const auto library = specs->engine.attention_kernels == "trtllm" ? kernel::AttentionLibrary::Trtllm
                                                                   : kernel::AttentionLibrary::Sglang;
  auto kernels = kernel::KernelModel::make(*catalog, specs->chip, library);
  if (!kernels) return Unexpected(kernels.error());
  auto collectives = network::CollectiveModel::make(*catalog, specs->chip, specs->system, specs->engine,
                                                    scaleOut_bytes_per_s(scenario, specs->system));
  if (!collectives) return Unexpected(collectives.error());
  const auto weights = parseDtype(scenario.precision.weights.empty() ? "bf16" : scenario.precision.weights,
                                  "precision.weights");
  if (!weights) return Unexpected(weights.error());
  const auto kv = parseDtype(scenario.precision.kv.empty() ? "bf16" : scenario.precision.kv, "precision.kv");
  if (!kv) return Unexpected(kv.error());
  const auto power = physical::chipPowerConstants(*catalog, specs->chip);
  auto model = std::make_shared<const ModelSpec>(specs->model);
  auto context = std::make_shared<StepContext>(StepContext{
      std::move(catalog), *std::move(specs), std::move(model), *std::move(kernels), *std::move(collectives),
      *weights, *kv, power ? power->saturation_ratio : 0.6, 0, 1, false});
  const EngineSpec& engine = context->specs.engine;
  const bool blackwell = isBlackwellOrLater(context->specs.chip.family);
  context->launch_overlap_s = blackwell && engine.launch_overlap_sm100_s > 0 ? engine.launch_overlap_sm100_s
                                                                             : engine.launch_overlap_s;
  context->expert_list_ratio = blackwell ? engine.expert_list_sm100_ratio : engine.expert_list_ratio;
  context->tunes_four_bit = blackwell && engine.fp4_tile_rows > 0;
  return context;
}

Expected<std::shared_ptr<const StepModel>> StepModel::make(std::shared_ptr<const Catalog> catalog,
                                                           const Scenario& scenario,
                                                           const parallel::Plan& plan) {
  auto context = makeStepContext(std::move(catalog), scenario);
  if (!context) return Unexpected(context.error());
  return make(*std::move(context), scenario, plan);
}

std::shared_ptr<const StepModel> StepModel::make(std::shared_ptr<const StepContext> context,
                                                 const Scenario& scenario, const parallel::Plan& plan) {
  std::shared_ptr<StepModel> made(new StepModel);
  Impl& m = *made->impl_;
  m.context = std::move(context);
  m.plan = plan;
  m.counts = layerCounts(*m.context->model);
  m.groups = plan.attentionGroups();
  if (scenario.serving.speculation) {
    m.draft_tokens = scenario.serving.speculation->draft_tokens;
    m.acceptance_ratio = scenario.serving.speculation->acceptance_ratio;
  }
  m.two_batch_overlap_ratio = std::clamp(scenario.serving.two_batch_overlap_ratio, 0.0, 1.0);
  m.operations = makeOperations({*m.context->model, plan, partDtypes(*m.context->model, m.context->weights),
                                 m.context->specs.system.chips, static_cast<int>(m.draft_tokens)});
  m.lockstep_ranks = plan.chipsPerStage();
  m.noise_ratio = scenario.jitter ? kKernelNoiseRatio * expectedMaxNormal(m.lockstep_ranks) : 0;
  m.memory = makeMemoryPlan(*m.context, scenario, plan, m.operations);
  m.assumptions = listAssumptions(*m.context, scenario, plan);
  return made;
}

StepModel::StepModel() : impl_(std::make_unique<Impl>()) {}
StepModel::~StepModel() = default;

double StepModel::tokensPerStep() const {
  // Drafted token i counts when it and all before it were accepted (Leviathan et al. 2023, equation 1).
  double sum = 1, chance = 1;
  for (int i = 0; i < static_cast<int>(impl_->draft_tokens); ++i) {
    chance *= impl_->acceptance_ratio;
    sum += chance;
  }
  return sum;
}

std::span<const Operation> StepModel::operations() const {
  return impl_->operations;
}
const parallel::Plan& StepModel::plan() const {
  return impl_->plan;
}
const MemoryPlan& StepModel::memory() const {
  return impl_->memory;
}
const ModelSpec& StepModel::model() const {
  return *impl_->context->model;
}
const ChipSpec& StepModel::chip() const {
  return impl_->specs().chip;
}
const SystemSpec& StepModel::system() const {
  return impl_->specs().system;
}
const EngineSpec& StepModel::engine() const {
  return impl_->specs().engine;
}
std::span<const std::string> StepModel::assumptions() const {
  return impl_->assumptions;
}

}  // namespace decodescope::decode
