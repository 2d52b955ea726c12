#include "scenario/parameter_rows.h"

#include <algorithm>
#include <cmath>

namespace decodescope::scenario {
namespace {

constexpr double kMostTokens = 16777216;  ///< 16 Mi, the hard limit of a context
constexpr double kMostChips = 1000000;

double contextOf(const Workload& w) {
  return w.mode == WorkloadMode::Static ? w.context_tokens : meanContextTokens(w);
}

/// The context stays what it is; static load has no prompts to prefill.
void setMode(Scenario& s, WorkloadMode mode) {
  Workload& w = s.workload;
  const double context = contextOf(w);
  const bool was_static = w.mode == WorkloadMode::Static;
  const bool becomes_static = mode == WorkloadMode::Static;
  w.mode = mode;
  if (was_static == becomes_static) return;
  s.serving.prefill = becomes_static ? PrefillMode::None : PrefillMode::Chunked;
  if (becomes_static) {
    w.context_tokens = context;
  } else {
    setMeanContextTokens(w, context);
  }
}

}  // namespace

double meanContextTokens(const Workload& w) {
  return w.prompt.mean_tokens + w.output.mean_tokens / 2;
}

void setMeanContextTokens(Workload& w, double tokens) {
  const double prompt = tokens - w.output.mean_tokens / 2;
  w.prompt.mean_tokens = std::max(1.0, prompt);
  if (prompt < 1) w.output.mean_tokens = std::max(1.0, 2 * (tokens - 1));
}

void addFirstRows(std::vector<ParameterRow>& rows) {
  addRow(
      rows,
      number("workload.context_tokens", "Context length", "Workload", "tokens", ParameterScale::Log2,
             {1024, 1048576}, {2, kMostTokens},
             "Tokens that a decoding sequence holds on average: its prompt and half of its output. Moves the "
             "prompt; in static mode every sequence holds exactly this.",
             kBasic, {4096, 32768, 131072, 1048576}),
      [](const Scenario& s, const Defaults&) -> ParameterValue { return contextOf(s.workload); },
      [](Scenario& s, const ParameterValue& v) {
        if (s.workload.mode == WorkloadMode::Static)
          s.workload.context_tokens = numberOf(v);
        else
          setMeanContextTokens(s.workload, numberOf(v));
      });
  addRow(
      rows,
      number("chips", "Cluster size", "Cluster", "chips", ParameterScale::Log2, {1, 576}, {1, kMostChips},
             "Accelerators of the whole deployment; more than one scale-up domain holds are joined by the "
             "fabric.",
             kIntegral | kBasic, {1, 2, 4, 8, 16, 32, 36, 64, 72, 144, 288, 576}),
      [](const Scenario& s, const Defaults&) -> ParameterValue { return static_cast<double>(s.chips); },
      [](Scenario& s, const ParameterValue& v) { s.chips = static_cast<int>(numberOf(v)); });
}

void addWorkloadRows(std::vector<ParameterRow>& rows) {
  addNumber<&Scenario::workload, &Workload::concurrency>(
      rows, number("workload.concurrency", "Concurrent sequences", "Workload", "sequences",
                   ParameterScale::Log2, {1, 16384}, {1, 1e7},
                   "Sequences in flight over the whole deployment; what memory does not hold waits.",
                   kIntegral | kBasic, {1, 8, 64, 256, 1024, 4096}));
  addRow(
      rows,
      choice("workload.mode", "Load", "Workload",
             "Closed keeps the number of sequences constant, open lets requests arrive at a rate, static "
             "decodes at a fixed context without prefill, trace replays a file."),
      [](const Scenario& s, const Defaults&) -> ParameterValue {
        constexpr const char* kIds[] = {"closed", "open", "static", "trace"};
        return std::string(kIds[static_cast<std::size_t>(s.workload.mode)]);
      },
      [](Scenario& s, const ParameterValue& v) {
        const std::string& id = textOf(v);
        setMode(s, id == "open"     ? WorkloadMode::Open
                   : id == "static" ? WorkloadMode::Static
                   : id == "trace"  ? WorkloadMode::Trace
                                    : WorkloadMode::Closed);
      },
      nullptr,
      {{"closed", "Closed loop", "a finished sequence is replaced at once"},
       {"open", "Open loop", "requests arrive at a rate"},
       {"static", "Static", "pure decode at a given context"},
       {"trace", "Trace", "arrivals and lengths from a file"}});
  addRow(
      rows,
      number("workload.prompt_tokens", "Prompt length", "Workload", "tokens", ParameterScale::Log2,
             {64, 1048576}, {1, kMostTokens},
             "Tokens of a request before the first output token; the mean, when lengths vary."),
      [](const Scenario& s, const Defaults&) -> ParameterValue { return s.workload.prompt.mean_tokens; },
      [](Scenario& s, const ParameterValue& v) { s.workload.prompt.mean_tokens = numberOf(v); });
  addRow(
      rows,
      number("workload.output_tokens", "Output length", "Workload", "tokens", ParameterScale::Log2,
             {64, 32768}, {1, kMostTokens}, "Tokens that a request generates; the mean, when lengths vary."),
      [](const Scenario& s, const Defaults&) -> ParameterValue { return s.workload.output.mean_tokens; },
      [](Scenario& s, const ParameterValue& v) { s.workload.output.mean_tokens = numberOf(v); });
  addNumber<&Scenario::workload, &Workload::arrivals_per_s>(
      rows, number("workload.arrivals_per_s", "Arrivals", "Workload", "req/s", ParameterScale::Log10,
                   {0.1, 10000}, {1e-6, 1e7}, "Requests per second of an open loop."));
  addNumber<&Scenario::workload, &Workload::burstiness_cv>(
      rows,
      number("workload.burstiness_cv", "Burstiness", "Workload", "", ParameterScale::Linear, {0, 4}, {0, 100},
             "Coefficient of variation of the gaps between arrivals; 1 is Poisson, 0 a metronome."));
  addNumber<&Scenario::workload, &Workload::slo_tpot_ms>(
      rows, number("workload.slo_tpot_ms", "Token time target", "Workload", "ms", ParameterScale::Log10,
                   {5, 200}, {0.01, 1e6},
                   "Time per output token that the service promises; the automatic plan keeps within it."));
  addNumber<&Scenario::workload, &Workload::slo_ttft_ms>(
      rows, number("workload.slo_ttft_ms", "First token target", "Workload", "ms", ParameterScale::Log10,
                   {50, 30000}, {0.01, 1e8}, "Time to the first token that the service promises."));
}

}  // namespace decodescope::scenario
