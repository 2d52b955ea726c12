// The step as a tree: the same list, the same costs, taken apart to catalog values.
#include "decode/derivation_nodes.h"
#include "decode/step_impl.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace decodescope::decode {
namespace {

constexpr const char* kFit = "fitted on ai-dynamo/aiconfigurator@095f58a5 kernel tables (Apache-2.0)";

/// The datasheet field that a peak rate was read from.
std::string_view peakField(const ChipSpec& chip, double peak_flop_per_s) {
  if (peak_flop_per_s == chip.bf16_flop_per_s) return "bf16_flop_per_s";
  if (peak_flop_per_s == chip.fp8_flop_per_s) return "fp8_flop_per_s";
  return peak_flop_per_s == chip.int8_flop_per_s ? "int8_flop_per_s" : "fp4_flop_per_s";
}

class Explainer {
 public:
  Explainer(const StepModel::Impl& m, const Shape& shape) : m_(m), shape_(shape) {}

  [[nodiscard]] Derivation row(const Operation& op, const OperationCost& c) const {
    const std::string id = "step/" + op.id;
    std::vector<Derivation> parts;
    if (c.host_s > 0) return host(id, op);
    Derivation each = c.is_collective ? collective(id, op, c) : kernel(id, op, c);
    parts.push_back(leaf(id + "/count", "Executions per step", op.count, "1", SourceKind::Derived,
                         op.per_layer
                             ? fmt::format("{} per layer, {} layers", op.per_layer_count, op.layer_kind)
                             : "once per step or token"));
    parts.push_back(std::move(each));
    Derivation d = combined(id, op.label, "s", Combine::Product, "count x time of one", std::move(parts));
    d.source = op.source;
    return d;
  }

 private:
  const StepModel::Impl& m_;
  const Shape& shape_;

  [[nodiscard]] std::string constants() const {
    return m_.context->kernels.isFitted() ? std::string(kFit) : m_.context->kernels.provenance();
  }

  [[nodiscard]] Derivation chipLeaf(std::string id, std::string label, double value, std::string unit,
                                    std::string_view field, std::string parameter_path = {}) const {
    const ChipSpec& chip = m_.specs().chip;
    return catalogLeaf(std::move(id), std::move(label), value, std::move(unit), chip.name, chip.sources,
                       field, std::move(parameter_path));
  }

  [[nodiscard]] Derivation engineLeaf(std::string id, std::string label, double value,
                                      std::string_view field) const {
    const EngineSpec& engine = m_.specs().engine;
    return catalogLeaf(std::move(id), std::move(label), value, "s", engine.name, engine.sources, field);
  }

  /// A constant of the kernel model.
  [[nodiscard]] Derivation fittedLeaf(std::string id, std::string label, double value, std::string unit,
                                      const std::string& what = {}) const {
    Derivation d = leaf(std::move(id), std::move(label), value, std::move(unit), SourceKind::Calibrated,
                        what + constants());
    if (!m_.context->kernels.isFitted()) d.confidence = "assumed";
    return d;
  }

  [[nodiscard]] Derivation host(const std::string& id, const Operation& op) const {
    const EngineSpec& e = m_.specs().engine;
    std::vector<Derivation> each;
    each.push_back(leaf(id + "/sequences", "Sequences of one scheduler", shape_.host_sequences, "1",
                        SourceKind::Simulated, "steady batch of the load", "workload.concurrency"));
    each.push_back(engineLeaf(id + "/per_sequence", "Host time per sequence", e.host_s_per_sequence,
                              "host_s_per_sequence"));
    std::vector<Derivation> parts;
    parts.push_back(engineLeaf(id + "/per_step", "Host time per step", e.host_s_per_step, "host_s_per_step"));
    parts.push_back(combined(id + "/sequences_time", "Host time of sequences", "s", Combine::Product,
                             "sequences x time of one", std::move(each)));
    if (e.host_s_per_rank > 0 && m_.plan.degrees.tp > 1) {
      std::vector<Derivation> ranks;
      ranks.push_back(leaf(id + "/ranks", "Tensor ranks beyond the first", m_.plan.degrees.tp - 1, "1",
                           SourceKind::Derived, "plan", "parallel.tp"));
      ranks.push_back(
          engineLeaf(id + "/per_rank", "Host time per rank", e.host_s_per_rank, "host_s_per_rank"));
      parts.push_back(combined(id + "/ranks_time", "Host time of ranks", "s", Combine::Product,
                               "ranks x time of one", std::move(ranks)));
    }
    return combined(id, op.label, "s", Combine::Sum, "per step + per sequence", std::move(parts));
  }

  [[nodiscard]] Derivation collective(const std::string& id, const Operation& op,
                                      const OperationCost& c) const {
    std::vector<Derivation> parts;
    const std::string where = fmt::format("{}, {} ranks, {} per domain; {}", c.net.algorithm, op.shape.size,
                                          op.shape.per_domain, m_.context->collectives.provenance());
    parts.push_back(leaf(id + "/latency", "Latency", c.net.latency_s, "s", SourceKind::Calibrated, where));
    if (c.net.transfer_s > 0 && c.net.wire_bytes_per_rank > 0) {
      std::vector<Derivation> q;
      q.push_back(leaf(id + "/bytes", "Bytes out of one rank", c.net.wire_bytes_per_rank, "B",
                       SourceKind::Derived, where));
      q.push_back(leaf(id + "/bandwidth", "Effective bandwidth", c.net.wire_bytes_per_rank / c.net.transfer_s,
                       "B/s", SourceKind::Calibrated, where));
      parts.push_back(
          combined(id + "/transfer", "Transfer", "s", Combine::Quotient, "bytes / bandwidth", std::move(q)));
    } else {
      parts.push_back(
          leaf(id + "/transfer", "Transfer", c.net.transfer_s, "s", SourceKind::Calibrated, where));
    }
    if (c.fixed_s > 0)
      parts.push_back(leaf(id + "/launch", "Launch from the host", c.fixed_s, "s", SourceKind::Catalog,
                           m_.specs().engine.name));
    return combined(id + "/each", "One execution", "s", Combine::Sum, "latency + transfer", std::move(parts));
  }

  [[nodiscard]] Derivation kernel(const std::string& id, const Operation& op, const OperationCost& c) const {
    const kernel::KernelCost& k = c.kernel;
    std::vector<Derivation> parts;
    parts.push_back(fittedLeaf(id + "/fixed", "Launch, ramp and drain", k.fixed_s, "s"));
    if (c.fixed_s > 0)
      parts.push_back(leaf(id + "/helpers", "Helper kernels and gaps between launches", c.fixed_s, "s",
                           SourceKind::Assumption, op.source.empty() ? m_.specs().engine.name : op.source));
    if (k.serial_s > 0)
      parts.push_back(
          fittedLeaf(id + "/serial", "Split and reduce", k.serial_s, "s", "c x sqrt(serial length), "));
    if (k.memory_s > 0 || k.math_s > 0) parts.push_back(roofline(id, op, c));
    if (k.extra_s > 0)
      parts.push_back(fittedLeaf(id + "/activations", "Quantise or permute activations", k.extra_s, "s"));
    return combined(id + "/each", "One execution", "s", Combine::Sum,
                    "fixed + serial + max of memory and math + activations", std::move(parts));
  }

  [[nodiscard]] Derivation roofline(const std::string& id, const Operation& op,
                                    const OperationCost& c) const {
    const kernel::KernelCost& k = c.kernel;
    std::vector<Derivation> parts;
    parts.push_back(memory(id, op, c));
    if (k.math_s > 0) parts.push_back(math(id, op, k));
    if (k.wave_s > 0)
      parts.push_back(fittedLeaf(id + "/waves", "One block per sequence and KV head", k.wave_s, "s"));
    return combined(id + "/roofline", "Memory and math together", "s", Combine::PowerNorm,
                    "(memory^p + math^p)^(1/p)", std::move(parts), k.exponent);
  }

  [[nodiscard]] Derivation memory(const std::string& id, const Operation& op, const OperationCost& c) const {
    const kernel::KernelCost& k = c.kernel;
    const double bandwidth = m_.specs().chip.memory_bandwidth_bytes_per_s;
    if (!(k.memory_s > 0) || !(bandwidth > 0)) return fittedLeaf(id + "/memory", "HBM", k.memory_s, "s");
    std::vector<Derivation> parts;
    Derivation moved = bytes(id, op, c);
    const double efficiency = moved.value / (k.memory_s * bandwidth);
    parts.push_back(std::move(moved));
    parts.push_back(chipLeaf(id + "/bandwidth", "HBM bandwidth", bandwidth, "B/s",
                             "memory_bandwidth_bytes_per_s", "chip.memory_bandwidth_gb_per_s"));
    parts.push_back(fittedLeaf(id + "/efficiency", "Share of it achieved", efficiency, "1"));
    return combined(id + "/memory", "HBM", "s", Combine::Quotient, "bytes / (bandwidth x efficiency)",
                    std::move(parts));
  }

  /// HBM bytes of one execution: weights or cache, and the rest.
  [[nodiscard]] Derivation bytes(const std::string& id, const Operation& op, const OperationCost& c) const {
    std::vector<Derivation> main;
    const MoeDims* moe = m_.context->model->moe ? &*m_.context->model->moe : nullptr;
    double rest = c.kernel.bytes;
    if (op.kind == OperationKind::Gemm) {
      main.push_back(
          leaf(id + "/n", "Outputs of this rank", op.n, "1", SourceKind::Derived, m_.context->model->name));
      main.push_back(leaf(id + "/k", "Inputs", op.k, "1", SourceKind::Derived, m_.context->model->name));
      main.push_back(leaf(id + "/weight_bytes", "Bytes per weight", bytesPerElement(op.dtype), "B",
                          SourceKind::UserSet, dtypeId(op.dtype), "precision.weights"));
    } else if (op.kind == OperationKind::Experts && moe) {
      main.push_back(leaf(id + "/distinct", "Distinct experts hit on the busiest rank", c.distinct_experts,
                          "1", SourceKind::Derived, "E (1 - (1 - k/E)^T), uniform routing"));
      main.push_back(leaf(id + "/expert_weights", "Weights of one expert slice", 3 * op.n * op.k, "1",
                          SourceKind::Derived, m_.context->model->name));
      main.push_back(leaf(id + "/weight_bytes", "Bytes per weight", bytesPerElement(op.dtype), "B",
                          SourceKind::UserSet, dtypeId(op.dtype), "precision.weights"));
      rest = main[0].value * main[1].value * main[2].value;  // activations are a term of their own
    } else if (op.kind == OperationKind::Mla ||
               (op.kind == OperationKind::Attention && op.window_tokens >= 0)) {
      const bool mla = op.kind == OperationKind::Mla;
      main.push_back(leaf(id + "/sequences", "Sequences", shape_.sequences, "1", SourceKind::Simulated,
                          "steady batch of the load", "workload.concurrency"));
      main.push_back(leaf(id + "/context", "Tokens read of each",
                          op.window_tokens > 0 ? shape_.kv_local : shape_.kv_full, "1", SourceKind::Simulated,
                          "steady batch of the load", "workload.context_tokens"));
      main.push_back(leaf(id + "/entry", "Cache entry of one token on this rank",
                          (mla ? 1 : 2 * op.kv_heads) * op.head_dim, "1", SourceKind::Derived,
                          m_.context->model->name));
      main.push_back(leaf(id + "/element_bytes", "Bytes per element", bytesPerElement(m_.context->kv), "B",
                          SourceKind::UserSet, dtypeId(m_.context->kv), "precision.kv"));
    }
    if (main.empty()) {
      const std::string source = op.source.empty() ? "inputs and outputs of the kernel" : op.source;
      return leaf(id + "/bytes", "Bytes moved", rest, "B", SourceKind::Derived, source);
    }
    const char* label = op.memory_part == StepPart::KvHbm ? "KV cache" : "Weights";
    Derivation product =
        combined(id + "/operand", label, "B", Combine::Product, "sizes x bytes per element", std::move(main));
    const double other = rest - product.value;
    if (std::fabs(other) <= 1e-12 * rest) return product;
    std::vector<Derivation> parts;
    parts.push_back(std::move(product));
    parts.push_back(leaf(id + "/other_bytes", "Activations and scales", other, "B", SourceKind::Derived,
                         "inputs and outputs of the kernel"));
    return combined(id + "/bytes", "Bytes moved", "B", Combine::Sum, "operand + activations",
                    std::move(parts));
  }

  [[nodiscard]] Derivation math(const std::string& id, const Operation& op,
                                const kernel::KernelCost& k) const {
    const bool matrix = op.kind == OperationKind::Gemm || op.kind == OperationKind::Experts;
    const Dtype dtype = matrix ? op.dtype : Dtype::Bf16;
    const double peak = m_.specs().chip.peakFlopPerS(dtype);
    if (!(peak > 0) || !(k.flop > 0)) return fittedLeaf(id + "/math", "Math", k.math_s, "s");
    std::vector<Derivation> parts;
    parts.push_back(leaf(id + "/flop", "Useful operations", k.flop, "FLOP", SourceKind::Derived,
                         m_.context->model->name));
    parts.push_back(chipLeaf(id + "/peak", "Dense peak", peak, "FLOP/s", peakField(m_.specs().chip, peak)));
    parts.push_back(fittedLeaf(id + "/math_efficiency", "Share of it achieved, tiles and padding included",
                               k.flop / (k.math_s * peak), "1"));
    return combined(id + "/math", "Math", "s", Combine::Quotient, "operations / (peak x efficiency)",
                    std::move(parts));
  }
};

std::string sectionLabel(const std::string& section) {
  static const std::map<std::string, std::string, std::less<>> kLabels{
      {"attention", "Attention"}, {"ffn", "Feed-forward and experts"}, {"head", "Head and sampling"},
      {"draft", "Drafting"},      {"collectives", "Collectives"},      {"host", "Host"}};
  const auto found = kLabels.find(section);
  return found == kLabels.end() ? section : found->second;
}

}  // namespace

Derivation StepModel::explain(const StepInput& in) const {
  const Impl& m = *impl_;
  const Shape shape = m.shapeOf(in);
  const StepResult result = evaluate(in);
  const Explainer explainer(m, shape);
  std::vector<std::pair<std::string, std::vector<Derivation>>> sections;
  for (const Operation& op : m.operations) {
    const OperationCost c = m.costOf(op, shape);
    if (!c.runs) continue;
    auto found =
        std::find_if(sections.begin(), sections.end(), [&](const auto& s) { return s.first == op.section; });
    if (found == sections.end()) found = sections.insert(sections.end(), {op.section, {}});
    found->second.push_back(explainer.row(op, c));
  }
  std::vector<Derivation> children;
  for (auto& [name, rows] : sections)
    children.push_back(combined("step/section/" + name, sectionLabel(name), "s", Combine::Sum,
                                "sum of its operations", std::move(rows)));
  const StepBreakdown& b = result.breakdown_s;
  if (b[StepPart::Wait] != 0)
    children.push_back(
        leaf("step/wait", "Wait for the slowest", b[StepPart::Wait], "s", SourceKind::Assumption,
             fmt::format("expected maximum over {} ranks of kernel times with 1 % spread", m.lockstep_ranks),
             "jitter"));
  if (b[StepPart::Throttle] != 0)
    children.push_back(leaf("step/throttle", "Added by clocks below nominal", b[StepPart::Throttle], "s",
                            SourceKind::Simulated,
                            fmt::format("math x {:.3f}, HBM unchanged above {:.2f} of the nominal clock",
                                        1 / in.clock_ratio, m.context->saturation_ratio)));
  if (b[StepPart::Overlap] != 0)
    children.push_back(leaf(
        "step/overlap", "Hidden under other work", b[StepPart::Overlap], "s", SourceKind::Catalog,
        fmt::format("{} hides {:.2f} us of each launch; two-batch overlap {:.0f} %", m.specs().engine.name,
                    m.context->launch_overlap_s * 1e6, m.two_batch_overlap_ratio * 100),
        "serving.two_batch_overlap_ratio"));
  Derivation root = combined("step_time_s", "Time of one decode step", "s", Combine::Sum,
                             "sum of operations, waits and credits", std::move(children));
  setShares(root);
  return root;
}

}  // namespace decodescope::decode
