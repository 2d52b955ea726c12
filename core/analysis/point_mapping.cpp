#include "analysis/point_mapping.h"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>

namespace decodescope::analysis {
namespace {

/// Mean prompt tokens of the MLPerf Inference data sets, which logs do not repeat (task descriptions of the
/// benchmark: OpenOrca, its mix with GSM8K and MBXP, LongBench and others, AIME and others, CNN/DailyMail).
struct DataSet {
  std::string_view model;
  double prompt_tokens;
};
constexpr DataSet kMlperf[] = {{"llama2-70b", 295},
                               {"mixtral-8x7b", 290},
                               {"llama3.1-405b", 9400},
                               {"deepseek-v3", 800},
                               {"llama3.1-8b", 870}};

/// 17 of "v0.17", 5.4 of "0.5.4": the version's second number, the third as its decimal. None for 1.0 and
/// later.
std::optional<double> minorVersion(std::string_view published) {
  for (std::size_t at = published.find("0."); at != std::string_view::npos;
       at = published.find("0.", at + 1)) {
    if (at > 0 &&
        (std::isdigit(static_cast<unsigned char>(published[at - 1])) != 0 || published[at - 1] == '.'))
      continue;
    std::size_t end = at + 2;
    bool dotted = false;
    while (end < published.size() && (std::isdigit(static_cast<unsigned char>(published[end])) != 0 ||
                                      (published[end] == '.' && !dotted))) {
      dotted = dotted || published[end] == '.';
      ++end;
    }
    std::string_view text = published.substr(at + 2, end - at - 2);
    if (text.ends_with('.')) text.remove_suffix(1);
    if (const auto number = csv::parseNumber(text)) return number;
  }
  return std::nullopt;
}

constexpr double kUnstatedPrompt_tokens = 512, kUnstatedOutput_tokens = 256;

class Mapper {
 public:
  Mapper(const Catalog& catalog, const MeasuredPoint& p) : catalog_(catalog), p_(p) {}

  Expected<MappedPoint> run() {
    if (auto named = names(); !named) return Unexpected(named.error());
    precision();
    lengths();
    plan();
    regime();
    speculation();
    return std::move(out_);
  }

 private:
  const Catalog& catalog_;
  const MeasuredPoint& p_;
  MappedPoint out_;
  const ModelSpec* model_ = nullptr;
  const ChipSpec* chip_ = nullptr;

  void assume(std::string what) { out_.assumed.push_back(std::move(what)); }
  [[nodiscard]] bool fromMlperf() const { return p_.source.find("MLPerf") != std::string::npos; }
  [[nodiscard]] static Error skip(std::string why) {
    return Error{ErrorCode::NotFound, "", "", "", std::move(why), ""};
  }

  Expected<void> names() {
    const std::string chip = chipOf(catalog_, p_);
    if (chip.empty())
      return Unexpected(skip(fmt::format("no catalog chip for \"{}\"", p_.chip_as_published)));
    if (chip != p_.chip && !p_.chip.empty()) assume("chip " + chip);
    const std::string model = modelOf(catalog_, p_);
    if (model.empty())
      return Unexpected(skip(fmt::format("no catalog model for \"{}\"", p_.model_as_published)));
    const SystemSpec* system = systemOf(catalog_, chip, p_);
    if (!system) return Unexpected(skip(fmt::format("no catalog system holds {}", chip)));
    model_ = *catalog_.model(model);
    chip_ = *catalog_.chip(chip);
    Scenario& s = out_.scenario;
    s.name = p_.id;
    s.model = model;
    s.system = system->id;
    s.jitter = true;
    out_.engine = engineOf(p_.engine);
    generation();
    if (out_.engine == "generic" && fromMlperf()) {
      out_.engine = chip_->vendor == "AMD" ? "vllm" : "trtllm";
      assume(fmt::format("engine {}", out_.engine));
    }
    s.serving.engine = out_.engine;
    s.workload.slo_tpot_ms = 1e9;
    chips(*system);
    return {};
  }

  /// The entry of the engine's generation. Version numbers of disaggregated rows are those of the router
  /// (Dynamo).
  void generation() {
    const bool argonne =
        p_.source.find("Argonne") != std::string::npos;  // measured in the first half of 2024
    std::optional<double> version = p_.notes_have("DISAGGREGATED") ? std::nullopt : minorVersion(p_.engine);
    const std::string plain = out_.engine;
    if (plain == "trtllm" && version && *version < 7) out_.engine = "trtllm-2023";
    const bool azure = p_.source.find("Azure AI-benchmarking-guide") != std::string::npos;  // autumn of 2024
    if (plain == "trtllm" && (argonne || azure || (version && *version >= 7 && *version < 17)))
      out_.engine = "trtllm-2024";
    if (plain == "vllm" && (argonne || (version && *version < 6.1)))
      out_.engine = chip_->vendor == "AMD" ? "vllm-rocm-2024" : "vllm-2024";
    if (out_.engine != plain) assume("engine generation " + out_.engine);
  }

  void chips(const SystemSpec& system) {
    double chips = p_.n_chips.value_or(0);
    if (!(chips > 0)) {
      chips = std::max(1.0, p_.tp.value_or(1) * p_.pp.value_or(1) * p_.dp.value_or(1));
      if (p_.ep) chips = std::max(chips, *p_.ep);
      assume(fmt::format("{:.0f} chips", chips));
    }
    out_.scenario.chips = static_cast<int>(chips);
    out_.chips_per_node =
        p_.nodes && *p_.nodes > 0 ? chips / *p_.nodes : std::min(8.0, static_cast<double>(system.chips));
  }

  [[nodiscard]] std::string weights() {
    const std::string& w = p_.weight_dtype;
    const bool block = model_->default_weights == "fp8_block" ||
                       (model_->id.starts_with("qwen3") && out_.engine != "trtllm");
    if (w == "fp8") return block ? "fp8_block" : "fp8";
    if (w == "fp4") return model_->default_weights == "mxfp4" || chip_->vendor == "AMD" ? "mxfp4" : "nvfp4";
    if (w == "fp16") return "bf16";
    if (!w.empty()) return w;
    std::string chosen = model_->default_weights.empty() ? "bf16" : model_->default_weights;
    if (fromMlperf())
      chosen = chip_->fp4_flop_per_s > 0 && chip_->vendor == "NVIDIA" ? "nvfp4"
               : chip_->fp8_flop_per_s > 0                            ? (block ? "fp8_block" : "fp8")
                                                                      : "bf16";
    if (chosen.starts_with("fp8") && !(chip_->fp8_flop_per_s > 0)) chosen = "bf16";
    assume("weights " + chosen);
    return chosen;
  }

  void precision() {
    Precision& precision = out_.scenario.precision;
    precision.weights = weights();
    if (!p_.kv_dtype.empty()) {
      precision.kv = p_.kv_dtype == "fp16" ? "bf16" : p_.kv_dtype;
      return;
    }
    // TensorRT-LLM checkpoints quantise the cache with the weights; the other engines keep it in 16 bit
    // unless told.
    const bool quantised = precision.weights.starts_with("fp8") || precision.weights == "nvfp4";
    precision.kv =
        (out_.engine == "trtllm" || fromMlperf()) && quantised && chip_->fp8_flop_per_s > 0 ? "fp8" : "bf16";
    assume("KV cache " + precision.kv);
  }

  void lengths() {
    double prompt = p_.input_tokens.value_or(0), output = p_.output_tokens.value_or(0);
    if (!(output > 0) && p_.noted("mean output tokens/sample"))
      output = *p_.noted("mean output tokens/sample");
    if (!(prompt > 0)) {
      prompt = kUnstatedPrompt_tokens;
      for (const DataSet& d : kMlperf) {
        if (fromMlperf() && d.model == model_->id) prompt = d.prompt_tokens;
      }
      if (p_.mean_context_tokens)
        prompt = std::max(1.0, *p_.mean_context_tokens - (output > 0 ? output : kUnstatedOutput_tokens) / 2);
      assume(fmt::format("{:.0f} prompt tokens", prompt));
    }
    if (!(output > 0)) {
      output = kUnstatedOutput_tokens;
      assume(fmt::format("{:.0f} output tokens", output));
    }
    Workload& w = out_.scenario.workload;
    w.prompt = {TokenLength::Distribution::Fixed, prompt};
    w.output = {TokenLength::Distribution::Fixed, output};
    if (p_.notes_have("[0.8,1.0]") || p_.notes_have("random-range-ratio 0.8")) {
      w.prompt = {TokenLength::Distribution::Uniform, 0.9 * prompt, 0, 0.8 * prompt, prompt};
      w.output = {TokenLength::Distribution::Uniform, 0.9 * output, 0, 0.8 * output, output};
      prompt *= 0.9;
      output *= 0.9;
    }
    out_.prompt_tokens = prompt;
    out_.output_tokens = output;
    out_.scenario.serving.chunk_tokens = 8192;
    out_.scenario.serving.kv_block_tokens = out_.engine == "vllm" ? 16 : 64;
  }

  void plan() {
    const bool stated = p_.tp || p_.ep || p_.dp;
    const int chips = out_.scenario.chips;
    ParallelDegrees d;
    d.tp = static_cast<int>(p_.tp.value_or(1));
    d.pp = static_cast<int>(p_.pp.value_or(1));
    d.ep = model_->isMoe() ? static_cast<int>(p_.ep.value_or(1)) : 1;
    d.dp = static_cast<int>(p_.dp.value_or(1));
    const bool attention_dp = p_.notes_have("attention DP") || p_.notes_have("attention-DP") ||
                              (d.dp > 1 && d.tp == d.dp && d.tp * d.dp > chips);
    if (!stated) {
      if (fromMlperf() || chips > 8) {
        assume("plan chosen by the planner");
        return;
      }
      d.tp = std::gcd(chips, model_->heads);
      assume(fmt::format("TP{}", d.tp));
    } else if (!p_.tp && d.ep > 1) {
      // Wide expert parallelism is run with data-parallel attention.
      d.dp = d.ep;
      assume(fmt::format("attention data-parallel over {} ranks", d.dp));
    } else if (attention_dp && model_->isMoe()) {
      d.attention = AttentionSharding::Data;
      d.dp = 1;
      if (!p_.ep) {
        d.ep = 1;
        assume("experts sliced over all ranks");
      }
    }
    // A mixture that prints EP1 beside data-parallel attention would have to hold all experts on every rank.
    if (model_->isMoe() && out_.engine == "sglang" && d.dp > 1 && d.tp == 1 && d.ep == 1 && d.dp <= chips) {
      d.ep = d.dp;
      assume(fmt::format("experts over {} ranks", d.ep));
    }
    if (d.tp * d.pp * d.dp > chips) d.dp = std::max(1, chips / (d.tp * d.pp));
    if (d.tp * d.pp * d.dp < chips && chips % (d.tp * d.pp * d.dp) == 0 && !p_.notes_have("worker(s)"))
      assume(fmt::format("{} replicas", chips / (d.tp * d.pp * d.dp)));
    out_.scenario.parallel = d;
  }

  void staticRegime(Regime regime) {
    out_.regime = regime;
    out_.batch = p_.batch.value_or(1);
    const int chips = out_.scenario.chips;
    if (regime == Regime::PrefillOnly && p_.input_tokens && p_.metric.starts_with("input_tok_s") &&
        out_.batch >= *p_.input_tokens) {
      // Prefill pools state the tokens that each device takes at once.
      out_.scenario.serving.chunk_tokens = static_cast<int>(out_.batch * chips);
      out_.batch *= chips / *p_.input_tokens;
    } else if (p_.notes_have("per device") || p_.notes_have("/device") || p_.notes_have("per rank")) {
      out_.batch *= chips;
    }
    if (p_.notes_have("two-batch overlap on")) {
      constexpr double kHidden = 0.8;
      out_.scenario.serving.two_batch_overlap_ratio = kHidden;
      assume(fmt::format("two-batch overlap hides {:.0f} % of communication", kHidden * 100));
    }
    Workload& w = out_.scenario.workload;
    w.mode = WorkloadMode::Static;
    w.concurrency = out_.batch;
    w.context_tokens = p_.mean_context_tokens.value_or(out_.prompt_tokens + out_.output_tokens / 2);
    // Without a plan, the fastest one: latency is what such rows report.
    w.slo_tpot_ms = 0.001;
    if (!p_.batch) assume("batch 1");
  }

  void serverRegime() {
    Workload& w = out_.scenario.workload;
    const bool decode_only =
        p_.notes_have("decode pool") || p_.notes_have("decode-only") || p_.notes_have("decode unit");
    const bool disaggregated = p_.notes_have("DISAGGREGATED") || (p_.includes_prefill == "no" && decode_only);
    if (disaggregated) out_.scenario.serving.prefill = PrefillMode::Disaggregated;
    if (p_.batch) {
      out_.regime = Regime::ClosedLoop;
      w.mode = WorkloadMode::Closed;
      w.concurrency = *p_.batch;
      return;
    }
    auto rate = p_.noted("samples/s");
    if (!rate) rate = p_.noted("req/s");
    if (rate && p_.metric == "tpot_ms") {
      out_.regime = Regime::OpenLoop;
      w.mode = WorkloadMode::Open;
      w.arrivals_per_s = *rate;
      assume(fmt::format("{:.3g} requests/s", *rate));
      return;
    }
    out_.regime = Regime::MaxThroughput;
    w.mode = WorkloadMode::Closed;
    w.concurrency = 1e9;
    const auto engine = catalog_.engine(out_.engine);
    // The limit is one of each data-parallel rank; a plan yet to be chosen is limited by memory alone.
    const auto& d = out_.scenario.parallel;
    const int ranks = d ? d->dp * (d->attention == AttentionSharding::Data ? d->tp : 1) : 0;
    const int most = engine ? (*engine)->max_batch * ranks : 0;
    out_.scenario.serving.max_batch_per_replica = most;
    assume(most > 0 ? fmt::format("batch as memory allows, at most {} on a replica", most)
                    : std::string("batch as memory allows"));
  }

  void regime() {
    const std::string& metric = p_.metric;
    out_.counts_prefill = p_.includes_prefill != "no";
    if (metric.starts_with("input_tok_s") || metric == "ttft_s") return staticRegime(Regime::PrefillOnly);
    if (metric == "mfu" || metric.starts_with("tpot_intercept") || metric.starts_with("tpot_slope"))
      return staticRegime(Regime::StaticDecode);
    const bool fixed_batch = p_.tier == "A" && p_.batch && !p_.notes_have("closed loop");
    if (metric.starts_with("e2e_latency") || fixed_batch || (p_.tier == "A" && fromPaper())) {
      const bool decode_only = p_.includes_prefill == "no" || metric == "tok_s_user" || metric == "tpot_ms";
      return staticRegime(decode_only ? Regime::StaticDecode : Regime::StaticBatch);
    }
    serverRegime();
  }

  [[nodiscard]] bool fromPaper() const {
    return p_.source.find("Pope") != std::string::npos || p_.metric == "tok_s_user";
  }

  void speculation() {
    if (p_.speculative != "yes" && p_.tier != "D") return;
    Speculation spec;
    spec.draft_tokens = static_cast<int>(p_.noted("num_speculative_tokens").value_or(3));
    if (const auto mean = p_.noted("acceptance"); mean && *mean > 1) {
      // Acceptance stated as tokens per step: the ratio whose geometric sum it is.
      double low = 0, high = 1;
      for (int i = 0; i < 50; ++i) {
        const double a = (low + high) / 2;
        double sum = 0, chance = 1;
        for (int k = 0; k <= spec.draft_tokens; ++k, chance *= a) sum += chance;
        (sum < *mean ? low : high) = a;
      }
      spec.acceptance_ratio = low;
    }
    assume(fmt::format("{} drafted tokens, each accepted with {:.0f} %", spec.draft_tokens,
                       spec.acceptance_ratio * 100));
    out_.scenario.serving.speculation = spec;
  }
};

}  // namespace

Expected<MappedPoint> mapPoint(const Catalog& catalog, const MeasuredPoint& point) {
  return Mapper(catalog, point).run();
}

}  // namespace decodescope::analysis
